import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, test } from '@jest/globals';
import { verify } from '../../../src/api.js';
import { runTerminal } from '../../../src/cli.js';
import type { Json, JsonObject } from '../../../src/model/json.js';
import type { SimulatorOptions } from '../../../src/simulator/options.js';
import { type Simulator, startSimulator } from '../../../src/simulator/start.js';
import { startHostile } from '../../support/hostile-server.js';
import { tempDir } from '../../support/temp-dir.js';

const TURNS = '__tests__/fixtures/chat-templates/turns.jinja';
/** The built-in set has one row with the role _input, which is sent as system, and none of another role. */
const BY_TEXT = { source: 'synthetic', api: 'completions', 'chat-template': TURNS };
const BY_CHAT = { source: 'synthetic' };

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function simulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const one = await startSimulator(options);
  open.push(one);
  return one;
}

type Report = Awaited<ReturnType<typeof verify>>;

async function run(
  url: string,
  options: JsonObject,
  more: Parameters<typeof verify>[0] = {},
): Promise<{ report: Report; dir: string }> {
  const dir = join(tempDir(), 'out');
  const report = await verify({
    endpoint: url,
    model: 'simulated-k2',
    datasets: { k2_verifier: options },
    outputDir: dir,
    maxRetries: 0,
    ...more,
  });
  return { report, dir };
}

const valuesOf = (report: Report): Record<string, number | null> =>
  Object.fromEntries(
    Object.entries(report.benchmarks[0]?.metrics ?? {}).map(([name, { value }]) => [name, value]),
  );
const warningsOf = (report: Report): string[] =>
  report.benchmarks[0]?.warnings.map(({ name }) => name) ?? [];
const recordsIn = (dir: string): JsonObject[] =>
  readFileSync(join(dir, 'results.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject);

/** What a run by way of /completions must have in common with one by way of messages. */
const SAME = [
  'trigger_similarity',
  'trigger_precision',
  'trigger_recall',
  'trigger_kappa',
  'schema_accuracy',
  'count_finish_reason_tool_calls',
  'count_successful_tool_call',
  'tool_name_agreement',
  'argument_agreement',
  'unmeasured_rate',
];

describe('the built-in set by way of /completions', () => {
  it('gets a perfect score from the official model, as by way of messages', async () => {
    const { url } = await simulator();
    const { report, dir } = await run(url, BY_TEXT);
    expect(valuesOf(report)).toMatchObject({
      trigger_similarity: 1,
      schema_accuracy: 1,
      count_finish_reason_tool_calls: 67,
      count_successful_tool_call: 67,
      unmeasured_rate: 0,
    });
    expect(report.verdict).toBe('pass');
    expect(report.benchmarks[0]?.not_comparable).toEqual([
      'the data set is the built-in one, made by hand',
      'api: completions sends prompts made here and reads the calls out of the text',
    ]);
    expect(warningsOf(report)).not.toEqual(
      expect.arrayContaining(['leaked_tool_markup', 'think_tags_in_content', 'malformed_markup']),
    );
    const records = recordsIn(dir);
    expect(records).toHaveLength(120);
    for (const { request } of records) {
      expect(Object.keys(request as JsonObject).sort()).toEqual([
        'max_tokens',
        'model',
        'prompt',
        'temperature',
      ]);
    }
  }, 60_000);

  test.each<[string, SimulatorOptions, Parameters<typeof verify>[0]]>([
    ['with half of the fidelity', { fidelity: 0.5, seed: 3 }, {}],
    ['without a stream', { fidelity: 0.8 }, { stream: false }],
    [
      'with calls that fail validation',
      { faults: { 'cut-arguments': 0.3, 'unknown-tool': 0.2 } },
      {},
    ],
  ])(
    'gets the same figures as by way of messages, %s',
    async (_name, options, more) => {
      const { url } = await simulator(options);
      const [text, chat] = [await run(url, BY_TEXT, more), await run(url, BY_CHAT, more)];
      const pick = (report: Report) => SAME.map((name) => [name, valuesOf(report)[name]]);
      expect(pick(text.report)).toEqual(pick(chat.report));
    },
    60_000,
  );

  it('gets the same figures when its results are scored again', async () => {
    const { url } = await simulator({ fidelity: 0.7 });
    const { report, dir } = await run(url, BY_TEXT, { limit: 40 });
    const again = join(tempDir(), 'again');
    const words = [
      'score',
      '--results',
      join(dir, 'results.jsonl'),
      '--datasets',
      'k2_verifier',
      '--set',
      'k2_verifier.source=synthetic',
    ];
    await terminal([...words, '--output', again]);
    const scored = JSON.parse(readFileSync(join(again, 'report.json'), 'utf8')) as Report;
    expect(scored.benchmarks[0]?.confusion).toEqual(report.benchmarks[0]?.confusion);
    expect(warningsOf(scored)).not.toContain('leaked_tool_markup');
  }, 60_000);

  it('says so when the server takes the special tokens out', async () => {
    const { url } = await simulator();
    const { report } = await run(url, BY_TEXT, {
      limit: 30,
      extraBody: { skip_special_tokens: null },
    });
    expect(valuesOf(report)['count_finish_reason_tool_calls']).toBe(0);
    expect(warningsOf(report)).toContain('stripped_markup');
    expect(report.benchmarks[0]?.examples[0]?.kind).toBe('stripped_markup');
  }, 60_000);
});

async function terminal(words: readonly string[]): Promise<{ code: number; said: string }> {
  const said: string[] = [];
  const output = { write: (text: string) => said.push(text) > 0 };
  const code = await runTerminal(words, {
    env: {},
    signal: new AbortController().signal,
    stdout: output,
    stderr: output,
  });
  return { code, said: said.join('') };
}

test('plan says that the figures are not comparable', async () => {
  const sets = Object.entries(BY_TEXT).flatMap(([key, value]) => [
    '--set',
    `k2_verifier.${key}=${value}`,
  ]);
  const { code, said } = await terminal([
    'plan',
    '--datasets',
    'k2_verifier',
    '--endpoint',
    'http://127.0.0.1:1/v1',
    '--model',
    'm',
    ...sets,
  ]);
  expect(said).toContain('not comparable with published figures: api: completions sends prompts');
  expect(code).toBe(0);
}, 60_000);

describe('an endpoint without /completions', () => {
  test.each<[string, number, Json]>([
    ['an unknown path', 404, { detail: 'Not Found' }],
    [
      'a model that is only served by chat',
      404,
      {
        error: {
          message: 'This is a chat model and not supported in the v1/completions endpoint.',
          param: 'model',
        },
      },
    ],
  ])(
    '%s: stops at once, and says which option to change',
    async (_name, status, body) => {
      const server = await startHostile((response) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      });
      open.push(server);
      const { report } = await run(server.url, BY_TEXT, { concurrency: 1 });
      expect(server.received).toHaveLength(1);
      expect(report.verdict).toBe('error');
      expect(report.stopped).toMatchObject({
        kind: 'configuration',
        message: 'Stopped: the endpoint does not serve /completions for this model (404).',
        advice: expect.stringContaining('`api: chat`'),
      });
    },
    60_000,
  );

  test('a refusal that names the field we add says how to leave it out', async () => {
    const server = await startHostile((response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end('{"detail":"Extra inputs are not permitted, field: skip_special_tokens"}');
    });
    open.push(server);
    const { report } = await run(server.url, BY_TEXT);
    expect(report.stopped?.advice).toContain('"skip_special_tokens": null');
  }, 60_000);
});
