import { lstat, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { unlessAborted } from '../endpoint/unless-aborted.js';
import type { Downloads } from '../model/downloads.js';
import { type AddressCache, type Copy, DIGEST, digestOf, readRecord, recordPath } from './cache.js';
import { temporaryPath } from './part.js';

export interface RemoteContext {
  readonly downloads: Downloads;
  readonly signal: AbortSignal;
  note(text: string): void;
}

/** A repository has 10 GB in the Actions cache, which belongs to all its workflows. */
const MAX_SAVED_BYTES = 2 ** 30;

/**
 * Brings the copy with the digest `known`, or with null the newest of this address, from the cache beyond this machine
 * into the one on it. Nothing is taken whose digest is not the one in its name.
 */
export async function restoreCopy(
  cache: AddressCache,
  known: string | null,
  { downloads: { remote }, signal, note }: RemoteContext,
): Promise<Copy | null> {
  if (remote === null) return null;
  await cache.prepare();
  const dir = temporaryPath(cache.dir);
  const prefix = prefixOf(cache);
  try {
    await mkdir(dir);
    const key = `${prefix}${known ?? 'newest'}`;
    const found = await unlessAborted(
      remote.restore(key, known === null ? prefix : null, dir),
      signal,
    );
    if (found === null) return null;
    const sha256 = found.slice(prefix.length);
    const path = join(dir, sha256);
    const named = found.startsWith(prefix) && DIGEST.test(sha256) && sha256 === (known ?? sha256);
    // A link could lead to any file of this machine.
    if (named && (await lstat(path).catch(() => null))?.isFile()) {
      if ((await digestOf(path, signal)) === sha256) {
        return await cache.add(path, sha256, await readRecord(path));
      }
    }
    note('What the cache of the workflow holds for a data set is damaged; it is not used.');
    return null;
  } finally {
    await rm(dir, { recursive: true, force: true }).catch(() => {});
  }
}

/** Saves a copy beyond this machine. */
export async function saveCopy(
  cache: AddressCache,
  { path, sha256 }: Copy,
  { downloads: { remote }, signal }: RemoteContext,
): Promise<void> {
  if (remote === null || (await lstat(path)).size > MAX_SAVED_BYTES) return;
  const key = `${prefixOf(cache)}${sha256}`;
  await unlessAborted(remote.save(key, [path, recordPath(path)]), signal);
}

function prefixOf({ key }: AddressCache): string {
  return `vendor-gate-data-${key.slice(0, 16)}-`;
}
