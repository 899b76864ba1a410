import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from '@jest/globals';
import { k2Verifier } from '../../../src/benchmarks/k2-verifier/index.js';
import type { Payload, Sample } from '../../../src/benchmarks/k2-verifier/sample.js';
import type { Opened, RequestSettings, Subset } from '../../../src/model/benchmark.js';
import type { Completion } from '../../../src/model/completion.js';
import type { Json, JsonObject } from '../../../src/model/json.js';
import type { Observation } from '../../../src/model/observation.js';
import { untrusted } from '../../../src/text/untrusted.js';
import { downloadsIn } from '../../support/downloads.js';
import { callOf, completionOf, EXCHANGE, GOOD_CALL, SETTINGS } from '../../support/k2.js';
import { tempDir } from '../../support/temp-dir.js';

const TOOLS =
  '[{"type": "function", "function": {"name": "search", "parameters": {"type": "object", "properties": {"q": {"type": "string"}}}}}]';
const ROW = JSON.stringify({
  messages: '[{"role": "_input", "content": "1.0"},\n {"role": "user", "content": "é"}]',
  tools: TOOLS,
  should_call_tool: true,
});
const RUN = { startedAt: Date.UTC(2026, 0, 1), finishedAt: Date.UTC(2026, 0, 1, 0, 1), model: 'm' };
const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

async function open(
  rows: number,
  request: Partial<RequestSettings> = {},
): Promise<Opened<Sample, Payload>> {
  const scratch = tempDir();
  const source = join(scratch, 'rows.jsonl');
  writeFileSync(source, `${ROW}\n`.repeat(rows));
  return (await k2Verifier.open(
    { source },
    {
      subset: k2Verifier.spec.subsets[0] as Subset,
      request: { ...SETTINGS, ...request },
      clock: { now: () => 0, elapsed: () => 0, sleep: async () => {} },
      signal: new AbortController().signal,
      env: {},
      scratch,
      downloads: downloadsIn(scratch),
      note: () => {},
    },
  )) as Opened<Sample, Payload>;
}

type What =
  | Partial<Completion>
  | { status: number; body: string }
  | { cause: 'timeout'; detail: string };

function observationOf(id: number, what: What): Observation<Payload> {
  const frame = {
    id: String(id),
    attempt: 1,
    startedAt: Date.UTC(2026, 0, 2, 3, 4, 5),
    durationMs: 1500,
    exchanges: [EXCHANGE],
  };
  if ('cause' in what) {
    return { kind: 'unmeasured', cause: what.cause, detail: untrusted(what.detail), ...frame };
  }
  const payload: Payload =
    'status' in what
      ? { kind: 'refused', status: what.status, body: untrusted(what.body) }
      : { kind: 'completion', completion: completionOf('stop', what) };
  return { kind: 'measured', payload, ...frame };
}

async function write(
  what: readonly What[],
  request: Partial<RequestSettings> = {},
): Promise<{
  records: JsonObject[];
  text: string;
  summary: JsonObject;
  dir: string;
  paths: readonly string[];
  opened: Opened<Sample, Payload>;
}> {
  const opened = await open(what.length, request);
  const dir = tempDir();
  async function* observations(): AsyncIterable<Observation<Payload>> {
    for (const [index, each] of what.entries()) yield observationOf(index + 1, each);
  }
  const paths = await opened.writeFiles(dir, observations, RUN);
  const text = readFileSync(join(dir, 'results.jsonl'), 'utf8');
  const records = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject);
  const summary = JSON.parse(readFileSync(join(dir, 'summary.json'), 'utf8')) as JsonObject;
  return { records, text, summary, dir, paths, opened };
}

const FIELDS = [
  'data_index',
  'request',
  'extra_body',
  'response',
  'status',
  'finish_reason',
  'tool_calls_valid',
  'last_run_at',
  'duration_ms',
  'hash',
];

