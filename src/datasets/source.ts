import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Downloads } from '../model/downloads.js';
import { fetchFile } from './fetch.js';
import { type Stored, toJsonLines } from './json-lines.js';
import { checkPin } from './pin.js';
import { fileProblem, problem } from './problem.js';
import { Scratch } from './scratch.js';

/** See `maxBytes`. */
const MAX_BYTES = 4 * 2 ** 30;

export interface ObtainContext {
  /** Directory for unpacked and converted files; made when it does not exist. */
  readonly scratch: string;
  /** Where downloads are kept. */
  readonly downloads: Downloads;
  /** Proxy settings. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** The digest the stored bytes must have (hex), or null. */
  readonly sha256: string | null;
  /** The option that names the source, for error messages: `datasets.k2_verifier.source`. */
  readonly where: string;
  /**
   * Most bytes to download, and to unpack or convert a file to, so that neither an endless answer nor a compressed
   * bomb fills the disk. A plain local file may have any size. Default 4 GiB.
   */
  readonly maxBytes?: number;
  /** Waits before the second, third ... attempt of a failed download. */
  readonly retryDelaysMs?: readonly number[];
  /** Says something worth knowing in the log and the report's warnings. */
  note(text: string): void;
}

export interface Obtained {
  /** A local file of plain JSON lines. */
  readonly path: string;
  /** Of the bytes as stored at the source (compressed, if they are), lower-case hex. */
  readonly sha256: string;
  /** The source as it may be shown: without credentials or query values. */
  readonly label: string;
  /** Deletes what was put into `scratch`. */
  dispose(): Promise<void>;
}

/**
 * Brings a data set onto this machine as JSON lines: a path, or an https URL (http only to this machine). A gzip file
 * is unpacked; of a tar archive the member named after `#` is taken, or the only data file in it; CSV, Parquet and a
 * JSON array are converted, so that line numbers are row numbers. The form is told by the content first.
 * @throws ConfigError when there is no such file, it cannot be read, is empty, of no form that is known, or its digest
 *   is not the one asked for. Rejects with the signal's reason when aborted.
 */
export async function obtain(source: string, ctx: ObtainContext): Promise<Obtained> {
  const { sha256, label, ...stored } = await store(source, ctx);
  const scratch = new Scratch(ctx.scratch);
  try {
    const path = await toJsonLines(stored, convertContext(label, scratch, ctx));
    return { path, sha256, label, dispose: () => scratch.dispose() };
  } catch (error) {
    await scratch.dispose();
    throw error;
  }
}

export function convertContext(
  label: string,
  scratch: Scratch,
  { signal, where, maxBytes = MAX_BYTES }: ObtainContext,
) {
  return { signal, where, maxBytes, label, scratch };
}

/** Brings the file onto this machine as it is stored, and checks its digest. Errors as those of `obtain`. */
export async function store(
  source: string,
  ctx: ObtainContext,
): Promise<Stored & { readonly sha256: string; readonly label: string }> {
  const url = asUrl(source, ctx.where);
  if (url !== null) {
    const member = memberOf(url.hash);
    url.hash = '';
    const { path, sha256, label } = await fetchFile(url, { ...ctx, expected: null });
    const name = basename(url.pathname);
    return { path, sha256, name, member, label: member === null ? label : `${label}#${member}` };
  }
  const [path, member] = await splitPath(source);
  await checkLocal(path, ctx.where);
  const sha256 = await digestOf(path, ctx);
  checkPin(sha256, source, ctx);
  return { path, sha256, name: basename(path), member, label: source };
}

function asUrl(source: string, where: string): URL | null {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(source)) return null;
  const url = URL.canParse(source) ? new URL(source) : null;
  if (url === null) {
    throw problem(where, 'is not a valid URL.', 'Give a path or an https URL.');
  }
  return url;
}

function memberOf(hash: string): string | null {
  if (hash === '' || hash === '#') return null;
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1);
  }
}

/** A path may hold `#` itself; then there is a file of that name. */
async function splitPath(source: string): Promise<[string, string | null]> {
  const at = source.indexOf('#');
  if (at <= 0 || at === source.length - 1) return [source, null];
  const whole = await stat(source).catch(() => null);
  return whole === null ? [source.slice(0, at), source.slice(at + 1)] : [source, null];
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
