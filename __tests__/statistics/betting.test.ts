import { describe, expect, test } from '@jest/globals';
import { SumSignTest } from '../../src/statistics/betting.js';
import { shuffledIndices } from '../../src/statistics/shuffle.js';

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

/**
 * The K2-thinking set: 2,000 rows, the official model calls in 979; as many false positives as false negatives.
 * X = 2 TP (1 - t) - t (FP + FN), the gate F1 >= 0.73. `used`: mean samples of an earlier prototype of the method.
 */
const ROWS = 2000;
const POSITIVES = 979;
const GATE = 0.73;
const RUNS = 2000;

describe(`over ${RUNS} random orders`, () => {
  test.each([
    { f1: 0.89, used: 58 },
    { f1: 0.81, used: 240 },
    { f1: 0.76, used: 970 },
    { f1: 0.727, used: 1880 },
    { f1: 0.67, used: 465 },
    { f1: 0.5, used: 47 },
  ])('F1 $f1: at most 5 % wrong, about $used samples', ({ f1, used }) => {
    const misses = Math.round(POSITIVES * (1 - f1));
    const values = new Float64Array(ROWS);
    values.fill(2 * (1 - GATE), 0, POSITIVES - misses);
    values.fill(-GATE, POSITIVES - misses, POSITIVES + misses);
    const truth = (POSITIVES - misses) / POSITIVES >= GATE ? 'above' : 'below';
    let wrong = 0;
    let drawn = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const sum = new SumSignTest(ROWS, [-GATE, 2 * (1 - GATE)], LEVELS);
      for (const index of shuffledIndices(ROWS, run)) {
        if (sum.add(values[index] ?? Number.NaN) !== null) break;
      }
      if (sum.decision !== truth) wrong += 1;
      drawn += sum.drawn;
    }
    // Three standard errors of a share of 5 %.
    expect(wrong / RUNS).toBeLessThanOrEqual(ALPHA + 3 * Math.sqrt((ALPHA * (1 - ALPHA)) / RUNS));
    expect(drawn / RUNS).toBeLessThanOrEqual(1.15 * used);
  });
});