describe('results.jsonl', () => {
  it('has K2VV’s fields, in its order', async () => {
    const { records, text, paths, dir, opened } = await write([
      { finishReason: 'tool_calls', content: null, toolCalls: [GOOD_CALL], reasoning: 'hm' },
    ]);
    const [record] = records;
    // The row was changed (_input), which K2VV has no field for.
    expect(Object.keys(record ?? {})).toEqual([...FIELDS, 'vendor_gate']);
    expect(record).toMatchObject({
      data_index: 1,
      extra_body: {},
      response: {
        id: 'c-1',
        object: 'chat.completion',
        created: 1_700_000_000,
        model: 'm',
        choices: [
          {
            index: 0,
            message: {
              role: 'assistant',
              content: '',
              tool_calls: [
                {
                  id: 'functions.search:0',
                  type: 'function',
                  function: { name: 'search', arguments: '{"q":"x"}' },
                },
              ],
              reasoning_content: 'hm',
            },
            finish_reason: 'tool_calls',
          },
        ],
        usage: USAGE,
      },
      status: 'success',
      finish_reason: 'tool_calls',
      tool_calls_valid: true,
      last_run_at: '2026-01-02T03:04:06.500Z',
      duration_ms: 1500,
      vendor_gate: { changed: ['input_role'] },
    });
    // Computed with Python: md5 of json.dumps(request, sort_keys=True, ensure_ascii=False).
    expect(record?.['hash']).toBe('4e1579826186af68cf42a7918221b036');
    // The request is K2VV's own: no stream that the row does not ask for, text of the row untouched.
    expect(text).toContain(
      `"request":{"messages":[{"role": "system", "content": "1.0"},  {"role": "user", "content": "é"}],"tools":${TOOLS},"model":"m","temperature":1.0,"max_tokens":64000},`,
    );
    expect(paths).toEqual([join(dir, 'results.jsonl'), join(dir, 'summary.json')]);
    expect(readdirSync(dir).sort()).toEqual(['results.jsonl', 'summary.json']);
    await opened.close();
  });

  test.each<[string, What, JsonObject]>([
    ['stop', {}, { status: 'success', finish_reason: 'stop', tool_calls_valid: null }],
    [
      'another reason, as it came',
      { finishReason: 'length' },
      { finish_reason: 'length', tool_calls_valid: null },
    ],
    [
      'calls without finish_reason',
      { toolCalls: [GOOD_CALL] },
      { finish_reason: 'stop', tool_calls_valid: null },
    ],
    [
      'tool_calls without calls',
      { finishReason: 'tool_calls' },
      { finish_reason: 'tool_calls', tool_calls_valid: null },
    ],
    [
      'tool_calls with an empty list',
      { finishReason: 'tool_calls', toolCalls: [] },
      { finish_reason: 'tool_calls', tool_calls_valid: null },
    ],
    [
      'an invalid call of two',
      { finishReason: 'tool_calls', toolCalls: [GOOD_CALL, callOf('open', '{}')] },
      {
        status: 'success',
        tool_calls_valid: false,
        vendor_gate: {
          changed: ['input_role'],
          invalid_calls: [
            { call: 1, reason: 'unknown_tool', detail: expect.any(String) as unknown as Json },
          ],
        },
      },
    ],
    [
      'no answer',
      { cause: 'timeout', detail: 'after 600 s' },
      {
        status: 'failed',
        finish_reason: null,
        tool_calls_valid: null,
        response: { error_type: 'timeout', error_message: 'after 600 s', error: 'after 600 s' },
      },
    ],
    [
      'a refusal',
      { status: 400, body: '{"error":"x"}' },
      {
        status: 'failed',
        finish_reason: null,
        tool_calls_valid: null,
        response: {
          error_type: 'BadRequestError',
          error_message: 'Error code: 400 - {"error":"x"}',
          error: 'Error code: 400 - {"error":"x"}',
        },
      },
    ],
  ])('%s', async (_name, what, expected) => {
    const { records, opened } = await write([what]);
    expect(records[0]).toMatchObject(expected);
    expect(Object.keys(records[0] ?? {}).slice(0, FIELDS.length)).toEqual(FIELDS);
    await opened.close();
  });

  test.each<[string, Partial<Completion>, JsonObject]>([
    [
      'no content of a stream is ""',
      { content: null },
      { role: 'assistant', content: '', tool_calls: null },
    ],
    [
      'an empty list of calls is null',
      { toolCalls: [] },
      { role: 'assistant', content: 'text', tool_calls: null },
    ],
    [
      'empty reasoning is left out',
      { reasoning: '' },
      { role: 'assistant', content: 'text', tool_calls: null },
    ],
  ])('message: %s', async (_name, what, expected) => {
    const { records, opened } = await write([what]);
    expect(messageOf(records[0])).toEqual(expected);
    await opened.close();
  });

  it('keeps null content of a whole body, arguments that are an object, and missing usage', async () => {
    const call = callOf('search', { q: 1 });
    const { records, opened } = await write(
      [{ finishReason: 'tool_calls', content: null, toolCalls: [call], usage: null, model: null }],
      { stream: false },
    );
    expect(messageOf(records[0])).toMatchObject({
      content: null,
      tool_calls: [{ function: { name: 'search', arguments: { q: 1 } } }],
    });
    expect(records[0]?.['response']).toMatchObject({ usage: null, model: 'm' });
    await opened.close();
  });

  it('names the extra body and leaves it out of request and hash', async () => {
    const plain = await write([{}]);
    const extra = await write([{}], { extraBody: { top_p: 0.9 }, thinking: 'off' });
    expect(extra.records[0]?.['extra_body']).toEqual({
      thinking: { type: 'disabled' },
      top_p: 0.9,
    });
    expect(extra.records[0]?.['request']).toEqual(plain.records[0]?.['request']);
    expect(extra.records[0]?.['hash']).toBe(plain.records[0]?.['hash']);
    await plain.opened.close();
    await extra.opened.close();
  });

  it('has one line a record whatever the vendor sends', async () => {
    const { records, opened } = await write([{ content: 'a\nb\u2028c\r"\ud800' }, {}]);
    expect(records).toHaveLength(2);
    expect(messageOf(records[0])).toMatchObject({ content: 'a\nb\u2028c\r"\ud800' });
    await opened.close();
  });
});

