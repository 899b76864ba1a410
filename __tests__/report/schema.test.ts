import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { CASES } from '../support/report-cases.js';

const schema = JSON.parse(readFileSync(join('docs', 'report.schema.json'), 'utf8'));
const validate = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true }).compile(
  schema,
);

/** As it is read back from report.json. */
function stored(name: string): Record<string, unknown> {
  const report = CASES[name]?.();
  if (report === undefined) throw new Error(`no case ${name}`);
  return JSON.parse(JSON.stringify(report));
}

describe('docs/report.schema.json', () => {
  test.each(Object.keys(CASES))('%s is valid', (name) => {
    validate(stored(name));
    expect(validate.errors ?? []).toEqual([]);
  });

  test('every field that the schema knows is in some report', () => {
    const reports = Object.keys(CASES).map(stored);
    const missing = fieldsOf(schema).filter(
      (name) => !reports.some((each) => mentions(each, name)),
    );
    expect(missing).toEqual([]);
  });

  test.each<[string, (report: Record<string, unknown>) => void]>([
    ['an unknown field', (report) => Object.assign(report, { extra: 1 })],
    ['a missing field', (report) => delete report['notes']],
    ['another version', (report) => Object.assign(report, { schema_version: 2 })],
    ['an unknown verdict', (report) => Object.assign(report, { verdict: 'maybe' })],
    ['local time', (report) => Object.assign(report, { started_at: '2026-12-01T09:14:05+01:00' })],
    ['a negative count', (report) => Object.assign(report, { resumed_samples: -1 })],
    ['an unknown field of a gate', (report) => Object.assign(first(report, 'gates'), { extra: 1 })],
    [
      'an unknown field of an example',
      (report) => Object.assign(first(report, 'examples'), { extra: 1 }),
    ],
    ['a gate without a reason', (report) => delete first(report, 'gates')['reason']],
  ])('%s is not valid', (_what, spoil) => {
    const report = stored('fail-schema');
    spoil(report);
    expect(validate(report)).toBe(false);
  });
});

function first(report: Record<string, unknown>, list: string): Record<string, unknown> {
  const [benchmark] = report['benchmarks'] as Record<string, Record<string, unknown>[]>[];
  const [entry] = benchmark?.[list] ?? [];
  if (entry === undefined) throw new Error(`no ${list}`);
  return entry;
}

/** Names under every `properties` of the schema. */
function fieldsOf(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const own = 'properties' in node ? Object.keys(node.properties as object) : [];
  return [...new Set([...own, ...Object.values(node).flatMap(fieldsOf)])];
}

function mentions(node: unknown, name: string): boolean {
  if (typeof node !== 'object' || node === null) return false;
  return Object.hasOwn(node, name) || Object.values(node).some((each) => mentions(each, name));
}
