/** Fractions of the largest bet that is still safe; their squares are used, so that small bets are dense. */
const BETS = 20;

/**
 * Whether the sum of a bounded value over a whole finite population is at least zero, tested while its members are
 * drawn at random without replacement. After each draw it may say `above`, `below` or nothing yet; looking after every
 * draw costs nothing of the guarantee: when the sum is below zero, `above` is said with probability at most
 * `alphaAbove`, and the other way round for `alphaBelow`. When the members left cannot change the sign any more, what
 * it says is certain.
 *
 * Method: betting for sampling without replacement, Waudby-Smith and Ramdas 2024, arXiv 2010.09686. Were the whole sum
 * zero, the mean of the members left would be m = -(sum so far) / (members left), so a stake of b on the next value x
 * grows by 1 + b (x - m) with expectation at most 1 if the sum is in truth at most zero. The wealth is the mean over a
 * fixed grid of stakes: each is a martingale, so is their mean, and no stake has to be guessed.
 */
export class SumSignTest {
  readonly #size: number;
  readonly #low: number;
  readonly #high: number;
  readonly #needAbove: number;
  readonly #needBelow: number;
  readonly #above = new Float64Array(BETS).fill(1 / BETS);
  readonly #below = new Float64Array(BETS).fill(1 / BETS);
  #drawn = 0;
  #sum = 0;
  #decision: 'above' | 'below' | null = null;

  /**
   * @param size members of the population
   * @param range smallest and largest value a member can have, low < 0 < high
   */
  constructor(
    size: number,
    range: readonly [low: number, high: number],
    { alphaAbove, alphaBelow }: { readonly alphaAbove: number; readonly alphaBelow: number },
  ) {
    [this.#low, this.#high] = range;
    this.#size = size;
    this.#needAbove = 1 / alphaAbove;
    this.#needBelow = 1 / alphaBelow;
  }

  get drawn(): number {
    return this.#drawn;
  }

  get decision(): 'above' | 'below' | null {
    return this.#decision;
  }

  /**
   * The next member in the order of the draw.
   * @throws RangeError for a value outside the range or one too many: the guarantee would not hold.
   */
  add(value: number): 'above' | 'below' | null {
    const left = this.#size - this.#drawn;
    if (left === 0) throw new RangeError(`all ${this.#size} members are drawn`);
    if (!(value >= this.#low && value <= this.#high)) {
      throw new RangeError(`${value} is outside ${this.#low} to ${this.#high}`);
    }
    const mean = -this.#sum / left;
    this.#drawn += 1;
    this.#sum += value;
    if (this.#decision !== null) return this.#decision;
    this.#decision = this.#certain(left - 1) ?? this.#bet(value, mean);
    return this.#decision;
  }

  /** Decided when even the most extreme members left would not change the sign. */
  #certain(left: number): 'above' | 'below' | null {
    // Sums of rounded values: a sum of exactly zero must not fall to either side by its last bit.
    const slack = 1e-9 * this.#size;
    if (this.#sum + left * this.#low >= -slack) return 'above';
    return this.#sum + left * this.#high < -slack ? 'below' : null;
  }

  #bet(value: number, mean: number): 'above' | 'below' | null {
    const [most, least] = [mean - this.#low, this.#high - mean];
    let [above, below] = [0, 0];
    for (let index = 0; index < BETS; index += 1) {
      const stake = ((index + 0.5) / BETS) ** 2;
      const up = (this.#above[index] ?? 0) * (1 + (stake / most) * (value - mean));
      const down = (this.#below[index] ?? 0) * (1 - (stake / least) * (value - mean));
      this.#above[index] = up;
      this.#below[index] = down;
      above += up;
      below += down;
    }
    if (above >= this.#needAbove) return 'above';
    return below >= this.#needBelow ? 'below' : null;
  }
}
