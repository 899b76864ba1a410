import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, test } from '@jest/globals';
import { k2Verifier } from '../../../src/benchmarks/k2-verifier/index.js';
import type { OpenContext, Opened, RequestSettings, Subset } from '../../../src/model/benchmark.js';
import type { Reply } from '../../../src/model/completion.js';
import { ConfigError, type Problem } from '../../../src/model/errors.js';
import type { JsonObject } from '../../../src/model/json.js';
import { untrusted } from '../../../src/text/untrusted.js';
import { downloadsIn } from '../../support/downloads.js';
import { completionOf, SETTINGS } from '../../support/k2.js';
import { tempDir } from '../../support/temp-dir.js';

interface Case {
  readonly rows?: readonly (object | string)[];
  readonly labels?: readonly (object | string)[];
  readonly options?: JsonObject;
  readonly subset?: string;
  readonly request?: Partial<RequestSettings>;
}

const MESSAGES = [{ role: 'user', content: 'x' }];
const HOSTED = { messages: JSON.stringify(MESSAGES), tools: '[]', should_call_tool: true };
const REQUEST = {
  model: 'k',
  messages: MESSAGES,
  max_tokens: 16000,
  temperature: 0.6,
  stream: true,
};

const lines = (rows: readonly (object | string)[]): string =>
  rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join('');

function subsetOf(name: string): Subset {
  const subset = k2Verifier.spec.subsets.find((each) => each.name === name);
  if (subset === undefined) throw new Error(name);
  return subset;
}

async function open(
  given: Case,
): Promise<{ opened: Opened<unknown, unknown>; notes: string[]; dir: string }> {
  const dir = tempDir();
  const options: Record<string, JsonObject[string]> = { ...given.options };
  if (given.rows !== undefined) {
    const path = join(dir, 'rows.jsonl');
    writeFileSync(path, lines(given.rows));
    options['source'] ??= path;
  }
  if (given.labels !== undefined) {
    const path = join(dir, 'labels.jsonl');
    writeFileSync(path, lines(given.labels));
    options['labels'] ??= path;
  }
  const notes: string[] = [];
  const ctx: OpenContext = {
    subset: subsetOf(given.subset ?? 'k2_thinking'),
    request: { ...SETTINGS, ...given.request },
    clock: { now: () => 0, elapsed: () => 0, sleep: async () => {} },
    signal: new AbortController().signal,
    env: {},
    scratch: dir,
    downloads: downloadsIn(dir),
    note: (text) => notes.push(text.replaceAll(dir, 'DIR')),
  };
  const opened = (await k2Verifier.open(options, ctx)) as Opened<unknown, unknown>;
  return { opened, notes, dir };
}

async function problemsOf(given: Case): Promise<readonly Problem[]> {
  const error = await open(given).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConfigError);
  return (error as ConfigError).problems;
}

/** The official decisions by id, as scoring sees them. */
async function decisions(opened: Opened): Promise<[string, boolean][]> {
  const all: [string, boolean][] = [];
  for (const { id } of opened.keys) {
    const { official } = (await opened.load(id)) as { official: { triggered: boolean } };
    all.push([id, official.triggered]);
  }
  return all;
}

const record = (index: number, finishReason: string | null, more: object = {}): object => ({
  data_index: index,
  finish_reason: finishReason,
  status: 'success',
  response: { choices: [{ finish_reason: finishReason, message: { content: `answer ${index}` } }] },
  ...more,
});

