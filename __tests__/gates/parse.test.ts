import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import { parseGates } from '../../src/gates/parse.js';
import type { Gate } from '../../src/model/gate.js';

const gate = (parts: Partial<Gate>): Gate => ({
  text: '',
  benchmark: null,
  subset: null,
  metric: 'trigger_similarity',
  operator: '>=',
  bound: 0.73,
  percent: false,
  level: null,
  warn: false,
  origin: 'user',
  ...parts,
});

function one(line: string): Gate | undefined {
  const { gates, problems } = parseGates(line, 'user', 'thresholds');
  expect(problems).toEqual([]);
  expect(gates).toHaveLength(1);
  return gates[0];
}

describe('a gate line', () => {
  test.each<[string, Partial<Gate>]>([
    ['trigger_similarity >= 0.73', { text: 'trigger_similarity >= 0.73' }],
    ['trigger_similarity>=0.73', { text: 'trigger_similarity >= 0.73' }],
    ['  trigger_similarity\t>=\t0.73  ', { text: 'trigger_similarity >= 0.73' }],
    ['trigger_similarity\u00a0>=\u00a00.73', { text: 'trigger_similarity >= 0.73' }],
    ['trigger_similarity >= 0.73 # as published', { text: 'trigger_similarity >= 0.73' }],
    ['\ufefftrigger_similarity >= 0.73', { text: 'trigger_similarity >= 0.73' }],
    [
      'trigger_rate_ratio > 0.8',
      { metric: 'trigger_rate_ratio', operator: '>', bound: 0.8, text: 'trigger_rate_ratio > 0.8' },
    ],
    [
      'trigger_rate_ratio <= 1.25',
      {
        metric: 'trigger_rate_ratio',
        operator: '<=',
        bound: 1.25,
        text: 'trigger_rate_ratio <= 1.25',
      },
    ],
    ['a < 1', { metric: 'a', operator: '<', bound: 1, text: 'a < 1' }],
    ['a >= 90%', { metric: 'a', bound: 0.9, percent: true, text: 'a >= 90%' }],
    ['a >= 90 %', { metric: 'a', bound: 0.9, percent: true, text: 'a >= 90%' }],
    ['a >= 99.9%', { metric: 'a', bound: 0.999, percent: true, text: 'a >= 99.9%' }],
    [
      'a <= 0.07%',
      { metric: 'a', operator: '<=', bound: 0.0007, percent: true, text: 'a <= 0.07%' },
    ],
    ['a >= 100%', { metric: 'a', bound: 1, percent: true, text: 'a >= 100%' }],
    ['a >= 0', { metric: 'a', bound: 0, text: 'a >= 0' }],
    ['a >= 0%', { metric: 'a', bound: 0, percent: true, text: 'a >= 0%' }],
    ['a >= -0', { metric: 'a', bound: 0, text: 'a >= -0' }],
    ['a >= -0.2', { metric: 'a', bound: -0.2, text: 'a >= -0.2' }],
    ['a >= +.5', { metric: 'a', bound: 0.5, text: 'a >= +.5' }],
    ['a >= 1.', { metric: 'a', bound: 1, text: 'a >= 1.' }],
    ['a >= 7.3e-1', { metric: 'a', bound: 0.73, text: 'a >= 7.3e-1' }],
    ['a <= 1E3', { metric: 'a', operator: '<=', bound: 1000, text: 'a <= 1E3' }],
    ['a >= 9e1%', { metric: 'a', bound: 0.9, percent: true, text: 'a >= 9e1%' }],
    ['a >= 0.73 @ 95%', { metric: 'a', level: 0.95, text: 'a >= 0.73 @ 95%' }],
    ['a >= 0.73@99.9 %', { metric: 'a', level: 0.999, text: 'a >= 0.73 @ 99.9%' }],
    ['a >= 0.73 @ 0.95', { metric: 'a', level: 0.95, text: 'a >= 0.73 @ 0.95' }],
    ['a >= 0.73 warn', { metric: 'a', warn: true, text: 'a >= 0.73 warn' }],
    [
      'a >= 73% @ 90% warn',
      { metric: 'a', percent: true, level: 0.9, warn: true, text: 'a >= 73% @ 90% warn' },
    ],
    [
      'k2_verifier.a >= 0.73',
      { benchmark: 'k2_verifier', metric: 'a', text: 'k2_verifier.a >= 0.73' },
    ],
    [
      'k2_verifier/k2_0905.a >= 0.73',
      {
        benchmark: 'k2_verifier',
        subset: 'k2_0905',
        metric: 'a',
        text: 'k2_verifier/k2_0905.a >= 0.73',
      },
    ],
    [
      'k2_verifier/k2.5.a >= 0.73',
      { benchmark: 'k2_verifier', subset: 'k2.5', metric: 'a', text: 'k2_verifier/k2.5.a >= 0.73' },
    ],
  ])('%p is read', (line, parts) => {
    const read = one(line);
    expect(read).toEqual(gate(parts));
    // -0 would print as "-0" in JSON of some tools and compares unequal in others.
    expect(Object.is(read?.bound, -0)).toBe(false);
  });

  it('keeps where it came from', () => {
    expect(parseGates('a >= 1', 'default', 'x').gates[0]?.origin).toBe('default');
  });
});

