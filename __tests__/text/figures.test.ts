import { expect, test } from '@jest/globals';
import { capital, grouped, perCent, roughly, roundedBeside } from '../../src/text/figures.js';

test.each([
  ['0', '0'],
  ['999', '999'],
  ['1000', '1,000'],
  ['-1234567.891011', '-1,234,567.891011'],
  ['0.123456', '0.123456'],
  ['1e+21', '1e+21'],
])('grouped %s', (text, expected) => {
  expect(grouped(text)).toBe(expected);
});

test.each([
  [0.07, 7],
  [0.29, 29],
  [0.999, 99.9],
  [1, 100],
])('per cent of %s', (value, expected) => {
  expect(perCent(value)).toBe(expected);
});

test.each<[number, readonly number[], number, string]>([
  [0.759, [0.73], 3, '0.759'],
  [0.72996, [0.73], 3, '0.72996'],
  [0.73, [0.73], 3, '0.730'],
  [0.73004, [0.73], 3, '0.73004'],
  [99.97, [90, 100], 1, '99.97'],
  [100, [90, 100], 1, '100.0'],
  // 0.1 + 0.2 is 0.30000000000000004: the arithmetic's difference, not the value's.
  [0.1 + 0.2, [0.3], 2, '0.30'],
  [1234.5, [], 2, '1,234.50'],
])('%s beside %j', (value, fences, digits, expected) => {
  expect(roundedBeside(value, fences, digits)).toBe(expected);
});

test.each([
  [0, 0],
  [1, 1],
  [99, 99],
  [100, 100],
  [101, 110],
  [354, 360],
  [6656, 6700],
  [9901, 10_000],
])('roughly %s', (n, expected) => {
  expect(roughly(n)).toBe(expected);
});

test('capital', () => {
  expect(capital('trigger rate ratio')).toBe('Trigger rate ratio');
  expect(capital('')).toBe('');
});