describe('opening', () => {
  it('numbers rows by their line', async () => {
    const { opened } = await open({
      rows: ['', HOSTED, '', { ...HOSTED, should_call_tool: false }],
    });
    expect(opened.keys).toEqual([
      { id: '2', group: '2' },
      { id: '4', group: '4' },
    ]);
    expect(opened.dataset.rows).toBe(2);
    expect(await decisions(opened)).toEqual([
      ['2', true],
      ['4', false],
    ]);
    await opened.close();
  });

  it('joins labels by data_index, whatever their order, the last successful record of a row counting', async () => {
    const { opened } = await open({
      rows: [REQUEST, '', REQUEST, REQUEST],
      labels: [
        record(4, 'length'),
        record(3, 'stop'),
        record(99, 'tool_calls'),
        '',
        record(1, 'tool_calls'),
        record(3, 'tool_calls'),
        record(3, null, { status: 'failed' }),
      ],
    });
    expect(await decisions(opened)).toEqual([
      ['1', true],
      ['3', true],
      ['4', false],
    ]);
    expect(await opened.load('4')).toMatchObject({
      official: { triggered: false, finishReason: 'length', content: 'answer 4', calls: [] },
    });
    await opened.close();
  });

  it('reads the decision of a label from the response where the record itself lacks it', async () => {
    const choice = {
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ function: { name: 'f', arguments: '{}' } }] },
    };
    const { opened } = await open({
      rows: [REQUEST],
      labels: [{ data_index: 1, response: { choices: [choice] } }],
    });
    expect(await opened.load('1')).toMatchObject({
      official: { triggered: true, calls: [{ name: 'f', arguments: '{}' }] },
    });
    await opened.close();
  });

  it('takes the calls of labels that decide alike where the row records none', async () => {
    const calls = (q: string) => [
      { function: { name: 'search', arguments: JSON.stringify({ q }) } },
    ];
    const called = (index: number) => {
      const message = { content: null, tool_calls: calls('labels') };
      return record(index, 'tool_calls', { response: { choices: [{ message }] } });
    };
    const { opened } = await open({
      rows: [
        { ...HOSTED, official_finish_reason: 'tool_calls' },
        { ...HOSTED, official_tool_calls: calls('row') },
        { ...HOSTED, should_call_tool: false },
        HOSTED,
      ],
      labels: [called(1), called(2), called(3)],
    });
    const known = async (id: string): Promise<unknown> =>
      ((await opened.load(id)) as { official: unknown }).official;
    const official = { triggered: true, finishReason: null, content: null };
    const search = (q: string) => [{ name: 'search', arguments: JSON.stringify({ q }) }];
    expect(await known('1')).toEqual({
      ...official,
      finishReason: 'tool_calls',
      calls: search('labels'),
    });
    expect(await known('2')).toEqual({ ...official, calls: search('row') });
    expect(await known('3')).toEqual({ ...official, triggered: false, calls: [] });
    expect(await known('4')).toEqual({ ...official, calls: [] });
  });

  it('lets the row’s own decision stand against the labels, and says so', async () => {
    const { opened, notes } = await open({
      rows: [HOSTED, { ...HOSTED, should_call_tool: false }],
      labels: [record(1, 'stop'), record(2, 'stop')],
    });
    expect(await decisions(opened)).toEqual([
      ['1', true],
      ['2', false],
    ]);
    expect(notes).toEqual([
      "The official decision in the row differs from the labels file in 1 row: 1. The row's own was used.",
    ]);
    await opened.close();
  });

  it('takes a packed file, records the digest of the packed bytes, and leaves nothing behind', async () => {
    const dir = tempDir();
    const packed = gzipSync(lines([HOSTED]));
    const source = join(dir, 'rows.jsonl.gz');
    writeFileSync(source, packed);
    const sha256 = createHash('sha256').update(packed).digest('hex');
    const { opened, dir: scratch } = await open({ options: { source, sha256 } });
    expect(opened.dataset).toEqual({ source, sha256, rows: 1, synthetic: false });
    await opened.load('1');
    await opened.close();
    expect(readdirSync(scratch)).toEqual([]);
  });

  it('says which rows are changed before they are sent', async () => {
    const broken = { role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: '{' } }] };
    const rows = [
      HOSTED,
      { messages: [{ role: '_input' }, broken], should_call_tool: false },
      HOSTED,
    ];
    const changed = { rows: [...rows, rows[1] ?? {}] };
    const sanitized = await open(changed);
    expect(sanitized.notes).toEqual([
      'Role _input is sent as system in 2 rows of the data set (results.jsonl names those run under `vendor_gate`): 2, 4.',
      'Tool-call arguments in the history that are not JSON are sent as {} in 2 rows of the data set (results.jsonl names those run under `vendor_gate`): 2, 4.',
    ]);
    await sanitized.opened.close();
    const raw = await open({ ...changed, options: { 'history-arguments': 'raw' } });
    expect(raw.notes[1]).toBe(
      'Tool-call arguments in the history are not JSON and are sent as they are in 2 rows of the data set: 2, 4.',
    );
    await raw.opened.close();
  });

  it('opens the built-in set', async () => {
    const { opened } = await open({ options: { source: 'synthetic' } });
    expect(opened.dataset).toMatchObject({ source: 'synthetic', synthetic: true });
    expect(opened.dataset.rows).toBeGreaterThanOrEqual(60);
    expect(opened.notComparable).toEqual(['the data set is the built-in one, made by hand']);
    await opened.close();
  });
});

