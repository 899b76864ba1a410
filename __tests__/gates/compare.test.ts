import { describe, expect, test } from '@jest/globals';
import { compareRatio, compareValue } from '../../src/gates/compare.js';

describe('compareRatio', () => {
  test.each([
    [9, 10, 0.9, 0],
    [90, 100, 0.9, 0],
    [73, 100, 0.73, 0],
    [1460, 2000, 0.73, 0],
    [1459, 2000, 0.73, -1],
    [1461, 2000, 0.73, 1],
    [29, 100, 0.29, 0],
    [57, 100, 0.57, 0],
    [1, 3, 0.3333333333333333, 1],
    [2, 3, 0.6666666666666667, -1],
    [0, 5, 0, 0],
    [5, 5, 1, 0],
    [1, 100000, 1e-5, 0],
    [1, 1e15, 1e-15, 0],
    [9007199254740990, 9007199254740991, 1, -1],
    [-1, 5, -0.2, 0],
    [3, 2, 1.5, 0],
    [2000, 1, 2000, 0],
    [1, 1, 1e300, -1],
    // Seconds and the like.
    [4.5, 3, 1.5, 0],
    [4.6, 3, 1.5, 1],
  ])('%p / %p against %p is %p', (num, den, bound, side) => {
    expect(compareRatio(num, den, bound)).toBe(side);
  });

  test('every whole per cent is met by exactly as many of a hundred', () => {
    for (let percent = 0; percent <= 100; percent += 1) {
      const bound = Number(`${percent}e-2`);
      expect(compareRatio(percent, 100, bound)).toBe(0);
      expect(compareRatio(percent * 7, 700, bound)).toBe(0);
    }
  });
});

describe('compareValue', () => {
  test.each([
    [0.1 + 0.2, 0.3, 0],
    [0.3, 0.30001, -1],
    [-0.2, 0, -1],
    [12, 11, 1],
    [Number.NaN, 0.5, Number.NaN],
  ])('%p against %p is %p', (value, bound, side) => {
    expect(compareValue(value, bound)).toBe(side);
  });
});
