import { Mt19937 } from './mt19937.js';

/**
 * The numbers 0 to n-1 in a random order that the seed alone decides: every order equally likely.
 *
 * Fisher-Yates from the last place to the second. For place i, j is drawn from 0 to i: take the next word of
 * MT19937(seed), keep its lowest bits (as many as i has in binary), and draw again while the result is above i.
 * Rejecting instead of taking a remainder leaves no number favoured. Then places i and j change contents.
 *
 * This is the procedure of numpy's legacy generator, frozen by its authors (NEP 19), so anyone can repeat a draw:
 * `numpy.random.RandomState(seed).permutation(n)` gives the same numbers.
 *
 * @param n how many, 0 to 2^32 - 1
 * @param seed integer from 0 to 2^32 - 1
 */
export function shuffledIndices(n: number, seed: number): Uint32Array {
  if (!Number.isInteger(n) || n < 0 || n > 0xffff_ffff) {
    throw new RangeError(`a number of things to shuffle is an integer from 0, not ${n}`);
  }
  const random = new Mt19937(seed);
  const order = Uint32Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i >= 1; i -= 1) {
    const mask = 0xffff_ffff >>> Math.clz32(i);
    let j: number;
    do {
      j = (random.next() & mask) >>> 0;
    } while (j > i);
    const held = order[i] as number;
    order[i] = order[j] as number;
    order[j] = held;
  }
  return order;
}
