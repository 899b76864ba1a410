import { readSync } from 'node:fs';

export interface Line {
  /** Byte offset of the line's first byte. */
  readonly offset: number;
  /** Bytes without the newline. */
  readonly length: number;
  /** The line without its newline; valid until the next step of the iteration. */
  readonly bytes: Buffer;
  /** false for a last line that has no newline. */
  readonly complete: boolean;
}

const BLOCK = 1 << 20;

/** The lines of an open file from its start, one at a time; memory is bounded by the longest line. */
export function* linesOf(fd: number): Generator<Line> {
  const block = Buffer.allocUnsafe(BLOCK);
  let carried: Buffer[] = [];
  let carriedLength = 0;
  let position = 0;
  let start = 0;
  for (;;) {
    const got = readSync(fd, block, 0, BLOCK, position);
    if (got === 0) break;
    let from = 0;
    for (;;) {
      const newline = block.subarray(0, got).indexOf(0x0a, from);
      if (newline === -1) break;
      const piece = block.subarray(from, newline);
      const bytes = carriedLength === 0 ? piece : Buffer.concat([...carried, piece]);
      carried = [];
      carriedLength = 0;
      yield { offset: start, length: bytes.length, bytes, complete: true };
      from = newline + 1;
      start = position + from;
    }
    if (from < got) {
      carried.push(Buffer.from(block.subarray(from, got)));
      carriedLength += got - from;
    }
    position += got;
  }
  if (carriedLength > 0) {
    yield { offset: start, length: carriedLength, bytes: Buffer.concat(carried), complete: false };
  }
}
