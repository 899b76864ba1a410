import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, test } from '@jest/globals';
import type { RunReport } from '../../src/model/report.js';
import { type Simulator, startSimulator } from '../../src/simulator/start.js';
import { start, startPiped } from '../support/bundle.js';
import { tempDir } from '../support/temp-dir.js';

const open: Simulator[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function simulator(options: Parameters<typeof startSimulator>[0] = {}): Promise<Simulator> {
  const one = await startSimulator(options);
  open.push(one);
  return one;
}

const report = (dir: string): RunReport =>
  JSON.parse(readFileSync(join(dir, 'report.json'), 'utf8')) as RunReport;

const runWords = (url: string, out: string, ...more: string[]): string[] => [
  'run',
  ...['--endpoint', url, '--model', 'simulated-k2', '--datasets', 'k2_verifier'],
  ...['--set', 'k2_verifier.source=synthetic', '--output', out, ...more],
];

describe('demo', () => {
  test.each([
    ['1', 0, 'pass'],
    ['0.5', 1, 'fail'],
  ])('--fidelity %s exits with %i', async (fidelity, code, verdict) => {
    const dir = tempDir();
    const ended = await start(['demo', '--fidelity', fidelity, '--output', 'out'], { cwd: dir })
      .ended;
    expect([ended.stdout + ended.stderr, ended.code]).toEqual([expect.any(String), code]);
    expect(ended.stdout).toContain(verdict);
    expect(report(join(dir, 'out')).verdict).toBe(verdict);
    expect(existsSync(join(dir, 'out', 'summary.md'))).toBe(true);
  });

  it('needs no key and leaves the one that is set alone', async () => {
    const ended = await start(['demo'], {
      cwd: tempDir(),
      env: { OPENAI_API_KEY: 'sk-real-0123456789abc', https_proxy: 'http://127.0.0.1:9' },
    }).ended;
    expect(ended.code).toBe(0);
    expect(ended.stdout + ended.stderr).not.toContain('sk-real');
  });
});

describe('help and wrong usage', () => {
  test.each([['run'], ['plan'], ['score'], ['official'], ['simulate'], ['demo']])(
    '%s --help',
    async (verb) => {
      const ended = await start([verb, '--help'], { cwd: tempDir() }).ended;
      expect([ended.code, ended.stderr]).toEqual([0, '']);
      expect(ended.stdout).toContain(`Usage: node dist/index.js ${verb}`);
      expect(ended.stdout).toContain('--output DIR');
    },
  );

  test.each<[string, string[], RegExp]>([
    ['no verb', [], /Usage:/],
    ['unknown verb', ['runn'], /Did you mean run\?/],
    ['unknown option', ['run', '--enpoint', 'x'], /--enpoint.*Did you mean --endpoint\?/s],
    ['the key as an option', ['run', '--api-key', 'sk-hidden-123456'], /VENDOR_GATE_API_KEY/],
    ['nothing given', ['run'], /--endpoint.*--model.*--datasets/s],
    [
      'an endpoint without scheme',
      ['run', '--endpoint', 'llm.example.com/v1'],
      /https:\/\/llm\.example\.com\/v1/,
    ],
    [
      'a missing results file',
      [
        'score',
        '--results',
        'no.jsonl',
        '--datasets',
        'k2_verifier',
        '--set',
        'k2_verifier.source=synthetic',
      ],
      /no such file/i,
    ],
    ['an unknown fault', ['simulate', '--fault', 'stop-with-cals=1'], /stop-with-calls/],
    ['a bad rate', ['demo', '--fault', 'stop-with-calls'], /NAME=RATE/],
  ])('%s', async (_, words, message) => {
    const ended = await start(words, { cwd: tempDir() }).ended;
    expect(ended.code).toBe(2);
    expect(ended.stdout + ended.stderr).toMatch(message);
    expect(ended.stdout + ended.stderr).not.toMatch(/\bat .*\.js:\d+|sk-hidden/);
  });
});

describe('run', () => {
  it('sends the key from the environment only to the endpoint', async () => {
    const key = 'sk-terminal-0123456789';
    const vendor = await simulator({ apiKey: key });
    const dir = tempDir();
    const words = runWords(vendor.url, join(dir, 'out'));
    const denied = await start(words, { cwd: dir }).ended;
    expect(denied.code).toBe(2);
    const allowed = await start(words, { cwd: dir, env: { VENDOR_GATE_API_KEY: key } }).ended;
    expect([allowed.stdout + allowed.stderr, allowed.code]).toEqual([expect.any(String), 0]);
    expect(allowed.stdout + allowed.stderr).not.toContain(key);
    for (const file of ['report.json', 'summary.md', 'results.jsonl', 'summary.json']) {
      expect(readFileSync(join(dir, 'out', file), 'utf8')).not.toContain(key);
    }
  });

  it('leaves a partial report on SIGINT and goes on from there', async () => {
    const vendor = await simulator({ latencyMs: 300 });
    const dir = tempDir();
    const out = join(dir, 'out');
    const words = runWords(vendor.url, out, '--concurrency', '4');
    const running = start(words, { cwd: dir });
    while (vendor.requests() < 16) await new Promise((resolve) => setTimeout(resolve, 20));
    running.kill('SIGINT');
    const interrupted = await running.ended;
    expect(interrupted.code).toBe(130);
    const partial = report(out);
    expect(partial.stopped?.kind).toBe('interrupted');
    const measured = partial.benchmarks[0]?.samples.answered ?? 0;
    expect(measured).toBeGreaterThanOrEqual(12);
    const before = vendor.requests();
    const resumed = await start(words, { cwd: dir }).ended;
    expect(resumed.code).toBe(0);
    const whole = report(out);
    expect(whole.resumed_samples).toBe(measured);
    const rows = whole.benchmarks[0]?.dataset.rows ?? 0;
    expect(vendor.requests() - before).toBe(rows - measured);
    expect(whole.benchmarks[0]?.confusion).toMatchObject({ fp: 0, fn: 0 });
  });

  it('loses nothing to SIGKILL but the requests in flight', async () => {
    const vendor = await simulator({ latencyMs: 300 });
    const dir = tempDir();
    const out = join(dir, 'out');
    const words = runWords(vendor.url, out, '--concurrency', '4');
    const running = start(words, { cwd: dir });
    while (vendor.requests() < 16) await new Promise((resolve) => setTimeout(resolve, 20));
    running.kill('SIGKILL');
    await running.ended;
    const asked = vendor.requests();
    const resumed = await start(words, { cwd: dir }).ended;
    expect(resumed.code).toBe(0);
    const rows = report(out).benchmarks[0]?.dataset.rows ?? 0;
    expect(vendor.requests()).toBeLessThanOrEqual(rows + 4);
    expect(report(out).resumed_samples).toBeGreaterThanOrEqual(asked - 4);
  });
});

describe('a pipe that is closed early', () => {
  it('is no fault', async () => {
    const dir = tempDir();
    const ended = await startPiped(['demo', '--output', 'out'], dir);
    expect(ended.stderr).not.toMatch(/EPIPE|fault/);
    expect(report(join(dir, 'out')).verdict).toBe('pass');
  });
});

describe('plan', () => {
  it('says what a run would do and sends nothing', async () => {
    const vendor = await simulator();
    const [, ...words] = runWords(vendor.url, 'out', '--limit', '20');
    const dir = tempDir();
    const ended = await start(['plan', ...words], { cwd: dir }).ended;
    expect([ended.stderr, ended.code]).toEqual([expect.any(String), 0]);
    expect(ended.stdout).toMatch(/samples +20/);
    expect(ended.stdout).toMatch(/requests +20/);
    expect(ended.stdout).toMatch(/tokens +at most 1,280,000/);
    expect(ended.stdout).toContain('trigger_similarity >= 0.73');
    expect(vendor.requests()).toBe(0);
    const [planned] = JSON.parse(readFileSync(join(dir, 'out', 'plan.json'), 'utf8'));
    expect(planned).toMatchObject({ samples: 20, requests: 20, tokens: 1_280_000 });
  });
});

describe('score', () => {
  it('gives the figures of the run that wrote the results, verdicts on calls computed anew', async () => {
    const vendor = await simulator({ fidelity: 0.8, faults: { 'schema-violation': 0.2 } });
    const dir = tempDir();
    await start(runWords(vendor.url, join(dir, 'run')), { cwd: dir }).ended;
    const results = readFileSync(join(dir, 'run', 'results.jsonl'), 'utf8');
    // Whatever the file claims about validity does not count.
    writeFileSync(
      join(dir, 'r.jsonl'),
      results
        .replaceAll('"tool_calls_valid": false', '"tool_calls_valid": true')
        .replaceAll('"tool_calls_valid":false', '"tool_calls_valid":true'),
    );
    const ended = await start(
      [
        'score',
        '--results',
        'r.jsonl',
        '--datasets',
        'k2_verifier',
        '--set',
        'k2_verifier.source=synthetic',
        '--output',
        'scored',
      ],
      { cwd: dir },
    ).ended;
    expect(ended.stdout).toContain(join('scored', 'report.json'));
    const [ours, theirs] = [report(join(dir, 'scored')), report(join(dir, 'run'))];
    expect(ours.benchmarks[0]?.confusion).toEqual(theirs.benchmarks[0]?.confusion);
    expect(ours.benchmarks[0]?.metrics['schema_accuracy']).toEqual(
      theirs.benchmarks[0]?.metrics['schema_accuracy'],
    );
    expect(ours.benchmarks[0]?.metrics['schema_accuracy']?.value).toBeLessThan(1);
    expect(ours.verdict).toBe(theirs.verdict);
    expect(ours.endpoint).toMatchObject({ url: '', model: 'simulated-k2' });
    expect(ours.report_id).toMatch(/^simulated-k2-/);
    const summary = readFileSync(join(dir, 'scored', 'summary.md'), 'utf8');
    expect(summary).toContain('node dist/index.js score');
    expect(summary).not.toContain('pace');
  });
});

describe('score of another file in the same directory', () => {
  it('judges that file alone', async () => {
    const vendor = await simulator();
    const dir = tempDir();
    await start(runWords(vendor.url, join(dir, 'run')), { cwd: dir }).ended;
    const lines = readFileSync(join(dir, 'run', 'results.jsonl'), 'utf8')
      .trim()
      .split('\n');
    writeFileSync(join(dir, 'a.jsonl'), lines.slice(0, 60).join('\n'));
    writeFileSync(join(dir, 'b.jsonl'), lines.slice(60, 100).join('\n'));
    for (const [file, run] of [
      ['a.jsonl', 60],
      ['b.jsonl', 40],
    ] as const) {
      const words = [
        'score',
        '--results',
        file,
        '--datasets',
        'k2_verifier',
        '--set',
        'k2_verifier.source=synthetic',
        '--output',
        'scored',
      ];
      await start(words, { cwd: dir }).ended;
      expect(report(join(dir, 'scored')).benchmarks[0]?.samples.run).toBe(run);
    }
  });
});

describe('simulate', () => {
  it('serves until it is interrupted', async () => {
    const dir = tempDir();
    const running = start(['simulate', '--port', '0', '--output', 'out'], { cwd: dir });
    const said = await running.says('Ctrl-C');
    const url = /http:\S+/.exec(said)?.[0] ?? '';
    const address = JSON.parse(readFileSync(join(dir, 'out', 'simulator.json'), 'utf8'));
    expect(address).toEqual({ url, model: 'simulated-k2' });
    const models = (await (await fetch(`${url}/models`)).json()) as { data: { id: string }[] };
    expect(models.data.map(({ id }) => id)).toEqual(['simulated-k2']);
    running.kill('SIGINT');
    expect((await running.ended).code).toBe(0);
  });
});
