// Starts and measures processes, one at a time.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

const USAGE = fileURLToPath(new URL('usage.mjs', import.meta.url));
const BUNDLE = fileURLToPath(new URL('../dist/index.js', import.meta.url));
const NODE = process.env.VENDOR_GATE_NODE ?? process.execPath;

/** A process to be; `env` is added to PATH and HOME alone, so that no setting of the user's takes part. */
export function command(file, words, env = {}) {
  return { file, words, env };
}

/** A verb of the bundle. */
export function bundle(...words) {
  return node(BUNDLE, ...words);
}

export function node(...words) {
  return command(NODE, ['--import', USAGE, ...words]);
}

function start({ file, words, env }) {
  const child = spawn(file, words, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, CI: 'true', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      // Some tools write a line for each sample: only the end is of use, when something went wrong.
      output = (output + chunk).slice(-20_000);
    });
  }
  const ended = once(child, 'close').then(([code]) => code);
  return { child, ended, output: () => output };
}

/**
 * Starts a process and waits for its end.
 * @param accepted exit codes that mean it did its work
 * @returns {Promise<{wallMs: number, cpuMs: number, peakBytes: number}>} CPU is user and system time
 */
export async function measure(what, dir, accepted = [0]) {
  const path = join(dir, 'usage.json');
  const begun = performance.now();
  const { ended, output } = start({ ...what, env: { ...what.env, BENCH_USAGE: path } });
  const code = await ended;
  const wallMs = performance.now() - begun;
  if (!accepted.includes(code)) {
    throw new Error(`${what.file} ${what.words.join(' ')} ended with ${code}:\n${output()}`);
  }
  return { wallMs, ...JSON.parse(readFileSync(path, 'utf8')) };
}

/** The simulator in a process of its own. @returns its base URL, and `stop`, which gives what it used */
export async function startSimulator(dir, ...words) {
  const path = join(dir, 'usage-simulator.json');
  const simulate = bundle('simulate', '--port', '0', ...words);
  const { child, ended, output } = start({ ...simulate, env: { BENCH_USAGE: path } });
  const failed = ended.then(() => {
    throw new Error(`The simulator did not start:\n${output()}`);
  });
  failed.catch(() => {});
  for (;;) {
    const url = /http:\/\/[^\s;]+\/v1/.exec(output())?.[0];
    if (url !== undefined) {
      const stop = async () => {
        child.kill('SIGTERM');
        await ended;
        return JSON.parse(readFileSync(path, 'utf8'));
      };
      return { url, stop };
    }
    await Promise.race([once(child.stdout, 'data'), failed]);
  }
}

/** Milliseconds from the start of a process until `server`, a node:http one, gets a request; then it is ended. */
export async function timeToFirstRequest(server, what) {
  const begun = performance.now();
  const { child, ended, output } = start(what);
  const first = once(server, 'request').then(() => performance.now() - begun);
  const failed = ended.then(() => {
    throw new Error(`No request came:\n${output()}`);
  });
  try {
    return await Promise.race([first, failed]);
  } finally {
    failed.catch(() => {});
    child.kill('SIGKILL');
    await ended;
  }
}

/** What figures depend on; printed above them. */
export async function surroundings() {
  const { ended, output } = start(command(NODE, ['--version']));
  await ended;
  const load = loadavg()[0] ?? 0;
  const cores = availableParallelism();
  const busy = load > cores / 2 ? ': busy, take wall times with care' : '';
  return `Node ${output().trim()}, ${cores} cores, load ${load.toFixed(1)}${busy}`;
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
