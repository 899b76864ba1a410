import { describe, expect, test } from '@jest/globals';
import { normalCdf, normalQuantile, twoSidedZ } from '../../src/statistics/normal.js';

describe('normalQuantile', () => {
  // Read off Python's statistics.NormalDist().inv_cdf.
  test.each([
    [0.5, 0],
    [0.975, 1.9599639845400536],
    [0.95, 1.6448536269514715],
    [0.8, 0.8416212335729144],
    [0.9, 1.2815515655446008],
    [0.0249, -1.9616778690637862],
    [0.001, -3.090232306167813],
    [1e-10, -6.361340902404056],
    [1e-20, -9.262340089798405],
    [1e-300, -37.0470962993612],
    [0, Number.NEGATIVE_INFINITY],
    [1, Number.POSITIVE_INFINITY],
  ])('of %p is %p', (p, x) => {
    if (Number.isFinite(x)) expect(normalQuantile(p)).toBeCloseTo(x, 13);
    else expect(normalQuantile(p)).toBe(x);
  });

  test.each([-0.1, 1.1, Number.NaN])('refuses %p', (p) => {
    expect(() => normalQuantile(p)).toThrow(RangeError);
  });
});

describe('normalCdf', () => {
  // Read off Python's math.erfc(-x / sqrt 2) / 2.
  test.each([
    [-40, 0],
    [-3, 0.0013498980316300957],
    [-1.96, 0.024997895148220435],
    [-0.5, 0.3085375387259869],
    [0, 0.5],
    [1, 0.8413447460685429],
    [2.5, 0.9937903346742238],
    [6, 0.9999999990134123],
    [40, 1],
  ])('of %p is %p', (x, p) => {
    expect(normalCdf(x)).toBeCloseTo(p, 13);
  });
});

describe('twoSidedZ', () => {
  test.each([
    [0.9, 1.6448536269514722],
    [0.95, 1.959963984540054],
    [0.99, 2.5758293035489],
  ])('of level %p is %p', (level, z) => {
    expect(twoSidedZ(level)).toBeCloseTo(z, 12);
  });

  test.each([0, 1, -1, 95, Number.NaN])('refuses level %p', (level) => {
    expect(() => twoSidedZ(level)).toThrow(RangeError);
  });
});