function messageOf(record: JsonObject | undefined): Json | undefined {
  const response = record?.['response'] as { choices: [{ message: Json }] } | undefined;
  return response?.choices[0].message;
}

describe('summary.json', () => {
  it('counts as K2VV does', async () => {
    const triggered = { finishReason: 'tool_calls', content: null };
    const { summary, opened } = await write([
      { ...triggered, toolCalls: [GOOD_CALL] },
      { ...triggered, toolCalls: [GOOD_CALL, GOOD_CALL] },
      { ...triggered, toolCalls: [callOf('search', '{')] },
      triggered,
      {},
      { usage: null },
      { finishReason: 'length' },
      { finishReason: 'length' },
      { finishReason: '__proto__' },
      { cause: 'timeout', detail: '' },
      { status: 422, body: '' },
    ]);
    expect(Object.keys(summary)).toEqual([
      'model',
      'success_count',
      'failure_count',
      'finish_stop',
      'finish_tool_calls',
      'finish_others',
      'finish_others_detail',
      'schema_validation_error_count',
      'successful_tool_call_count',
      'usage',
      'eval_started_at',
      'eval_finished_at',
      'eval_duration_ms',
    ]);
    const { finish_others_detail: others, ...rest } = summary;
    expect(rest).toEqual({
      model: 'm',
      success_count: 9,
      failure_count: 2,
      finish_stop: 2,
      finish_tool_calls: 4,
      finish_others: 3,
      schema_validation_error_count: 2,
      successful_tool_call_count: 2,
      // eight answers with usage
      usage: { prompt_tokens: 80, completion_tokens: 40, total_tokens: 120 },
      eval_started_at: '2026-01-01T00:00:00.000Z',
      eval_finished_at: '2026-01-01T00:01:00.000Z',
      eval_duration_ms: 60_000,
    });
    expect(Object.entries(others as JsonObject)).toEqual([
      ['length', 2],
      ['__proto__', 1],
    ]);
    await opened.close();
  });

  it('tells a hundred finish reasons apart and counts the rest together', async () => {
    const reasons = Array.from({ length: 150 }, (_, at) => `r${at}`);
    const what = [...reasons, 'stop', 'tool_calls', 'r5', 'r149', '__proto__'];
    const { summary, records } = await write(what.map((finishReason) => ({ finishReason })));
    const detail = summary['finish_others_detail'] as Record<string, number>;
    expect(Object.keys(detail)).toHaveLength(101);
    expect(detail).toMatchObject({ r0: 1, r5: 2, r99: 1, '(further values)': 52 });
    expect(summary).toMatchObject({ finish_stop: 1, finish_tool_calls: 1, finish_others: 153 });
    expect(records.map((record) => record['finish_reason'])).toEqual(what);
  });

  it('is written for a run without samples too', async () => {
    const opened = await open(1);
    const dir = tempDir();
    await opened.writeFiles(dir, async function* () {}, RUN);
    expect(readFileSync(join(dir, 'results.jsonl'), 'utf8')).toBe('');
    expect(JSON.parse(readFileSync(join(dir, 'summary.json'), 'utf8'))).toMatchObject({
      success_count: 0,
      finish_tool_calls: 0,
    });
    await opened.close();
  });
});

