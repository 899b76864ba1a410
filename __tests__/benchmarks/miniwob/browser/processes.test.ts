import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { isDescendant } from '../../../../src/benchmarks/miniwob/browser/descendant.js';
import { killTree } from '../../../../src/benchmarks/miniwob/browser/kill-tree.js';
import { within } from '../../../../src/benchmarks/miniwob/browser/within.js';
import { EnvironmentError } from '../../../../src/benchmarks/miniwob/environment.js';

describe('killTree', () => {
  it('ends a process with its children, stopped or not, and waits for it', async () => {
    const script =
      "require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']).on('spawn', function () { console.log(this.pid); process.kill(process.pid, 'SIGSTOP') }); setInterval(() => {}, 1e6)";
    const parent = spawn(process.execPath, ['-e', script], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const child = Number(line.toString());
    await killTree(parent.pid ?? 0);
    expect(parent.signalCode).toBe('SIGKILL');
    await gone(child);
  });

  it('does not mind a process that is gone', async () => {
    const brief = spawn(process.execPath, ['-e', ''], { detached: true, stdio: 'ignore' });
    await once(brief, 'exit');
    await killTree(brief.pid ?? 0);
  });
});

describe('a descendant', () => {
  it('is a child, or a child of a child, and nobody else', async () => {
    const script =
      "require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']).on('spawn', function () { console.log(this.pid) }); setInterval(() => {}, 1e6)";
    const child = spawn(process.execPath, ['-e', script], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const pids = [child.pid ?? 0, Number(line.toString())];
    expect(await Promise.all(pids.map(isDescendant))).toEqual([true, true]);
    const others = [0, 1, 2, process.pid, process.ppid, 2 ** 22 + 1];
    expect(await Promise.all(others.map(isDescendant))).toEqual(others.map(() => false));
    await killTree(child.pid ?? 0);
  });
});

/** An orphan stays in the table until the system has looked after it. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((done) => setTimeout(done, 20));
  }
}

describe('within', () => {
  it('gives what comes in time', async () => {
    expect(await within(60_000, 'work', Promise.resolve(7))).toBe(7);
    await expect(within(60_000, 'work', Promise.reject(new Error('own')))).rejects.toThrow('own');
  });

  it('gives up when the time is up', async () => {
    const never = new Promise<never>(() => {});
    const failure = await within(20, 'the step', never).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EnvironmentError);
    expect(String(failure)).toBe('EnvironmentError: the step took longer than 0.02 s');
  });
});
