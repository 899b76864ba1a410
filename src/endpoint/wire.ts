import type { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../model/clock.js';
import type { AnswerReader } from './answer.js';
import { classifyFailure } from './failure.js';
import type { Ending } from './judge.js';

/** After [DONE] a connection is kept for the next request when the server closes the body this soon. */
const LINGER_MS = 1000;

/**
 * Reads a body into `reader` until it ends, the connection breaks, [DONE] comes or more than `maxBytes` arrived
 * (counted after decompression, so a compressed body that expands without end stops too). `onBytes` is called after
 * each piece. Never rejects.
 */
export async function readAnswer(
  body: Readable,
  reader: AnswerReader,
  maxBytes: number,
  clock: Clock,
  onBytes: () => void,
): Promise<Ending> {
  const pieces = piecesOf(body);
  let total = 0;
  try {
    for (;;) {
      const piece = await pieces.next();
      if (piece.done === true) break;
      total += piece.value.byteLength;
      if (total > maxBytes) {
        body.destroy();
        return { kind: 'too_large', maxBytes };
      }
      reader.push(piece.value);
      onBytes();
      if (reader.done || reader.completion.overflowed) {
        await letGo(body, pieces, clock);
        return { kind: 'end' };
      }
    }
  } catch (error) {
    reader.end();
    return { kind: 'broken', failure: classifyFailure(error) };
  }
  reader.end();
  return { kind: 'end' };
}

/** The beginning of an error's body, up to `maxBytes`; what came of it when the connection breaks. Never rejects. */
export async function readText(body: Readable, maxBytes: number): Promise<string> {
  const pieces = piecesOf(body);
  const decoder = new TextDecoder();
  let text = '';
  let total = 0;
  try {
    while (total < maxBytes) {
      const piece = await pieces.next();
      if (piece.done === true) return text + decoder.decode();
      const bytes = piece.value.subarray(0, maxBytes - total);
      total += bytes.byteLength;
      text += decoder.decode(bytes, { stream: true });
    }
  } catch {
    return text;
  }
  body.destroy();
  return text;
}

type Pieces = AsyncIterator<Uint8Array, unknown, undefined>;

function piecesOf(body: Readable): Pieces {
  return body[Symbol.asyncIterator]() as Pieces;
}

/**
 * Nothing more is wanted of the body. Most servers close it with the same breath, and then the connection is free for
 * the next request; a slower one gets a little time for that, behind our back.
 */
async function letGo(body: Readable, pieces: Pieces, clock: Clock): Promise<void> {
  const isOver = pieces.next().then(
    (piece) => piece.done === true,
    () => true,
  );
  const isAtOnce = await Promise.race([isOver, turn(false)]);
  if (!isAtOnce) void linger(body, isOver, clock);
}

async function linger(body: Readable, isOver: Promise<boolean>, clock: Clock): Promise<void> {
  const stop = new AbortController();
  const late = clock.sleep(LINGER_MS, stop.signal).then(
    () => false,
    () => false,
  );
  if (!(await Promise.race([late, isOver]))) body.destroy();
  stop.abort();
}
