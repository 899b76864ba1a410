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
  const [mantissa = '', power = '0'] = value.toExponential().split('e');
  const sign = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace(/[-.]/g, '');
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
    const size = String(Math.abs(exponent)).padStart(2, '0');
    return `${sign}${digits[0]}${fraction}e${exponent < 0 ? '-' : '+'}${size}`;
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`;
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
  const escaped = value.replace(
    ESCAPED,
    (c) => SHORT_ESCAPES[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `"${escaped}"`;
}

/** Orders strings as Python does, by code point; JavaScript's `<` puts surrogate pairs before U+E000. */
function byCodePoint(a: string, b: string): number {
  if (!/[\ud800-\udfff]/.test(a + b)) return a < b ? -1 : Number(a > b);
  const x = Array.from(a, (c) => c.codePointAt(0) ?? 0);
  const y = Array.from(b, (c) => c.codePointAt(0) ?? 0);
  for (const [i, code] of x.entries()) {
    const other = y[i];
    if (other === undefined) return 1;
    if (code !== other) return code - other;
  }
  return x.length - y.length;
}

function dump(node: JsonNode): string {
  switch (node.type) {
    case 'object':
      return dumpMembers(new Map(node.members.map(({ key, value }) => [key, value])));
    case 'array':
      return `[${node.items.map(dump).join(', ')}]`;
    case 'string':
      return pythonString(node.value);
    case 'number':
      return pythonNumber(node.raw);
    case 'literal':
      return String(node.value);
  }
}

/** A Map holds the last duplicate, as a Python dict does. */
function dumpMembers(members: ReadonlyMap<string, JsonNode>): string {
  const keys = [...members.keys()].sort(byCodePoint);
  const written = keys.flatMap((key) => {
    const value = members.get(key);
    return value === undefined ? [] : [`${pythonString(key)}: ${dump(value)}`];
  });
  return `{${written.join(', ')}}`;
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
  if (replaced.length === 0) return dump(node);
  if (node.type !== 'object') throw new TypeError('members can be replaced in an object only');
  const members = new Map(node.members.map(({ key, value }) => [key, value]));
  for (const member of replaced) members.set(member.key, parseJsonText(member.text));
  return dumpMembers(members);
}