describe('what cannot be used', () => {
  it('a missing file', async () => {
    expect(await problemsOf({ options: { source: '/no/such' } })).toMatchObject([
      { where: 'datasets.k2_verifier.source', what: 'there is no file /no/such.' },
    ]);
    expect(
      await problemsOf({ options: { source: '/no/rows', labels: '/no/labels' } }),
    ).toMatchObject([
      { where: 'datasets.k2_verifier.source', what: 'there is no file /no/rows.' },
      { where: 'datasets.k2_verifier.labels', what: 'there is no file /no/labels.' },
    ]);
    expect(await problemsOf({ rows: [REQUEST], options: { labels: '/no/such' } })).toMatchObject([
      { where: 'datasets.k2_verifier.labels', what: 'there is no file /no/such.' },
    ]);
  });

  it('another digest than the pin', async () => {
    const [problem] = await problemsOf({ rows: [HOSTED], options: { sha256: '0'.repeat(64) } });
    expect(problem?.where).toBe('datasets.k2_verifier.source');
    expect(problem?.what).toContain(`but ${'0'.repeat(64)} was asked for`);
  });

  it('malformed rows, all named with their line', async () => {
    const problems = await problemsOf({
      rows: [
        HOSTED,
        '{',
        '',
        { messages: [] },
        REQUEST,
        { ...HOSTED, official_finish_reason: 'stop' },
      ],
    });
    expect(problems.map(({ where, what }) => [where.replace(/.*rows/, 'rows'), what])).toEqual([
      ['rows.jsonl, line 2', 'is not valid JSON (the text ends too early at offset 1).'],
      ['rows.jsonl, line 4', 'has no `messages`.'],
      [
        'rows.jsonl, line 5',
        'has no official decision (`should_call_tool` or `official_finish_reason`), and no `labels` file is given.',
      ],
      [
        'rows.jsonl, line 6',
        'contradicts itself: `should_call_tool` is true, `official_finish_reason` is "stop".',
      ],
    ]);
    for (const { fix } of problems) expect(fix).toContain('on-bad-row: skip');
  });

  it('many malformed rows: the first ten and how many more', async () => {
    const problems = await problemsOf({ rows: Array.from({ length: 25 }, () => '{') });
    expect(problems).toHaveLength(11);
    expect(problems[10]?.what).toBe('15 more rows cannot be used.');
  });

  it('a file of blank lines', async () => {
    expect(await problemsOf({ rows: ['', ' ', ''] })).toMatchObject([
      { what: expect.stringMatching(/has no rows\.$/) },
    ]);
  });

  test.each<[string, (object | string)[], string]>([
    ['not JSON', [record(1, 'stop'), '{'], 'line 2 of DIR/labels.jsonl is not valid JSON.'],
    ['no index', [{ finish_reason: 'stop' }], 'line 1 of DIR/labels.jsonl is no result record'],
    ['index no number', [{ data_index: '1' }], 'line 1 of DIR/labels.jsonl is no result record'],
    ['index 0', [{ data_index: 0 }], 'line 1 of DIR/labels.jsonl is no result record'],
    [
      'of another data set',
      [record(7, 'stop')],
      'no record of DIR/labels.jsonl belongs to a row of the data set.',
    ],
  ])('labels: %s', async (_name, labels, expected) => {
    const [problem] = await problemsOf({ rows: [REQUEST], labels });
    expect(problem?.where).toBe('datasets.k2_verifier.labels');
    expect(problem?.what.replace(/\/\S*\/labels/, 'DIR/labels')).toContain(expected);
  });

  it('rows that the labels do not cover', async () => {
    const problems = await problemsOf({
      rows: [REQUEST, REQUEST, REQUEST],
      labels: [record(1, 'stop'), record(3, null, { status: 'failed' })],
    });
    expect(problems.map(({ what }) => what)).toEqual([
      'has no official decision: the labels file has no successful record with data_index 2.',
      'has no official decision: the labels file has no successful record with data_index 3.',
    ]);
  });

  it('rows nested beyond all reason, when they are loaded', async () => {
    const deep = `{"messages":[{"role":"user","content":${'['.repeat(2000)}${']'.repeat(2000)}}],"should_call_tool":true}`;
    const { opened } = await open({ rows: [deep] });
    await expect(opened.load('1')).rejects.toThrow(ConfigError);
    await opened.close();
  });
});

