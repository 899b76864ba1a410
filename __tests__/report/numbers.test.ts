import { describe, expect, test } from '@jest/globals';
import {
  byteSize,
  count,
  counted,
  duration,
  exact,
  figure,
  latency,
  level,
  type Style,
  span,
  styleOf,
} from '../../src/report/numbers.js';

const N = '\u00a0';

describe('figure', () => {
  test.each<[number | null, Style, number[], string]>([
    [0.759, 'f1', [0.73], '0.759'],
    [0.7299, 'f1', [0.73], '0.7299'],
    [0.72999, 'f1', [0.73], '0.72999'],
    [0.73, 'f1', [0.73], '0.730'],
    [0.73001, 'f1', [0.73], '0.73001'],
    [0.8999, 'percent', [0.9], `89.99${N}%`],
    [0.89996, 'percent', [0.9], `89.996${N}%`],
    [0.9, 'percent', [0.9], `90.0${N}%`],
    [97 / 98, 'percent', [0.9], `99.0${N}%`],
    [0.0104, 'percent', [0.01], `1.04${N}%`],
    [0.01, 'percent', [0.01], `1.0${N}%`],
    // Perfect and empty only when they are.
    [1, 'percent', [], `100${N}%`],
    [0.9997, 'percent', [], `99.97${N}%`],
    [0.0004, 'percent', [], `0.04${N}%`],
    [0, 'percent', [], `0${N}%`],
    [0.9996, 'f1', [], '0.9996'],
    [1, 'f1', [], '1'],
    [1.2549, 'ratio', [0.8, 1.25], '1.255'],
    [1.0141, 'ratio', [0.8, 1.25], '1.01'],
    [-0.123, 'coefficient', [], '−0.12'],
    [-0.001, 'coefficient', [], '−0.001'],
    [12.345, 'seconds', [], `12.35${N}s`],
    [3657, 'count', [], '3,657'],
    [123456.5, 'ratio', [], '123,456.50'],
    [null, 'f1', [0.73], '–'],
    [Number.NaN, 'f1', [], '–'],
    [Number.POSITIVE_INFINITY, 'ratio', [], '–'],
  ])('%s as %s beside %j', (value, style, bounds, text) => {
    expect(figure(value, style, bounds)).toBe(text);
  });

  test('never crosses or touches a bound that the value does not', () => {
    for (let i = 0; i <= 4000; i += 1) {
      const value = 0.729 + i * 0.0000005;
      const shown = Number(figure(value, 'f1', [0.73]));
      const gap = value - 0.73;
      const side = Math.abs(gap) < 1e-12 ? 0 : Math.sign(gap);
      expect(Math.sign(shown - 0.73) + 0).toBe(side + 0);
    }
  });
});

test.each<[number, number, Style, number[], string]>([
  [0.6881, 0.8229, 'f1', [0.73], '0.688–0.823'],
  [0.944, 0.9982, 'percent', [0.9], `94.4–99.8${N}%`],
  [0, 0.0188, 'percent', [], `0–1.9${N}%`],
  [0.72996, 0.8, 'f1', [0.73], '0.72996–0.800'],
])('span %s to %s', (low, high, style, bounds, text) => {
  expect(span(low, high, style, bounds)).toBe(text);
});

test.each<[number, Style, string]>([
  [0.73, 'f1', '0.73'],
  [0.8, 'ratio', '0.80'],
  [1.25, 'ratio', '1.25'],
  [1, 'ratio', '1'],
  [0.7581, 'f1', '0.7581'],
  [0.9, 'percent', `90${N}%`],
  [0.07, 'percent', `7${N}%`],
  [0.975, 'percent', `97.5${N}%`],
  [1_000_000, 'count', '1,000,000'],
])('exact %s as %s', (value, style, text) => {
  expect(exact(value, style)).toBe(text);
});

test.each([
  [0, '0'],
  [999, '999'],
  [2000, '2,000'],
  [12_345_678, '12,345,678'],
  [-1234, '−1,234'],
])('count %s', (n, text) => {
  expect(count(n)).toBe(text);
});

test('counted agrees in number', () => {
  expect(counted(1, 'sample')).toBe('1 sample');
  expect(counted(0, 'sample')).toBe('0 samples');
  expect(counted(2000, 'retry', 'retries')).toBe('2,000 retries');
});

test.each([
  [0, `0${N}ms`],
  [850, `850${N}ms`],
  [55_000, `55${N}s`],
  [59_600, `1${N}m`],
  [470_000, `7${N}m${N}50${N}s`],
  [3_599_600, `1${N}h${N}00${N}m`],
  [11_100_000, `3${N}h${N}05${N}m`],
  [-1, '–'],
])('duration %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test.each([
  [0.4, `0${N}ms`],
  [120.2, `120${N}ms`],
  [999.7, `1.0${N}s`],
  [4123, `4.1${N}s`],
  [9960, `10${N}s`],
  [95_000, `1${N}m${N}35${N}s`],
])('latency %s', (ms, text) => {
  expect(latency(ms)).toBe(text);
});

test.each([
  [512, `512${N}B`],
  [65_000, `63.5${N}KiB`],
  [1_000_000, `976.6${N}KiB`],
  [1_468_006, `1.4${N}MiB`],
])('byteSize %s', (n, text) => {
  expect(byteSize(n)).toBe(text);
});

test('level and styleOf', () => {
  expect(level(0.95)).toBe(`95${N}%`);
  expect(level(0.999)).toBe(`99.9${N}%`);
  expect(styleOf('rate')).toBe('percent');
  expect(styleOf('f1', true)).toBe('percent');
  expect(styleOf('mean')).toBe('f1');
  expect(styleOf('ratio')).toBe('ratio');
  expect(styleOf('something new')).toBe('coefficient');
});
