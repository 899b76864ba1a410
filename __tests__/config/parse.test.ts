import { describe, expect, it, test } from '@jest/globals';
import { INPUTS } from '../../src/config/inputs.js';
import { type ParsedConfig, parseConfig, secretsOf } from '../../src/config/parse.js';
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
      decision: 'auto',
      confidence: 0.95,
      limit: null,
      order: null,
      seed: 42,
      concurrency: 16,
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
    });
    expect(action).toEqual({
      onMissingSecret: 'fail',
      comment: 'always',
      commentMode: 'update',
      summary: true,
      annotations: true,
      githubToken: null,
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

type Read = (result: ParsedConfig) => unknown;
const GOOD: [number, string, string, Read, unknown][] = [
  [1, 'concurrency', '1', ({ config }) => config.concurrency, 1],
  [2, 'concurrency', '1024', ({ config }) => config.concurrency, 1024],
  [3, 'concurrency', ' 5 ', ({ config }) => config.concurrency, 5],
  [4, 'limit', '1', ({ config }) => config.limit, 1],
  [5, 'limit', '200\n', ({ config }) => config.limit, 200],
  [6, 'seed', '0', ({ config }) => config.seed, 0],
  [7, 'seed', '4294967295', ({ config }) => config.seed, 4_294_967_295],
  [8, 'max-retries', '0', ({ config }) => config.maxRetries, 0],
  [9, 'max-retries', '20', ({ config }) => config.maxRetries, 20],
  [10, 'temperature', '0', ({ config }) => config.request.temperature, 0],
  [11, 'temperature', '-0', ({ config }) => config.request.temperature, 0],
  [12, 'temperature', '0.60', ({ config }) => config.request.temperature, 0.6],
  [13, 'temperature', '2', ({ config }) => config.request.temperature, 2],
  [14, 'max-tokens', '64000', ({ config }) => config.request.maxTokens, 64_000],
  [15, 'request-timeout', '90s', ({ config }) => config.requestTimeoutMs, 90_000],
  [16, 'request-timeout', '10m', ({ config }) => config.requestTimeoutMs, 600_000],
  [17, 'deadline', '2h', ({ config }) => config.deadlineMs, 7_200_000],
  [18, 'deadline', '168h', ({ config }) => config.deadlineMs, 604_800_000],
  [19, 'wait-for-ready', '0', ({ config }) => config.waitForReadyMs, 0],
  [20, 'wait-for-ready', '0s', ({ config }) => config.waitForReadyMs, 0],
  [21, 'wait-for-ready', '15m', ({ config }) => config.waitForReadyMs, 900_000],
  [22, 'stream', 'false', ({ config }) => config.request.stream, false],
  [23, 'stream', 'True', ({ config }) => config.request.stream, true],
  [24, 'default-gates', 'FALSE', ({ config }) => config.defaultGates, false],
  [25, 'summary', 'false', ({ action }) => action.summary, false],
  [26, 'annotations', 'false', ({ action }) => action.annotations, false],
  [27, 'order', 'file', ({ config }) => config.order, 'file'],
  [28, 'order', 'random', ({ config }) => config.order, 'random'],
  [29, 'decision', 'interval', ({ config }) => config.decision, 'interval'],
  [30, 'confidence', '0.9', ({ config }) => config.confidence, 0.9],
  [31, 'confidence', '95%', ({ config }) => config.confidence, 0.95],
  [32, 'confidence', '99.9 %', ({ config }) => config.confidence, 0.999],
  [33, 'confidence', '0.5', ({ config }) => config.confidence, 0.5],
  [34, 'thinking', 'off', ({ config }) => config.request.thinking, 'off'],
  [35, 'thinking-style', 'vllm', ({ config }) => config.request.thinkingStyle, 'vllm'],
  [36, 'fail-on', 'fail', ({ config }) => config.failOn, ['fail']],
  [37, 'fail-on', 'error\ninconclusive', ({ config }) => config.failOn, ['error', 'inconclusive']],
  [38, 'fail-on', 'fail, error,fail', ({ config }) => config.failOn, ['fail', 'error']],
  [39, 'fail-on', 'never', ({ config }) => config.failOn, []],
  [40, 'fail-on', '[fail, inconclusive]', ({ config }) => config.failOn, ['fail', 'inconclusive']],
  [41, 'fail-on', '[]', ({ config }) => config.failOn, []],
  [42, 'on-missing-secret', 'skip', ({ action }) => action.onMissingSecret, 'skip'],
  [43, 'comment', 'on-change', ({ action }) => action.comment, 'on-change'],
  [44, 'comment-mode', 'recreate', ({ action }) => action.commentMode, 'recreate'],
  [45, 'github-token', 'ghs_x', ({ action }) => action.githubToken, 'ghs_x'],
  [
    46,
    'report-id',
    'nightly/vendor-b_2.1',
    ({ config }) => config.reportId,
    'nightly/vendor-b_2.1',
  ],
  [47, 'report-id', 'x'.repeat(100), ({ config }) => config.reportId, 'x'.repeat(100)],
  [48, 'output-dir', 'out dir/é', ({ config }) => config.outputDir, 'out dir/é'],
  [
    49,
    'model',
    'moonshotai/Kimi-K2:free',
    ({ config }) => config.request.model,
    'moonshotai/Kimi-K2:free',
  ],
  [50, 'model', '4.10', ({ config }) => config.request.model, '4.10'],
  [51, 'extra-body', '{"top_p": 0.9}', ({ config }) => config.request.extraBody, { top_p: 0.9 }],
  [52, 'extra-body', 'stop:\n  - a\n', ({ config }) => config.request.extraBody, { stop: ['a'] }],
  [53, 'extra-body', '{\n\t"seed": 1\n}', ({ config }) => config.request.extraBody, { seed: 1 }],
  [54, 'extra-body', '{}', ({ config }) => config.request.extraBody, {}],
  [55, 'config', 'vg.yml', ({ config }) => config.concurrency, 16],
  [
    56,
    'thresholds',
    'schema_accuracy >= 95%\n# note\nk2_verifier.trigger_similarity > 0.7 warn',
    ({ config }) => config.gates.map(({ text, origin }) => [text, origin]),
    [
      ['schema_accuracy >= 95%', 'user'],
      ['k2_verifier.trigger_similarity > 0.7 warn', 'user'],
    ],
  ],
];

test.each(GOOD)('good value %d: %s %j', (_, name, value, read, expected) => {
  expect(read(parsed({ values: { [name]: value } }))).toEqual(expected);
});

const WHOLE = (min: number, max: number) =>
  `Give a whole number from ${min} to ${max}, in plain digits.`;
const DURATION = 'Give a duration such as 600s, 10m or 2h; at most 24h.';
const LEVEL = 'Give a level from 0.5 to below 1, such as 0.95 or 95%.';
const ID = 'Give up to 100 letters, digits and - _ . / that start with a letter or digit.';
const REQUIRED_FIX =
  'Set it under with: or in the config file; a variable or secret it is taken from may be empty here.';
const IS_MISSING =
  'It is required and empty or missing; the runner itself does not enforce required inputs.';

const BAD: [number, string, string, string][] = [
  [1, 'concurrency', '0', `concurrency: "0" is too small. ${WHOLE(1, 1024)}`],
  [2, 'concurrency', '1025', `concurrency: "1025" is too large. ${WHOLE(1, 1024)}`],
  [3, 'concurrency', '-3', `concurrency: "-3" is too small. ${WHOLE(1, 1024)}`],
  [4, 'concurrency', '1_000', `concurrency: "1_000" is not a whole number. ${WHOLE(1, 1024)}`],
  [5, 'concurrency', '1e3', `concurrency: "1e3" is not a whole number. ${WHOLE(1, 1024)}`],
  [6, 'concurrency', '٣', `concurrency: "٣" is not a whole number. ${WHOLE(1, 1024)}`],
  [7, 'concurrency', '0x10', `concurrency: "0x10" is not a whole number. ${WHOLE(1, 1024)}`],
  [8, 'concurrency', '+5', `concurrency: "+5" is not a whole number. ${WHOLE(1, 1024)}`],
  [9, 'concurrency', '05', `concurrency: "05" is not a whole number. ${WHOLE(1, 1024)}`],
  [10, 'concurrency', '16.0', `concurrency: "16.0" is not a whole number. ${WHOLE(1, 1024)}`],
  [11, 'concurrency', '1 6', `concurrency: "1 6" is not a whole number. ${WHOLE(1, 1024)}`],
  [12, 'concurrency', 'NaN', `concurrency: "NaN" is not a whole number. ${WHOLE(1, 1024)}`],
  [13, 'limit', '0', `limit: "0" is too small. ${WHOLE(1, 1e9)}`],
  [14, 'limit', '0.1', `limit: "0.1" is not a whole number. ${WHOLE(1, 1e9)}`],
  [
    15,
    'limit',
    '99999999999999999999',
    `limit: "99999999999999999999" is too large. ${WHOLE(1, 1e9)}`,
  ],
  [16, 'seed', '4294967296', `seed: "4294967296" is too large. ${WHOLE(0, 4_294_967_295)}`],
  [17, 'seed', '-1', `seed: "-1" is too small. ${WHOLE(0, 4_294_967_295)}`],
  [18, 'max-retries', '21', `max-retries: "21" is too large. ${WHOLE(0, 20)}`],
  [19, 'max-tokens', '0', `max-tokens: "0" is too small. ${WHOLE(1, 10_000_000)}`],
  [
    20,
    'temperature',
    '2.1',
    'temperature: "2.1" is too large. Give a number from 0 to 2, in plain digits such as 0.7.',
  ],
  [
    21,
    'temperature',
    '.5',
    'temperature: ".5" is not a plain number. Give a number from 0 to 2, in plain digits such as 0.7.',
  ],
  [
    22,
    'temperature',
    '0,7',
    'temperature: "0,7" is not a plain number. Give a number from 0 to 2, in plain digits such as 0.7.',
  ],
  [23, 'request-timeout', '600', `request-timeout: "600" has no unit. ${DURATION}`],
  [24, 'request-timeout', '0', `request-timeout: "0" is too short. ${DURATION}`],
  [25, 'request-timeout', '0s', `request-timeout: "0s" is too short. ${DURATION}`],
  [26, 'request-timeout', '25h', `request-timeout: "25h" is too long. ${DURATION}`],
  [27, 'request-timeout', '1.5h', `request-timeout: "1.5h" is not a duration. ${DURATION}`],
  [28, 'request-timeout', '1h30m', `request-timeout: "1h30m" is not a duration. ${DURATION}`],
  [29, 'request-timeout', '10 m', `request-timeout: "10 m" is not a duration. ${DURATION}`],
  [30, 'request-timeout', '-5s', `request-timeout: "-5s" is not a duration. ${DURATION}`],
  [
    31,
    'deadline',
    '7d',
    'deadline: "7d" is not a duration. Give a duration such as 600s, 10m or 2h; at most 168h.',
  ],
  [
    32,
    'wait-for-ready',
    '5',
    'wait-for-ready: "5" has no unit. Give a duration such as 600s, 10m or 2h, or 0; at most 24h.',
  ],
  [33, 'stream', 'yes', 'stream: "yes" is neither true nor false. Give true or false.'],
  [34, 'stream', '0', 'stream: "0" is neither true nor false. Give true or false.'],
  [35, 'default-gates', 'no', 'default-gates: "no" is neither true nor false. Give true or false.'],
  [36, 'summary', 'tRUE', 'summary: "tRUE" is neither true nor false. Give true or false.'],
  [37, 'annotations', 'on', 'annotations: "on" is neither true nor false. Give true or false.'],
  [
    38,
    'order',
    'randm',
    'order: "randm" is not one of its values. Did you mean random? Give one of random, file.',
  ],
  [
    39,
    'decision',
    'bayes',
    'decision: "bayes" is not one of its values. Give one of auto, point, interval.',
  ],
  [40, 'confidence', '95', `confidence: "95" is not below 1. Did you mean 95%? ${LEVEL}`],
  [
    41,
    'confidence',
    '0.05',
    `confidence: "0.05" is below 0.5; the level is not the error probability. Did you mean 0.95? ${LEVEL}`,
  ],
  [42, 'confidence', '1', `confidence: "1" is too large. ${LEVEL}`],
  [43, 'confidence', '100%', `confidence: "100%" is too large. ${LEVEL}`],
  [44, 'confidence', '0', `confidence: "0" is too small. ${LEVEL}`],
  [45, 'confidence', 'high', `confidence: "high" is not a level. ${LEVEL}`],
  [
    46,
    'thinking',
    'true',
    'thinking: "true" is not one of its values. Give one of on, off, default.',
  ],
  [
    47,
    'thinking-style',
    'kimmi',
    'thinking-style: "kimmi" is not one of its values. Did you mean kimi? Give one of kimi, vllm, none.',
  ],
  [
    48,
    'fail-on',
    'fail, eror',
    'fail-on: "eror" is not one of its values. Did you mean error? Give some of fail, error, inconclusive, or never.',
  ],
  [
    49,
    'fail-on',
    'pass',
    'fail-on: "pass" is not one of its values. Give some of fail, error, inconclusive, or never.',
  ],
  [
    50,
    'fail-on',
    'never, fail',
    'fail-on: never stands together with other words. Give some of fail, error, inconclusive, or never.',
  ],
  [
    51,
    'on-missing-secret',
    'ignore',
    'on-missing-secret: "ignore" is not one of its values. Give one of fail, skip.',
  ],
  [
    52,
    'comment',
    'on_failure',
    'comment: "on_failure" is not one of its values. Did you mean on-failure? Give one of always, on-change, on-failure, never.',
  ],
  [
    53,
    'comment-mode',
    'new',
    'comment-mode: "new" is not one of its values. Give one of update, recreate.',
  ],
  [54, 'report-id', '-x', `report-id: "-x" cannot be used. ${ID}`],
  [55, 'report-id', 'a b', `report-id: "a b" cannot be used. ${ID}`],
  [56, 'report-id', 'x-->', `report-id: "x-->" cannot be used. ${ID}`],
  [57, 'report-id', 'y'.repeat(101), `report-id: "${'y'.repeat(76)}... cannot be used. ${ID}`],
  [
    58,
    'output-dir',
    'a\nb',
    'output-dir: "a\\nb" holds a line break or another control character. Give text on one line.',
  ],
  [59, 'endpoint', '', `endpoint: ${IS_MISSING} ${REQUIRED_FIX}`],
  [60, 'model', ' ', `model: ${IS_MISSING} ${REQUIRED_FIX}`],
  [61, 'datasets', '', `datasets: ${IS_MISSING} ${REQUIRED_FIX}`],
  [
    62,
    'model',
    'a\u0007',
    'model: "a\\u0007" holds a line break or another control character. Give text on one line.',
  ],
  [
    63,
    'extra-body',
    '[1]',
    'extra-body: "[1]" is not a mapping. Give a JSON or YAML mapping, such as {"name": "value"}.',
  ],
  [
    64,
    'extra-body',
    '{"a": 1, "a": 2}',
    'extra-body: It is not valid YAML in line 1: Map keys must be unique. Give a JSON or YAML mapping, such as {"name": "value"}.',
  ],
  [
    65,
    'extra-body',
    'a: .nan',
    'extra-body: It is holding a value that JSON does not have, such as .nan or a binary. Give a JSON or YAML mapping, such as {"name": "value"}.',
  ],
  [
    66,
    'extra-body',
    '{"messages": []}',
    'extra-body.messages: This field may not be set here. The prompts are the data set; remove it.',
  ],
  [
    67,
    'extra-body',
    '{"tools": []}',
    'extra-body.tools: This field may not be set here. The tools are part of the data set; remove it.',
  ],
  [
    68,
    'extra-body',
    '{"stream": false}',
    'extra-body.stream: This field may not be set here. Use the input stream.',
  ],
  [
    69,
    'extra-body',
    '{"model": "m"}',
    'extra-body.model: This field may not be set here. Use the input model.',
  ],
  [
    70,
    'extra-body',
    '{"n": 2}',
    'extra-body.n: This field may not be set here. One answer is read for each request; remove it.',
  ],
  [
    71,
    'thresholds',
    'schema_acuracy >= 95%',
    'thresholds: "schema_acuracy >= 95%": there is no metric "schema_acuracy". Did you mean schema_accuracy?',
  ],
  [72, 'concurency', '5', 'concurency: There is no such input. Did you mean concurrency?'],
  [73, 'max_tokens', '5', 'max_tokens: There is no such input. Did you mean max-tokens?'],
  [
    74,
    'zzz',
    'secret-value',
    'zzz: There is no such input. Remove it; README.md lists all inputs.',
  ],
];

test.each(BAD)('bad value %d: %s %j', (_, name, value, message) => {
  expect(complaints({ values: { [name]: value } })).toEqual([message]);
});

test('every input has a good and a bad row', () => {
  const elsewhere = ['endpoint', 'api-key', 'headers', 'datasets', 'config', 'github-token'];
  for (const { name } of INPUTS) {
    if (elsewhere.includes(name)) continue;
    expect({ name, good: GOOD.some((row) => row[1] === name) }).toEqual({ name, good: true });
    expect({ name, bad: BAD.some((row) => row[1] === name) }).toEqual({ name, bad: true });
  }
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
      `--concurrency: "0" is too small. ${WHOLE(1, 1024)}`,
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
  it('lists the key, the token and each header value with its parts', () => {
    const values = {
      'github-token': 'ghs_token',
      headers: '{"Authorization": "Bearer abcdef", "X-Flag": "1"}',
    };
    const { config, action } = parsed({ values });
    expect(secretsOf(config, action)).toEqual(['ghs_token', 'Bearer abcdef', 'Bearer', 'abcdef']);
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
