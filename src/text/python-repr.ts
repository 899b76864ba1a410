import { pythonFloat } from './python-json.js';

/** What Python's repr() can be asked of: values of JSON, and tuples. Numbers without a fraction are ints. */
export type PythonValue =
  | string
  | number
  | boolean
  | null
  | readonly PythonValue[]
  | PythonTuple
  | PythonFloat
  | { readonly [key: string]: PythonValue };

/** Prints as a tuple: `(1,)`. */
export class PythonTuple {
  constructor(readonly items: readonly PythonValue[]) {}
}

/** Prints as a float even where it is whole: `2.0`. */
export class PythonFloat {
  constructor(readonly value: number) {}
}

/**
 * What repr() escapes: controls, formats, surrogates, private use, what is not assigned, and every separator but the
 * space (str.isprintable of CPython; the table is that of the JavaScript engine, so a character of a newer Unicode
 * may differ).
 */
const UNPRINTABLE = /[\p{C}\p{Z}]/gu;
const ESCAPED = /[^ -&(-[\]-~]/;

/** The text of Python's `repr(value)`. */
export function pythonRepr(value: PythonValue): string {
  if (value === null) return 'None';
  if (typeof value === 'string') return stringRepr(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return numberRepr(value);
  if (value instanceof PythonFloat) return floatRepr(value.value);
  if (value instanceof PythonTuple) {
    const items = value.items.map(pythonRepr);
    return items.length === 1 ? `(${items[0]},)` : `(${items.join(', ')})`;
  }
  if (isList(value)) return `[${value.map(pythonRepr).join(', ')}]`;
  const members = Object.entries(value).map(
    ([key, member]) => `${stringRepr(key)}: ${pythonRepr(member)}`,
  );
  return `{${members.join(', ')}}`;
}

/** The text of Python's `str(value)`: a string stands for itself, everything else is its repr. */
export function pythonStr(value: PythonValue): string {
  return typeof value === 'string' ? value : pythonRepr(value);
}

function isList(value: object): value is readonly PythonValue[] {
  return Array.isArray(value);
}

function numberRepr(value: number): string {
  // BigInt, because JavaScript changes to an exponent at 1e21 and Python's ints never do.
  return Number.isInteger(value) ? String(BigInt(value)) : floatRepr(value);
}

function floatRepr(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  return pythonFloat(value);
}

function stringRepr(text: string): string {
  if (!ESCAPED.test(text)) return `'${text}'`;
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inside = text
    .replaceAll('\\', '\\\\')
    .replace(UNPRINTABLE, escaped)
    .replaceAll(quote, `\\${quote}`);
  return quote + inside + quote;
}

const SHORT: Readonly<Record<string, string>> = { ' ': ' ', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(character: string): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  if (code <= 0xffff) return `\\u${hex.padStart(4, '0')}`;
  return `\\U${hex.padStart(8, '0')}`;
}

/** White space as Python's str.isspace() has it: not U+FEFF, which JavaScript trims, but U+001C to U+001F and U+0085. */
const SPACE =
  '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const LEADING = new RegExp(`^${SPACE}+`);
const IS_SPACE = new RegExp(SPACE);

/** The text of Python's `text.strip()`. */
export function pythonStrip(text: string): string {
  // From the end by hand: `SPACE+$` would look at every run of spaces from each of its places.
  let end = text.length;
  while (end > 0 && IS_SPACE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end).replace(LEADING, '');
}
