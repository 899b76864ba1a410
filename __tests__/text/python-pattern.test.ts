import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from '@jest/globals';
import { PythonPattern } from '../../src/text/python-pattern.js';
import { PythonPatternError } from '../../src/text/python-pattern-translation.js';

interface Cases {
  cases: [pattern: string, found: string[], absent: string[]][];
  refused: string[];
}
const printed = JSON.parse(
  readFileSync(new URL('../fixtures/python-pattern-cases.json', import.meta.url), 'utf8'),
) as Cases;

const search = (pattern: string, text: string, steps = 2_000_000) =>
  new PythonPattern(pattern).search(text, { steps });

/** Texts in which Python finds the pattern and we do not, or the other way round. */
const OTHERWISE: Readonly<Record<string, { text: string; because: string }[]>> = {
  '(?i)ı': [
    { text: 'I', because: 'the dotless i has no case folding in Unicode' },
    { text: 'i', because: 'the dotless i has no case folding in Unicode' },
  ],
  '(?i)i': [{ text: 'ı', because: 'the dotless i has no case folding in Unicode' }],
  '(?:(a*)b)?\\1c': [{ text: 'c', because: 'a group that may be empty always takes part' }],
  '^(?:(a)|b)*\\1$': [{ text: 'aba', because: 'JavaScript forgets groups of the turn before' }],
};

describe('PythonPattern', () => {
  test.each(printed.cases)('finds %j where CPython does', (pattern, found, absent) => {
    const others = (OTHERWISE[pattern] ?? []).map(({ text }) => text);
    const expected = [
      ...found.map((text) => ({ text, found: !others.includes(text) })),
      ...absent.map((text) => ({ text, found: others.includes(text) })),
    ];
    expect(
      expected.map(({ text }) => ({ text, found: search(pattern, text) === 'found' })),
    ).toEqual(expected);
  });

  test.each(printed.refused.map((pattern): [string] => [pattern]))('refuses %j', (pattern) => {
    expect(() => new PythonPattern(pattern)).toThrow(PythonPatternError);
  });

  test.each([
    ['\\N{DIGIT ONE}', 'there is no table of character names'],
    ['(?i:(?!a)b)', 'RE2 has no look ahead, JavaScript ignores case in all or nothing'],
    ['(?i:a)\\b', 'RE2 has no Unicode word boundary, JavaScript ignores case in all or nothing'],
    ['(?i:a){1,2000}', 'RE2 counts to 1000, JavaScript ignores case in all or nothing'],
    ['(a*)(?(1)b|c)', 'a group that may be empty cannot be asked whether it took part'],
    ['(?(1)a|b)(c)', 'a condition needs a group before it'],
    ['(?#c)(?i)a', 'flags of the whole pattern are read at the very start'],
  ])('refuses %j though Python takes it: %s', (pattern) => {
    expect(() => new PythonPattern(pattern)).toThrow(PythonPatternError);
  });

  it('refuses groups nested without end', () => {
    expect(() => new PythonPattern('('.repeat(5000))).toThrow(PythonPatternError);
    expect(() => new PythonPattern(`${'(?:'.repeat(5000)}${')'.repeat(5000)}`)).toThrow(
      PythonPatternError,
    );
  });

  test.each([
    ['nested repetition', '^(a+)+$', `${'a'.repeat(100_000)}!`],
    ['alternatives that overlap', '^(a|a)*$', `${'a'.repeat(100_000)}!`],
    ['words and spaces', '^(\\w+\\s?)*$', `${'ab '.repeat(30_000)}!`],
    ['a run from every start', 'x*y', 'x'.repeat(100_000)],
  ])('takes time linear in the text for %s', (_name, pattern, text) => {
    expect(search(pattern, text)).toBe('absent');
  });

  test.each([
    ['a look ahead from every start', '(?=(a+))\\1b', 'a'.repeat(100_000)],
    ['nested repetition in a look ahead', '^(?=(a+)+$)', `${'a'.repeat(60)}!`],
    ['more states than RE2 can keep', '(?:a.{0,300}b.{0,300}){3}c$', `${'ab'.repeat(50_000)}dc`],
  ])('gives up on %s', (_name, pattern, text) => {
    expect(search(pattern, text, 100_000)).toBe('gave up');
  });

  it('needs no deep stack for a long text', () => {
    expect(search('^(?:ab)*$', 'ab'.repeat(50_000))).toBe('found');
    expect(search('^(?!b)(?:ab)*$', 'ab'.repeat(50_000))).toBe('found');
  });

  it('draws several searches on one budget', () => {
    const budget = { steps: 150 };
    const pattern = new PythonPattern('^a*b');
    expect(pattern.search(`${'a'.repeat(999)}b`, budget)).toBe('found');
    expect(budget.steps).toBe(50);
    expect(pattern.search('a'.repeat(1000), budget)).toBe('absent');
    expect(pattern.search('aaab', budget)).toBe('gave up');
  });
});
