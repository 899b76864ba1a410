import { describe, expect, it, test } from '@jest/globals';
import { f1Interval, wilson } from '../../src/statistics/intervals.js';
import { samplesThatSettle } from '../../src/statistics/settle.js';

describe('samplesThatSettle', () => {
  // Wilson excludes b exactly when (p - b)^2 > z^2 b (1 - b) / n, so n is the next whole number above
  // z^2 b (1 - b) / (p - b)^2 with z^2 = 3.841459.
  test.each([
    // 3.841459 x 0.09 / 0.0004 = 864.3
    [100, 0.92, 0.9, 865],
    [100, 0.88, 0.9, 865],
    // 3.841459 x 0.25 / 0.0001 = 9603.6
    [50, 0.51, 0.5, 9604],
    // 3.841459 x 0.0099 / 0.000025 = 1521.2
    [10, 0.005, 0.01, 1522],
  ])(
    'from %i samples at %p a rate is settled against %p after %i',
    (run, value, bound, expected) => {
      const at = (samples: number) => wilson(value * samples, samples, 0.95);
      expect(samplesThatSettle(run, value, bound, at)).toBe(expected);
    },
  );

  it('works on F1 through J', () => {
    // F1 0.718 is J 0.560062, F1 0.73 is J 0.574803; of 200 samples 120 have a trigger.
    // n_J = 3.841459 x 0.574803 x 0.425197 / 0.014741^2 = 4320.6 triggers = 7201 samples, give or take J's last digits.
    const j = 0.718 / (2 - 0.718);
    const at = (samples: number) => f1Interval(j * 0.6 * samples, (1 - j) * 0.6 * samples, 0, 0.95);
    const samples = samplesThatSettle(200, 0.718, 0.73, at) ?? 0;
    expect(Math.abs(samples - 7201)).toBeLessThan(5);
    expect(at(samples)?.high).toBeLessThan(0.73);
    expect(at(samples - 1)?.high).toBeGreaterThanOrEqual(0.73);
  });

  it('gives the samples run when they settle it already', () => {
    expect(samplesThatSettle(50, 1, 0.5, () => ({ low: 0.9, high: 1 }))).toBe(50);
  });

  test.each([
    ['value equals bound', 100, 0.9, 0.9],
    ['value is not a number', 100, Number.NaN, 0.9],
    ['nothing was run', 0, 0.5, 0.9],
  ])('is null when %s', (_, run, value, bound) => {
    const at = (samples: number) => wilson(value * samples, samples, 0.95);
    expect(samplesThatSettle(run, value, bound, at)).toBeNull();
  });

  it('gives up when nothing ever settles', () => {
    expect(samplesThatSettle(10, 0.5, 0.6, () => ({ low: 0, high: 1 }))).toBeNull();
    expect(samplesThatSettle(10, 0.5, 0.6, () => null)).toBeNull();
  });
});
