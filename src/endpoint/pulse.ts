import type { Cause } from '../model/completion.js';
import type { Finding } from './finding.js';

/** So many attempts in a row without a sign of life, over at least so long, and retries are given up. */
const ATTEMPTS = 16;
const SILENT_MS = 40_000;

/** What comes of a deployment that is not there; anything else shows that somebody answers. */
const LIFELESS: ReadonlySet<Cause> = new Set(['network', 'server_error', 'timeout']);

/**
 * Whether the endpoint shows any sign of life. A dead one must not be asked for as long as every request's retries
 * last: with patient settings that would be hours until the run is given up.
 */
export class Pulse {
  #lifeless = 0;
  #since = 0;
  #answering = 0;

  /** An answer begins to come: its headers are here, and they are no server error. */
  begins(): void {
    this.#answering += 1;
  }

  /** It has ended, well or not. */
  ends(): void {
    this.#answering -= 1;
  }

  /** @param now the clock's `elapsed` */
  after(finding: Finding, now: number): void {
    if (finding.kind !== 'failed' || !LIFELESS.has(finding.cause)) {
      this.#lifeless = 0;
      return;
    }
    if (this.#lifeless === 0) this.#since = now;
    this.#lifeless += 1;
  }

  isGone(now: number): boolean {
    return this.#answering === 0 && this.#lifeless >= ATTEMPTS && now - this.#since >= SILENT_MS;
  }
}
