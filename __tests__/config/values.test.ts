import { expect, test } from '@jest/globals';
import { INPUTS } from '../../src/config/inputs.js';
import { BAD } from './bad-values.js';
import { GOOD } from './good-values.js';
import { complaints, parsed } from './specs.js';

test.each(GOOD)('good value %d: %s %j', (_, name, value, read, expected) => {
  expect(read(parsed({ values: { [name]: value } }))).toEqual(expected);
});

test.each(BAD)('bad value %d: %s %j', (_, name, value, message) => {
  expect(complaints({ values: { [name]: value } })).toEqual([message]);
});

test('prices and a budget of money stand together', () => {
  const values = { 'price-in': '0.6', 'price-out': '2.5', 'cost-budget': '12.5' };
  expect(parsed({ values }).config.budget).toEqual({
    tokens: null,
    cost: 12.5,
    priceIn: 0.6,
    priceOut: 2.5,
  });
});

test('every input has a good and a bad row', () => {
  const together = ['price-in', 'price-out', 'cost-budget'];
  const elsewhere = [
    ...together,
    'endpoint',
    'api-key',
    'headers',
    'datasets',
    'config',
    'github-token',
  ];
  for (const { name } of INPUTS) {
    if (elsewhere.includes(name)) continue;
    expect({ name, good: GOOD.some((row) => row[1] === name) }).toEqual({ name, good: true });
    expect({ name, bad: BAD.some((row) => row[1] === name) }).toEqual({ name, bad: true });
  }
});
