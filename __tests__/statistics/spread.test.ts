import { expect, test } from '@jest/globals';
import { spreadOf } from '../../src/statistics/spread.js';

test.each([
  { values: [], spread: null },
  { values: [0.5], spread: { n: 1, mean: 0.5, min: 0.5, max: 0.5, sd: null } },
  // Deviations -3, -1, 1, 3: 20 / 3.
  { values: [5, 1, 3, 7], spread: { n: 4, mean: 4, min: 1, max: 7, sd: Math.sqrt(20 / 3) } },
  { values: [0.25, 0.25], spread: { n: 2, mean: 0.25, min: 0.25, max: 0.25, sd: 0 } },
])('the spread of $values', ({ values, spread }) => {
  expect(spreadOf(values)).toEqual(spread);
});
