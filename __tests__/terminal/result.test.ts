import { describe, expect, test } from '@jest/globals';
import type { Verdict } from '../../src/model/gate.js';
import type { RunReport } from '../../src/model/report.js';
import { exitCode, printMeasured, printResult } from '../../src/terminal/result.js';
import { CASES } from '../support/report-cases.js';

describe('the exit code', () => {
  test.each<[Verdict, Verdict[], number]>([
    ['pass', ['fail', 'error'], 0],
    ['fail', ['fail', 'error'], 1],
    ['error', ['fail', 'error'], 2],
    ['inconclusive', ['fail', 'error'], 0],
    ['inconclusive', ['fail', 'error', 'inconclusive'], 3],
    ['fail', ['error'], 0],
    ['error', [], 0],
  ])('%s with fail-on %j is %i', (verdict, failOn, code) => {
    const report = { verdict, stopped: null, shard: null };
    expect(exitCode(report as unknown as RunReport, failOn)).toBe(code);
  });

  test.each<[Verdict, Verdict[], number]>([
    ['inconclusive', ['fail', 'error', 'inconclusive'], 0],
    ['error', ['fail', 'error', 'inconclusive'], 2],
    ['error', ['fail'], 0],
  ])('of a shard: %s with fail-on %j is %i', (verdict, failOn, code) => {
    const report = { verdict, stopped: null, shard: { index: 1, of: 2 } };
    expect(exitCode(report as unknown as RunReport, failOn)).toBe(code);
  });

  test('a run stopped by hand never looks like a success', () => {
    const report = { verdict: 'inconclusive', stopped: { kind: 'interrupted' } };
    expect(exitCode(report as unknown as RunReport, ['fail'])).toBe(130);
  });
});

test('notes that a run has said in the log are not printed again; those of other reports are', () => {
  const made = CASES['pass-full']?.();
  if (made === undefined) throw new Error('no such case');
  const verified = {
    report: { ...made, notes: ['3 rows left out.'] },
    written: false,
    reportPath: '',
    summaryPath: '',
  };
  const printedBy = (print: typeof printResult): string => {
    let stdout = '';
    const signal = new AbortController().signal;
    const out = { write: (text: string) => (stdout += text) };
    print(verified, [], { env: {}, signal, stdout: out, stderr: { write: () => '' } });
    return stdout;
  };
  expect(printedBy(printResult)).toContain('Note: 3 rows left out.');
  expect(printedBy(printMeasured)).not.toContain('3 rows left out');
  expect(printedBy(printMeasured)).toContain('PASS');
});
