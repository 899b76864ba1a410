import type { JsonNode } from './json-text.js';

/**
 * A text that two JSON values share exactly when they are equal: members in the order of their keys, of a key that
 * stands twice the last one, numbers by value, strings by their UTF-16 units, no white space. It is itself JSON.
 */
export function canonicalJson(node: JsonNode): string {
  // Pieces are joined once: putting texts together level by level would copy a deep value a thousand times.
  const pieces: string[] = [];
  write(node, pieces);
  return pieces.join('');
}

/** The members of an object by key; of a key that stands twice the last one. */
export function membersOf(node: JsonNode & { type: 'object' }): Map<string, JsonNode> {
  return new Map(node.members.map(({ key, value }) => [key, value]));
}

function write(node: JsonNode, pieces: string[]): void {
  switch (node.type) {
    case 'object': {
      const members = membersOf(node);
      let before = '{';
      for (const key of [...members.keys()].sort()) {
        pieces.push(before, JSON.stringify(key), ':');
        write(members.get(key) as JsonNode, pieces);
        before = ',';
      }
      pieces.push(before === '{' ? '{}' : '}');
      return;
    }
    case 'array': {
      let before = '[';
      for (const item of node.items) {
        pieces.push(before);
        write(item, pieces);
        before = ',';
      }
      pieces.push(before === '[' ? '[]' : ']');
      return;
    }
    case 'string':
      pieces.push(JSON.stringify(node.value));
      return;
    case 'number':
      pieces.push(canonicalNumber(node.raw));
      return;
    case 'literal':
      pieces.push(String(node.value));
  }
}

const NUMBER = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;
const ZERO = 0x30;

/**
 * A JSON number in the one form that all writings of its exact decimal value share, `DIGITSeEXPONENT`: 1, 1.0 and 10e-1
 * are `1e0`, and no digit of a long one is lost. -0 is 0. A number whose exponent itself is beyond reckoning stays as
 * it was written.
 */
export function canonicalNumber(raw: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(raw) ?? [];
  const digits = whole + fraction;
  let from = 0;
  let to = digits.length;
  // By hand: /0+$/ takes quadratic time on long runs of zeros.
  while (from < to && digits.charCodeAt(from) === ZERO) from += 1;
  while (to > from && digits.charCodeAt(to - 1) === ZERO) to -= 1;
  if (from === to) return '0';
  const shift = Number(exponent) - fraction.length + (digits.length - to);
  return Number.isSafeInteger(shift) ? `${sign}${digits.slice(from, to)}e${shift}` : raw;
}
