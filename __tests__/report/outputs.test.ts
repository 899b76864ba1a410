import { expect, test } from '@jest/globals';
import { parseGates } from '../../src/gates/parse.js';
import type { RunReport } from '../../src/model/report.js';
import { utf8Bytes } from '../../src/report/fit.js';
import { outputsOf } from '../../src/report/outputs.js';
import { CASES } from '../support/report-cases.js';

function caseNamed(name: string): RunReport {
  const report = CASES[name]?.();
  if (report === undefined) throw new Error(`no case ${name}`);
  return report;
}

test('one benchmark: figures in full, gates as written', () => {
  const outputs = outputsOf(caseNamed('fail-schema'));
  expect(outputs.verdict).toBe('fail');
  // 2 * 750 / (2 * 750 + 248 + 229) and 871 / 998.
  expect(Number(outputs['trigger-similarity'])).toBe(1500 / 1977);
  expect(Number(outputs['schema-accuracy'])).toBe(871 / 998);
  expect(JSON.parse(outputs['failed-gates'])).toEqual(['schema_accuracy >= 90%']);
  const metrics = JSON.parse(outputs.metrics);
  expect(Object.keys(metrics)).toEqual(['k2_verifier/k2_thinking']);
  expect(metrics['k2_verifier/k2_thinking'].trigger_rate_ratio).toBe(998 / 979);
});

test('several benchmarks: the first one gives the plain numbers, gates get a prefix and stay gates', () => {
  const outputs = outputsOf(caseNamed('two-benchmarks'));
  expect(Number(outputs['trigger-similarity'])).toBe((2 * 742) / (2 * 742 + 243 + 237));
  const failed: string[] = JSON.parse(outputs['failed-gates']);
  expect(failed).toEqual([
    'k2_verifier/k2_0905.trigger_rate_ratio >= 0.80',
    'k2_verifier/k2_0905.trigger_similarity >= 0.80',
  ]);
  expect(parseGates(failed.join('\n'), 'user', 'x').problems).toEqual([]);
});

test('a run that could not measure has no figures, and only the gate that says so', () => {
  const outputs = outputsOf(caseNamed('error-outage'));
  expect(outputs.verdict).toBe('error');
  expect(outputs['trigger-similarity']).toBe('');
  expect(outputs['schema-accuracy']).toBe('');
  expect(JSON.parse(outputs['failed-gates'])).toEqual(['unmeasured_rate <= 1%']);
});

test('an undefined metric is empty, and null in metrics', () => {
  const report = caseNamed('pass-full');
  const [benchmark] = report.benchmarks;
  if (benchmark === undefined) throw new Error('no benchmark');
  const metrics = {
    ...benchmark.metrics,
    schema_accuracy: { value: null, n: 0, title: 'x', kind: 'rate' },
  };
  const outputs = outputsOf({ ...report, benchmarks: [{ ...benchmark, metrics }] });
  expect(outputs['schema-accuracy']).toBe('');
  expect(JSON.parse(outputs.metrics)['k2_verifier/k2_thinking'].schema_accuracy).toBeNull();
});

test('nothing measured at all', () => {
  expect(outputsOf({ ...caseNamed('error-bad-key'), benchmarks: [] })).toEqual({
    verdict: 'error',
    'trigger-similarity': '',
    'schema-accuracy': '',
    metrics: '{}',
    'failed-gates': '[]',
  });
});

test('warnings are not among the failed gates', () => {
  expect(JSON.parse(outputsOf(caseNamed('not-comparable'))['failed-gates'])).toEqual([]);
});

test('giant reports stay bounded and valid', () => {
  const report = caseNamed('fail-schema');
  const [benchmark] = report.benchmarks;
  const failed = benchmark?.gates.find((gate) => gate.verdict === 'fail');
  if (benchmark === undefined || failed === undefined) throw new Error('no gate');
  const many = Array.from({ length: 1000 }, (_, i) => ({
    ...benchmark,
    subset: `subset-${i}`,
    gates: Array.from({ length: 20 }, () => failed),
  }));
  const outputs = outputsOf({ ...report, benchmarks: many });
  for (const value of Object.values(outputs)) expect(utf8Bytes(value)).toBeLessThanOrEqual(100_000);
  expect(JSON.parse(outputs['failed-gates']).length).toBeGreaterThan(100);
  expect(Object.keys(JSON.parse(outputs.metrics)).length).toBeGreaterThan(50);
});