describe('a text of gates', () => {
  test.each([
    ['', []],
    ['\n\n  \r\n# only a comment\n\t# another', []],
    ['a >= 1\nb <= 2', ['a >= 1', 'b <= 2']],
    ['a >= 1\r\nb <= 2\r\n', ['a >= 1', 'b <= 2']],
    ['a >= 1\rb <= 2', ['a >= 1', 'b <= 2']],
    ['a >= 1\n  a>=1 # again', ['a >= 1']],
    ['a >= 1\na <= 0\na >= 1 warn', ['a >= 1', 'a <= 0', 'a >= 1 warn']],
  ])('%p holds %p', (text, expected) => {
    const { gates, problems } = parseGates(text, 'user', 'thresholds');
    expect(problems).toEqual([]);
    expect(gates.map((g) => g.text)).toEqual(expected);
  });

  it('reports every bad line with its number, and keeps the good ones', () => {
    const text = '# gates\na => 1\n\nb >= 0.5\nc == 1\r\nd >= nan';
    const { gates, problems } = parseGates(text, 'user', 'thresholds');
    expect(gates.map((g) => g.text)).toEqual(['b >= 0.5']);
    expect(problems.map(({ where }) => where)).toEqual([
      'thresholds line 2',
      'thresholds line 5',
      'thresholds line 6',
    ]);
  });
});

