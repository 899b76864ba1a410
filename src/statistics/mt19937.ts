const SIZE = 624;
const SHIFT = 397;

/**
 * The Mersenne Twister MT19937 of Matsumoto and Nishimura (1998), seeded by one 32-bit number the classic way
 * (`init_genrand` of the authors' mt19937ar.c). The same words come from numpy's `RandomState(seed)` and from C++'s
 * `std::mt19937`, so a draw made here can be repeated elsewhere.
 */
export class Mt19937 {
  readonly #state = new Uint32Array(SIZE);
  #index = SIZE;

  /** @param seed integer from 0 to 2^32 - 1; throws RangeError for anything else. */
  constructor(seed: number) {
    if (!Number.isInteger(seed) || seed < 0 || seed > 0xffff_ffff) {
      throw new RangeError(`a seed is an integer from 0 to 4294967295, not ${seed}`);
    }
    let word = seed;
    this.#state[0] = word;
    for (let i = 1; i < SIZE; i += 1) {
      word = (Math.imul(1_812_433_253, word ^ (word >>> 30)) + i) >>> 0;
      this.#state[i] = word;
    }
  }

  /** The next word: an integer from 0 to 2^32 - 1. */
  next(): number {
    if (this.#index === SIZE) this.#refill();
    let y = this.#state[this.#index] as number;
    this.#index += 1;
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c_5680;
    y ^= (y << 15) & 0xefc6_0000;
    y ^= y >>> 18;
    return y >>> 0;
  }

  #refill(): void {
    const state = this.#state;
    for (let i = 0; i < SIZE; i += 1) {
      const upper = (state[i] as number) & 0x8000_0000;
      const lower = (state[(i + 1) % SIZE] as number) & 0x7fff_ffff;
      const y = upper | lower;
      const twist = y & 1 ? 0x9908_b0df : 0;
      state[i] = (state[(i + SHIFT) % SIZE] as number) ^ (y >>> 1) ^ twist;
    }
    this.#index = 0;
  }
}
