import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach } from '@jest/globals';

const BUNDLE = fileURLToPath(new URL('../../dist/index.js', import.meta.url));
/** The Node under test: this one, or the one the variable names. */
const NODE = process.env['VENDOR_GATE_NODE'] ?? process.execPath;

const children: ChildProcess[] = [];

/** A test that failed half-way leaves nothing running. */
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Running {
  readonly pid: number;
  /** Resolves when stdout holds the text. */
  says(text: string): Promise<string>;
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<Ended>;
}

/** Starts the committed bundle with nothing of this process's environment but the PATH. */
export function start(
  words: readonly string[],
  how: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Running {
  const child = spawn(NODE, [BUNDLE, ...words], {
    cwd: how.cwd,
    env: { PATH: process.env['PATH'], CI: 'true', ...how.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  const ended = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    stdout,
    stderr,
  }));
  return {
    pid: child.pid ?? 0,
    kill: (signal) => child.kill(signal),
    ended,
    async says(text) {
      while (!stdout.includes(text)) {
        const over = await Promise.race([once(child.stdout, 'data'), ended]);
        if ('code' in over && !stdout.includes(text)) throw new Error(`${stdout}\n${stderr}`);
      }
      return stdout;
    },
  };
}

/** Runs the bundle with its output into a reader that leaves after the first line. */
export async function startPiped(words: readonly string[], cwd: string): Promise<Ended> {
  const child = spawn(NODE, [BUNDLE, ...words], {
    cwd,
    env: { PATH: process.env['PATH'], CI: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  const [code] = await once(child, 'close');
  return { code: code as number | null, stdout: '', stderr };
}

export interface ActionRun extends Ended {
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
}

/** Runs the action as the runner does: inputs and paths in the environment, results in files. */
export async function runAction(run: {
  readonly dir: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly event: string;
  readonly payload: unknown;
  readonly apiUrl: string;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<ActionRun> {
  const at = (name: string): string => join(run.dir, name);
  mkdirSync(at('work'), { recursive: true });
  writeFileSync(at('event.json'), JSON.stringify(run.payload));
  writeFileSync(at('output'), '');
  writeFileSync(at('summary.md'), '');
  const inputs = Object.entries(run.inputs).map(([name, value]) => [
    `INPUT_${name.toUpperCase()}`,
    value,
  ]);
  const ended = await start([], {
    cwd: at('work'),
    env: {
      GITHUB_ACTIONS: 'true',
      GITHUB_EVENT_NAME: run.event,
      GITHUB_EVENT_PATH: at('event.json'),
      GITHUB_OUTPUT: at('output'),
      GITHUB_STEP_SUMMARY: at('summary.md'),
      GITHUB_WORKSPACE: at('work'),
      GITHUB_REPOSITORY: 'octo/hello',
      GITHUB_RUN_ID: '900',
      GITHUB_RUN_ATTEMPT: '1',
      GITHUB_SHA: 'f'.repeat(40),
      GITHUB_API_URL: run.apiUrl,
      GITHUB_GRAPHQL_URL: `${run.apiUrl}/graphql`,
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_WORKFLOW: 'gate',
      GITHUB_JOB: 'gate',
      RUNNER_TEMP: run.dir,
      ...Object.fromEntries(inputs),
      ...run.env,
    },
  }).ended;
  return {
    ...ended,
    outputs: readOutputs(readFileSync(at('output'), 'utf8')),
    summary: readFileSync(at('summary.md'), 'utf8'),
  };
}

/** GITHUB_OUTPUT holds `name<<DELIMITER`, the value, `DELIMITER`. */
function readOutputs(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  for (const [, name, , value] of text.matchAll(/^([\w-]+)<<(\S+)\n([\s\S]*?)\n?^\2$/gm)) {
    if (name !== undefined) outputs[name] = value ?? '';
  }
  return outputs;
}
