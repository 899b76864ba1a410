import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { ConfigError } from '../model/errors.js';
import { publicUrl } from '../text/public-url.js';
import { download } from './download.js';
import { foreignFormat, SNIFFED_BYTES } from './format.js';

/** See `maxBytes`. */
const MAX_BYTES = 4 * 2 ** 30;

export interface ObtainContext {
  /** Directory for downloads and unpacked files; made when it does not exist. */
  readonly scratch: string;
  /** Proxy settings. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** The digest the stored bytes must have (hex), or null. */
  readonly sha256: string | null;
  /** The option that names the source, for error messages: `datasets.k2_verifier.source`. */
  readonly where: string;
  /**
   * Most bytes to download, and to unpack from a compressed file, so that neither an endless answer nor a compressed
   * bomb fills the disk. A plain local file may have any size. Default 4 GiB.
   */
  readonly maxBytes?: number;
  /** Waits before the second, third ... attempt of a failed download. */
  readonly retryDelaysMs?: readonly number[];
}

export interface Obtained {
  /** A local, uncompressed file. */
  readonly path: string;
  /** Of the bytes as stored at the source (compressed, if they are), lower-case hex. */
  readonly sha256: string;
  /** The source as it may be shown: without credentials or query values. */
  readonly label: string;
  /** Deletes what was put into `scratch`. */
  dispose(): Promise<void>;
}

/**
 * Brings a data set onto this machine: a path, or an https URL (http only to this machine); a gzip file, told by its
 * first bytes, is unpacked.
 * @throws ConfigError when there is no such file, it cannot be read, is empty, is something else than JSON lines, or
 *   its digest is not the one asked for. Rejects with the signal's reason when aborted.
 */
export async function obtain(source: string, ctx: ObtainContext): Promise<Obtained> {
  const scratchFiles: string[] = [];
  const dispose = async (): Promise<void> => {
    await Promise.all(scratchFiles.map((path) => rm(path, { force: true })));
  };
  const newFile = async (): Promise<string> => {
    await mkdir(ctx.scratch, { recursive: true });
    const path = join(ctx.scratch, `.data-${randomUUID()}.part`);
    scratchFiles.push(path);
    return path;
  };
  try {
    const remote = asUrl(source, ctx.where);
    const label = remote === null ? source : publicUrl(remote);
    const stored = remote === null ? source : await newFile();
    if (remote === null) await checkLocal(source, ctx.where);
    else await download(remote, stored, { ...ctx, maxBytes: ctx.maxBytes ?? MAX_BYTES });
    const sha256 = await digestOf(stored, ctx);
    checkPin(sha256, label, ctx);
    let path = stored;
    if (await isGzip(stored)) {
      path = await newFile();
      await unpack(stored, path, label, ctx);
      if (remote !== null) await rm(stored, { force: true });
    }
    await checkContent(path, label, ctx.where);
    return { path, sha256, label, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

function asUrl(source: string, where: string): URL | null {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(source)) return null;
  const url = URL.canParse(source) ? new URL(source) : null;
  if (url === null) {
    throw problem(where, 'is not a valid URL.', 'Give a path or an https URL.');
  }
  return url;
}

async function checkLocal(path: string, where: string): Promise<void> {
  const info = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw fileProblem(error, path, where);
  });
  if (info.isDirectory()) {
    throw problem(where, `${path} is a directory.`, 'Name the file in it.');
  }
  if (!info.isFile()) {
    throw problem(where, `${path} is not a regular file.`, 'Save the data to a file first.');
  }
}

/** What the file system's error means for the user. */
export function fileProblem(
  error: NodeJS.ErrnoException,
  path: string,
  where: string,
): ConfigError {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') {
    return problem(
      where,
      `there is no file ${path}.`,
      'Check the path; a relative one starts at the working directory. In a workflow, check out or download the file first.',
    );
  }
  if (error.code === 'EACCES' || error.code === 'EPERM') {
    return problem(where, `${path} may not be read.`, 'Change the permissions of the file.');
  }
  return problem(where, `${path} cannot be read: ${error.message}.`, 'Check the file.');
}

async function digestOf(path: string, { where, signal }: ObtainContext): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20, signal })) {
      hash.update(chunk as Buffer);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw fileProblem(error as NodeJS.ErrnoException, path, where);
  }
  return hash.digest('hex');
}

function checkPin(found: string, label: string, { sha256, where }: ObtainContext): void {
  if (sha256 === null || sha256.toLowerCase() === found) return;
  throw problem(
    where,
    `${label} has the SHA-256 ${found}, but ${sha256.toLowerCase()} was asked for.`,
    'The data changed, or the pin belongs to another file: check which, then update the pin.',
  );
}

async function isGzip(path: string): Promise<boolean> {
  const head = await headOf(path);
  return head[0] === 0x1f && head[1] === 0x8b;
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function unpack(from: string, to: string, label: string, ctx: ObtainContext): Promise<void> {
  const limit = ctx.maxBytes ?? MAX_BYTES;
  let size = 0;
  const bound = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      done(size > limit ? new TooLarge() : null, chunk);
    },
  });
  try {
    await pipeline(createReadStream(from), createGunzip(), bound, createWriteStream(to), {
      signal: ctx.signal,
    });
  } catch (error) {
    ctx.signal.throwIfAborted();
    throw unpackProblem(error, label, limit, ctx.where);
  }
}

class TooLarge extends Error {}

function unpackProblem(error: unknown, label: string, limit: number, where: string): ConfigError {
  if (error instanceof TooLarge) {
    return problem(
      where,
      `${label} unpacks to more than ${limit} bytes.`,
      'If that is right, unpack it yourself and give the path of the plain file.',
    );
  }
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR') {
    return problem(where, `${label} is cut off: its gzip data end too early.`, 'Fetch it again.');
  }
  if (code?.startsWith('Z_')) {
    return problem(where, `${label} is not valid gzip data (${message}).`, 'Fetch it again.');
  }
  return problem(where, `${label} cannot be unpacked: ${message}.`, 'Check the disk.');
}

async function checkContent(path: string, label: string, where: string): Promise<void> {
  const head = await headOf(path);
  if (head.length === 0) throw problem(where, `${label} is empty.`, 'Give a file with rows.');
  const foreign = foreignFormat(head);
  if (foreign !== null) throw problem(where, `${label} is ${foreign.what}.`, foreign.fix);
}

function problem(where: string, what: string, fix: string): ConfigError {
  return new ConfigError([{ where, what, fix }]);
}