describe('a line that is not a gate', () => {
  test.each([
    // Operators.
    [
      'a => 0.7',
      '"=>" in "a => 0.7" is not an operator; allowed are >=, >, <= and <.',
      'Write "a >= 0.7".',
    ],
    [
      'a =< 7%',
      '"=<" in "a =< 7%" is not an operator; allowed are >=, >, <= and <.',
      'Write "a <= 7%".',
    ],
    [
      'a ≥ 0.73',
      '"≥" in "a ≥ 0.73" is not an operator; allowed are >=, >, <= and <.',
      'Write "a >= 0.73".',
    ],
    [
      'a≤0.73',
      '"≤" in "a≤0.73" is not an operator; allowed are >=, >, <= and <.',
      'Write "a <= 0.73".',
    ],
    [
      'a ＞ 0.73',
      '"＞" in "a ＞ 0.73" is not an operator; allowed are >=, >, <= and <.',
      'Write "a > 0.73".',
    ],
    [
      'a >> 0.73',
      '">>" in "a >> 0.73" is not an operator; allowed are >=, >, <= and <.',
      'Write "a >= 0.73".',
    ],
    [
      'a: 0.73',
      '":" in "a: 0.73" is not an operator; allowed are >=, >, <= and <.',
      'Write "a >= 0.73".',
    ],
    [
      'a == 0.73',
      '"==" in "a == 0.73" is not an operator: a measured figure never equals a number to the last digit, so a gate is a bound; allowed are >=, >, <= and <.',
      'For at least, write "a >= 0.73".',
    ],
    [
      'a=0.73',
      '"=" in "a=0.73" is not an operator: a measured figure never equals a number to the last digit, so a gate is a bound; allowed are >=, >, <= and <.',
      'For at least, write "a >= 0.73".',
    ],
    [
      'a != 0',
      '"!=" in "a != 0" is not an operator: a measured figure never equals a number to the last digit, so a gate is a bound; allowed are >=, >, <= and <.',
      'For at least, write "a >= 0".',
    ],
    [
      'trigger_similarity at least 0.7',
      '"trigger_similarity at least 0.7" has no operator; allowed are >=, >, <= and <.',
      'Write it like "trigger_similarity >= 0.73".',
    ],
    // Baselines.
    [
      'trigger_similarity drop <= 0.03',
      '"trigger_similarity drop <= 0.03" compares with a baseline ("drop"), and baselines are not available in this version.',
      'Give a fixed bound, such as "trigger_similarity >= 0.73".',
    ],
    [
      'k2_verifier.unmeasured_rate rise <= 1%',
      '"k2_verifier.unmeasured_rate rise <= 1%" compares with a baseline ("rise"), and baselines are not available in this version.',
      'Give a fixed bound, such as "trigger_similarity >= 0.73".',
    ],
    // Form.
    [
      '- a >= 1',
      '"- a >= 1" has a list mark or quotation marks around the gate.',
      'Write "a >= 1".',
    ],
    [
      '"a >= 1"',
      '""a >= 1"" has a list mark or quotation marks around the gate.',
      'Write "a >= 1".',
    ],
    ['a >= 1, b >= 2', '"a >= 1, b >= 2" holds 2 gates.', 'Write one gate a line.'],
    ['a >= 1; b < 2; c > 3', '"a >= 1; b < 2; c > 3" holds 3 gates.', 'Write one gate a line.'],
    ['a >= 1 and b >= 2', '"a >= 1 and b >= 2" holds 2 gates.', 'Write one gate a line.'],
    [
      '0.73 <= a',
      '"0.73 <= a" names the number first; a gate names the metric first.',
      'Write "a >= 0.73".',
    ],
    [
      '>= 0.73',
      '">= 0.73" has no metric before the operator.',
      'A metric is named like trigger_similarity, k2_verifier.trigger_similarity or k2_verifier/k2_thinking.trigger_similarity.',
    ],
    [
      'valid tool calls >= 90%',
      '"valid tool calls >= 90%" has "valid tool calls", which is not the name of a metric, before the operator.',
      'A metric is named like trigger_similarity, k2_verifier.trigger_similarity or k2_verifier/k2_thinking.trigger_similarity.',
    ],
    // Numbers.
    [
      'a >=',
      '"a >=" has no number after the operator.',
      'Write it like "trigger_similarity >= 0.73".',
    ],
    [
      'a >= %',
      '"a >= %" has no number after the operator.',
      'Write it like "trigger_similarity >= 0.73".',
    ],
    [
      'a >= 0,73',
      '"0,73" in "a >= 0,73" is not a number: the decimal mark is a point, and thousands are not separated.',
      'Write "a >= 0.73".',
    ],
    [
      'a >= 99,5% warn',
      '"99,5" in "a >= 99,5% warn" is not a number: the decimal mark is a point, and thousands are not separated.',
      'Write "a >= 99.5% warn".',
    ],
    [
      'a >= NaN',
      '"NaN" in "a >= NaN" is not a number that anything can be held against.',
      'Write a decimal number: "trigger_similarity >= 0.73".',
    ],
    [
      'a <= Infinity',
      '"Infinity" in "a <= Infinity" is not a number that anything can be held against.',
      'Write a decimal number: "trigger_similarity >= 0.73".',
    ],
    [
      'a <= -inf',
      '"-inf" in "a <= -inf" is not a number that anything can be held against.',
      'Write a decimal number: "trigger_similarity >= 0.73".',
    ],
    [
      'a <= 1e999',
      '"1e999" in "a <= 1e999" is too large or too small a number to calculate with.',
      'Write a number within the range of the metric.',
    ],
    [
      'a >= 1e-999%',
      '"1e-999" in "a >= 1e-999%" is too large or too small a number to calculate with.',
      'Write a number within the range of the metric.',
    ],
    [
      'a >= 0x1',
      '"0x1" in "a >= 0x1" is not a number.',
      'Write a decimal number such as 0.73, or per cent such as 90%.',
    ],
    [
      'a >= ０.７',
      '"０.７" in "a >= ０.７" is not a number.',
      'Write a decimal number such as 0.73, or per cent such as 90%.',
    ],
    [
      'a >= -',
      '"-" in "a >= -" is not a number.',
      'Write a decimal number such as 0.73, or per cent such as 90%.',
    ],
    // What follows the number.
    [
      'a >= 90 percent',
      '"percent" in "a >= 90 percent" means nothing here; per cent is written %.',
      'Write "a >= 90%".',
    ],
    [
      'a >= 90％',
      '"％" in "a >= 90％" means nothing here; per cent is written %.',
      'Write "a >= 90%".',
    ],
    [
      'a >= 90% wran',
      '"wran" at the end of "a >= 90% wran" means nothing here; after the number may follow @ LEVEL% and warn.',
      'Write "a >= 90% warn".',
    ],
    [
      'a >= 0.5 WARN',
      '"WARN" at the end of "a >= 0.5 WARN" means nothing here; after the number may follow @ LEVEL% and warn.',
      'Write "a >= 0.5 warn".',
    ],
    [
      'a >= 0.5 ever after',
      '"ever after" at the end of "a >= 0.5 ever after" means nothing here; after the number may follow @ LEVEL% and warn.',
      'Leave it out: "a >= 0.5".',
    ],
    [
      'a >= 0.5 < 0.9',
      '"< 0.9" at the end of "a >= 0.5 < 0.9" means nothing here; after the number may follow @ LEVEL% and warn.',
      'Leave it out: "a >= 0.5".',
    ],
    [
      'a >= 0.5 warn @ 95%',
      '"warn @ 95%" in "a >= 0.5 warn @ 95%" is in the wrong order: warn comes last.',
      'Write "a >= 0.5 @ 95% warn".',
    ],
    [
      'a >= 0.5 @ 95',
      '"@ 95" in "a >= 0.5 @ 95" is not a confidence level: it lies between 0 and 100 %, both excluded, and is written @ 95% or @ 0.95.',
      'Write "a >= 0.5 @ 95%".',
    ],
    [
      'a >= 0.5 @ 100%',
      '"@ 100%" in "a >= 0.5 @ 100%" is not a confidence level: it lies between 0 and 100 %, both excluded, and is written @ 95% or @ 0.95.',
      'Write @ 95%.',
    ],
    [
      'a >= 0.5 @ 0%',
      '"@ 0%" in "a >= 0.5 @ 0%" is not a confidence level: it lies between 0 and 100 %, both excluded, and is written @ 95% or @ 0.95.',
      'Write @ 95%.',
    ],
    [
      'a >= 0.5 @ 99.99999999999999999999%',
      '"@ 99.99999999999999999999%" in "a >= 0.5 @ 99.99999999999999999999%" is not a confidence level: it lies between 0 and 100 %, both excluded, and is written @ 95% or @ 0.95.',
      'Write @ 95%.',
    ],
    [
      'a >= 0.5 @',
      '"@" in "a >= 0.5 @" is not a confidence level: it lies between 0 and 100 %, both excluded, and is written @ 95% or @ 0.95.',
      'Write @ 95%.',
    ],
    // Hostile.
    [
      'a >= 0.5\u200b',
      '"a >= 0.5\ufffd" contains the invisible character U+200B.',
      'Type the line anew instead of pasting it.',
    ],
    [
      'a >= \u001b[31m0.5',
      '"a >= \ufffd[31m0.5" contains the invisible character U+001B.',
      'Type the line anew instead of pasting it.',
    ],
    [
      `${'a'.repeat(5000)} >= 0.5`,
      `"${'a'.repeat(80)}…" has 5007 characters, too many for a gate.`,
      'Write one gate a line, such as "trigger_similarity >= 0.73".',
    ],
  ])('%p is explained', (line, what, fix) => {
    const { gates, problems } = parseGates(line, 'user', 'thresholds');
    expect(gates).toEqual([]);
    expect(problems).toEqual([{ where: 'thresholds line 1', what, fix }]);
  });

  it('takes no time over a line of a million characters', () => {
    const started = performance.now();
    const { problems } = parseGates(`a >= ${'1 '.repeat(500_000)}`, 'user', 'thresholds');
    expect(problems).toHaveLength(1);
    expect(problems[0]?.what.length).toBeLessThan(200);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

describe('every text', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'trigger_similarity',
      'k2_verifier',
      '/',
      '.',
      '>=',
      '<',
      '=>',
      '≥',
      '0.73',
      '90',
      '%',
      '@',
      '95%',
      'warn',
      ' ',
      '\t',
      '\n',
      '\r\n',
      '#',
      ',',
      'drop',
      '-',
      '"',
      '1e999',
      '$&',
    ),
    fc.string({ maxLength: 6, unit: 'binary' }),
  );
  const text = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));

  it('is read without throwing, each line as a gate, a problem or nothing', () => {
    fc.assert(
      fc.property(text, (source) => {
        const { gates, problems } = parseGates(source, 'user', 'thresholds');
        const lines = source.split(/\r\n|\r|\n/).length;
        expect(gates.length + problems.length).toBeLessThanOrEqual(lines);
        for (const { what, fix } of problems) {
          expect(what).not.toBe('');
          expect(fix).not.toBe('');
          expect(what).not.toMatch(/[\p{Cc}\p{Cs}]/u);
        }
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,8}$/);
  const number = fc.oneof(
    // Smaller ones in per cent are too small for a double, which is a problem of its own.
    fc
      .double({ min: -1e6, max: 1e6, noNaN: true })
      .filter((x) => x === 0 || Math.abs(x) > 1e-300)
      .map(String),
    fc.constantFrom('0', '-0', '.5', '1.', '1e-3', '+2', '100'),
  );
  const line = fc
    .record({
      benchmark: fc.option(name),
      subset: fc.option(fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,6}$/)),
      metric: name,
      operator: fc.constantFrom('>=', '>', '<=', '<'),
      number,
      percent: fc.constantFrom('', '%', ' %'),
      level: fc.constantFrom('', ' @ 95%', '@0.9', ' @ 99.5 %'),
      warn: fc.constantFrom('', ' warn'),
      space: fc.constantFrom('', ' ', '\t '),
    })
    .map((p) => {
      const prefix = p.benchmark === null ? '' : `${p.benchmark}${p.subset ? `/${p.subset}` : ''}.`;
      return `${prefix}${p.metric}${p.space}${p.operator}${p.space}${p.number}${p.percent}${p.level}${p.warn}`;
    });

  it('that is a gate is the same gate when its normalised text is read again', () => {
    fc.assert(
      fc.property(line, (source) => {
        const read = one(source);
        expect(one(read?.text ?? '')).toEqual(read);
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});
