import { describe, expect, it, test } from '@jest/globals';
import {
  f1Interval,
  kappa,
  kappaInterval,
  ratioInterval,
  wilson,
} from '../../src/statistics/intervals.js';

describe('wilson', () => {
  // The ends solve (p - s/n)^2 = z^2 p (1 - p) / n; solved as a quadratic with z = 1.959963984540054 (2.5758... at 99 %).
  test.each([
    [5, 5, 0.95, 0.565518, 1],
    [0, 200, 0.95, 0, 0.018845],
    [97, 98, 0.95, 0.944445, 0.998196],
    [3, 3, 0.95, 0.438503, 1],
    [45, 50, 0.95, 0.786398, 0.956524],
    [45, 50, 0.99, 0.740269, 0.966009],
    [1, 3, 0.95, 0.061492, 0.79234],
    [0, 1, 0.95, 0, 0.793451],
    [81, 263, 0.95, 0.255289, 0.36621],
    [1800, 2000, 0.95, 0.886076, 0.912391],
  ])('%i of %i at %p is %p to %p', (successes, n, level, low, high) => {
    const interval = wilson(successes, n, level);
    expect(interval?.low).toBeCloseTo(low, 6);
    expect(interval?.high).toBeCloseTo(high, 6);
    expect(interval).toMatchObject({ level, method: 'wilson' });
  });

  it('ends exactly at 0 and 1 at the edges', () => {
    for (let n = 1; n <= 300; n += 1) {
      expect(wilson(0, n, 0.95)?.low).toBe(0);
      expect(wilson(n, n, 0.95)?.high).toBe(1);
    }
  });

  it('is null for no samples', () => {
    expect(wilson(0, 0, 0.95)).toBeNull();
  });

  test.each([
    [-1, 5, 0.95],
    [6, 5, 0.95],
    [Number.NaN, 5, 0.95],
    [1, Number.POSITIVE_INFINITY, 0.95],
    [1, 5, 0],
    [1, 5, 1],
    [1, 5, 95],
  ])('refuses %p of %p at level %p', (successes, n, level) => {
    expect(() => wilson(successes, n, level)).toThrow(RangeError);
  });
});

describe('f1Interval', () => {
  // Wilson's ends j for TP of TP + FP + FN, then 2j / (1 + j).
  test.each([
    [5, 0, 0, 0.722467, 1],
    [0, 3, 2, 0, 0.605769],
    [76, 24, 24, 0.688532, 0.819371],
    [3, 0, 10, 0.151221, 0.668942],
    [2, 1, 10, 0.082929, 0.593873],
    [744, 235, 235, 0.738278, 0.780379],
  ])('TP %i, FP %i, FN %i is %p to %p', (tp, fp, fn, low, high) => {
    const interval = f1Interval(tp, fp, fn, 0.95);
    expect(interval?.low).toBeCloseTo(low, 6);
    expect(interval?.high).toBeCloseTo(high, 6);
    expect(interval?.method).toBe('wilson-f1');
  });

  it('is null when neither side ever triggers', () => {
    expect(f1Interval(0, 0, 0, 0.95)).toBeNull();
  });
});

describe('ratioInterval', () => {
  // c exp(-+ z s): c = V/O, s^2 = (FP + FN + 1) / ((V + 1/2)(O + 1/2)). 5, 0, 0: s = sqrt(1 / 30.25) = 0.181818.
  test.each([
    [5, 0, 0, 0.700223, 1.428117],
    [76, 24, 24, 0.872393, 1.146272],
    [3, 0, 10, 0.089634, 0.594129],
    [450, 1000, 40, 2.745442, 3.189566],
    // c = 0.5 / 13, s^2 = 14 / (0.5 x 13.5).
    [0, 0, 13, 0, 0.646989],
    [0, 3, 2, 0.295958, 7.602442],
  ])('TP %i, FP %i, FN %i is %p to %p', (tp, fp, fn, low, high) => {
    const interval = ratioInterval(tp, fp, fn, 0.95);
    expect(interval?.low).toBeCloseTo(low, 6);
    expect(interval?.high).toBeCloseTo(high, 6);
    expect(interval?.method).toBe('delta-log');
  });

  it('is null when the official model never triggers', () => {
    expect(ratioInterval(0, 7, 0, 0.95)).toBeNull();
    expect(ratioInterval(0, 0, 0, 0.95)).toBeNull();
  });

  it('is finite, contains the ratio and has a width for every small table', () => {
    for (const [tp, fp, fn] of smallTables()) {
      const interval = ratioInterval(tp, fp, fn, 0.95);
      if (tp + fn === 0) continue;
      const ratio = (tp + fp) / (tp + fn);
      expect(interval?.low).toBeGreaterThanOrEqual(0);
      expect(interval?.low).toBeLessThanOrEqual(ratio);
      expect(interval?.high).toBeGreaterThan(ratio);
      expect(interval?.high).toBeLessThan(Number.POSITIVE_INFINITY);
    }
  });
});

