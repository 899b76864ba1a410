import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import { tokenF1 } from '../../../src/benchmarks/k2-verifier/agreement-tokens.js';
import { parseJsonText } from '../../../src/text/json-text.js';

const f1 = (a: string, b: string): number => tokenF1(parseJsonText(a), parseJsonText(b));

describe('token F1', () => {
  // Tokens in common, of the first and of the second: F1 is twice the common ones through the sum of both.
  test.each<[string, string, string, number, number, number]>([
    ['one value of two', '{"city":"Oslo","days":3}', '{"city":"Oslo","days":4}', 1, 2, 2],
    ['words of a sentence', '{"q":"weather in Oslo"}', '{"q":"weather Oslo today"}', 2, 3, 3],
    ['a word that comes twice counts twice', '"a a b"', '"a b b"', 2, 3, 3],
    ['characters of Chinese', '{"city":"上海市"}', '{"city":"上海"}', 2, 3, 2],
    ['kana too', '"ひらカナ"', '"ひらかな"', 2, 4, 4],
    ['Chinese amid Latin', '"weather北京now"', '"weather 北京 now"', 4, 4, 4],
    ['signs are tokens', '"20:00"', '"21:00"', 2, 3, 3],
    ['accents stay with their letter', '"café"', '"cafe"', 0, 1, 1],
    ['an emoji is one token', '"ok 😀"', '"ok 😁"', 1, 2, 2],
    ['case counts', '"Oslo"', '"oslo"', 0, 1, 1],
    ['the same word elsewhere', '{"from":"Oslo"}', '{"to":"Oslo"}', 0, 1, 1],
    ['one argument more', '{"a":1}', '{"a":1,"b":2}', 1, 1, 2],
    ['1 and "1"', '1', '"1"', 0, 1, 1],
    ['1 and 1.0', '1', '1.0', 1, 1, 1],
    ['true and "true"', 'true', '"true"', 0, 1, 1],
    ['null and "null"', 'null', '"null"', 0, 1, 1],
    ['the place in a list does not count', '[1,2,3]', '[3,1,2]', 3, 3, 3],
    ['an item more in front', '{"x":["a","b"]}', '{"x":["c","a","b"]}', 2, 2, 3],
    ['no members and one', '{}', '{"a":1}', 0, 1, 1],
    ['{} and []', '{}', '[]', 0, 1, 1],
    ['empty inside', '{"a":{},"b":[]}', '{"a":{},"b":[0]}', 1, 2, 2],
    ['an empty text is a token', '{"a":"","b":1}', '{"a":"","b":2}', 1, 2, 2],
    ['of a key that stands twice the last', '{"a":1,"a":2}', '{"a":2}', 1, 1, 1],
    ['a key that looks like a path', '{"a":{"b":1}}', '{"a.b":1}', 0, 1, 1],
    ['a key that looks like a list', '{"a":[1]}', '{"a":{"[]":1}}', 0, 1, 1],
  ])('%s', (_name, a, b, common, ofA, ofB) => {
    const expected = (2 * common) / (ofA + ofB);
    expect(f1(a, b)).toBeCloseTo(expected, 12);
    expect(f1(b, a)).toBeCloseTo(expected, 12);
  });

  it('is 1 with itself, the same both ways, and from 0 to 1', () => {
    const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value));
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(f1(a, a)).toBe(1);
        expect(f1(a, b)).toBe(f1(b, a));
        expect(f1(a, b)).toBeGreaterThanOrEqual(0);
        expect(f1(a, b)).toBeLessThanOrEqual(1);
      }),
      { seed: 1 },
    );
  });

  it('looks at the first 20,000 tokens, in the order of the keys', () => {
    const list = (n: number): string => `[${Array.from({ length: n }, () => '1').join()}]`;
    // 20,000 ones are the whole of what is looked at: a, not z.
    expect(f1(`{"z":1,"a":${list(20_000)}}`, `{"z":2,"a":${list(20_000)}}`)).toBe(1);
    // 19,999 ones and one other.
    expect(f1(`{"z":1,"a":${list(19_999)}}`, `{"z":2,"a":${list(19_999)}}`)).toBe(19_999 / 20_000);
  });
});