describe('on-bad-row: skip', () => {
  it('leaves malformed rows out, notes them, and says that figures do not compare', async () => {
    const { opened, notes } = await open({
      rows: ['{', HOSTED, REQUEST, HOSTED],
      options: { 'on-bad-row': 'skip' },
    });
    expect(opened.keys.map(({ id }) => id)).toEqual(['2', '4']);
    expect(notes).toEqual([
      '2 rows left out as malformed: 1, 3. The first: DIR/rows.jsonl, line 1 is not valid JSON (the text ends too early at offset 1).',
    ]);
    expect(opened.notComparable).toEqual(['2 malformed rows were left out']);
    await expect(opened.load('1')).rejects.toThrow('row 1 is not in the data set');
    await opened.close();
  });

  it('still refuses a file without one good row', async () => {
    expect(await problemsOf({ rows: ['{'], options: { 'on-bad-row': 'skip' } })).toHaveLength(1);
  });
});

describe('what an opened data set says', () => {
  test.each<[string, Case, readonly (number | null)[]]>([
    ['published', { rows: [HOSTED] }, [64000]],
    [
      'from the row',
      { rows: [{ ...HOSTED, max_tokens: 500 }, HOSTED], subset: 'k2_0905' },
      [500, null],
    ],
    ['from the config', { rows: [{ ...HOSTED, max_tokens: 500 }], request: { maxTokens: 7 } }, [7]],
    ['from extra-body', { rows: [HOSTED], request: { extraBody: { max_tokens: 9 } } }, [9]],
  ])('token ceiling: %s', async (_name, given, expected) => {
    const { opened } = await open(given);
    expect(opened.keys.map(({ id }) => opened.ceiling(id))).toEqual(
      expected.map((tokens) => ({ requests: 1, tokens })),
    );
    await opened.close();
  });

  test.each<[string, Case, string[]]>([
    [
      'as published',
      { request: { extraBody: { provider: { only: ['x'] }, user: 'u' }, thinking: 'on' } },
      [],
    ],
    ['the published value set by hand', { request: { temperature: 1, maxTokens: 64000 } }, []],
    [
      'other sampling',
      { request: { temperature: 0.2, maxTokens: 100 } },
      [
        'temperature 0.2 instead of the published 1',
        'max_tokens 100 instead of the published 64000',
      ],
    ],
    [
      'other max_tokens where none is published',
      { subset: 'k2_0905', request: { maxTokens: 100 } },
      ["max_tokens 100 instead of the row's own"],
    ],
    [
      'extra-body',
      { request: { extraBody: { top_p: 0.5, tool_choice: 'required' } } },
      ['extra-body sets top_p', 'extra-body sets tool_choice'],
    ],
    [
      'the published values in extra-body',
      { request: { extraBody: { temperature: 1, max_tokens: 64000 } } },
      [],
    ],
    [
      'other sampling in extra-body',
      {
        request: { extraBody: { temperature: 0.2, max_tokens: 100, max_completion_tokens: 64000 } },
      },
      [
        'extra-body sets temperature',
        'extra-body sets max_tokens',
        'extra-body sets max_completion_tokens',
      ],
    ],
    [
      'max_tokens in extra-body where none is published',
      { subset: 'k2_0905', request: { extraBody: { max_tokens: 16000, temperature: null } } },
      ['extra-body sets max_tokens', 'extra-body sets temperature'],
    ],
    ...[
      { thinking: { type: 'disabled' } },
      { thinking: { type: 'enabled' } },
      { chat_template_kwargs: { thinking: false } },
      { enable_thinking: false },
      { thinking_budget: 0 },
      { reasoning_effort: 'none' },
      { reasoning: { enabled: false } },
    ].map((extraBody): [string, Case, string[]] => [
      `thinking by way of extra-body: ${JSON.stringify(extraBody)}`,
      { request: { extraBody } },
      [`extra-body sets ${Object.keys(extraBody).join()}`],
    ]),
    ['no thinking', { request: { thinking: 'off' } }, ['thinking is switched off']],
    ['no thinking where there is none', { subset: 'k2_0905', request: { thinking: 'off' } }, []],
    [
      'options',
      { options: { 'tool-call-ids': 'functions', 'tool-strict': true } },
      [
        'tool-call-ids: functions rewrites the history',
        'tool-strict: true asks for guided decoding',
      ],
    ],
  ])('not comparable: %s', async (_name, given, expected) => {
    const { opened } = await open({ rows: [HOSTED], ...given });
    expect(opened.notComparable).toEqual(expected);
    await opened.close();
  });

  it('fingerprints what changes requests or scores, flat', async () => {
    const { opened } = await open({
      rows: [HOSTED],
      subset: 'k2_0905',
      request: { extraBody: { secret: 's3cret' } },
    });
    const { settings } = opened.fingerprint;
    expect(settings).toEqual({
      dataset: opened.dataset.sha256,
      labels: null,
      model: 'm',
      temperature: 0.6,
      max_tokens: 'as in the row',
      stream: true,
      thinking: 'default',
      thinking_style: 'kimi',
      extra_body: expect.stringMatching(/^sha256:[0-9a-f]{16}$/),
      'history-arguments': 'sanitize',
      'tool-call-ids': 'keep',
      'tool-strict': false,
      api: 'chat',
      'chat-template': null,
    });
    expect(JSON.stringify(opened.fingerprint)).not.toContain('s3cret');
    await opened.close();
  });

  test.each<[string, Case]>([
    ['model', { request: { model: 'other' } }],
    ['temperature', { request: { temperature: 0.5 } }],
    ['max_tokens', { request: { maxTokens: 5 } }],
    ['stream', { request: { stream: false } }],
    ['thinking', { request: { thinking: 'off' } }],
    ['extra_body', { request: { extraBody: { a: 1 } } }],
    ['history-arguments', { options: { 'history-arguments': 'raw' } }],
    ['tool-call-ids', { options: { 'tool-call-ids': 'functions' } }],
    ['tool-strict', { options: { 'tool-strict': true } }],
    ['labels', { labels: [record(1, 'stop')] }],
    ['dataset', { rows: [HOSTED, HOSTED] }],
  ])('another %s is another fingerprint', async (key, given) => {
    const [one, other] = [await open({ rows: [HOSTED] }), await open({ rows: [HOSTED], ...given })];
    const [a, b] = [one.opened.fingerprint, other.opened.fingerprint];
    expect(a.digest).not.toBe(b.digest);
    const differing = Object.keys(a.settings).filter(
      (name) => JSON.stringify(a.settings[name]) !== JSON.stringify(b.settings[name]),
    );
    expect(differing).toEqual([key]);
    await one.opened.close();
    await other.opened.close();
  });

  it('is the same for the same settings, wherever the file lies', async () => {
    const [one, other] = [await open({ rows: [HOSTED] }), await open({ rows: [HOSTED] })];
    expect(one.opened.fingerprint).toEqual(other.opened.fingerprint);
    await one.opened.close();
    await other.opened.close();
  });
});

