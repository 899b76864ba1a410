/** Up to here every millisecond has its own bucket. */
const EXACT_MS = 10_000;
/** Width of a bucket above: its middle is within 0.09 % of every duration in it, 0.1 % once rounded to a millisecond. */
const LOG_STEP = Math.log(1.0018);
/** The last bucket holds this (11 days) and everything longer. */
const LONGEST_MS = 1e9;
const LAST_BUCKET = bucketOf(LONGEST_MS);
const SCHEME = 'ms/10000/1.0018';

/** As stored; `buckets` are [index, count], by rising index. */
export interface HistogramJson {
  readonly scheme: string;
  readonly buckets: readonly (readonly [number, number])[];
}

/**
 * Durations in milliseconds, counted in buckets: exact to 1 ms up to 10 s, to 0.1 % above. Adding and merging in any
 * order give the same histogram, and it never holds more than some 16,000 buckets however many durations come.
 */
export class DurationHistogram {
  readonly #buckets = new Map<number, number>();
  #n = 0;

  /** How many durations were added. */
  get n(): number {
    return this.#n;
  }

  /** Throws RangeError for a negative or non-finite duration. */
  add(ms: number): void {
    if (!(ms >= 0 && ms < Infinity)) throw new RangeError(`a duration in ms, not ${ms}`);
    this.#count(bucketOf(Math.min(ms, LONGEST_MS)), 1);
  }

  merge(other: DurationHistogram): void {
    // A copy, so that a histogram can be merged with itself.
    for (const [bucket, count] of [...other.#buckets]) this.#count(bucket, count);
  }

  /**
   * The duration, in whole milliseconds, that at least p per cent of the durations do not exceed (nearest rank: one
   * that was measured, never a mean of two). Null when nothing was added.
   * @param p from 0 (the shortest) to 100 (the longest)
   */
  percentile(p: number): number | null {
    if (!(p >= 0 && p <= 100)) throw new RangeError(`a percentile lies in [0, 100], not ${p}`);
    if (this.#n === 0) return null;
    // 99.9 % of 1000 must be rank 999 although 99.9 has no exact binary form.
    const rank = Math.max(1, Math.ceil((p * this.#n) / 100 - 1e-9));
    let seen = 0;
    for (const [bucket, count] of this.#sorted()) {
      seen += count;
      if (seen >= rank) return middleOf(bucket);
    }
    return null;
  }

  toJSON(): HistogramJson {
    return { scheme: SCHEME, buckets: this.#sorted() };
  }

  /** Throws RangeError when the value is not what toJSON gives. */
  static fromJSON(value: unknown): DurationHistogram {
    const wrong = (): never => {
      throw new RangeError('not a histogram of durations');
    };
    if (typeof value !== 'object' || value === null) return wrong();
    const { scheme, buckets } = value as { scheme?: unknown; buckets?: unknown };
    if (scheme !== SCHEME || !Array.isArray(buckets)) return wrong();
    const histogram = new DurationHistogram();
    for (const pair of buckets) {
      if (!Array.isArray(pair) || pair.length !== 2) return wrong();
      const [bucket, count] = pair as unknown[];
      if (!isWhole(bucket) || bucket > LAST_BUCKET || !isWhole(count) || count === 0) {
        return wrong();
      }
      histogram.#count(bucket, count);
    }
    return histogram;
  }

  #count(bucket: number, by: number): void {
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + by);
    this.#n += by;
  }

  #sorted(): [number, number][] {
    return [...this.#buckets].sort(([a], [b]) => a - b);
  }
}

function bucketOf(ms: number): number {
  const whole = Math.round(ms);
  if (whole <= EXACT_MS) return whole;
  return EXACT_MS + 1 + Math.floor(Math.log(ms / EXACT_MS) / LOG_STEP);
}

function middleOf(bucket: number): number {
  if (bucket <= EXACT_MS) return bucket;
  return Math.round(EXACT_MS * Math.exp((bucket - EXACT_MS - 0.5) * LOG_STEP));
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
