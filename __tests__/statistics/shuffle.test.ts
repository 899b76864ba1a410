import { describe, expect, it, test } from '@jest/globals';
import { shuffledIndices } from '../../src/statistics/shuffle.js';

describe('shuffledIndices', () => {
  // Read off numpy.random.RandomState(seed).permutation(n).
  test.each([
    [10, 42, [8, 1, 5, 0, 7, 2, 9, 4, 3, 6]],
    [5, 0, [2, 0, 1, 3, 4]],
    [12, 4294967295, [11, 8, 5, 9, 1, 10, 6, 0, 4, 7, 2, 3]],
    [0, 1, []],
    [1, 1, [0]],
  ])('%i numbers with seed %i are in the order numpy gives', (n, seed, expected) => {
    expect([...shuffledIndices(n, seed)]).toEqual(expected);
  });

  test.each([
    [2000, 42, [1860, 353, 1333, 905, 1289, 1273, 938, 1731], [1294, 860, 1459, 1126]],
    [
      70_000,
      20251201,
      [47688, 33212, 8133, 2651, 22976, 57220, 58848, 4363],
      [24427, 47117, 66273, 65615],
    ],
  ])('%i numbers with seed %i begin and end as numpy has them', (n, seed, head, tail) => {
    const order = [...shuffledIndices(n, seed)];
    expect(order.slice(0, head.length)).toEqual(head);
    expect(order.slice(-tail.length)).toEqual(tail);
    expect(new Set(order).size).toBe(n);
    expect(order.every((index) => index < n)).toBe(true);
  });

  it('gives every order of three equally often', () => {
    const seen = new Map<string, number>();
    for (let seed = 0; seed < 3000; seed += 1) {
      const order = shuffledIndices(3, seed).join('');
      seen.set(order, (seen.get(order) ?? 0) + 1);
    }
    expect(seen.size).toBe(6);
    // 500 each; five standard deviations (20.4 each) either way.
    for (const count of seen.values()) expect(Math.abs(count - 500)).toBeLessThan(102);
  });

  test.each([-1, 0.5, 2 ** 32, Number.NaN])('refuses to shuffle %p things', (n) => {
    expect(() => shuffledIndices(n, 1)).toThrow(RangeError);
  });
});
