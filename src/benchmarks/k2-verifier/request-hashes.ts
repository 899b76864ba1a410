import { requestHash } from './prepared.js';

const BYTES = 16;

/**
 * K2VV's hashes of the prepared requests of a run. They cost more than anything else in a result record, so they are
 * made when a row is sent, while answers to others are awaited: when the records are written, at the end of a run, the
 * user would wait for them. Held are 17 bytes a row.
 */
export class RequestHashes {
  readonly #bytes: Buffer;
  readonly #known: Uint8Array;

  /** @param lastRow the highest row number. */
  constructor(lastRow: number) {
    this.#bytes = Buffer.alloc(BYTES * (lastRow + 1));
    this.#known = new Uint8Array(lastRow + 1);
  }

  /** Makes the hash of a row beforehand. */
  remember(row: number, prepared: () => string): void {
    if (this.#known[row] === 1) return;
    const hash = hashOf(prepared());
    if (hash === null) return;
    this.#bytes.write(hash, BYTES * row, 'hex');
    this.#known[row] = 1;
  }

  /** The hash of a row's prepared request, in hex; null for one that nobody can hash. */
  of(row: number, prepared: string): string | null {
    if (this.#known[row] !== 1) return hashOf(prepared);
    return this.#bytes.toString('hex', BYTES * row, BYTES * (row + 1));
  }
}

function hashOf(prepared: string): string | null {
  try {
    return requestHash(prepared);
  } catch {
    return null;
  }
}
