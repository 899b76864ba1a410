import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson, canonicalNumber } from '../../src/text/canonical-json.js';
import { parseJsonText } from '../../src/text/json-text.js';

const canonical = (text: string): string => canonicalJson(parseJsonText(text));

describe('two JSON texts are', () => {
  test.each<[string, string, string]>([
    ['white space', '{"a":1}', ' { "a" :\n1 } '],
    ['the order of keys', '{"a":1,"b":[2]}', '{"b":[2],"a":1}'],
    ['the order of keys, deep', '[{"a":{"b":1,"c":2}}]', '[{"a":{"c":2,"b":1}}]'],
    ['of a key that stands twice the last one', '{"a":1,"b":2,"a":3}', '{"a":3,"b":2}'],
    ['1 and 1.0', '1', '1.0'],
    ['1e2 and 100', '1e2', '100'],
    ['1E+2 and 100.00', '1E+2', '100.00'],
    ['0.1 and 10e-2', '0.1', '10e-2'],
    ['-0 and 0', '-0', '0.0e5'],
    ['large integers, written otherwise', '12345678901234567890', '1234567890123456789e1'],
    ['numbers beyond doubles', '1e400', '10e399'],
    ['escapes', '"\\u0041\\/\\n"', '"A/\\u000a"'],
    ['lone surrogates', '"\\ud800"', '"\\uD800"'],
    ['__proto__ is a key', '{"__proto__":1,"a":2}', '{"a":2,"__proto__":1}'],
    ['long runs of zeros', `1${'0'.repeat(50_000)}`, '1e50000'],
  ])('equal: %s', (_name, a, b) => {
    expect(canonical(a)).toBe(canonical(b));
  });

  test.each<[string, string, string]>([
    ['large integers that a double cannot tell apart', '9007199254740993', '9007199254740992'],
    ['large integers of 4,000 digits', `${'9'.repeat(4000)}8`, `${'9'.repeat(4000)}7`],
    ['fractions that a double cannot tell apart', '0.1', '0.10000000000000000001'],
    ['numbers that are both infinite as doubles', '1e400', '1e401'],
    ['signs', '1', '-1'],
    ['1 and "1"', '1', '"1"'],
    ['1 and true', '1', 'true'],
    ['null and a missing member', '{"a":null}', '{}'],
    ['null and "null"', 'null', '"null"'],
    ['{} and []', '{}', '[]'],
    ['the order of a list', '[1,2]', '[2,1]'],
    ['the same letter composed and decomposed', '"\\u00e9"', '"e\\u0301"'],
    ['a blank more', '"a"', '"a "'],
    ['case', '"Oslo"', '"oslo"'],
    ['a key within a key', '{"a":{"b":1}}', '{"a":1,"b":1}'],
    ['a text that looks like members', '{"a":"1,\\"b\\":2"}', '{"a":"1","b":2}'],
    ['[[],[]] and [[[]]]', '[[],[]]', '[[[]]]'],
  ])('different: %s', (_name, a, b) => {
    expect(canonical(a)).not.toBe(canonical(b));
  });
});

test.each([
  ['0', '0'],
  ['-0.00e-7', '0'],
  ['1', '1e0'],
  ['-12.50', '-125e-1'],
  ['1200', '12e2'],
  ['0.00120e+4', '12e0'],
  // An exponent that no number can hold stays as it is.
  ['1e99999999999999999999', '1e99999999999999999999'],
])('%s is written %s', (raw, expected) => {
  expect(canonicalNumber(raw)).toBe(expected);
});

it('is JSON of the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(JSON.parse(canonical(text))).toEqual(JSON.parse(text.replaceAll('-0', '0')));
    }),
    { seed: 1 },
  );
});

it('is the same for all orders of keys, and for no other value', () => {
  const turned = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(turned);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, inner]) => [key, turned(inner)]),
    );
  };
  const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value));
  fc.assert(
    fc.property(json, json, (a, b) => {
      expect(canonical(JSON.stringify(turned(JSON.parse(a)), null, 1))).toBe(canonical(a));
      const same = canonical(a) === canonical(b);
      expect(same).toBe(
        JSON.stringify(turned(JSON.parse(a))) === JSON.stringify(turned(JSON.parse(b))),
      );
    }),
    { seed: 1 },
  );
});

it('takes a thousand levels round a long text without copying it at each', () => {
  const deep = `${'['.repeat(999)}"${'x'.repeat(1_000_000)}"${']'.repeat(999)}`;
  const started = performance.now();
  expect(canonical(deep)).toBe(deep);
  expect(performance.now() - started).toBeLessThan(4000);
});
