import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import {
  isJsonButForNonFinite,
  type JsonNode,
  JsonTextError,
  MAX_JSON_DEPTH,
  member,
  parseJsonText,
  sliceOf,
  splice,
} from '../../src/text/json-text.js';

/** The plain value of a tree, to compare with JSON.parse. */
function plain(node: JsonNode): unknown {
  switch (node.type) {
    case 'object': {
      const object: Record<string, unknown> = {};
      for (const { key, value } of node.members) {
        Object.defineProperty(object, key, {
          value: plain(value),
          enumerable: true,
          configurable: true,
          writable: true,
        });
      }
      return object;
    }
    case 'array':
      return node.items.map(plain);
    case 'number':
      return Number(node.raw);
    default:
      return node.value;
  }
}

function offsetOf(text: string): number | null {
  try {
    parseJsonText(text);
    return null;
  } catch (error) {
    if (error instanceof JsonTextError) return error.offset;
    throw error;
  }
}

describe('parseJsonText', () => {
  it('keeps order, duplicates, digits and places', () => {
    const text = ' {"10": 1.0, "9": [true, null], "10": 12345678901234567890} ';
    const node = parseJsonText(text);
    expect(node.type === 'object' && node.members.map((m) => m.key)).toEqual(['10', '9', '10']);
    expect(sliceOf(text, node)).toBe(text.trim());
    expect(node.type === 'object' && node.members.map((m) => sliceOf(text, m.value))).toEqual([
      '1.0',
      '[true, null]',
      '12345678901234567890',
    ]);
    expect(member(node, '10')).toEqual({
      type: 'number',
      start: 38,
      end: 58,
      raw: '12345678901234567890',
    });
    expect(member(node, 'absent')).toBeUndefined();
    expect(member(parseJsonText('[]'), 'length')).toBeUndefined();
  });

  it('agrees with JSON.parse on every JSON text', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom('', ' ', '\n\t'), (json, space) => {
        const text = space + json + space;
        expect(plain(parseJsonText(text))).toEqual(JSON.parse(text));
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it('accepts and refuses the same damaged texts as JSON.parse', () => {
    const piece = fc.constantFrom(...'{}[]",:\\/u0a1-.eE+ \n\t\u0001tfn'.split(''), 'true', '1.5');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        let parsed = true;
        try {
          JSON.parse(text);
        } catch {
          parsed = false;
        }
        expect(offsetOf(text) === null).toBe(parsed);
      }),
      { seed: 2, numRuns: 3000 },
    );
  });

  test.each([
    ['', 0],
    ['  ', 2],
    ['{"a":', 5],
    ['{"a"', 4],
    ['{"a":1', 6],
    ['{"a":1,}', 7],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['"abc', 4],
    ['"a\\', 3],
    ['"a\\u12', 6],
    ['"a\\u12x4"', 3],
    ['"a\\x"', 3],
    ['"a\nb"', 2],
    ['tru', 3],
    ['trux', 0],
    ['nul', 3],
    ['-', 1],
    ['-x', 0],
    ['01', 1],
    ['1.', 1],
    ['.5', 0],
    ['+1', 0],
    ['NaN', 0],
    ['-Infinity', 0],
    ["{'a':1}", 1],
    ['{}{}', 2],
    ['\ufeff{}', 0],
    ['[1]//', 3],
    ['\u00a0{}', 0],
  ])('%j fails at offset %d', (text, offset) => {
    expect(offsetOf(text)).toBe(offset);
  });

  it('gives up on deep nesting instead of overflowing the stack', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(offsetOf(nested(MAX_JSON_DEPTH))).toBeNull();
    expect(offsetOf(nested(MAX_JSON_DEPTH + 1))).toBe(MAX_JSON_DEPTH);
    expect(offsetOf('['.repeat(1_000_000))).toBe(MAX_JSON_DEPTH);
    expect(offsetOf('{"a":'.repeat(200_000))).toBe(5 * MAX_JSON_DEPTH);
    expect(offsetOf(`[${'[],'.repeat(5000)}[]]`)).toBeNull();
  });
});

/** The error by which a text is refused. */
function refusalOf(text: string): JsonTextError {
  try {
    parseJsonText(text);
  } catch (error) {
    if (error instanceof JsonTextError) return error;
  }
  throw new Error(`${text} is JSON`);
}

describe('isJsonButForNonFinite', () => {
  test.each([
    'NaN',
    ' -Infinity ',
    '[NaN,Infinity,-Infinity]',
    '{"a":NaN,"b":"\\"NaN","NaN":1}',
    '{"a":"x","b":[[NaN]]}',
  ])('%s: yes', (text) => {
    expect(isJsonButForNonFinite(text, refusalOf(text))).toBe(true);
  });

  test.each([
    '',
    '-NaN',
    '+Infinity',
    'nan',
    'Infinit',
    'NaNa',
    'NaN 1',
    '1NaN',
    '1-Infinity',
    '"NaN',
    '{NaN:1}',
    '{"a":NaN',
    '[NaN,}',
    '[NaN,nul]',
    '["a\nb",NaN]',
    '[,NaN]',
    `${'['.repeat(1001)}NaN`,
  ])('%s: no', (text) => {
    expect(isJsonButForNonFinite(text, refusalOf(text))).toBe(false);
  });
});

describe('splice', () => {
  test.each([
    ['abcdef', [], 'abcdef'],
    ['abcdef', [{ start: 1, end: 3, text: 'X' }], 'aXdef'],
    [
      'abcdef',
      [
        { start: 4, end: 6, text: '' },
        { start: 0, end: 0, text: '>' },
        { start: 2, end: 4, text: 'YY' },
      ],
      '>abYY',
    ],
    [
      'ab',
      [
        { start: 1, end: 1, text: '1' },
        { start: 1, end: 1, text: '2' },
      ],
      'a12b',
    ],
  ])('%j with %j', (text, edits, result) => {
    expect(splice(text, edits)).toBe(result);
  });

  test.each([
    [
      [
        { start: 0, end: 3, text: '' },
        { start: 2, end: 4, text: '' },
      ],
    ],
    [[{ start: 2, end: 9, text: '' }]],
    [[{ start: 2, end: 1, text: '' }]],
  ])('refuses %j', (edits) => {
    expect(() => splice('abcd', edits)).toThrow(RangeError);
  });
});
