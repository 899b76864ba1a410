import type { JsonNode } from './json-text.js';
import { parseJsonText } from './json-text.js';

/** A member that replaces the one of the same key, or is added; `text` is JSON. */
export interface MemberText {
  readonly key: string;
  readonly text: string;
}

/**
 * A float as Python's repr prints it: the shortest digits that read back as the same number (as in JavaScript), with
 * an exponent of at least two digits from 1e16 up and below 1e-4, and `.0` where nothing else says that it is a float.
 */
export function pythonFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  if (Math.abs(value) >= 1e-4 && Math.abs(value) < 1e16) {
    const digits = String(value);
    return digits.includes('.') ? digits : `${digits}.0`;
  }
  const [mantissa = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** Whether Python's json module reads the number as a float; without a point or exponent it is an int of any size. */
export function isPythonFloat(raw: string): boolean {
  return /[.eE]/.test(raw);
}

function pythonNumber(raw: string): string {
  if (isPythonFloat(raw)) return pythonFloat(Number(raw));
  return raw === '-0' ? '0' : raw;
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};
const ESCAPED = /["\\]|[^ -\uffff]/g;

function pythonString(value: string): string {
  if (value.search(ESCAPED) === -1) return `"${value}"`;
  const escaped = value.replace(
    ESCAPED,
    (c) => SHORT_ESCAPES[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `"${escaped}"`;
}

/** Orders strings as Python does, by code point; JavaScript's `<` puts surrogate pairs before U+E000. */
function byCodePoint(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let at = 0;
  while (at < shorter && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  if (at === shorter) return a.length - b.length;
  const x = a.charCodeAt(at);
  const y = b.charCodeAt(at);
  return isSurrogate(x) || isSurrogate(y) ? byEachCodePoint(a, b) : x - y;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** For two strings of which neither is the beginning of the other. */
function byEachCodePoint(a: string, b: string): number {
  const x = Array.from(a, (c) => c.codePointAt(0) ?? 0);
  const y = Array.from(b, (c) => c.codePointAt(0) ?? 0);
  const at = x.findIndex((code, place) => code !== y[place]);
  return (x[at] ?? 0) - (y[at] ?? 0);
}

/** An escape that Python does not write: a slash, or a character by its number. Also found in `\\\\u`, which is none. */
const OTHER_ESCAPE = /\\[/u]/;

function dump(node: JsonNode, text: string): string {
  switch (node.type) {
    case 'object':
      return dumpMembers(
        node.members.map(({ key, value }) => ({ key, written: dump(value, text) })),
      );
    case 'array': {
      let items = '';
      for (const item of node.items) {
        items += `${items === '' ? '' : ', '}${dump(item, text)}`;
      }
      return `[${items}]`;
    }
    case 'string': {
      // What stands in a JSON text is what Python writes, all but a few escapes.
      const raw = text.slice(node.start, node.end);
      return OTHER_ESCAPE.test(raw) ? pythonString(node.value) : raw;
    }
    case 'number':
      return pythonNumber(node.raw);
    case 'literal':
      return String(node.value);
  }
}

interface Written {
  readonly key: string;
  /** The value as Python writes it. */
  readonly written: string;
}

/** The last of duplicate keys holds, as in a Python dict. */
function dumpMembers(members: Written[]): string {
  // Stable, so that the last of equal keys stays the last.
  members.sort((a, b) => byCodePoint(a.key, b.key));
  let out = '';
  for (const [place, { key, written }] of members.entries()) {
    if (members[place + 1]?.key === key) continue;
    out += `${out === '' ? '' : ', '}${pythonString(key)}: ${written}`;
  }
  return `{${out}}`;
}

/**
 * The text of Python's `json.dumps(json.loads(text), sort_keys=True, ensure_ascii=False)`: keys sorted by code point
 * at every level, separators `", "` and `": "`, the last of duplicate keys, numbers as Python prints them.
 *
 * Where Python would fail: an integer of more than 4,300 digits is printed here, and a lone surrogate is kept (Python
 * prints it too but cannot encode it as UTF-8 afterwards; Node encodes it as U+FFFD).
 *
 * @param text a JSON text.
 * @param replaced members set at the top level, which must then be an object.
 * @throws JsonTextError when `text` or a replaced member is not JSON; TypeError when members are replaced in a text
 *   that is no object.
 */
export function pythonDumps(text: string, replaced: readonly MemberText[] = []): string {
  const node = parseJsonText(text);
  if (replaced.length === 0) return dump(node, text);
  if (node.type !== 'object') throw new TypeError('members can be replaced in an object only');
  const own = node.members.map(({ key, value }) => ({ key, written: dump(value, text) }));
  const others = replaced.map((member) => ({ key: member.key, written: pythonDumps(member.text) }));
  return dumpMembers([...own, ...others]);
}
