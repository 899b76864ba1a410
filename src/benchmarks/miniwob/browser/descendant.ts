import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Whether a process was started by this one, or by one that was. A browser in a container tells a number that means
 * another process out here, which must never be killed.
 */
export async function isDescendant(pid: number): Promise<boolean> {
  // Windows gives every process a number of its own.
  if (process.platform === 'win32') return true;
  for (let at = pid; at > 1; at = await parentOf(at)) {
    if (at === process.pid) return at !== pid;
  }
  return false;
}

/** 0 when there is no such process. */
async function parentOf(pid: number): Promise<number> {
  try {
    if (process.platform === 'linux') {
      // `26558 (the name) S 26550 …`, and the name may hold anything.
      const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
      return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]);
    }
    const { stdout } = await promisify(execFile)('ps', ['-o', 'ppid=', '-p', String(pid)]);
    return Number(stdout);
  } catch {
    return 0;
  }
}
