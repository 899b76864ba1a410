import { describe, expect, it, test } from '@jest/globals';
import { INPUTS } from '../../src/config/inputs.js';
import { parseConfig, secretsOf } from '../../src/config/parse.js';
import { complaints, parsed, REQUIRED, SPECS } from './specs.js';

describe('what a configuration is without a word', () => {
  it('takes every default of the table', () => {
    const { config, action, keyless, notices } = parsed();
    expect(config).toEqual({
      endpoint: 'https://llm.example.com/v1',
      apiKey: null,
      headers: {},
      benchmarks: [{ name: 'k2_verifier', subset: 'k2_thinking', options: {} }],
      gates: [],
      defaultGates: true,
      earlyStop: false,
      decision: 'auto',
      confidence: 0.95,
      limit: null,
      order: null,
      seed: 42,
      concurrency: 16,
      maxRequestsPerMinute: null,
      shard: null,
      budget: { tokens: null, cost: null, priceIn: null, priceOut: null },
      requestTimeoutMs: 600_000,
      maxRetries: 3,
      deadlineMs: 19_800_000,
      waitForReadyMs: 0,
      request: {
        model: 'kimi',
        temperature: null,
        maxTokens: null,
        stream: true,
        thinking: 'default',
        thinkingStyle: 'kimi',
        extraBody: {},
      },
      failOn: ['fail', 'error'],
      reportId: expect.stringMatching(/^kimi-[0-9a-f]{8}$/),
      outputDir: 'vendor-gate-output',
      offline: false,
    });
    expect(action).toEqual({
      onMissingSecret: 'fail',
      comment: 'always',
      commentMode: 'update',
      summary: true,
      annotations: true,
      githubToken: null,
      mode: 'run',
      mergeDirs: [],
    });
    expect(keyless).toBe(false);
    expect(notices).toEqual([]);
  });

  it('is frozen to the bottom', () => {
    const { config, action } = parsed({ values: { 'extra-body': '{"a": {"b": [1]}}' } });
    for (const part of [config, config.request, config.request.extraBody['a'], action]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it('takes an empty or blank value of an optional input for none', () => {
    const blank = Object.fromEntries(
      INPUTS.filter(({ required }) => !required).map(({ name }) => [name, ' \n']),
    );
    expect(parsed({ values: blank }).config).toEqual(parsed().config);
  });
});

describe('problems are reported together', () => {
  it('names every input that is wrong, and earlier problems first', () => {
    const earlier = { where: '--foo', what: 'There is no such option.', fix: 'See run --help.' };
    const messages = complaints({
      values: { endpoint: '', concurrency: '0', datasets: 'k2_verifer', 'fail-on': 'x' },
      file: 'modell: a\n',
      problems: [earlier],
    });
    expect(messages.map((message) => message.split(':')[0])).toEqual([
      '--foo',
      'vg.yml',
      'endpoint',
      'datasets',
      'concurrency',
      'fail-on',
    ]);
  });

  it('does not check gates against data sets that are wrong', () => {
    const values = { datasets: 'nothing_like_it', thresholds: 'success_rate >= 0.5' };
    expect(complaints({ values })).toEqual([
      'datasets: There is no benchmark "nothing_like_it". Known are k2_verifier, miniwob.',
    ]);
  });

  it('refuses thinking that would not be asked for', () => {
    expect(complaints({ values: { thinking: 'on', 'thinking-style': 'none' } })).toEqual([
      'thinking: It is on, but thinking-style none sends nothing about it. Set thinking-style to kimi or vllm, or leave thinking out.',
    ]);
  });
});

describe('on a terminal', () => {
  it('names flags as flags', () => {
    const values = { ...REQUIRED, model: '', concurrency: '0', nonsense: '1' };
    expect(complaints({ values, surface: 'terminal' })).toEqual([
      '--nonsense: There is no such option. Remove it; README.md lists all inputs.',
      '--model: It is required and missing. Give --model, or model in the config file.',
      `--concurrency: "0" is too small. Give a whole number from 1 to 1024, in plain digits.`,
    ]);
  });

  it('lets a verb do without endpoint and model', () => {
    const values = { endpoint: '', model: '' };
    const { config } = parsed({ values, surface: 'terminal', dispensable: ['endpoint', 'model'] });
    expect([config.endpoint, config.request.model]).toEqual(['', '']);
    expect(config.reportId).toMatch(/^model-[0-9a-f]{8}$/);
  });
});

describe('the derived report id', () => {
  const id = (values: Record<string, string>) => parsed({ values }).config.reportId;

  it.each([
    [{ endpoint: 'https://other.example.com/v1' }],
    [{ model: 'kimi-2' }],
    [{ datasets: 'k2_verifier/k2_0905' }],
    [{ temperature: '0.6' }],
    [{ stream: 'false' }],
    [{ 'extra-body': '{"provider": "b"}' }],
  ])('tells legs of a matrix apart by %j', (values) => {
    expect(id(values)).not.toBe(id({}));
  });

  it.each([
    [{ 'api-key': 'sk-1' }],
    [{ headers: '{"X-A": "1"}' }],
    [{ thresholds: 'schema_accuracy >= 0.9' }],
    [{ concurrency: '4' }],
  ])('stays the same whatever %j is', (values) => {
    expect(id(values)).toBe(id({}));
  });

  it('does not depend on the order of keys', () => {
    expect(id({ 'extra-body': '{"a": 1, "b": 2}' })).toBe(id({ 'extra-body': '{"b": 2, "a": 1}' }));
  });

  it('fits the pattern whatever the model is called', () => {
    for (const model of ['日本語', '-x', `m${'a'.repeat(200)}`, 'moonshotai/Kimi K2']) {
      expect(id({ model })).toMatch(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$/);
    }
  });
});

describe('secrets', () => {
  it('lists the key, the token and each header value with its long parts', () => {
    const values = {
      'api-key': 'sk-123',
      'github-token': 'ghs_token',
      headers: '{"X-Auth": "Bearer abcdefgh", "X-Flag": "1", "X-Again": "sk-123"}',
    };
    const { config, action } = parsed({ values });
    expect(secretsOf(config, action)).toEqual([
      'sk-123',
      'ghs_token',
      'Bearer abcdefgh',
      'abcdefgh',
    ]);
  });

  it('lists nothing where nothing is secret', () => {
    const { config, action } = parsed();
    expect(secretsOf(config, action)).toEqual([]);
  });
});

test('parseConfig with no benchmark at all still says what is missing', () => {
  expect(() =>
    parseConfig({ values: {}, configFile: null, sets: [], surface: 'terminal' }, SPECS),
  ).toThrow(
    [
      '--endpoint: It is required and missing. Give --endpoint, or endpoint in the config file.',
      '--model: It is required and missing. Give --model, or model in the config file.',
      '--datasets: It is required and missing. Give --datasets, or datasets in the config file.',
    ].join('\n'),
  );
});
