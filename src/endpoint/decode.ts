import { pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

// No compression is asked for, but a proxy on the way may compress all the same. What was decompressed is given out at
// once, so that a stream stays one, and a body that ends early gives what it held (as browsers do).
const ZLIB = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const BROTLI = {
  flush: constants.BROTLI_OPERATION_FLUSH,
  finishFlush: constants.BROTLI_OPERATION_FLUSH,
};
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(ZLIB),
  'x-gzip': () => createGunzip(ZLIB),
  deflate: () => createInflate(ZLIB),
  br: () => createBrotliDecompress(BROTLI),
};

/**
 * The body without its Content-Encoding; one that is unknown, or that names several, is left as it is. An error of the
 * body that comes when nobody reads it any more is swallowed, since it would end the process.
 */
export function decoded(body: Readable, encoding: string): Readable {
  body.on('error', ignore);
  const decoder = DECODERS[encoding.trim().toLowerCase()];
  return decoder === undefined ? body : pipeline(body, decoder(), ignore);
}

function ignore(): void {
  // whoever reads the body sees the error
}