describe('observing', () => {
  const completion = completionOf('stop');
  test.each<[string, Reply, object]>([
    [
      'an answer',
      { kind: 'completion', completion },
      { kind: 'measured', payload: { kind: 'completion', completion } },
    ],
    [
      'a refusal',
      { kind: 'refused', status: 422, body: untrusted('no') },
      { kind: 'measured', payload: { kind: 'refused', status: 422, body: 'no' } },
    ],
    [
      'a failure',
      { kind: 'failed', cause: 'quota', status: 402, detail: untrusted('pay') },
      { kind: 'unmeasured', cause: 'quota', detail: 'pay' },
    ],
  ])('%s', async (_name, reply, expected) => {
    const { opened } = await open({ rows: [HOSTED] });
    const sample = await opened.load('1');
    const sent: object[] = [];
    const outcome = await opened.observe(sample, {
      async send(request) {
        sent.push(request);
        return reply;
      },
      signal: new AbortController().signal,
      clock: { now: () => 0, elapsed: () => 0, sleep: async () => {} },
    });
    expect(outcome).toEqual(expected);
    const { body } = sample as { body: string };
    expect(sent).toEqual([{ path: '/chat/completions', body, stream: true }]);
    await opened.close();
  });
});

it('has options that are documented and default to what they say', () => {
  const { optionsSchema } = k2Verifier.spec;
  const { properties } = optionsSchema as { properties: Record<string, { description?: string }> };
  expect(Object.keys(properties)).toEqual([
    'source',
    'labels',
    'sha256',
    'on-bad-row',
    'history-arguments',
    'tool-call-ids',
    'tool-strict',
    'api',
    'chat-template',
  ]);
  for (const { description } of Object.values(properties)) expect(description).toMatch(/\.$/);
  expect(
    readFileSync(new URL('../../../datasets/k2-synthetic.jsonl', import.meta.url)).length,
  ).toBeGreaterThan(0);
});
