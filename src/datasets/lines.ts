import { isAscii, isUtf8 } from 'node:buffer';
import { closeSync, openSync, readSync } from 'node:fs';

/** A line that cannot be read as text; the message completes 'line 7 ...'. */
export class LineError extends Error {
  override readonly name = 'LineError';
}

const BLOCK_BYTES = 1 << 20;
const MAX_LINE_BYTES = 64 * 2 ** 20;
/** Bounds the index (16 bytes a line) whatever the file holds. */
const MAX_LINES = 20_000_000;

/**
 * The lines of a file, read one at a time. Only an index of byte offsets is held in memory, so a data set may be
 * larger than the memory of the machine.
 *
 * Lines are numbered from 1 as an editor does; blank ones (white space only) count in the numbering. A line ends with
 * LF or CRLF; the last one need not. A byte order mark is left out.
 */
export class LineFile {
  readonly path: string;
  /** Number of the last line. */
  readonly lines: number;
  #fd: number;
  /** Start and end of line n at 2n-2 and 2n-1; equal for a blank line. Doubles, for files over 4 GiB. */
  #bounds: Float64Array;
  #buffer = Buffer.alloc(0);

  private constructor(path: string, fd: number, bounds: Float64Array) {
    this.path = path;
    this.lines = bounds.length / 2;
    this.#fd = fd;
    this.#bounds = bounds;
  }

  /** Indexes the file. Rejects with the file system's error when it cannot be read. */
  static async open(path: string): Promise<LineFile> {
    const fd = openSync(path, 'r');
    try {
      return new LineFile(path, fd, await indexOf(fd));
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  /** Whether the line exists and is not blank. */
  has(line: number): boolean {
    return this.#start(line) < this.#end(line);
  }

  /**
   * The text of a line without its line end; empty for a blank line.
   * Reads synchronously: a row comes out of the page cache in microseconds, a trip through the thread pool takes
   * ten times as long.
   * @param line number from 1 to `lines`.
   * @throws LineError for a line that is not UTF-8 or longer than 64 MiB.
   */
  read(line: number): string {
    const start = this.#start(line);
    const length = this.#end(line) - start;
    if (Number.isNaN(length)) throw new RangeError(`line ${line} of ${this.lines}`);
    if (length > MAX_LINE_BYTES) throw new LineError('is longer than 64 MiB');
    const bytes = this.#room(length);
    let read = 0;
    while (read < length) {
      const got = readSync(this.#fd, bytes, read, length - read, start + read);
      if (got === 0) throw new LineError('is gone: the file was cut while it was in use');
      read += got;
    }
    // Decoding Latin-1 is a copy; UTF-8 takes ten times as long.
    if (isAscii(bytes)) return bytes.toString('latin1');
    if (!isUtf8(bytes)) throw new LineError('is not UTF-8 text');
    return bytes.toString('utf8');
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** Room for the bytes of one line, used again for the next as long as lines are of a usual size. */
  #room(length: number): Buffer {
    if (length > BLOCK_BYTES) return Buffer.allocUnsafe(length);
    if (this.#buffer.length < length) this.#buffer = Buffer.allocUnsafeSlow(2 * length);
    return this.#buffer.subarray(0, length);
  }

  #start(line: number): number {
    return this.#bounds[2 * line - 2] ?? Number.NaN;
  }

  #end(line: number): number {
    return this.#bounds[2 * line - 1] ?? Number.NaN;
  }
}

const LF = 0x0a;
const CR = 0x0d;

async function indexOf(fd: number): Promise<Float64Array> {
  const index = new Index();
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  let blockStart = 0;
  for (;;) {
    const size = readSync(fd, block, 0, BLOCK_BYTES, blockStart);
    if (size === 0) break;
    const bytes = block.subarray(0, size);
    let from = blockStart === 0 && startsWithMark(bytes) ? 3 : 0;
    if (from === 3) index.skipMark();
    for (let at = bytes.indexOf(LF, from); at !== -1; at = bytes.indexOf(LF, from)) {
      index.piece(bytes, from, at);
      index.endLine(blockStart + at);
      from = at + 1;
    }
    index.piece(bytes, from, size);
    blockStart += size;
    // Lets signals through while a large file is indexed.
    await new Promise(setImmediate);
  }
  index.endFile(blockStart);
  return index.bounds();
}

function startsWithMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Gathers line bounds while a file passes by in pieces. */
class Index {
  #bounds = new Float64Array(2048);
  #used = 0;
  #start = 0;
  #blank = true;
  #lastByte = 0;

  skipMark(): void {
    this.#start = 3;
  }

  /** Bytes [from, to) of the current line. */
  piece(bytes: Buffer, from: number, to: number): void {
    if (from === to) return;
    for (let at = from; this.#blank && at < to; at += 1) {
      const byte = bytes[at] ?? 0;
      this.#blank = byte === 0x20 || byte === 0x09 || byte === CR;
    }
    this.#lastByte = bytes[to - 1] ?? 0;
  }

  /** @param end offset of the line feed. */
  endLine(end: number): void {
    this.#add(end);
    this.#start = end + 1;
  }

  endFile(end: number): void {
    if (end > this.#start) this.#add(end);
  }

  bounds(): Float64Array {
    return this.#bounds.slice(0, this.#used);
  }

  #add(end: number): void {
    if (this.#used === 2 * MAX_LINES) throw new LineError(`file has more than ${MAX_LINES} lines`);
    if (this.#used === this.#bounds.length) {
      const larger = new Float64Array(this.#used * 2);
      larger.set(this.#bounds);
      this.#bounds = larger;
    }
    const withoutCr = this.#lastByte === CR && end > this.#start ? end - 1 : end;
    this.#bounds[this.#used] = this.#start;
    this.#bounds[this.#used + 1] = this.#blank ? this.#start : withoutCr;
    this.#used += 2;
    this.#blank = true;
    this.#lastByte = 0;
  }
}
