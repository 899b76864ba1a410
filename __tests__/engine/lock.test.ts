import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, test } from '@jest/globals';
import { takeLock } from '../../src/engine/lock.js';
import { tempDir } from '../support/temp-dir.js';

const now = (): number => Date.now();
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

async function sleeper(): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  children.push(child);
  await once(child, 'spawn');
  return child.pid as number;
}

describe('two runs never write one directory', () => {
  it('gives the lock once, and again after it was given back', () => {
    const dir = tempDir();
    const release = takeLock(dir, now);
    expect(() => takeLock(dir, now)).toThrow(
      new RegExp(`process ${process.pid} .*Wait for it to end, or use another output directory`),
    );
    release();
    expect(existsSync(join(dir, 'lock'))).toBe(false);
    takeLock(dir, now)();
  });

  it('respects another living process', async () => {
    const dir = tempDir();
    writeFileSync(
      join(dir, 'lock'),
      JSON.stringify({ pid: await sleeper(), host: hostname(), started: null }),
    );
    expect(() => takeLock(dir, now)).toThrow(/is held by/);
  });
});

describe('a dead owner does not block', () => {
  async function deadPid(): Promise<number> {
    const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
    await once(child, 'exit');
    return child.pid as number;
  }

  it('takes over from a process that is gone', async () => {
    const dir = tempDir();
    writeFileSync(
      join(dir, 'lock'),
      JSON.stringify({ pid: await deadPid(), host: hostname(), started: '1' }),
    );
    const release = takeLock(dir, now);
    expect(JSON.parse(readFileSync(join(dir, 'lock'), 'utf8'))).toMatchObject({ pid: process.pid });
    release();
  });

  it('takes over when the pid now belongs to another process', async () => {
    const dir = tempDir();
    writeFileSync(
      join(dir, 'lock'),
      JSON.stringify({ pid: await sleeper(), host: hostname(), started: '1' }),
    );
    takeLock(dir, now)();
  });

  test.each([
    ['another machine, touched a minute ago', { pid: 1, host: 'elsewhere' }, 60_000, false],
    ['another machine, touched three minutes ago', { pid: 1, host: 'elsewhere' }, 180_000, true],
    ['half-written a second ago', '{"pid":', 1_000, false],
    ['half-written long ago', '{"pid":', 60_000, true],
    ['empty and old', '', 60_000, true],
  ])('%s', (_, content, age, taken) => {
    const dir = tempDir();
    const path = join(dir, 'lock');
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    const touched = new Date(Date.now() - age);
    utimesSync(path, touched, touched);
    const attempt = (): void => takeLock(dir, now)();
    if (taken) expect(attempt).not.toThrow();
    else expect(attempt).toThrow(/is held by/);
  });

  it('does not remove a lock that was taken over from it', () => {
    const dir = tempDir();
    const release = takeLock(dir, now);
    writeFileSync(join(dir, 'lock'), 'someone else');
    release();
    expect(readFileSync(join(dir, 'lock'), 'utf8')).toBe('someone else');
  });
});
