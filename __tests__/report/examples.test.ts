import { expect, test } from '@jest/globals';
import type { BenchmarkReport, Example } from '../../src/model/report.js';
import { chosenExamples, samplesSection } from '../../src/report/examples.js';
import { untrusted } from '../../src/text/untrusted.js';
import { CASES } from '../support/report-cases.js';

const RANKS: Readonly<Record<string, number>> = {
  invalid_call: 1,
  missed_call: 2,
  extra_call: 3,
  other_tool: 6,
  other_call_count: 7,
  other_arguments: 8,
};

function example(id: string, kind: string, vendor = 'x'): Example {
  const text = untrusted('x');
  const texts = { prompt: text, official: text, vendor: untrusted(vendor), detail: untrusted('') };
  return { id, kind, rank: RANKS[kind] ?? 9, title: 'a title', ...texts };
}

function benchmark(name: string, examples: readonly Example[]): BenchmarkReport {
  const [first] = CASES[name]?.().benchmarks ?? [];
  if (first === undefined) throw new Error(`no case ${name}`);
  return { ...first, examples };
}

const ALL = [
  example('e1', 'extra_call'),
  example('e2', 'extra_call'),
  example('m1', 'missed_call'),
  example('m2', 'missed_call'),
  example('i1', 'invalid_call'),
  example('i2', 'invalid_call'),
];

test.each([
  // Nothing failed: one of each kind by rank, then again.
  ['pass-full', ['i1', 'm1', 'e1', 'i2', 'm2', 'e2']],
  ['fail-over-trigger', ['e1', 'e2', 'm1', 'm2', 'i1', 'i2']],
  ['fail-broken-templates', ['m1', 'm2', 'e1', 'e2', 'i1', 'i2']],
  ['fail-schema', ['i1', 'i2', 'm1', 'e1', 'm2', 'e2']],
  // Only F1 fails: missed and extra calls in turn.
  ['borderline-full', ['m1', 'e1', 'm2', 'e2', 'i1', 'i2']],
])('%s shows what failed first', (name, ids) => {
  expect(chosenExamples(benchmark(name, ALL), 6).map((each) => each.id)).toEqual(ids);
  expect(chosenExamples(benchmark(name, ALL), 2).map((each) => each.id)).toEqual(ids.slice(0, 2));
});

test.each([
  ['fail-payload', ['t', 'n', 'a', 'm', 'e']],
  ['fail-over-trigger', ['e', 'm', 't', 'n', 'a']],
])('%s: other calls come first where they are what failed, else last', (name, ids) => {
  const other = [
    example('a', 'other_arguments'),
    example('n', 'other_call_count'),
    example('t', 'other_tool'),
    example('m', 'missed_call'),
    example('e', 'extra_call'),
  ];
  expect(chosenExamples(benchmark(name, other), 5).map((each) => each.id)).toEqual(ids);
});

test('long lines are broken, short ones and their indent stay', () => {
  const long = `  {"a":1}\n${'word '.repeat(60)}end`;
  const detail = { examples: 1, exampleChars: 1000 };
  const text = samplesSection(
    benchmark('fail-schema', [example('1', 'extra_call', long)]),
    detail,
    '',
  );
  expect(text).toContain('\n  {"a":1}\nword word');
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
});

test('a text beyond the limit says how much is missing', () => {
  const detail = { examples: 1, exampleChars: 200 };
  const text = samplesSection(
    benchmark('fail-schema', [example('1', 'extra_call', 'q'.repeat(5000))]),
    detail,
    '',
  );
  expect(text.match(/q/g)?.length).toBeLessThanOrEqual(200);
  expect(text).toMatch(/\(\+4,8\d\d characters\)/);
});
