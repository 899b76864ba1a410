// The processes that are measured: the bundle, its simulator, and K2VV's own script where there is one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

const at = (name) => fileURLToPath(new URL(name, import.meta.url));
const BUNDLE = at('../dist/index.js');
const NODE = process.env.VENDOR_GATE_NODE ?? process.execPath;
const MODEL = 'simulated-k2';
/** Published conditions of the subset k2_thinking, which the bundle sets by itself. */
const CONDITIONS = ['--temperature', '1.0', '--max-tokens', '64000'];

/** A process, its output kept. `env` is added to PATH and HOME alone, so that no setting of the user's takes part. */
function start(command, words, env = {}) {
  const child = spawn(command, words, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, CI: 'true', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      // K2VV writes a line for each sample: only the end is of use, when something went wrong.
      output = (output + chunk).slice(-20_000);
    });
  }
  const ended = once(child, 'close').then(([code]) => code);
  return { child, ended, output: () => output };
}

/** Starts a command and waits for its end: wall time in ms, and what it says of itself (see usage.mjs). */
async function measured(command, words, env, usagePath, accepted = [0]) {
  const begun = performance.now();
  const { ended, output } = start(command, words, { ...env, BENCH_USAGE: usagePath });
  const code = await ended;
  const wallMs = performance.now() - begun;
  if (!accepted.includes(code)) {
    throw new Error(`${command} ${words.join(' ')} ended with ${code}:\n${output()}`);
  }
  return { wallMs, ...JSON.parse(readFileSync(usagePath, 'utf8')) };
}

/** The simulator in a process of its own. @returns its base URL, and `stop`, which gives what it used */
export async function startSimulator(dir, words) {
  const usagePath = join(dir, 'usage-simulator.json');
  const { child, ended, output } = start(
    NODE,
    ['--import', at('usage.mjs'), BUNDLE, 'simulate', '--port', '0', ...words],
    { BENCH_USAGE: usagePath },
  );
  for (;;) {
    const url = /http:\/\/\S+\/v1/.exec(output())?.[0];
    if (url !== undefined) {
      return {
        url,
        async stop() {
          child.kill('SIGTERM');
          await ended;
          return JSON.parse(readFileSync(usagePath, 'utf8'));
        },
      };
    }
    const over = await Promise.race([once(child.stdout, 'data'), ended]);
    if (typeof over === 'number') throw new Error(`The simulator did not start:\n${output()}`);
  }
}

/** The words of `run` against an endpoint; `sets` are options of k2_verifier, `more` further words. */
export function runWords({ url, output, sets, concurrency = 64, more = [] }) {
  return [
    'run',
    ...['--endpoint', url, '--model', MODEL, '--output', output],
    ...['--datasets', 'k2_verifier', '--concurrency', String(concurrency)],
    ...Object.entries(sets).flatMap(([name, value]) => ['--set', `k2_verifier.${name}=${value}`]),
    ...more,
  ];
}

/** One measured run of the bundle; whatever its verdict, it must end as a run does. */
export function runOurs(dir, how) {
  const words = ['--import', at('usage.mjs'), BUNDLE, ...runWords(how)];
  return measured(NODE, words, {}, join(dir, 'usage-ours.json'), [0, 1]);
}

/** One measured run of Node with these words. */
export function runNode(dir, words) {
  return measured(NODE, ['--import', at('usage.mjs'), ...words], {}, join(dir, 'usage-node.json'));
}

/** One measured run of any verb of the bundle. */
export function runVerb(dir, words) {
  return runNode(dir, [BUNDLE, ...words]);
}

/** Whether K2VV's script can be run, or why not. */
export function reference() {
  const dir = process.env.K2VV_DIR;
  if (dir === undefined) return { missing: 'K2VV_DIR is not set' };
  if (!existsSync(join(dir, 'tool_calls_eval.py'))) {
    return { missing: `${dir} holds no tool_calls_eval.py` };
  }
  return { dir, python: process.env.K2VV_PYTHON ?? 'python3' };
}

/** K2VV's script on request bodies: command, words and environment. */
export function referenceAsCommand({ dir: checkout, python }, how) {
  const { url, requests, results, summary, concurrency = 64 } = how;
  const words = [
    at('reference.py'),
    requests,
    ...['--base-url', url, '--api-key', 'none', '--model', MODEL, ...CONDITIONS],
    ...['--concurrency', String(concurrency), '--output', results, '--summary', summary],
  ];
  return [python, words, { K2VV_DIR: checkout }];
}

/** One measured run of K2VV's script. */
export function runReference(dir, checkout, how) {
  const [command, words, env] = referenceAsCommand(checkout, how);
  return measured(command, words, env, join(dir, 'usage-reference.json'));
}

/** Milliseconds from the start of a process until a server here gets its first request; the process is then ended. */
export async function timeToFirstRequest(server, commandFor) {
  const [command, words, env] = commandFor(`http://127.0.0.1:${server.address().port}/v1`);
  const begun = performance.now();
  const { child, ended, output } = start(command, words, env);
  const first = once(server, 'request').then(() => performance.now() - begun);
  const failed = ended.then(() => Promise.reject(new Error(`No request came:\n${output()}`)));
  try {
    return await Promise.race([first, failed]);
  } finally {
    failed.catch(() => {});
    child.kill('SIGKILL');
    await ended;
  }
}

export function oursAsCommand(how) {
  return [NODE, [BUNDLE, ...runWords(how)], {}];
}

/** What figures depend on; printed above them. */
export async function surroundings() {
  const { ended, output } = start(NODE, ['--version']);
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
