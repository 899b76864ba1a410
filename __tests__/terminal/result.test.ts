import { describe, expect, test } from '@jest/globals';
import type { Verdict } from '../../src/model/gate.js';
import type { RunReport } from '../../src/model/report.js';
import { exitCode } from '../../src/terminal/result.js';

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
    expect(exitCode({ verdict, stopped: null } as unknown as RunReport, failOn)).toBe(code);
  });

  test('a run stopped by hand never looks like a success', () => {
    const report = { verdict: 'inconclusive', stopped: { kind: 'interrupted' } };
    expect(exitCode(report as unknown as RunReport, ['fail'])).toBe(130);
  });
});
