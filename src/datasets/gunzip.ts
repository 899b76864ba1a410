import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { ConfigError } from '../model/errors.js';
import { SNIFFED_BYTES } from './format.js';
import { isDiskFault, problem } from './problem.js';

/** What unpacking may do, and how the packed file is named when it does not work. */
export interface UnpackContext {
  readonly signal: AbortSignal;
  readonly where: string;
  /** The packed file as it may be shown. */
  readonly label: string;
  /** Most bytes that unpacking or converting may give; a plain file may have any size. */
  readonly maxBytes: number;
}

/** Text packs to a tenth; what grows a hundredfold and more has been made to fill disks. */
const MAX_RATIO = 200;
/** Below this size the ratio says nothing: a few repeated rows pack very well. */
const RATIO_FROM_BYTES = 64 * 2 ** 20;

/**
 * Hands the bytes of a file, unpacked if it is gzip, to `sink`.
 * @throws ConfigError for damaged data, and when more comes out than is allowed. What `sink` throws passes through.
 */
export async function pour(
  path: string,
  gzip: boolean,
  sink: (chunks: AsyncIterable<Buffer>) => Promise<void>,
  ctx: UnpackContext,
): Promise<void> {
  const source = createReadStream(path, { highWaterMark: 1 << 18 });
  const { signal } = ctx;
  let sinkError: unknown;
  const end = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    try {
      await sink(chunks);
    } catch (error) {
      sinkError = error;
      throw error;
    }
  };
  try {
    if (gzip) {
      const unzip = createGunzip({ chunkSize: 1 << 18 });
      await pipeline(source, unzip, bound(source, ctx), end, { signal });
    } else await pipeline(source, end, { signal });
  } catch (error) {
    signal.throwIfAborted();
    // Whichever side fails first, the other one only sees that the stream was closed.
    throw unpackProblem(isClosing(error) && sinkError !== undefined ? sinkError : error, ctx);
  }
}

function isClosing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ABORT_ERR' || code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** Unpacks a gzip file to the file `to`. Errors as those of `pour`. */
export async function gunzipTo(path: string, to: string, ctx: UnpackContext): Promise<void> {
  try {
    await pour(path, true, (chunks) => pipeline(chunks, createWriteStream(to)), ctx);
  } catch (error) {
    if (error instanceof ConfigError || !isDiskFault(error)) throw error;
    const what = `${ctx.label} cannot be unpacked: ${(error as Error).message}.`;
    throw problem(ctx.where, what, 'Check the disk.');
  }
}

/** The first bytes of a file, unpacked when it is gzip. Damaged gzip gives what came out before the damage. */
export async function headOf(path: string, gzip: boolean): Promise<Buffer> {
  if (!gzip) return plainHead(path);
  const source = createReadStream(path);
  const unzip = source.on('error', () => {}).pipe(createGunzip());
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of unzip) {
      parts.push(part as Buffer);
      size += (part as Buffer).length;
      if (size >= SNIFFED_BYTES) break;
    }
  } catch {
    // Whoever reads the whole file meets the damage again, and names it.
  } finally {
    source.destroy();
    unzip.destroy();
  }
  return Buffer.concat(parts).subarray(0, SNIFFED_BYTES);
}

async function plainHead(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** @param packed where to read off how many packed bytes went in. */
function bound(packed: { readonly bytesRead: number }, ctx: UnpackContext): Transform {
  const { where, label, maxBytes } = ctx;
  const fix = 'If that is right, unpack it yourself and give the path of the plain file.';
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > maxBytes) {
        done(problem(where, `${label} unpacks to more than ${maxBytes} bytes.`, fix));
      } else if (size > RATIO_FROM_BYTES && size > MAX_RATIO * packed.bytesRead) {
        const what = `${label} unpacks to more than ${MAX_RATIO} times its size, as a decompression bomb does.`;
        done(problem(where, what, fix));
      } else done(null, chunk);
    },
  });
}

function unpackProblem(error: unknown, { where, label }: UnpackContext): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR') {
    return problem(where, `${label} is cut off: its gzip data end too early.`, 'Fetch it again.');
  }
  if (code?.startsWith('Z_')) {
    return problem(where, `${label} is not valid gzip data (${message}).`, 'Fetch it again.');
  }
  return error;
}
