import { describe, expect, it, test } from '@jest/globals';
import { whatSampleSizeTells } from '../../src/statistics/power.js';

describe('whatSampleSizeTells', () => {
  // The simulation that the docs cite: SD over random rows and over re-runs, and how often a true 0.76 is below 0.73.
  test.each([
    [100, 0.047, 0.034, '26'],
    [200, 0.036, 0.025, '20'],
    [500, 0.022, 0.016, '9'],
    [2000, 0.01, 0.008, '0'],
  ])(
    'at %i rows the SD is %p over rows, %p over re-runs, and %s %% fall below',
    (n, sd, reruns, below) => {
      const tells = whatSampleSizeTells(n, 2000, 0.73);
      expect(tells.sd).toBeCloseTo(sd, 10);
      expect(tells.sdReruns).toBeCloseTo(reruns, 10);
      expect((tells.chanceBelow * 100).toFixed(0)).toBe(below);
      expect(tells.whole).toBe(n === 2000);
    },
  );

  it('needs about 1,600 rows to tell 0.76 from 0.73 with 80 % power', () => {
    // (1.644854 + 0.841621)^2 x 0.48068^2 / 0.03^2 = 1587; 0.48068 = 0.76884 x sqrt(0.61290 x 0.38710 / 0.60698).
    const { rowsToTell } = whatSampleSizeTells(200, 2000, 0.73);
    expect(Math.round(rowsToTell / 100) * 100).toBe(1600);
    expect(rowsToTell).toBeGreaterThanOrEqual(1585);
    expect(rowsToTell).toBeLessThanOrEqual(1590);
  });

  it('expects the width that the interval has at the expected counts', () => {
    // 74.4 TP, 23.5 FP, 23.5 FN of 200: Wilson on 74.4 of 121.4 is 0.5240 to 0.6949, as F1 0.6877 to 0.8200.
    expect(whatSampleSizeTells(200, 2000, 0.73).halfWidth).toBeCloseTo(0.0661, 3);
  });

  it('asks for fewer rows where the official model is further above the gate', () => {
    const k20905 = whatSampleSizeTells(200, 2000, 0.8, 0.84);
    expect(k20905.rowsToTell).toBeLessThan(whatSampleSizeTells(200, 2000, 0.8).rowsToTell);
    expect(k20905.chanceBelow).toBeLessThan(whatSampleSizeTells(200, 2000, 0.8).chanceBelow);
  });

  it('falls steadily with n', () => {
    let last = 1;
    for (let n = 1; n <= 5000; n += 7) {
      const { sd } = whatSampleSizeTells(n, 1e6, 0.73);
      expect(sd).toBeLessThan(last);
      last = sd;
    }
  });

  it('runs no more rows than there are', () => {
    expect(whatSampleSizeTells(500, 60, 0.73)).toMatchObject({ n: 60, whole: true });
    expect(whatSampleSizeTells(59, 60, 0.73)).toMatchObject({ n: 59, whole: false });
  });

  it('takes gates close to 1', () => {
    expect(whatSampleSizeTells(200, 2000, 0.99).chanceBelow).toBeGreaterThan(0);
  });

  test.each([
    [0, 2000, 0.73, 0.76],
    [200, 0, 0.73, 0.76],
    [Number.NaN, 2000, 0.73, 0.76],
    [200, 2000, 0, 0.76],
    [200, 2000, 0.8, 0.76],
    [200, 2000, 0.8, 1],
  ])('refuses n %p, population %p, gate %p, truth %p', (n, population, t, truth) => {
    expect(() => whatSampleSizeTells(n, population, t, truth)).toThrow(RangeError);
  });
});
