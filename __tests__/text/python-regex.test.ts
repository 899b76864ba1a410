import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from '@jest/globals';
import { PythonRegex, PythonRegexError } from '../../src/text/python-regex/regex.js';

interface Cases {
  cases: { pattern: string; text: string; found: boolean }[];
  refused: string[];
}
const printed = JSON.parse(
  readFileSync(new URL('../fixtures/python-regex-cases.json', import.meta.url), 'utf8'),
) as Cases;

const search = (pattern: string, text: string, steps = 100_000) =>
  new PythonRegex(pattern).search(text, { steps });

describe('PythonRegex', () => {
  it('finds what CPython finds', () => {
    expect(printed.cases).toHaveLength(191);
    for (const { pattern, text, found } of printed.cases) {
      expect({ pattern, text, result: search(pattern, text) }).toEqual({
        pattern,
        text,
        result: found ? 'found' : 'absent',
      });
    }
  });

  test.each(printed.refused.map((pattern): [string] => [pattern]))('refuses %j', (pattern) => {
    expect(() => new PythonRegex(pattern)).toThrow(PythonRegexError);
  });

  it('refuses character names, the one construct that it does not know', () => {
    expect(() => new PythonRegex('\\N{DIGIT ONE}')).toThrow(PythonRegexError);
  });

  it('refuses groups nested without end', () => {
    expect(() => new PythonRegex('('.repeat(5000))).toThrow(PythonRegexError);
    expect(() => new PythonRegex(`${'(?:'.repeat(5000)}${')'.repeat(5000)}`)).toThrow(
      PythonRegexError,
    );
  });

  test.each([
    ['nested repetition', '^(a+)+$', `${'a'.repeat(60)}!`],
    ['alternatives that overlap', '^(a|a)*$', `${'a'.repeat(60)}!`],
    ['words and spaces', '^(\\w+\\s?)*$', `${'ab '.repeat(30)}!`],
    ['a run from every start', 'x*y', 'x'.repeat(20_000)],
    ['empty turns by the thousand million', '(?:){4294967294}', ''],
    ['a look ahead from every start', '(?=(a+))\\1b', 'a'.repeat(20_000)],
  ])('gives up on %s', (_name, pattern, text) => {
    expect(search(pattern, text, 1_000_000)).toBe('gave up');
  });

  it('needs no deep stack for a long text', () => {
    expect(search('^(?:ab)*$', 'ab'.repeat(50_000), 10_000_000)).toBe('found');
    expect(search('^(a|b)*?c$', `${'ab'.repeat(20_000)}c`, 10_000_000)).toBe('found');
  });

  it('draws several searches on one budget', () => {
    const budget = { steps: 1000 };
    const regex = new PythonRegex('^a*b');
    expect(regex.search('aaab', budget)).toBe('found');
    expect(budget.steps).toBeLessThan(1000);
    expect(budget.steps).toBeGreaterThan(900);
    expect(regex.search('a'.repeat(2000), budget)).toBe('gave up');
  });
});
