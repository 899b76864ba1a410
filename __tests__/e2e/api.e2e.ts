import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { extract } from 'tar';
import { type Simulator, startSimulator } from '../../src/simulator/start.js';
import { partsOf } from '../support/markdown.js';

/** A project of somebody else's that has installed the package, and nothing besides. */
const PROJECT = mkdtempSync(join(tmpdir(), 'vendor-gate-consumer-'));
const NODE = process.env['VENDOR_GATE_NODE'] ?? process.execPath;
const TSC = resolve('node_modules/typescript/bin/tsc');

const open: Simulator[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

beforeAll(async () => {
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', PROJECT];
  const tarball = execFileSync('npm', pack, { encoding: 'utf8' }).trim();
  await extract({ file: join(PROJECT, tarball), cwd: PROJECT });
  mkdirSync(join(PROJECT, 'node_modules'));
  cpSync(join(PROJECT, 'package'), join(PROJECT, 'node_modules/vendor-gate'), { recursive: true });
  writeFileSync(join(PROJECT, 'package.json'), '{ "type": "module" }');
});
afterAll(() => rmSync(PROJECT, { recursive: true, force: true }));

const run = promisify(execFile);

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs Node in the project with a bare environment; fails when it does not end by itself. */
async function node(words: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  try {
    const how = { cwd: PROJECT, env: { PATH: process.env['PATH'], ...env }, timeout: 50_000 };
    return { code: 0, ...(await run(NODE, words, how)) };
  } catch (error) {
    const ended = error as Ended;
    if (typeof ended.code !== 'number') throw error;
    return ended;
  }
}

const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  target: 'ES2022',
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  types: [],
};

/** The compiler's complaints; the compiled programs stand beside their sources. */
async function compile(files: Record<string, string>, options: object = {}): Promise<string> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(PROJECT, name), text);
  const config = { compilerOptions: { ...STRICT, ...options }, files: Object.keys(files) };
  writeFileSync(join(PROJECT, 'tsconfig.json'), JSON.stringify(config));
  const { stdout } = await node([TSC, '-p', 'tsconfig.json']);
  return stdout;
}

const PROGRAM = `
import { type GateReport, type Problem, type RunReport, type Verdict, ConfigError, verify } from 'vendor-gate';

const [endpoint, outputDir] = (globalThis as unknown as { process: { argv: string[] } }).process.argv.slice(2);
const report: RunReport = await verify({
  endpoint,
  outputDir: outputDir ?? 'out',
  model: 'simulated-k2',
  datasets: { k2_verifier: { source: 'synthetic' } },
  limit: 30,
});
const verdict: Verdict = report.verdict;
const gates: readonly GateReport[] = report.benchmarks.flatMap(({ gates }) => gates);
const words: string | undefined = report.benchmarks[0]?.examples[0]?.vendor.slice(0, 10);
const problems: readonly Problem[] = await verify({ concurrency: 0 }).then(
  () => [],
  (error: unknown) => (error instanceof ConfigError ? error.problems : []),
);
console.log(JSON.stringify({
  verdict,
  gates: gates.length,
  words: typeof words,
  problems: problems.map(({ where }) => where).sort(),
}));
`;

describe('types', () => {
  const pages = ['README.md', 'docs/api.md'].flatMap((page) =>
    partsOf(page).fences.filter(({ language }) => language === 'ts'),
  );

  test('fit the documented examples, in a strict project without the types of Node', async () => {
    expect(pages.length).toBeGreaterThan(3);
    const files = pages.map(({ text }, index) => [`page-${index}.ts`, text] as const);
    expect(await compile(Object.fromEntries(files))).toBe('');
  });

  test('refuse what is no option or of the wrong type', async () => {
    const wrong = `
import { verify } from 'vendor-gate';
await verify({ endpoint: 5 });
await verify({ failOn: 'never' });
await verify({ requestTimeout: 600 });
await verify({ order: 'shuffled' });
const { verdict } = await verify({});
if (verdict === 'passed') console.log(verdict);
`;
    const lines = [...(await compile({ 'wrong.ts': wrong })).matchAll(/wrong\.ts\((\d+),/g)];
    expect(lines.map(([, line]) => Number(line))).toEqual([3, 4, 5, 6, 8]);
  });
});

describe('a program', () => {
  test('compiled with the types of Node and without those of browsers, gets report and problems', async () => {
    const options = {
      lib: ['ES2022'],
      types: ['node'],
      typeRoots: [resolve('node_modules/@types')],
    };
    expect(await compile({ 'program.ts': PROGRAM }, options)).toBe('');
    const vendor = await startSimulator({ fidelity: 0 });
    open.push(vendor);
    const ended = await node(['program.js', vendor.url, 'out-program']);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(JSON.parse(ended.stdout)).toEqual({
      verdict: 'fail',
      gates: 6,
      words: 'string',
      problems: ['concurrency', 'datasets', 'endpoint', 'model'],
    });
    const file = JSON.parse(readFileSync(join(PROJECT, 'out-program/report.json'), 'utf8'));
    expect(file.verdict).toBe('fail');
  });

  test('examples/verify.mjs runs as documented', async () => {
    cpSync('examples/verify.mjs', join(PROJECT, 'verify.mjs'));
    const key = 'sk-example-0123456789';
    const vendor = await startSimulator({ apiKey: key });
    open.push(vendor);
    const ended = await node(['verify.mjs', vendor.url, 'simulated-k2'], { LLM_API_KEY: key });
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringMatching(/^verdict: pass\n/)]);
    expect(ended.stdout).toContain('pass: trigger_similarity >= 0.73: ');
    expect(ended.stderr).toContain('k2_verifier/k2_thinking 120/120');
    expect(vendor.requests()).toBe(120);

    const wrong = await node(['verify.mjs', 'llm.example.com/v1']);
    expect([wrong.code, wrong.stdout]).toEqual([2, '']);
    expect(wrong.stderr).toMatch(/^endpoint: The URL has no scheme/m);
    expect(wrong.stderr).toMatch(/^model: It is required/m);
  });

  test('is left alone by the import: no handlers, no output, no run', async () => {
    const script = `
const before = process.eventNames().length;
const names = Object.keys(await import('vendor-gate')).sort();
console.log(JSON.stringify([names, process.eventNames().length - before, process.exitCode ?? null]));
`;
    writeFileSync(join(PROJECT, 'import.mjs'), script);
    // As a step of a workflow, where the bundle itself would be the action.
    const ended = await node(['import.mjs'], { GITHUB_ACTIONS: 'true' });
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(JSON.parse(ended.stdout)).toEqual([['ConfigError', 'verify'], 0, null]);
  });
});
