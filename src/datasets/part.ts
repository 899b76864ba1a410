import { createHash, randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import {
  copyFile,
  type FileHandle,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';

/** What the server calls the bytes, by which it can be told whether the rest still belongs to them. */
export interface Version {
  /** Value for If-Range: a strong ETag, or a date that counts as strong. */
  readonly validator: string;
  /** Bytes of the whole file; null when the server does not say. */
  readonly total: number | null;
}

/** Longer than any pause of a living download: the silence after which it gives up, and the wait before it goes on. */
const ABANDONED_MS = 10 * 60_000;
/** So much of the end is fetched again and compared, which shows a server that goes on from another place or file. */
const OVERLAP = 64 * 1024;

/**
 * The first bytes of a file whose download is under way, in a file of this process alone; bytes are only ever
 * appended. With a Version it can be gone on with, by this process or after its death by another.
 */
export class PartFile {
  readonly path: string;
  readonly version: Version | null;
  #size = 0;
  readonly #file: FileHandle;
  readonly #hash = createHash('sha256');

  private constructor(path: string, file: FileHandle, version: Version | null) {
    this.path = path;
    this.#file = file;
    this.version = version;
  }

  static async create(dir: string, version: Version | null): Promise<PartFile> {
    const path = newPath(dir);
    // Before the bytes, so that there are never bytes whose version is unknown.
    if (version !== null) await writeFile(versionPath(path), JSON.stringify(version));
    try {
      return new PartFile(path, await open(path, 'wx+'), version);
    } catch (error) {
      await rm(versionPath(path), { force: true });
      throw error;
    }
  }

  /**
   * The longest part that an earlier download left in `dir`, or null. A part that a living process may be writing is
   * copied: what stands in it stays.
   */
  static async resume(dir: string, signal: AbortSignal): Promise<PartFile | null> {
    for (const left of await partsIn(dir)) {
      const path = newPath(dir);
      if (!(await take(left, path))) continue;
      const file = await open(path, 'r+').catch(() => null);
      if (file === null) continue;
      const part = new PartFile(path, file, left.version);
      try {
        for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20, signal })) {
          part.#hash.update(chunk as Buffer);
          part.#size += (chunk as Buffer).length;
        }
      } catch (error) {
        await part.release();
        signal.throwIfAborted();
        throw error;
      }
      return part;
    }
    return null;
  }

  get size(): number {
    return this.#size;
  }

  async append(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length; ) {
      const left = chunk.length - at;
      // At a place of its own: a second writer, should there ever be one, would write the same bytes there.
      at += (await this.#file.write(chunk, at, left, this.#size + at)).bytesWritten;
    }
    this.#hash.update(chunk);
    this.#size += chunk.length;
  }

  /** The last bytes, which the next range begins with. */
  async tail(): Promise<Buffer> {
    const length = Math.min(OVERLAP, this.#size);
    const { buffer } = await this.#file.read(Buffer.alloc(length), 0, length, this.#size - length);
    return buffer;
  }

  /** Ends writing. Returns the SHA-256 of the whole in hex. */
  async finish(): Promise<string> {
    await this.#file.close();
    return this.#hash.digest('hex');
  }

  /** Leaves the bytes for another download to go on with, if that is possible. */
  async release(): Promise<void> {
    if (this.version === null || this.#size === 0) return this.discard();
    await this.#file.close();
    await utimes(this.path, 0, 0).catch(() => {});
  }

  async discard(): Promise<void> {
    await this.#file.close();
    await removePart(this.path);
  }
}

export async function removePart(path: string): Promise<void> {
  await rm(path, { force: true });
  await rm(versionPath(path), { force: true });
}

/** Deletes what downloads that are no more left in `dir`. */
export async function sweepParts(dir: string): Promise<void> {
  const names: string[] = await readdir(dir).catch(() => []);
  for (const name of names) {
    // Written once, at the start, its age says nothing while the part itself is there.
    if (name.endsWith('.part.json') && names.includes(name.slice(0, -5))) continue;
    if (!/\.(tmp|part|part\.json)$/.test(name)) continue;
    const path = join(dir, name);
    const info = await stat(path).catch(() => null);
    if (info === null || !isAbandoned(info.mtimeMs)) continue;
    await rm(path, { recursive: true, force: true }).catch(() => {});
    await rm(versionPath(path), { force: true }).catch(() => {});
  }
}

/** Names a place for a file or directory that `sweepParts` takes away if nobody else does. */
export function temporaryPath(dir: string): string {
  return join(dir, `${randomUUID()}.tmp`);
}

function newPath(dir: string): string {
  return join(dir, `${randomUUID()}.part`);
}

function versionPath(path: string): string {
  return `${path}.json`;
}

function isAbandoned(mtimeMs: number): boolean {
  return Date.now() - mtimeMs > ABANDONED_MS;
}

interface Left {
  readonly path: string;
  readonly version: Version;
  readonly size: number;
  readonly abandoned: boolean;
}

/** Longest first. */
async function partsIn(dir: string): Promise<Left[]> {
  const found: Left[] = [];
  for (const name of await readdir(dir).catch(() => [])) {
    if (!name.endsWith('.part')) continue;
    const path = join(dir, name);
    const info = await stat(path).catch(() => null);
    const version = await readVersion(path);
    if (info === null || info.size === 0 || version === null) continue;
    if (version.total !== null && info.size > version.total) continue;
    found.push({ path, version, size: info.size, abandoned: isAbandoned(info.mtimeMs) });
  }
  return found.sort((a, b) => b.size - a.size);
}

async function readVersion(path: string): Promise<Version | null> {
  try {
    const value = JSON.parse(await readFile(versionPath(path), 'utf8')) as Partial<Version>;
    const { validator, total = null } = value;
    if (typeof validator !== 'string' || /[^\x20-\x7e]/.test(validator)) return null;
    return total === null || Number.isSafeInteger(total) ? { validator, total } : null;
  } catch {
    return null;
  }
}

/** Of two that take the same one, a single one gets it. */
async function take({ path, version, abandoned }: Left, to: string): Promise<boolean> {
  try {
    await writeFile(versionPath(to), JSON.stringify(version));
    if (abandoned) {
      // First, so that nobody finds it under its new name and still takes it for abandoned.
      await utimes(path, new Date(), new Date());
      await rename(path, to);
      await rm(versionPath(path), { force: true });
    } else {
      await copyFile(path, to, constants.COPYFILE_FICLONE);
    }
    return true;
  } catch {
    await removePart(to);
    return false;
  }
}
