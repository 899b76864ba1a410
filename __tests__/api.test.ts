import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, test } from '@jest/globals';
import { ConfigError, type VerifyOptions, type VerifyProgress, verify } from '../src/api.js';
import { nameOn } from '../src/config/given.js';
import { INPUTS } from '../src/config/inputs.js';
import { type Simulator, startSimulator } from '../src/simulator/start.js';
import { tempDir } from './support/temp-dir.js';

const open: Simulator[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function simulator(options: Parameters<typeof startSimulator>[0] = {}): Promise<Simulator> {
  const one = await startSimulator(options);
  open.push(one);
  return one;
}

const SYNTHETIC = { k2_verifier: { source: 'synthetic' } };

/** Enough for a run of 20 samples. */
const optionsFor = (url: string, more: VerifyOptions = {}): VerifyOptions => ({
  endpoint: url,
  model: 'simulated-k2',
  datasets: SYNTHETIC,
  limit: 20,
  outputDir: join(tempDir(), 'out'),
  ...more,
});

async function problemsOf(options: unknown): Promise<[string, string][]> {
  const error = await verify(options as VerifyOptions).catch((reason: unknown) => reason);
  if (!(error instanceof ConfigError)) throw error;
  return error.problems.map(({ where, what, fix }) => [where, `${what} ${fix}`]);
}

/** Everything that is no function or signal, each legal. */
const INPUT_OPTIONS: Required<
  Omit<VerifyOptions, 'signal' | 'log' | 'onProgress' | 'env' | 'config'>
> = {
  endpoint: 'https://llm.example.com/v1/chat/completions',
  apiKey: 'sk-0123456789',
  headers: { 'x-team': 'serving' },
  model: 'kimi-k2-thinking',
  datasets: ['k2_verifier/k2_thinking', 'k2_verifier/k2_0905'],
  limit: 100,
  order: 'file',
  seed: 7,
  shard: '2/8',
  thresholds: ['schema_accuracy >= 95%', 'trigger_recall >= 70% warn'],
  defaultGates: false,
  decision: 'point',
  confidence: 0.99,
  earlyStop: false,
  concurrency: 4,
  maxRequestsPerMinute: 60,
  requestTimeout: '90s',
  maxRetries: 0,
  deadline: '2h',
  tokenBudget: 1_000_000,
  costBudget: 12.5,
  priceIn: 0.6,
  priceOut: 2.5,
  waitForReady: '10m',
  outputDir: 'out',
  offline: true,
  temperature: 0.6,
  maxTokens: 16_000,
  stream: false,
  thinking: 'off',
  thinkingStyle: 'vllm',
  extraBody: { top_p: 0.95 },
  reportId: 'nightly',
};

describe('options', () => {
  test('are the inputs of the action that mean something to a program', () => {
    const inputs = INPUTS.filter(({ where, name }) => where === 'everywhere' && name !== 'fail-on');
    const names = inputs.map(({ name }) => nameOn('api', name)).filter((name) => name !== 'config');
    expect(Object.keys(INPUT_OPTIONS).sort()).toEqual(names.sort());
  });

  test('all of them are taken as they are typed', async () => {
    // One that is wrong keeps the run from starting; no other is complained about.
    expect(await problemsOf({ ...INPUT_OPTIONS, concurrency: 0 })).toEqual([
      ['concurrency', expect.stringContaining('0 is too small.')],
    ]);
  });

  test('what is wrong is said at once, by the names of a program', async () => {
    const problems = await problemsOf({
      endpoint: 'llm.example.com/v1',
      model: undefined,
      datasets: { k2_verifyer: null },
      apiKey: 42,
      headers: new Headers({ 'x-team': 'serving' }),
      limit: Number.NaN,
      requestTimeout: 90,
      defaultGates: 'maybe',
      'max-retries': 0,
      failon: 'fail',
      comment: 'never',
    });
    expect(Object.fromEntries(problems)).toEqual({
      endpoint: expect.stringContaining('Write https://llm.example.com/v1 instead.'),
      model: 'It is required and missing. Give model, or model in the config file.',
      datasets: expect.stringContaining('Did you mean k2_verifier?'),
      apiKey: 'The key is not text. Give the key alone.',
      headers: expect.stringContaining('an instance of a class'),
      limit: expect.stringContaining('NaN'),
      requestTimeout: expect.stringContaining('90 has no unit.'),
      defaultGates: expect.stringContaining('neither true nor false'),
      'max-retries': 'There is no such option. Did you mean maxRetries?',
      failon: expect.stringContaining('There is no such option.'),
      comment: expect.stringContaining('There is no such option.'),
    });
  });

  test('one that holds itself is refused', async () => {
    const extraBody: Record<string, unknown> = {};
    extraBody['self'] = extraBody;
    expect(await problemsOf({ ...INPUT_OPTIONS, extraBody })).toEqual([
      ['extraBody', expect.stringContaining('JSON does not have')],
    ]);
  });

  test('a config file fills what is not given; its problems are named by file and key', async () => {
    const config = join(tempDir(), 'vendor-gate.yml');
    writeFileSync(config, 'model: from-file\nmax-tokens: none\ndatasets: k2_verifier\n');
    expect(await problemsOf({ config, endpoint: 'https://llm.example.com/v1' })).toEqual([
      [`${config}: max-tokens`, expect.stringContaining('"none" is not a whole number.')],
    ]);
    expect(await problemsOf({ config: 'no.yml' })).toEqual([
      ['no.yml', expect.stringContaining('there is no such file')],
    ]);
  });
});

describe('a run', () => {
  it('gives the document that stands in report.json', async () => {
    const vendor = await simulator({ fidelity: 0 });
    const options = optionsFor(vendor.url);
    const report = await verify(options);
    expect(report.verdict).toBe('fail');
    const file = readFileSync(join(options.outputDir ?? '', 'report.json'), 'utf8');
    expect(report).toEqual(JSON.parse(file));
    // Typed as text, and text.
    const words: string | undefined = report.benchmarks[0]?.examples[0]?.prompt;
    expect(typeof words).toBe('string');
    const served: readonly string[] = report.endpoint.served;
    expect(served).toEqual(['simulated-k2']);
  });

  it('takes the key that it is given and none from the environment', async () => {
    const key = 'sk-of-the-api-0123456789';
    const vendor = await simulator({ apiKey: key });
    process.env['OPENAI_API_KEY'] = key;
    process.env['VENDOR_GATE_API_KEY'] = key;
    try {
      const denied = await verify(optionsFor(vendor.url));
      expect([denied.verdict, denied.stopped?.kind]).toEqual(['error', 'configuration']);
    } finally {
      delete process.env['OPENAI_API_KEY'];
      delete process.env['VENDOR_GATE_API_KEY'];
    }
    expect((await verify(optionsFor(vendor.url, { apiKey: key }))).verdict).not.toBe('error');
  });

  it('goes through the proxy of `env`, and of the process without it', async () => {
    const vendor = await simulator();
    const nowhere = { http_proxy: 'http://127.0.0.1:9' };
    const asked = await verify(optionsFor(vendor.url, { env: nowhere, maxRetries: 0 }));
    expect([asked.verdict, vendor.requests()]).toEqual(['error', 0]);
    expect((await verify(optionsFor(vendor.url, { env: {} }))).benchmarks[0]?.samples.run).toBe(20);
  });

  it('tells how far it is, and says what is worth a line', async () => {
    const vendor = await simulator();
    const seen: VerifyProgress[] = [];
    const lines: string[] = [];
    await verify(
      optionsFor(vendor.url, {
        onProgress: (progress) => seen.push(progress),
        log: (line) => lines.push(line),
      }),
    );
    expect(seen.map(({ done }) => done).at(-1)).toBe(20);
    expect(seen[0]).toMatchObject({ benchmark: 'k2_verifier/k2_thinking', total: 20, before: 0 });
    expect(lines.join('\n')).toContain('Role _input is sent as system');
  });

  it('leaves what the caller holds as it is', async () => {
    const vendor = await simulator();
    const extraBody = { metadata: { team: 'serving' } };
    const datasets = { k2_verifier: { source: 'synthetic' } };
    await verify(optionsFor(vendor.url, { extraBody, datasets }));
    expect([extraBody, datasets, extraBody.metadata].map(Object.isFrozen)).toEqual(
      Array(3).fill(false),
    );
    expect(extraBody).toEqual({ metadata: { team: 'serving' } });
  });
});

describe('an end before the end', () => {
  it('by the signal gives what was measured', async () => {
    const vendor = await simulator({ latencyMs: 50 });
    const controller = new AbortController();
    const report = await verify(
      optionsFor(vendor.url, {
        limit: 100,
        concurrency: 4,
        signal: controller.signal,
        onProgress: ({ done }) => {
          if (done === 12) controller.abort();
        },
      }),
    );
    expect(report.stopped?.kind).toBe('interrupted');
    expect(report.verdict).not.toBe('pass');
    expect(report.benchmarks[0]?.samples.answered).toBeGreaterThanOrEqual(12);
    expect(report.benchmarks[0]?.samples.answered).toBeLessThan(100);
  });

  it('by an error in the caller’s own function is that error, and the directory is free again', async () => {
    const vendor = await simulator();
    const own = new Error('mine');
    const options = optionsFor(vendor.url);
    const onProgress = (): void => {
      throw own;
    };
    await expect(verify({ ...options, onProgress })).rejects.toBe(own);
    expect(existsSync(join(options.outputDir ?? '', 'lock'))).toBe(false);
    expect((await verify(options)).benchmarks[0]?.samples.run).toBe(20);
  });

  it('never lets two runs into one directory', async () => {
    const vendor = await simulator({ latencyMs: 20 });
    const options = optionsFor(vendor.url);
    const [first, second] = await Promise.allSettled([verify(options), verify(options)]);
    expect(first.status).toBe('fulfilled');
    expect(second).toMatchObject({ status: 'rejected', reason: expect.any(ConfigError) });
  });
});
