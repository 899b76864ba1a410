import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const run = promisify(execFile);

/** The language service is plain ESM that jest's loader cannot import, so the script runs in a Node of its own. */
async function faultsIn(files: readonly string[]): Promise<string[]> {
  const script = ['--import', './scripts/json-hook.mjs', 'scripts/check-workflows.mjs'];
  const { stdout } = await run(process.execPath, [...script, ...files]).catch(
    (error: { code?: number; stdout?: string }) => {
      if (error.code !== 1 || !error.stdout) throw error;
      return { stdout: error.stdout };
    },
  );
  return stdout.split('\n').filter(Boolean);
}

const inFolder = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yml'))
    .map((name) => `${folder}/${name}`);

test('action.yml, the examples and our workflows are without fault', async () => {
  const files = ['action.yml', ...inFolder('examples'), ...inFolder('.github/workflows')];
  expect(files.length).toBeGreaterThan(5);
  expect(await faultsIn(files)).toEqual([]);
}, 60_000);

const WORKFLOW = `name: bad
on: push
permissions: write-all
jobs:
  a:
    runs-on: ubuntu-latest
    permissions:
      issues: write
    steps:
      - uses: actions/checkout@v6
        with:
          fetch_depth: 0
      - uses: ./
        with:
          endpoint: https://x/v1
          model: m
          concurency: 5
      - uses: vendor-gate/vendor-gate@v1
        with:
          endpoint: https://x/v1
          datasets: k2_verifier
          tempurature: 0
      - uses: ./
        with: { mode: merge }
      - run: echo \${{ github.head_ref }}
      - run: echo
        timeout: 5
`;

test('each fault of a workflow is found, with its line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'workflows-'));
  try {
    // The rule on SHAs is for our own workflows alone.
    const workflows = join(folder, '.github/workflows');
    mkdirSync(workflows, { recursive: true });
    const file = join(workflows, 'bad.yml');
    writeFileSync(file, WORKFLOW);
    const found = (await faultsIn([file])).map((line) => line.slice(file.length + 1));
    expect(found.sort()).toEqual(
      [
        '3 permissions must be named one by one',
        '5 job a has no timeout-minutes',
        '8 the workflow may not write issues',
        '10 actions/checkout@v6 is not pinned by a full SHA',
        "12 Invalid action input 'fetch_depth'",
        '13 the required input datasets is missing',
        '17 this action has no input concurency',
        '18 vendor-gate/vendor-gate@v1 is not pinned by a full SHA',
        '18 the required input model is missing',
        '23 the required input merge-dirs is missing',
        "22 Invalid action input 'tempurature'",
        '25 an expression inside a script; hand it over in env',
        "27 Unexpected value 'timeout'",
      ].sort(),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 60_000);
