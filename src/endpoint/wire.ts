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
  body: ReadableStream<Uint8Array> | null,
  reader: AnswerReader,
  maxBytes: number,
  clock: Clock,
  onBytes: () => void,
): Promise<Ending> {
  const source = body?.getReader();
  let total = 0;
  try {
    for (;;) {
      const piece = await source?.read();
      if (piece === undefined || piece.done) break;
      total += piece.value.byteLength;
      if (total > maxBytes) {
        giveUp(source);
        return { kind: 'too_large', maxBytes };
      }
      reader.push(piece.value);
      onBytes();
      if (reader.done || reader.completion.overflowed) {
        void linger(source, clock);
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
export async function readText(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<string> {
  const source = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let total = 0;
  try {
    while (total < maxBytes) {
      const piece = await source?.read();
      if (piece === undefined || piece.done) return text + decoder.decode();
      const bytes = piece.value.subarray(0, maxBytes - total);
      total += bytes.byteLength;
      text += decoder.decode(bytes, { stream: true });
    }
  } catch {
    return text;
  }
  giveUp(source);
  return text;
}

type Source = ReadableStreamDefaultReader<Uint8Array> | undefined;

function giveUp(source: Source): void {
  source?.cancel().catch(() => undefined);
}

/** Lets the server close the body in its own time, so that the connection can be used again, but not for long. */
async function linger(source: Source, clock: Clock): Promise<void> {
  const stop = new AbortController();
  const late = clock.sleep(LINGER_MS, stop.signal).then(
    () => true,
    () => true,
  );
  const closed = source?.read().then(
    (piece) => !piece.done,
    () => false,
  );
  if (await Promise.race([late, closed ?? false])) giveUp(source);
  stop.abort();
}
