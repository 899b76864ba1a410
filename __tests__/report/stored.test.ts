import { expect, test } from '@jest/globals';
import { ConfigError } from '../../src/model/errors.js';
import { readReport } from '../../src/report/stored.js';
import { runReport } from '../support/reports.js';

type Document = Record<string, unknown> & { benchmarks: Record<string, Record<string, unknown>>[] };

const stored = (): Document =>
  JSON.parse(JSON.stringify(runReport({ tp: 40, fp: 10, fn: 10, tn: 40 }))) as Document;
const counts = (document: Document): Record<string, unknown> =>
  document.benchmarks[0]?.['counts'] ?? {};

function problemIn(text: string): string {
  try {
    readReport(text, 'x/report.json');
    return '';
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ where, what }) => `${where}: ${what}`).join('\n');
  }
}

test('a report as it was written is read', () => {
  expect(problemIn(JSON.stringify(stored()))).toBe('');
});

test.each<[string, string, string]>([
  ['cut off', '{"tool":', 'It is not JSON; perhaps it was cut off.'],
  ['another document', '{"a":1}', 'It is not a report of Vendor Gate.'],
  ['null', 'null', 'It is not a report of Vendor Gate.'],
])('%s', (_, text, said) => {
  expect(problemIn(text)).toBe(`x/report.json: ${said}`);
});

test.each<[string, (document: Document) => void, string]>([
  ['another schema', (d) => Object.assign(d, { schema_version: 2 }), 'Its schema_version is 2'],
  ['no notes', (d) => delete d['notes'], 'It lacks parts'],
  ['shard 9 of 2', (d) => Object.assign(d, { shard: { index: 9, of: 2 } }), 'It lacks parts'],
  ['a negative count', (d) => Object.assign(counts(d), { tp: -1 }), 'no whole number from 0'],
  ['half a sample', (d) => Object.assign(counts(d), { tp: 0.5 }), 'no whole number from 0'],
  ['a count as text', (d) => Object.assign(counts(d), { tp: '40' }), 'no whole number from 0'],
  ['decisions that do not add up', (d) => Object.assign(counts(d), { tp: 41 }), 'do not add up'],
  [
    'no counts',
    (d) => Object.assign(d.benchmarks[0] ?? {}, { counts: {} }),
    'counts other samples',
  ],
  [
    'more run than planned',
    (d) => Object.assign(d.benchmarks[0]?.['samples'] ?? {}, { planned: 5 }),
    'more samples than there are',
  ],
  [
    'fewer rows than run',
    (d) => Object.assign(d.benchmarks[0]?.['dataset'] ?? {}, { rows: 5 }),
    'more samples than there are',
  ],
])('%s is refused', (_, spoil, said) => {
  const document = stored();
  spoil(document);
  expect(problemIn(JSON.stringify(document))).toContain(said);
});
