/** While nobody was answered for so long, waiting for a rate limit counts as retrying. */
const PATIENCE_MS = 5 * 60_000;
/** The same before the first answer, when the key or the quota may be the trouble. */
const FIRST_PATIENCE_MS = 60_000;
/** One request waits no longer: what is beyond the vendor's limit by itself never gets through. */
const LONGEST_MS = 10 * 60_000;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

/** Whether the endpoint asks for a wait that no request makes: it does not want to be asked at all. */
export function isTooLong(told: number | null): boolean {
  return told !== null && told > LONGEST_MS;
}

/** When the endpoint last answered anybody, by the clock's `elapsed`. */
export class Answers {
  #last: number;
  #any = false;

  constructor(now: number) {
    this.#last = now;
  }

  came(now: number): void {
    this.#last = now;
    this.#any = true;
  }

  /** Whether an endpoint that throttles still answers others often enough to be waited for. */
  areRecent(now: number): boolean {
    return now - this.#last < (this.#any ? PATIENCE_MS : FIRST_PATIENCE_MS);
  }
}

/** The waits of one request for a rate limit. They use up none of its retries as long as the endpoint answers others. */
export class RateLimitWaits {
  #count = 0;
  #sum = 0;

  get count(): number {
    return this.#count;
  }

  /**
   * Milliseconds to wait before asking again, or null when that would be too long. As told by the endpoint, else twice
   * as long each time: windows of a minute are common, and so must be got through.
   * @param random yields [0,1); spreads requests that were refused together
   */
  next(told: number | null, random: () => number): number | null {
    const wait =
      told === null
        ? Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#count) * (1 + random() / 2)
        : told + random() * Math.min(FIRST_WAIT_MS, told);
    if (this.#sum + wait > LONGEST_MS) return null;
    this.#count += 1;
    this.#sum += wait;
    return wait;
  }
}
