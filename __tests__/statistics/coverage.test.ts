import { describe, expect, test } from '@jest/globals';
import type { Interval } from '../../src/model/gate.js';
import {
  f1Interval,
  kappa,
  kappaInterval,
  ratioInterval,
  wilson,
} from '../../src/statistics/intervals.js';
import { Mt19937 } from '../../src/statistics/mt19937.js';

/** Shares of TP, FP, FN and TN in the long run. */
type Shares = readonly [number, number, number, number];
type Table = [number, number, number, number];

const RUNS = 4000;
const DEPLOYMENTS: readonly [string, Shares][] = [
  ['as good as the official model', [0.37, 0.12, 0.12, 0.39]],
  ['triggers too rarely', [0.11, 0.01, 0.38, 0.5]],
  ['triggers almost always', [0.45, 0.47, 0.04, 0.04]],
  ['no better than chance', [0.25, 0.25, 0.25, 0.25]],
];

/** Share of simulated runs whose interval contains the true value. */
function coverage(
  shares: Shares,
  n: number,
  truth: number,
  interval: (...t: Table) => Interval | null,
): number {
  const random = new Mt19937(20251201);
  let covered = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const found = interval(...draw(random, shares, n));
    if (found !== null && found.low <= truth && truth <= found.high) covered += 1;
  }
  return covered / RUNS;
}

function draw(random: Mt19937, [tp, fp, fn]: Shares, n: number): Table {
  const table: Table = [0, 0, 0, 0];
  for (let i = 0; i < n; i += 1) {
    const u = random.next() / 2 ** 32;
    if (u < tp) table[0] += 1;
    else if (u < tp + fp) table[1] += 1;
    else if (u < tp + fp + fn) table[2] += 1;
    else table[3] += 1;
  }
  return table;
}

// The standard error of a simulated coverage is 0.0034, so 94 % may come out as 93.5 %.
describe.each(DEPLOYMENTS)('coverage of the 95 %% intervals: %s', (_, shares) => {
  const [tp, fp, fn, tn] = shares;
  const cases: [string, number, (...t: Table) => Interval | null][] = [
    ['recall, Wilson', tp / (tp + fn), (a, _b, c) => wilson(a, a + c, 0.95)],
    ['F1', (2 * tp) / (2 * tp + fp + fn), (a, b, c) => f1Interval(a, b, c, 0.95)],
    ['trigger rate ratio', (tp + fp) / (tp + fn), (a, b, c) => ratioInterval(a, b, c, 0.95)],
    ['kappa', kappa(tp, fp, fn, tn) ?? 0, (...t) => kappaInterval(...t, 0.95)],
  ];
  test.each(cases)('%s', (_name, truth, interval) => {
    const large = coverage(shares, 200, truth, interval);
    expect(large).toBeGreaterThan(0.935);
    expect(large).toBeLessThan(0.97);
    const small = coverage(shares, 40, truth, interval);
    expect(small).toBeGreaterThan(0.925);
    // Wide is safe: kappa's is, where one side almost always triggers.
    expect(small).toBeLessThan(0.995);
  });
});
