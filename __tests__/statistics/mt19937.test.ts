import { describe, expect, it, test } from '@jest/globals';
import { Mt19937 } from '../../src/statistics/mt19937.js';

function words(seed: number, count: number): number[] {
  const random = new Mt19937(seed);
  return Array.from({ length: count }, () => random.next());
}

describe('Mt19937', () => {
  // Words read off numpy's MT19937 with its legacy (init_genrand) seeding.
  test.each([
    [42, [1608637542, 3421126067, 4083286876, 787846414, 3143890026]],
    [0, [2357136044, 2546248239, 3071714933]],
    [5489, [3499211612]],
  ])('seed %i gives the words of the reference', (seed, expected) => {
    expect(words(seed, expected.length)).toEqual(expected);
  });

  it('gives the 10,000th word that the C++ standard demands of mt19937 with its default seed', () => {
    expect(words(5489, 10_000)[9999]).toBe(4123659995);
  });

  test.each([-1, 1.5, 2 ** 32, Number.NaN, Number.POSITIVE_INFINITY])('refuses seed %p', (seed) => {
    expect(() => new Mt19937(seed)).toThrow(RangeError);
  });
});
