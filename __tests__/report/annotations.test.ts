import { describe, expect, test } from '@jest/globals';
import type { GateReport, RunReport } from '../../src/model/report.js';
import { annotationsOf } from '../../src/report/annotations.js';
import { CASES } from '../support/report-cases.js';
import { runReport } from '../support/reports.js';

function caseNamed(name: string): RunReport {
  const report = CASES[name]?.();
  if (report === undefined) throw new Error(`no case ${name}`);
  return report;
}

const levels = (report: RunReport): string[] => annotationsOf(report).map((each) => each.level);

describe('one annotation for each gate that does not hold', () => {
  test.each<[string, string[]]>([
    ['pass-full', []],
    ['pass-partial', []],
    ['fail-over-trigger', ['error', 'error']],
    // The warning on valid tool calls says no more than the failure.
    ['fail-schema', ['error']],
    ['fail-broken-templates', ['error', 'error', 'notice']],
    ['error-outage', ['error']],
    ['error-bad-key', ['error']],
    ['error-nothing-answered', ['error']],
    ['inconclusive', ['notice']],
    ['interrupted', ['notice']],
    ['not-comparable', ['warning']],
    ['two-benchmarks', ['error', 'error']],
  ])('%s', (name, expected) => {
    expect(levels(caseNamed(name))).toEqual(expected);
  });

  test('the worst comes first', () => {
    // Ratio 1.87 lies further from 1.25, in half widths of its interval, than F1 0.679 from 0.73.
    expect(annotationsOf(caseNamed('fail-over-trigger')).map((each) => each.title)).toEqual([
      'Vendor Gate: trigger rate ratio ≤ 1.25',
      'Vendor Gate: tool-call decision (F1) ≥ 0.73',
    ]);
  });

  test('an interrupted run whose gates all hold still has one, for the run', () => {
    const report = caseNamed('pass-partial');
    const [benchmark] = report.benchmarks;
    if (benchmark === undefined) throw new Error('no benchmark');
    const stopped = caseNamed('interrupted').stopped;
    const partial: RunReport = {
      ...report,
      verdict: 'inconclusive',
      stopped,
      benchmarks: [{ ...benchmark, verdict: 'inconclusive' }],
    };
    expect(annotationsOf(partial)).toEqual([
      {
        level: 'notice',
        title: 'Vendor Gate: inconclusive – stopped after 500 of 2,000 samples',
        message:
          'Interrupted; what was measured until then is in the report. Run again with the same output directory to go on where it stopped. No gate failed.',
      },
    ]);
  });

  const HEALTHY = { tp: 742, fp: 243, fn: 237, tn: 778 };
  test('a warning on unanswered samples speaks for itself', () => {
    const gates = 'unmeasured_rate <= 0% warn';
    const report = runReport({ ...HEALTHY, unmeasured: { timeout: 2 }, gates });
    expect(report.verdict).toBe('pass');
    expect(annotationsOf(report)).toEqual([
      {
        level: 'warning',
        title: 'Vendor Gate: request errors ≤ 0 %',
        message: 'Request errors 2 of 2,000 (0.1 %) over all 2,000 samples is above 0 %.',
      },
    ]);
  });

  test('such a warning does not take the guard against an outage away', () => {
    const gates = 'unmeasured_rate <= 50% warn\nerror_rate <= 1% warn';
    const report = runReport({ ...HEALTHY, unmeasured: { server_error: 800 }, gates });
    expect(report.verdict).toBe('error');
    expect(levels(report)[0]).toBe('error');
  });

  test('a gate on error_rate is one on the run: a breach is an error, and nothing else is judged', () => {
    const gates = 'unmeasured_rate <= 60%\nerror_rate <= 20%';
    const report = runReport({ ...HEALTHY, unmeasured: { server_error: 800 }, gates });
    expect(report.verdict).toBe('error');
    expect(annotationsOf(report)).toEqual([
      {
        level: 'error',
        title: 'Vendor Gate: samples without a usable answer ≤ 20 %',
        message: expect.stringMatching(/^This says nothing about fidelity: /),
      },
    ]);
  });

  test('a run without any benchmark says why', () => {
    const report: RunReport = { ...caseNamed('error-bad-key'), benchmarks: [] };
    expect(annotationsOf(report)).toHaveLength(1);
  });
});

test.each([
  [10, 10],
  [11, 10],
  [250, 10],
])('%i failed gates give %i annotations', (gates, expected) => {
  const report = caseNamed('fail-schema');
  const [benchmark] = report.benchmarks;
  const failed = benchmark?.gates.find((gate) => gate.verdict === 'fail');
  if (benchmark === undefined || failed === undefined) throw new Error('no gate');
  const many = Array.from(
    { length: gates },
    (_, i): GateReport => ({ ...failed, metric: `m${String(i).padStart(3, '0')}` }),
  );
  const annotations = annotationsOf({ ...report, benchmarks: [{ ...benchmark, gates: many }] });
  expect(annotations).toHaveLength(expected);
  if (gates > 10) {
    const last = annotations.at(-1);
    expect(last?.title).toBe(`Vendor Gate: ${gates - 9} more gates`);
    expect(last?.message).toMatch(/^m009 ≥ 90 %; m010 ≥ 90 %.*\. See the job summary\.$/);
    expect(last?.message.length).toBeLessThan(1000);
  }
});

test('each level has its own ten', () => {
  const report = caseNamed('fail-schema');
  const [benchmark] = report.benchmarks;
  const failed = benchmark?.gates.find((gate) => gate.verdict === 'fail');
  if (benchmark === undefined || failed === undefined) throw new Error('no gate');
  const gates = Array.from(
    { length: 40 },
    (_, i): GateReport => ({ ...failed, metric: `m${i}`, warn: i % 2 === 1 }),
  );
  const all = levels({ ...report, benchmarks: [{ ...benchmark, gates }] });
  expect(all).toEqual([...Array(10).fill('error'), ...Array(10).fill('warning')]);
});
