import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { publicUrl } from '../text/public-url.js';
import { sweepParts, temporaryPath } from './part.js';
import { isDiskFault, problem } from './problem.js';

/** How a server tells versions of a file apart; sent back to ask whether there is another one. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** What is noted beside a copy, for people and for asking the server; a copy without it is a copy too. */
export interface CopyRecord extends Validators {
  /** When its bytes came, and when the server last said that they are the file. ISO 8601; null when not noted. */
  readonly fetchedAt: string | null;
  readonly checkedAt: string | null;
}

/** A file in the cache, named by its digest. */
export interface Copy extends CopyRecord {
  readonly path: string;
  readonly sha256: string;
}

/** Overrides where the cache is. */
export const CACHE_VARIABLE = 'VENDOR_GATE_CACHE';
export const DIGEST = /^[0-9a-f]{64}$/;
/** Copies of each address. */
const KEPT = 3;

/** The copies of what was fetched from one address, in a folder of their own. */
export class AddressCache {
  readonly dir: string;
  /** Stands for the address, query included, without giving it away: 32 hex digits. */
  readonly key: string;
  readonly #label: string;

  /** @param root the cache */
  constructor(root: string, url: URL) {
    const plain = new URL(url);
    plain.hash = '';
    this.key = createHash('sha256').update(plain.href).digest('hex').slice(0, 32);
    this.dir = join(root, this.key);
    this.#label = publicUrl(plain);
  }

  /** @throws ConfigError when the folder cannot be made. */
  async prepare(): Promise<void> {
    try {
      await mkdir(this.dir, { recursive: true });
    } catch (error) {
      throw cacheProblem(error, this.dir);
    }
  }

  /** All copies, the one that the server confirmed last first. Their bytes are not looked at. */
  async copies(): Promise<Copy[]> {
    const found: Copy[] = [];
    for (const sha256 of await readdir(this.dir).catch(() => [])) {
      if (!DIGEST.test(sha256)) continue;
      const path = join(this.dir, sha256);
      found.push({ path, sha256, ...(await readRecord(path)) });
    }
    const time = ({ checkedAt }: Copy): number => Date.parse(checkedAt ?? '') || 0;
    return found.sort((a, b) => time(b) - time(a));
  }

  /**
   * Takes a finished file in, under its digest; a copy that is there already is replaced by its like. Of other copies
   * those used least recently go.
   * @param path a file on the disk of `dir`; gone afterwards
   * @throws ConfigError when the cache cannot be written.
   */
  async add(path: string, sha256: string, record: CopyRecord): Promise<Copy> {
    const copy = { path: join(this.dir, sha256), sha256, ...record };
    try {
      await rename(path, copy.path).catch(async (error: unknown) => {
        // Windows does not replace a file that another job is reading; it holds the same bytes.
        if ((await digestOf(copy.path).catch(() => null)) !== sha256) throw error;
        await rm(path, { force: true });
      });
      await this.#write(copy);
    } catch (error) {
      throw cacheProblem(error, this.dir);
    }
    await this.touch(copy);
    await this.#prune();
    return copy;
  }

  /** Notes that the server gives this copy's bytes still. A cache that may only be read gives its copies all the same. */
  async confirm(copy: Copy): Promise<void> {
    await this.#write({ ...copy, checkedAt: new Date().toISOString() }).catch(() => {});
  }

  /** Marks a copy as used, so that it is kept. */
  async touch({ path }: Copy): Promise<void> {
    await utimes(path, new Date(), new Date()).catch(() => {});
  }

  async remove({ path }: Copy): Promise<void> {
    await rm(path, { force: true }).catch(() => {});
    await rm(recordPath(path), { force: true }).catch(() => {});
  }

  async #prune(): Promise<void> {
    const aged: { copy: Copy; used: number }[] = [];
    for (const copy of await this.copies()) {
      const info = await lstat(copy.path).catch(() => null);
      if (info !== null) aged.push({ copy, used: info.mtimeMs });
    }
    aged.sort((a, b) => b.used - a.used);
    for (const { copy } of aged.slice(KEPT)) await this.remove(copy);
    await sweepParts(this.dir);
  }

  async #write({ path, sha256, etag, lastModified, fetchedAt, checkedAt }: Copy): Promise<void> {
    const { size } = await lstat(path);
    const stored = {
      url: this.#label,
      sha256,
      size,
      etag,
      last_modified: lastModified,
      fetched_at: fetchedAt,
      checked_at: checkedAt,
    };
    const temporary = temporaryPath(this.dir);
    await writeFile(temporary, `${JSON.stringify(stored, null, 2)}\n`);
    await rename(temporary, recordPath(path));
  }
}

export function recordPath(path: string): string {
  return `${path}.json`;
}

/** The record beside a copy; of one that is damaged what can be sent in a header or read as a date. */
export async function readRecord(path: string): Promise<CopyRecord> {
  let stored: Readonly<Record<string, unknown>> = {};
  try {
    const value: unknown = JSON.parse(await readFile(recordPath(path), 'utf8'));
    if (typeof value === 'object' && value !== null) stored = { ...value };
  } catch {
    // As if there were none.
  }
  const text = (name: string): string | null => {
    const value = stored[name];
    return typeof value === 'string' && /^[\x20-\x7e]{1,1000}$/.test(value) ? value : null;
  };
  return {
    etag: text('etag'),
    lastModified: text('last_modified'),
    fetchedAt: text('fetched_at'),
    checkedAt: text('checked_at'),
  };
}

/** SHA-256 of a file in hex. */
export async function digestOf(path: string, signal?: AbortSignal): Promise<string> {
  // A pipe that was put there would be waited for without end.
  if (!(await stat(path)).isFile()) throw new Error(`${path} is not a regular file`);
  const hash = createHash('sha256');
  const stop = signal === undefined ? {} : { signal };
  const stream = createReadStream(path, { highWaterMark: 1 << 20, ...stop });
  for await (const chunk of stream) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** What it means for the user that the cache cannot be written; other faults come back as they are. */
export function cacheProblem(error: unknown, dir: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    const what = `the disk of the cache of data sets (${dir}) is full: ${message}.`;
    const fix = `Free space, or set the environment variable ${CACHE_VARIABLE} to a directory on another disk.`;
    return problem(CACHE_VARIABLE, what, fix);
  }
  const blocked = ['EPERM', 'ENOTDIR', 'EEXIST', 'ENOENT'].includes(code ?? '');
  if (!isDiskFault(error) && !blocked) return error;
  return problem(
    CACHE_VARIABLE,
    `the cache of data sets (${dir}) cannot be written: ${message}.`,
    `Set the environment variable ${CACHE_VARIABLE} to a directory that can be.`,
  );
}