describe('a record read back', () => {
  test.each<[string, What]>([
    [
      'valid calls',
      { finishReason: 'tool_calls', content: '', toolCalls: [GOOD_CALL], reasoning: 'hm' },
    ],
    [
      'calls of an object',
      { finishReason: 'tool_calls', content: '', toolCalls: [callOf('search', { q: 1 })] },
    ],
    ['no calls', { finishReason: 'tool_calls', content: '' }],
    ['another reason', { finishReason: 'stop_163586' }],
    ['a refusal', { status: 413, body: 'too long' }],
    ['a refusal without words', { status: 422, body: '' }],
    ['no answer', { cause: 'timeout', detail: 'after 600 s' }],
  ])('scores as before: %s', async (_name, what) => {
    const { records, opened } = await write([what]);
    const sample = await opened.load('1');
    const before = observationOf(1, what);
    const after = opened.readRecord?.(records[0] ?? null, 1);
    expect(after).toMatchObject({
      kind: before.kind,
      id: '1',
      startedAt: before.startedAt,
      durationMs: 1500,
    });
    expect(opened.score(sample, after as Observation<Payload>)).toEqual(
      opened.score(sample, before),
    );
    await opened.close();
  });

  it('keeps cause and words of a failure', async () => {
    const { records, opened } = await write([{ cause: 'timeout', detail: 'after 600 s' }]);
    expect(opened.readRecord?.(records[0] ?? null, 1)).toMatchObject({
      cause: 'timeout',
      detail: 'after 600 s',
    });
    await opened.close();
  });
});

describe('the files of shards', () => {
  const SUMS = { startedAt: 0, finishedAt: 9000, model: 'm' };
  const record = (index: number, more: JsonObject): string =>
    `${JSON.stringify({ data_index: index, request: {}, status: 'success', ...more })}\n`;
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const called = {
    finish_reason: 'tool_calls',
    tool_calls_valid: true,
    response: { usage },
  };
  const invalid = { finish_reason: 'tool_calls', tool_calls_valid: false, response: { usage } };
  const cut = { finish_reason: 'length', tool_calls_valid: null, response: { usage: null } };
  const failed = { status: 'failed', finish_reason: null, tool_calls_valid: null, response: {} };

  async function merge(texts: readonly (string | null)[]) {
    const dir = tempDir();
    const shards = texts.map((text) => {
      const shard = tempDir();
      if (text !== null) writeFileSync(join(shard, 'results.jsonl'), text);
      return shard;
    });
    const merged = await k2Verifier.mergeFiles?.(dir, shards, SUMS);
    return { dir, shards, merged };
  }

  test('become one, by data_index, with the summary of all records', async () => {
    const [one, two] = [
      record(2, called) + record(4, failed) + record(10, cut),
      record(1, invalid) + record(9, called),
    ];
    const { dir, shards, merged } = await merge([one, null, two]);
    expect(merged).toEqual({
      files: [join(dir, 'results.jsonl'), join(dir, 'summary.json')],
      without: [shards[1]],
    });
    expect(readFileSync(join(dir, 'results.jsonl'), 'utf8')).toBe(
      record(1, invalid) +
        record(2, called) +
        record(4, failed) +
        record(9, called) +
        record(10, cut),
    );
    expect(JSON.parse(readFileSync(join(dir, 'summary.json'), 'utf8'))).toEqual({
      model: 'm',
      success_count: 4,
      failure_count: 1,
      finish_stop: 0,
      finish_tool_calls: 3,
      finish_others: 1,
      finish_others_detail: { length: 1 },
      schema_validation_error_count: 1,
      successful_tool_call_count: 2,
      usage: { prompt_tokens: 30, completion_tokens: 15, total_tokens: 45 },
      eval_started_at: '1970-01-01T00:00:00.000Z',
      eval_finished_at: '1970-01-01T00:00:09.000Z',
      eval_duration_ms: 9000,
    });
  });

  test('the summary of what a run wrote is that of the run', async () => {
    const { text, summary } = await write([
      { finishReason: 'tool_calls', content: null, toolCalls: [GOOD_CALL] },
      { finishReason: 'stop' },
      { cause: 'timeout', detail: 'late' },
      { status: 400, body: 'no' },
    ]);
    const dir = tempDir();
    const shard = tempDir();
    writeFileSync(join(shard, 'results.jsonl'), text);
    await k2Verifier.mergeFiles?.(dir, [shard], RUN);
    expect(readFileSync(join(dir, 'results.jsonl'), 'utf8')).toBe(text);
    expect(JSON.parse(readFileSync(join(dir, 'summary.json'), 'utf8'))).toEqual(summary);
  });

  test('without any there is nothing to write', async () => {
    const { dir, shards, merged } = await merge([null, null]);
    expect(merged).toEqual({ files: [], without: shards });
    expect(readdirSync(dir)).toEqual([]);
  });

  test.each([
    ['a torn line', `${record(1, called)}{"data_index":2,"requ`, 'Line 2 of .* is no record'],
    ['a record without a number', '{"a":1}\n', 'Line 1 of .* has no data_index'],
    ['no object', '[]\n', 'Line 1 of .* is no record'],
  ])('%s is named', async (_, text, message) => {
    await expect(merge([text])).rejects.toThrow(new RegExp(message));
  });
});
