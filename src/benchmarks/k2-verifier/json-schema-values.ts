import type { Json } from '../../model/json.js';
import { type JsonNode, MAX_JSON_DEPTH } from '../../text/json-text.js';
import { isPythonFloat } from '../../text/python-json.js';

/**
 * A JSON value as Python's json module sees it: an integer of any size is a bigint, a float is a number, so that
 * neither digits nor the difference between 1 and 1.0 are lost. JavaScript compares the two exactly, as Python does.
 * Objects have no prototype: a member called `toString` or `__proto__` is a member like any other.
 */
export type Value = null | boolean | string | bigint | number | Value[] | { [key: string]: Value };

/** JSON that Python's json module gives up on. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** sys.int_info.default_max_str_digits */
const MAX_DIGITS = 4300;

function numberOf(raw: string): bigint | number {
  if (isPythonFloat(raw)) return Number(raw);
  const digits = raw.startsWith('-') ? raw.length - 1 : raw.length;
  if (digits > MAX_DIGITS) throw new Unreadable(`an integer of ${digits} digits`);
  return BigInt(raw);
}

function emptyObject(): { [key: string]: Value } {
  return Object.create(null) as { [key: string]: Value };
}

/**
 * The value of a parsed text; the last of duplicate keys wins.
 * @throws Unreadable for an integer of more than 4,300 digits.
 */
export function valueOfNode(node: JsonNode): Value {
  switch (node.type) {
    case 'object': {
      const object = emptyObject();
      for (const { key, value } of node.members) object[key] = valueOfNode(value);
      return object;
    }
    case 'array':
      return node.items.map(valueOfNode);
    case 'number':
      return numberOf(node.raw);
    default:
      return node.value;
  }
}

/**
 * The value of something that JSON.parse made: whole numbers count as integers, for the difference is lost.
 * @throws Unreadable for more than MAX_JSON_DEPTH levels.
 */
export function valueOfJson(json: Json, depth = 0): Value {
  if (typeof json === 'number') return Number.isSafeInteger(json) ? BigInt(json) : json;
  if (json === null || typeof json !== 'object') return json;
  if (depth >= MAX_JSON_DEPTH) throw new Unreadable(`nested deeper than ${MAX_JSON_DEPTH} levels`);
  if (Array.isArray(json)) return json.map((item: Json) => valueOfJson(item, depth + 1));
  const object = emptyObject();
  for (const [key, value] of Object.entries(json)) object[key] = valueOfJson(value, depth + 1);
  return object;
}

/** A value as JSON.parse gives it, digits lost. */
export function plainOf(value: Value): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(plainOf);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plainOf(inner)]));
}

/** Whether a node holds an object with the same key twice, at any depth. */
export function hasDuplicateKeys(node: JsonNode): boolean {
  if (node.type === 'array') return node.items.some(hasDuplicateKeys);
  if (node.type !== 'object') return false;
  const keys = new Set(node.members.map(({ key }) => key));
  return (
    keys.size < node.members.length || node.members.some(({ value }) => hasDuplicateKeys(value))
  );
}

export function isNumber(value: Value): value is bigint | number {
  return typeof value === 'bigint' || typeof value === 'number';
}

/**
 * A text that two values share exactly when JSON Schema holds them equal: 1 is 1.0 but not true, and the order of
 * members does not count.
 */
export function identityOf(value: Value): string {
  if (typeof value === 'number' && Number.isInteger(value)) return String(BigInt(value));
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null || typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map(identityOf).join()}]`;
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${identityOf(value[key] ?? null)}`);
  return `{${members.join()}}`;
}

/** A finite float as an exact fraction. */
function fractionOf(value: number): readonly [num: bigint, den: bigint] {
  let scaled = value;
  let den = 1n;
  // Each doubling is exact, and 1074 of them make the smallest float an integer.
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    den *= 2n;
  }
  return [BigInt(scaled), den];
}

/**
 * Whether a number is a multiple, as Python's jsonschema reckons: by float division when the divisor is a float (so
 * 0.3 is no multiple of 0.1), by remainder when it is an integer, by exact fractions when the quotient overflows.
 * @param divisor greater than 0.
 */
export function isMultiple(value: bigint | number, divisor: bigint | number): boolean {
  if (typeof divisor === 'bigint') {
    if (typeof value === 'bigint') return value % divisor === 0n;
    return value % Number(divisor) === 0;
  }
  const dividend = Number(value);
  if (!Number.isFinite(dividend)) return false;
  const quotient = dividend / divisor;
  if (Number.isFinite(quotient)) return Number.isInteger(quotient);
  const [a, b] = fractionOf(dividend);
  const [c, d] = fractionOf(divisor);
  return (a * d) % (b * c) === 0n;
}
