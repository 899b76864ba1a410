import { describe, expect, test } from '@jest/globals';
import { SumSignTest } from '../../src/statistics/betting.js';

const ALPHA = 0.05;
const LEVELS = { alphaAbove: ALPHA, alphaBelow: ALPHA };

describe('what is certain needs no luck', () => {
  test.each([
    { values: [1, 1, 1, -1, -1], says: [null, null, 'above'], why: '3 up, the 2 left take back 2' },
    {
      values: [-1, -1, -1, 1, 1],
      says: [null, null, 'below'],
      why: '3 down, the 2 left give back 2',
    },
    { values: [1, -1, 1, -1], says: [null, null, 'above'], why: 'a sum of zero is at least zero' },
    { values: [-1, 1, -1, 1], says: [null, null, null, 'above'], why: 'the same from below' },
  ])('$why', ({ values, says }) => {
    const sum = new SumSignTest(values.length, [-1, 1], { alphaAbove: 1e-9, alphaBelow: 1e-9 });
    expect(values.slice(0, says.length).map((value) => sum.add(value))).toEqual(says);
  });

  test('a value outside the range, and one too many, are refused', () => {
    const sum = new SumSignTest(1, [-1, 1], LEVELS);
    expect(() => sum.add(1.5)).toThrow(RangeError);
    expect(() => sum.add(Number.NaN)).toThrow(RangeError);
    sum.add(1);
    expect(() => sum.add(1)).toThrow(RangeError);
  });

  test('wealth by hand: one draw of a population of 100', () => {
    // m = 0, stake s of low -1 and value 1: factor 1 + s; the mean of (i + 0.5)^2 / 400 over 20 bets is 0.333125.
    const over = new SumSignTest(100, [-1, 1], { alphaAbove: 1 / 1.333, alphaBelow: 1e-9 });
    expect(over.add(1)).toBe('above');
    const under = new SumSignTest(100, [-1, 1], { alphaAbove: 1 / 1.334, alphaBelow: 1e-9 });
    expect(under.add(1)).toBeNull();
  });
});
