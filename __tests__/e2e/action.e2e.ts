import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, test } from '@jest/globals';
import type { SimulatorOptions } from '../../src/simulator/options.js';
import { type Simulator, startSimulator } from '../../src/simulator/start.js';
import { type ActionRun, runAction } from '../support/bundle.js';
import { type FakeGitHub, type FakeOptions, startFakeGitHub } from '../support/fake-github.js';
import { tempDir } from '../support/temp-dir.js';

const HEAD = 'a'.repeat(40);
const KEY = 'sk-vendor-0123456789abcdef';
const open: (Simulator | FakeGitHub)[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function endpoint(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator({ apiKey: KEY, ...options });
  open.push(simulator);
  return simulator;
}

async function gitHub(options: FakeOptions = {}): Promise<FakeGitHub> {
  const github = await startFakeGitHub({ pulls: [{ number: 7, sha: HEAD }], ...options });
  open.push(github);
  return github;
}

const repository = (id: number, login: string) => ({ id, owner: { login }, fork: id !== 1 });

function pullRequest(from: 'branch' | 'fork' = 'branch'): unknown {
  return {
    action: 'synchronize',
    number: 7,
    pull_request: {
      number: 7,
      user: { login: 'ada' },
      head: {
        sha: HEAD,
        ref: 'change',
        repo: from === 'fork' ? repository(2, 'mallory') : repository(1, 'octo'),
      },
      base: { ref: 'main', repo: repository(1, 'octo') },
    },
    repository: { ...repository(1, 'octo'), full_name: 'octo/hello' },
    sender: { login: 'ada' },
  };
}

const inputsFor = (url: string, more: Record<string, string> = {}): Record<string, string> => ({
  endpoint: url,
  model: 'simulated-k2',
  'api-key': KEY,
  'github-token': 'ghs_write',
  datasets: 'k2_verifier:\n  source: synthetic\n',
  'max-retries': '0',
  ...more,
});

/** Whatever happened: the key is nowhere but at the endpoint. */
function expectNoKey(run: ActionRun, dir: string, github: FakeGitHub): void {
  // `::add-mask::` is how the runner learns what to hide; it does not print that line.
  const log = (run.stdout + run.stderr).replace(/^::add-mask::.*$/gm, '');
  const files = readdirSync(join(dir, 'work'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  for (const text of [log, run.summary, JSON.stringify(run.outputs), ...files]) {
    expect(text).not.toContain(KEY);
  }
  expect(JSON.stringify(github.calls)).not.toContain(KEY);
}

describe('the action on a pull request', () => {
  it('passes a faithful deployment', async () => {
    const [vendor, github, dir] = [await endpoint(), await gitHub(), tempDir()];
    const run = await runAction({
      dir,
      inputs: inputsFor(vendor.url),
      event: 'pull_request',
      payload: pullRequest(),
      apiUrl: github.url,
      env: { GITHUB_ACTION_REPOSITORY: 'vendor-gate/vendor-gate', GITHUB_ACTION_REF: 'v1' },
    });
    expect([run.stdout + run.stderr, run.code]).toEqual([expect.any(String), 0]);
    expect(run.summary).toContain(
      'https://github.com/vendor-gate/vendor-gate/blob/v1/docs/gates.md',
    );
    expect(run.outputs).toMatchObject({
      verdict: 'pass',
      'trigger-similarity': '1',
      'schema-accuracy': '1',
      'failed-gates': '[]',
      'report-path': 'vendor-gate-output/report.json',
      'summary-path': 'vendor-gate-output/summary.md',
    });
    expect(run.summary).toContain('Vendor Gate: pass');
    const [comment] = github.comments(7);
    expect(comment?.body).toContain('Vendor Gate: pass');
    expect(run.outputs['comment-id']).toBe(String(comment?.id));
    for (const file of ['report.json', 'summary.md', 'results.jsonl', 'summary.json']) {
      expect(existsSync(join(dir, 'work', 'vendor-gate-output', file))).toBe(true);
    }
    expectNoKey(run, dir, github);
  });

  it('fails a broken one, with an annotation for each failed gate and one comment', async () => {
    const [vendor, github] = [await endpoint({ fidelity: 0.5 }), await gitHub()];
    const once = (attempt: string): Promise<ActionRun> =>
      runAction({
        dir: tempDir(),
        inputs: inputsFor(vendor.url),
        event: 'pull_request',
        payload: pullRequest(),
        apiUrl: github.url,
        env: { GITHUB_RUN_ATTEMPT: attempt },
      });
    const run = await once('1');
    expect(run.code).toBe(1);
    expect(run.outputs['verdict']).toBe('fail');
    const failed = JSON.parse(run.outputs['failed-gates'] ?? '') as string[];
    expect(failed).toContain('trigger_similarity >= 0.73');
    const errors = run.stdout.split('\n').filter((line) => line.startsWith('::error title='));
    expect(errors).toHaveLength(failed.length);
    await once('2');
    expect(github.comments(7)).toHaveLength(1);
    expect(github.comments(7)[0]?.body).toContain('attempt=2');
  });

  it('calls an outage an error and not a failure of the model', async () => {
    const [vendor, github] = [await endpoint({ faults: { 'http-500': 0.3 } }), await gitHub()];
    const run = await runAction({
      dir: tempDir(),
      inputs: inputsFor(vendor.url),
      event: 'pull_request',
      payload: pullRequest(),
      apiUrl: github.url,
    });
    expect([run.code, run.outputs['verdict']]).toEqual([1, 'error']);
    expect(run.summary).toContain('says nothing about');
  });

  it('stops at a wrong key within eight requests and says what to check', async () => {
    const [vendor, github, dir] = [await endpoint(), await gitHub(), tempDir()];
    const run = await runAction({
      dir,
      inputs: inputsFor(vendor.url, { 'api-key': 'sk-wrong-0123456789' }),
      event: 'pull_request',
      payload: pullRequest(),
      apiUrl: github.url,
    });
    expect([run.code, run.outputs['verdict']]).toEqual([1, 'error']);
    expect(vendor.requests()).toBeLessThanOrEqual(8);
    expect(run.summary).toMatch(/rejected the key \(401\)[\s\S]*api-key/);
  });

  it('keeps the verdict when the comment is not allowed', async () => {
    const [vendor, github] = [await endpoint(), await gitHub()];
    const run = await runAction({
      dir: tempDir(),
      inputs: inputsFor(vendor.url, { 'github-token': 'ghs_read' }),
      event: 'pull_request',
      payload: pullRequest(),
      apiUrl: github.url,
    });
    expect([run.code, run.outputs['verdict'], run.outputs['comment-id']]).toEqual([0, 'pass', '']);
    expect(run.stdout).toMatch(/^::warning.*pull-requests: write/m);
  });
});

describe('a run in parts', () => {
  const shardIn = (dir: string, vendor: Simulator, github: FakeGitHub, part: string) =>
    runAction({
      dir,
      inputs: inputsFor(vendor.url, {
        shard: part,
        'output-dir': `shards/part-${part.slice(0, 1)}`,
        'fail-on': 'fail, error, inconclusive',
      }),
      event: 'pull_request',
      payload: pullRequest(),
      apiUrl: github.url,
    });
  const mergeIn = (dir: string, github: FakeGitHub, more: Record<string, string> = {}) =>
    runAction({
      dir,
      inputs: { mode: 'merge', 'merge-dirs': 'shards', 'github-token': 'ghs_write', ...more },
      event: 'pull_request',
      payload: pullRequest(),
      apiUrl: github.url,
    });

  it('comments and judges once, in the merge', async () => {
    const [vendor, github, dir] = [await endpoint(), await gitHub(), tempDir()];
    for (const part of ['1/2', '2/2']) {
      const run = await shardIn(dir, vendor, github, part);
      expect([run.stdout + run.stderr, run.code]).toEqual([expect.any(String), 0]);
      expect(run.outputs).toMatchObject({
        verdict: 'inconclusive',
        'trigger-similarity': '',
        'schema-accuracy': '',
        'comment-id': '',
      });
      expect(run.stdout).toContain(
        `This is shard ${part.slice(0, 1)} of 2: the comment is left to merge.`,
      );
      expect(run.stdout).not.toMatch(/^::(error|warning|notice)/m);
      expect(run.summary).toContain('This is one of 2 parts of a run.');
    }
    expect(github.calls).toEqual([]);
    const merged = await mergeIn(dir, github);
    expect([merged.stdout + merged.stderr, merged.code]).toEqual([expect.any(String), 0]);
    expect(merged.outputs).toMatchObject({ verdict: 'pass', 'trigger-similarity': '1' });
    expect(merged.summary).toContain('all 120 samples');
    expect(github.comments(7).map(({ body }) => body)).toEqual([
      expect.stringContaining('Vendor Gate: pass'),
    ]);
    const records = readFileSync(join(dir, 'work/vendor-gate-output/results.jsonl'), 'utf8');
    expect(
      records
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).data_index),
    ).toEqual(Array.from({ length: 120 }, (_, i) => i + 1));
  });

  it('names a part that is missing, and fails when told to', async () => {
    const [vendor, github, dir] = [await endpoint(), await gitHub(), tempDir()];
    await shardIn(dir, vendor, github, '1/2');
    const merged = await mergeIn(dir, github, { 'fail-on': 'fail, error, inconclusive' });
    expect([merged.code, merged.outputs['verdict']]).toEqual([1, 'inconclusive']);
    expect(merged.summary).toContain('inconclusive – shard 2 of 2 is missing');
  });

  it('says that there is nothing to merge', async () => {
    const [github, dir] = [await gitHub(), tempDir()];
    const merged = await mergeIn(dir, github);
    expect([merged.code, merged.outputs['verdict']]).toEqual([1, 'error']);
    expect(merged.stdout).toContain('There is no report here.');
  });

  it('is skipped where a fork’s shards were', async () => {
    const [github, dir] = [await gitHub(), tempDir()];
    const merged = await runAction({
      dir,
      inputs: { mode: 'merge', 'merge-dirs': 'shards', 'on-missing-secret': 'skip' },
      event: 'pull_request',
      payload: pullRequest('fork'),
      apiUrl: github.url,
    });
    expect([merged.code, merged.outputs['verdict']]).toEqual([0, 'skipped']);
  });
});

describe('without secrets', () => {
  test.each([
    ['skip', 0, 'skipped'],
    ['fail', 1, 'error'],
  ])('a fork with on-missing-secret: %s', async (policy, code, verdict) => {
    const [vendor, github] = [await endpoint(), await gitHub()];
    const run = await runAction({
      dir: tempDir(),
      inputs: inputsFor(vendor.url, {
        'api-key': '',
        'github-token': 'ghs_read',
        'on-missing-secret': policy,
      }),
      event: 'pull_request',
      payload: pullRequest('fork'),
      apiUrl: github.url,
    });
    expect([run.code, run.outputs['verdict']]).toEqual([code, verdict]);
    expect(run.stdout + run.summary).toContain('forks');
    expect(vendor.requests()).toBe(0);
  });
});

describe('a secret endpoint on a fork', () => {
  it('is the same missing secret', async () => {
    const github = await gitHub();
    const run = await runAction({
      dir: tempDir(),
      inputs: inputsFor('', {
        endpoint: '',
        'api-key': '',
        'github-token': 'ghs_read',
        'on-missing-secret': 'skip',
      }),
      event: 'pull_request',
      payload: pullRequest('fork'),
      apiUrl: github.url,
    });
    expect([run.code, run.outputs['verdict']]).toEqual([0, 'skipped']);
  });
});

describe('without a pull request', () => {
  test.each([
    ['schedule', { schedule: '0 3 * * *' }],
    ['workflow_dispatch', { inputs: null, ref: 'refs/heads/main' }],
    ['push', { ref: 'refs/heads/main', after: HEAD }],
  ])('%s writes the summary and asks for no comment', async (event, payload) => {
    const [vendor, github] = [await endpoint(), await gitHub({ pulls: [] })];
    const run = await runAction({
      dir: tempDir(),
      inputs: inputsFor(vendor.url),
      event,
      payload,
      apiUrl: github.url,
    });
    expect([run.code, run.outputs['verdict'], run.outputs['comment-id']]).toEqual([0, 'pass', '']);
    expect(run.summary).toContain('Vendor Gate: pass');
    expect(github.calls.filter(({ op }) => op.includes('comment'))).toEqual([]);
  });
});

describe('a configuration that cannot be used', () => {
  it('is reported whole, and nothing is sent', async () => {
    const [vendor, github] = [await endpoint(), await gitHub()];
    const run = await runAction({
      dir: tempDir(),
      inputs: inputsFor(vendor.url, { threshold: 'x', concurrency: 'many', 'max-tokens': '-1' }),
      event: 'pull_request',
      payload: pullRequest(),
      apiUrl: github.url,
    });
    expect([run.code, run.outputs['verdict']]).toEqual([1, 'error']);
    expect(vendor.requests()).toBe(0);
    for (const words of ['Did you mean thresholds', 'concurrency', 'max-tokens']) {
      expect(run.stdout).toContain(words);
      expect(run.summary).toContain(words.replace('Did you mean ', ''));
    }
    expect(run.stdout).not.toMatch(/\bat .*\.js:\d+/);
  });
});
