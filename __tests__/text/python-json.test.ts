import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from '@jest/globals';
import { JsonTextError } from '../../src/text/json-text.js';
import { pythonDumps, pythonFloat } from '../../src/text/python-json.js';

interface Cases {
  cases: { text: string; dumps: string }[];
  replaced: { text: string; members: [string, string][]; dumps: string }[];
}
const printed = JSON.parse(
  readFileSync(new URL('../fixtures/python-json-cases.json', import.meta.url), 'utf8'),
) as Cases;

describe('pythonDumps', () => {
  it('prints every case as CPython did', () => {
    expect(printed.cases.length).toBeGreaterThan(250);
    for (const { text, dumps } of printed.cases) {
      expect({ text, dumps: pythonDumps(text) }).toEqual({ text, dumps });
    }
  });

  test.each(printed.replaced)('replaces members of $text', ({ text, members, dumps }) => {
    const replaced = members.map(([key, value]) => ({ key, text: value }));
    expect(pythonDumps(text, replaced)).toBe(dumps);
  });

  test.each([
    ['ints keep every digit', '9007199254740993', '9007199254740993'],
    ['int minus zero is zero', '-0', '0'],
    ['float minus zero keeps its sign', '-0.0', '-0.0'],
    ['overflow', '[1e400]', '[Infinity]'],
    ['the last duplicate wins', '{"a":1,"b":2,"a":3}', '{"a": 3, "b": 2}'],
    ['integer-like keys sort as text', '{"9":1,"10":2}', '{"10": 2, "9": 1}'],
    ['code points, not UTF-16', '{"\u{1f600}":1,"\uffff":2}', '{"\uffff": 2, "\u{1f600}": 1}'],
    ['only what must be escaped', '"\\u007f\\/\\u001f"', '"\u007f/\\u001f"'],
    ['a key called __proto__', '{"__proto__":1}', '{"__proto__": 1}'],
    ['an escaped backslash before a u', '"\\\\u0041\\u0041"', '"\\\\u0041A"'],
    [
      'code points after a common half',
      '{"\ud83d\ude00":1,"\ud83d":2}',
      '{"\ud83d": 2, "\ud83d\ude00": 1}',
    ],
    [
      'many members in any order',
      '{"p":0,"o":1,"n":2,"m":3,"l":4,"k":5,"j":6,"i":7,"h":8,"g":9,"f":10,"e":11,"d":12,"c":13,"b":14,"a":15,"q":16,"a":17}',
      '{"a": 17, "b": 14, "c": 13, "d": 12, "e": 11, "f": 10, "g": 9, "h": 8, "i": 7, "j": 6, "k": 5, "l": 4, "m": 3, "n": 2, "o": 1, "p": 0, "q": 16}',
    ],
  ])('%s', (_name, text, dumps) => {
    expect(pythonDumps(text)).toBe(dumps);
  });

  it('keeps a lone surrogate', () => {
    expect(pythonDumps('"\\ud800"')).toBe('"\ud800"');
  });

  it('refuses what is not JSON, and members of something else than an object', () => {
    expect(() => pythonDumps('{')).toThrow(JsonTextError);
    expect(() => pythonDumps('[]', [{ key: 'a', text: '1' }])).toThrow(TypeError);
  });
});

test.each([
  [1, '1.0'],
  [1e16, '1e+16'],
  [9999999999999998, '9999999999999998.0'],
  [0.0001, '0.0001'],
  [0.00001, '1e-05'],
  [1.5e300, '1.5e+300'],
  [Number.NaN, 'NaN'],
  [Number.NEGATIVE_INFINITY, '-Infinity'],
])('pythonFloat(%p) is %s', (value, text) => {
  expect(pythonFloat(value)).toBe(text);
});
