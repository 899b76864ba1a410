import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** A killed process is gone within moments; waiting for longer would help nobody. */
const TRIES = 100;
const PAUSE_MS = 50;

/**
 * Kills a process with all its children and waits until it is gone. Never rejects; a process that is gone already is
 * no fault.
 * @param pid leader of its process group, as the processes are that Playwright starts
 */
export async function killTree(pid: number): Promise<void> {
  if (process.platform === 'win32') {
    await new Promise((done) => {
      spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' })
        .on('exit', done)
        .on('error', done);
    });
  } else {
    signal(-pid, 'SIGKILL') || signal(pid, 'SIGKILL');
  }
  for (let tries = 0; tries < TRIES && signal(pid, 0); tries += 1) await delay(PAUSE_MS);
}

/** false: there is no such process. */
function signal(pid: number, what: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, what);
    return true;
  } catch {
    return false;
  }
}
