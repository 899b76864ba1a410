import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach } from '@jest/globals';
import { transformFileSync } from '@swc/core';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The Node under test: this one, or the one the variable names. */
const NODE = process.env['VENDOR_GATE_NODE'] ?? process.execPath;
/** What src/datasets/fetch.ts is made of. */
const ROOMS = ['datasets', 'endpoint', 'model', 'text'];

/** Fetches the URL into the cache and tells on stdout what it got and what it took. */
const JOB = `
import { fetchFile } from './src/datasets/fetch.js';
const [url, dir] = process.argv.slice(2);
const before = process.memoryUsage().rss;
const { path, sha256 } = await fetchFile(new URL(url), {
  downloads: { dir, offline: false, remote: null, progress() {} },
  env: {},
  signal: new AbortController().signal,
  where: 'source',
  sha256: null,
  retryDelaysMs: [100, 100],
  note: (text) => console.error(text),
});
const peak = process.resourceUsage().maxRSS * 1024;
console.log(JSON.stringify({ path, sha256, grown: peak - before }));
`;

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Puts the program of a job into `dir`, translated from the sources. Returns its path. */
export function writeFetchJob(dir: string): string {
  for (const room of ROOMS) {
    for (const name of readdirSync(join(ROOT, 'src', room))) {
      if (!name.endsWith('.ts')) continue;
      const { code } = transformFileSync(join(ROOT, 'src', room, name), {
        jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
        module: { type: 'es6' },
      });
      const to = join(dir, 'src', room, name.replace(/ts$/, 'js'));
      mkdirSync(dirname(to), { recursive: true });
      writeFileSync(to, code);
    }
  }
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
  writeFileSync(join(dir, 'package.json'), '{"type":"module"}');
  writeFileSync(join(dir, 'job.js'), JOB);
  return join(dir, 'job.js');
}

interface FetchJob {
  kill(): void;
  /** Rejects with what it said when it did not end well. */
  readonly ended: Promise<{
    readonly path: string;
    readonly sha256: string;
    /** Bytes of memory, at the most, over those at the start. */
    readonly grown: number;
  }>;
}

/** Starts a process of its own that fetches `url` into the cache `dir`. */
export function startFetchJob(program: string, url: string, dir: string): FetchJob {
  const child = spawn(NODE, ['--no-warnings', program, url, dir], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let said = '';
  let complained = '';
  child.stdout.on('data', (chunk) => {
    said += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    complained += String(chunk);
  });
  const ended = once(child, 'close').then(([code]) => {
    if (code !== 0) throw new Error(`ended with ${String(code)}: ${complained}`);
    return JSON.parse(said) as Awaited<FetchJob['ended']>;
  });
  ended.catch(() => {});
  return { kill: () => child.kill('SIGKILL'), ended };
}
