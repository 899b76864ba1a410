import { closeSync, openSync, writeSync } from 'node:fs';

const BLOCK_CHARS = 1 << 20;

/** Thrown when a file would become larger than allowed. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/**
 * Writes lines to a new file. Synchronously, as LineFile reads: whoever calls it works through a file block by block
 * and lets signals through in between.
 */
export class LineWriter {
  readonly #fd: number;
  readonly #maxBytes: number;
  #bytes = 0;
  #waiting: string[] = [];
  #waitingChars = 0;

  constructor(path: string, maxBytes: number) {
    this.#fd = openSync(path, 'wx');
    this.#maxBytes = maxBytes;
  }

  /** @throws TooLarge, or the file system's error. */
  line(text: string): void {
    this.#waiting.push(text, '\n');
    this.#waitingChars += text.length + 1;
    if (this.#waitingChars >= BLOCK_CHARS) this.#flush();
  }

  /** Writes what is left and closes the file. */
  end(): void {
    try {
      this.#flush();
    } finally {
      closeSync(this.#fd);
    }
  }

  /** Closes the file as it is, after a failure. */
  abandon(): void {
    this.#waiting = [];
    closeSync(this.#fd);
  }

  #flush(): void {
    const block = Buffer.from(this.#waiting.join(''));
    this.#waiting = [];
    this.#waitingChars = 0;
    this.#bytes += block.length;
    if (this.#bytes > this.#maxBytes) throw new TooLarge();
    for (let at = 0; at < block.length; ) at += writeSync(this.#fd, block, at);
  }
}

/** Runs `write` with a writer on `path`, which is closed whatever happens. */
export async function writeLines(
  path: string,
  maxBytes: number,
  write: (writer: LineWriter) => Promise<void>,
): Promise<void> {
  const writer = new LineWriter(path, maxBytes);
  try {
    await write(writer);
  } catch (error) {
    writer.abandon();
    throw error;
  }
  writer.end();
}
