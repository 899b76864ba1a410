import {
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../model/errors.js';
import { unwritable } from './files.js';

interface Owner {
  readonly pid: number;
  readonly host: string;
  /** Kernel start time of the process, so that a reused pid is not taken for the owner; null where unknown. */
  readonly started: string | null;
}

/** Another machine's lock (a shared disk, a restored directory) counts as dead after this long without a touch. */
const FOREIGN_STALE_MS = 120_000;
const TOUCH_EVERY_MS = 15_000;

/**
 * Takes `DIR/lock`, so that two runs never write one journal. A lock whose owner is dead is taken over.
 * @returns the function that gives it back.
 * @throws ConfigError when a living run holds it.
 */
export function takeLock(dir: string, now: () => number): () => void {
  const path = join(dir, 'lock');
  const mine = JSON.stringify(currentOwner());
  for (let tries = 0; tries < 5; tries += 1) {
    try {
      writeFileSync(path, mine, { flag: 'wx' });
      return keep(path, mine);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'EEXIST') {
        // A full disk makes the file but takes no byte of it.
        if (code === 'ENOSPC') rmSync(path, { force: true });
        throw unwritable(dir, message);
      }
    }
    const seen = readText(path);
    if (seen === null) continue;
    if (isAlive(seen, path, now)) throw heldBy(path, seen);
    removeStale(path, seen);
  }
  throw heldBy(path, readText(path) ?? '');
}

function keep(path: string, mine: string): () => void {
  const touch = setInterval(() => {
    try {
      utimesSync(path, new Date(), new Date());
    } catch {
      // The directory was removed under us; the journal's own writes will say so.
    }
  }, TOUCH_EVERY_MS);
  touch.unref();
  return () => {
    clearInterval(touch);
    if (readText(path) === mine) unlinkSync(path);
  };
}

/** Renaming first makes the removal safe against a rival that took the stale lock over a moment before us. */
function removeStale(path: string, seen: string): void {
  const aside = `${path}.stale-${process.pid}`;
  try {
    renameSync(path, aside);
    if (readFileSync(aside, 'utf8') !== seen) linkSync(aside, path);
    unlinkSync(aside);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EEXIST') throw error;
  }
}

function isAlive(text: string, path: string, now: () => number): boolean {
  const owner = parseOwner(text);
  if (owner === null || owner.host !== hostname()) {
    // Half-written or from elsewhere: only its age can tell.
    return now() - modifiedAt(path) < (owner === null ? 5_000 : FOREIGN_STALE_MS);
  }
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    // EPERM: the process exists but belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const started = startTime(owner.pid);
  return owner.started === null || started === null || owner.started === started;
}

function parseOwner(text: string): Owner | null {
  try {
    const owner = JSON.parse(text) as Owner;
    return Number.isInteger(owner.pid) && owner.pid > 0 && typeof owner.host === 'string'
      ? owner
      : null;
  } catch {
    return null;
  }
}

function currentOwner(): Owner {
  return { pid: process.pid, host: hostname(), started: startTime(process.pid) };
}

/** Field 22 of /proc/PID/stat (proc(5)); the command in field 2 may hold spaces, so count from its closing bracket. */
function startTime(pid: number): string | null {
  const stat = readText(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function modifiedAt(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

function heldBy(path: string, text: string): ConfigError {
  const owner = parseOwner(text);
  const who =
    owner === null
      ? 'another run'
      : `a run that is still going (process ${owner.pid} on ${owner.host})`;
  return new ConfigError([
    {
      where: 'output-dir',
      what: `${path} is held by ${who}.`,
      fix: 'Wait for it to end, or use another output directory.',
    },
  ]);
}
