import type { Clock } from '../model/clock.js';

export interface PaceSettings {
  /** Most requests in flight. */
  readonly concurrency: number;
  /** Requests sent in a minute at most, retries included; null: as many as answers allow. */
  readonly maxRequestsPerMinute: number | null;
}

/** `throttled`: the request's first 429; a further one of the same request says nothing new about the others. */
export type TurnEnd = 'answered' | 'throttled' | 'other';

/** What `turn` hands out; give it back with `end`. */
export interface Turn {
  /** When it was handed out, by the clock's `elapsed`. */
  readonly at: number;
}

/**
 * Holds back requests so that a vendor with a rate limit is measured and not failed: additive increase, multiplicative
 * decrease, as TCP shares a line. A 429 halves the requests allowed in flight, once for all that were under way
 * together; each answer lets the number grow again, by one for each round. How long a request that got a 429 waits is
 * its own affair (RateLimitWaits): one prompt beyond the vendor's limit must not hold up the others. Turns are handed out
 * in the order in which they were asked for.
 */
export class Pace {
  readonly #most: number;
  readonly #gapMs: number;
  readonly #clock: Clock;
  #allowed: number;
  #running = 0;
  /** Nobody goes before this time, for the sake of the requests a minute. */
  #notBefore = 0;
  /** Turns handed out before this time were under way when the number was last halved. */
  #halvedAt = Number.NEGATIVE_INFINITY;
  readonly #queue: ((turn: Turn) => void)[] = [];
  #isWaking = false;
  readonly #over = new AbortController();

  constructor({ concurrency, maxRequestsPerMinute }: PaceSettings, clock: Clock) {
    this.#most = concurrency;
    this.#allowed = concurrency;
    this.#gapMs = maxRequestsPerMinute === null ? 0 : 60_000 / maxRequestsPerMinute;
    this.#clock = clock;
  }

  /** Requests allowed in flight now. */
  get allowed(): number {
    return Math.max(1, Math.floor(this.#allowed));
  }

  /** Waits for a turn. Rejects with the reason of `signal`. */
  async turn(signal: AbortSignal): Promise<Turn> {
    signal.throwIfAborted();
    const now = this.#clock.elapsed();
    if (this.#queue.length === 0 && this.#hasRoom && now >= this.#notBefore) return this.#take(now);
    return await this.#inLine(signal);
  }

  end({ at }: Turn, how: TurnEnd): void {
    this.#running -= 1;
    if (how === 'answered') {
      this.#allowed = Math.min(this.#most, this.#allowed + 1 / this.#allowed);
    } else if (how === 'throttled' && at >= this.#halvedAt) {
      this.#halvedAt = this.#clock.elapsed();
      this.#allowed = Math.max(1, this.allowed / 2);
    }
    this.#pump();
  }

  /** Nobody is handed a turn after this. */
  close(): void {
    this.#over.abort(new Error('closed'));
  }

  get #hasRoom(): boolean {
    return this.#running < this.allowed;
  }

  #take(at: number): Turn {
    this.#running += 1;
    if (this.#gapMs > 0) this.#notBefore = at + this.#gapMs;
    return { at };
  }

  #inLine(signal: AbortSignal): Promise<Turn> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#queue.splice(this.#queue.indexOf(go), 1);
        reject(signal.reason);
      };
      const go = (turn: Turn): void => {
        signal.removeEventListener('abort', leave);
        resolve(turn);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#queue.push(go);
      this.#pump();
    });
  }

  /** Lets those in line go that may, and looks again when time alone holds them back. */
  #pump(): void {
    while (this.#queue.length > 0 && this.#hasRoom) {
      // Read once: between two looks at the clock the time may come, and then nobody would wake.
      const now = this.#clock.elapsed();
      if (now < this.#notBefore) {
        this.#wakeIn(this.#notBefore - now);
        return;
      }
      this.#queue.shift()?.(this.#take(now));
    }
  }

  #wakeIn(ms: number): void {
    if (this.#isWaking) return;
    this.#isWaking = true;
    const wake = (): void => {
      this.#isWaking = false;
      this.#pump();
    };
    this.#clock.sleep(ms, this.#over.signal).then(wake, () => undefined);
  }
}
