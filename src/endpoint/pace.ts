import type { Clock } from '../model/clock.js';

export interface PaceSettings {
  /** Most requests in flight. */
  readonly concurrency: number;
  /** Requests sent in a minute at most, retries included; null: as many as answers allow. */
  readonly maxRequestsPerMinute: number | null;
}

/** How a request that had a turn ended. */
export type TurnEnd =
  | { readonly kind: 'answered' }
  /** 429; `waitMs` as the endpoint asks for, null when it does not say. */
  | { readonly kind: 'throttled'; readonly waitMs: number | null }
  | { readonly kind: 'other' };

/** What `turn` hands out; give it back with `end`. */
export interface Turn {
  /** When it was handed out, by the clock's `elapsed`. */
  readonly at: number;
}

/** When an endpoint throttles without saying for how long. */
const PAUSE_MS = 1000;

/**
 * Holds back requests so that a vendor with a rate limit is measured and not failed: additive increase, multiplicative
 * decrease, as TCP shares a line. A 429 halves the requests allowed in flight, once for all that were under way together,
 * and keeps everybody waiting as long as the endpoint asks; each answer lets the number grow again by one for each
 * round of it. Turns are handed out in the order in which they were asked for.
 */
export class Pace {
  readonly #most: number;
  readonly #gapMs: number;
  readonly #clock: Clock;
  #allowed: number;
  #running = 0;
  /** Nobody goes before this time. */
  #notBefore = 0;
  /** Turns handed out before this time were under way when the number was last halved. */
  #halvedAt = Number.NEGATIVE_INFINITY;
  #answered = 0;
  readonly #queue: ((turn: Turn) => void)[] = [];
  #waking: AbortController | null = null;

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

  /** Answers so far: whether a throttled run still gets anywhere. */
  get answered(): number {
    return this.#answered;
  }

  /** Waits for a turn. Rejects with the reason of `signal`. */
  async turn(signal: AbortSignal): Promise<Turn> {
    signal.throwIfAborted();
    if (this.#queue.length === 0 && this.#isFree()) return this.#take();
    return await this.#inLine(signal);
  }

  end({ at }: Turn, how: TurnEnd): void {
    this.#running -= 1;
    if (how.kind === 'answered') {
      this.#answered += 1;
      this.#allowed = Math.min(this.#most, this.#allowed + 1 / this.#allowed);
    } else if (how.kind === 'throttled') {
      const now = this.#clock.elapsed();
      if (at >= this.#halvedAt) {
        this.#halvedAt = now;
        this.#allowed = Math.max(1, this.allowed / 2);
      }
      this.#notBefore = Math.max(this.#notBefore, now + (how.waitMs ?? PAUSE_MS));
    }
    this.#pump();
  }

  #isFree(): boolean {
    return this.#running < this.allowed && this.#clock.elapsed() >= this.#notBefore;
  }

  #take(): Turn {
    const at = this.#clock.elapsed();
    this.#running += 1;
    if (this.#gapMs > 0) this.#notBefore = at + this.#gapMs;
    return { at };
  }

  #inLine(signal: AbortSignal): Promise<Turn> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#queue.splice(this.#queue.indexOf(go), 1);
        reject(signal.reason);
        this.#pump();
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
    while (this.#queue.length > 0 && this.#isFree()) this.#queue.shift()?.(this.#take());
    if (this.#queue.length === 0) {
      this.#waking?.abort();
      this.#waking = null;
      return;
    }
    const wait = this.#notBefore - this.#clock.elapsed();
    if (this.#running < this.allowed && wait > 0 && this.#waking === null) this.#wakeIn(wait);
  }

  #wakeIn(ms: number): void {
    const waking = new AbortController();
    this.#waking = waking;
    this.#clock.sleep(ms, waking.signal).then(
      () => {
        if (this.#waking !== waking) return;
        this.#waking = null;
        this.#pump();
      },
      () => undefined,
    );
  }
}