describe('kappa', () => {
  test.each([
    // Agreement 35/50 = 0.7, by chance 0.5: (0.7 - 0.5) / (1 - 0.5).
    [20, 5, 10, 15, 0.4],
    [76, 24, 24, 76, 0.52],
    [5, 0, 0, 5, 1],
    [0, 5, 5, 0, -1],
    [0, 0, 10, 10, 0],
    [50, 50, 0, 0, 0],
  ])('TP %i, FP %i, FN %i, TN %i is %p', (tp, fp, fn, tn, expected) => {
    expect(kappa(tp, fp, fn, tn)).toBe(expected);
  });

  test.each([
    [0, 0, 0, 0],
    [9, 0, 0, 0],
    [0, 0, 0, 9],
  ])('is undefined for TP %i, FP %i, FN %i, TN %i', (tp, fp, fn, tn) => {
    expect(kappa(tp, fp, fn, tn)).toBeNull();
    expect(kappaInterval(tp, fp, fn, tn, 0.95)).toBeNull();
  });
});

describe('kappaInterval', () => {
  // tanh(atanh k -+ z s) with half a sample in each cell; s from the gradient of atanh k in the four cell shares, taken
  // numerically, and the multinomial covariance.
  test.each([
    [20, 5, 10, 15, 0.115989, 0.600812],
    [76, 24, 24, 76, 0.387154, 0.623169],
    [744, 235, 235, 786, 0.491079, 0.565417],
    [5, 0, 0, 5, 0.173613, 1],
    [0, 5, 5, 0, -1, -0.173613],
    [0, 0, 10, 10, -0.172345, 0.172345],
    [0, 3, 2, 0, -0.957279, 0.248747],
    [1, 0, 0, 1, -0.52432, 1],
  ])('TP %i, FP %i, FN %i, TN %i is %p to %p', (tp, fp, fn, tn, low, high) => {
    const interval = kappaInterval(tp, fp, fn, tn, 0.95);
    expect(interval?.low).toBeCloseTo(low, 6);
    expect(interval?.high).toBeCloseTo(high, 6);
    expect(interval?.method).toBe('delta-log');
  });

  it('lies within -1 and 1, contains kappa and has a width for every small table', () => {
    for (const [tp, fp, fn] of smallTables()) {
      for (let tn = 0; tn <= 4; tn += 1) {
        const measured = kappa(tp, fp, fn, tn);
        const interval = kappaInterval(tp, fp, fn, tn, 0.95);
        if (measured === null || interval === null) continue;
        expect(interval.low).toBeGreaterThanOrEqual(-1);
        expect(interval.high).toBeLessThanOrEqual(1);
        expect(interval.low).toBeLessThanOrEqual(measured);
        expect(interval.high).toBeGreaterThanOrEqual(measured);
        expect(interval.high - interval.low).toBeGreaterThan(0.1);
      }
    }
  });
});

function smallTables(): [number, number, number][] {
  const sizes = [0, 1, 2, 3, 4];
  return sizes.flatMap((tp) =>
    sizes.flatMap((fp) => sizes.map((fn): [number, number, number] => [tp, fp, fn])),
  );
}
