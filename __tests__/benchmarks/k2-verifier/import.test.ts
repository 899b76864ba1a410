import { describe, expect, it, test } from '@jest/globals';
import { readResultRecord } from '../../../src/benchmarks/k2-verifier/import.js';
import type { Json, JsonObject } from '../../../src/model/json.js';

const hasRow = (row: number): boolean => row >= 1 && row <= 3;
const read = (record: Json) => readResultRecord(record, hasRow);

/** As K2 Vendor Verifier writes it. */
function record(rest: JsonObject): JsonObject {
  return {
    data_index: 2,
    request: { model: 'asked' },
    extra_body: {},
    status: 'success',
    finish_reason: 'stop',
    tool_calls_valid: null,
    last_run_at: '2025-11-15T08:00:01.500000',
    duration_ms: 1500,
    hash: '0',
    ...rest,
  };
}

function answer(choice: JsonObject, rest: JsonObject = {}): JsonObject {
  return record({
    response: {
      id: 'c',
      object: 'chat.completion',
      created: 5,
      model: 'asked',
      choices: [{ index: 0, ...choice }],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    },
    ...rest,
  });
}

const STOP = answer({
  finish_reason: 'stop',
  message: { role: 'assistant', content: 'hi', tool_calls: null },
});

describe('a K2VV record', () => {
  it('becomes an observation of its row', () => {
    expect(read(STOP)).toEqual({
      kind: 'measured',
      payload: {
        kind: 'completion',
        completion: {
          id: 'c',
          created: 5,
          model: 'asked',
          provider: null,
          fingerprint: null,
          finishReason: 'stop',
          content: 'hi',
          reasoning: null,
          toolCalls: null,
          usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
        },
      },
      id: '2',
      attempt: 1,
      startedAt: Date.UTC(2025, 10, 15, 8, 0, 0),
      durationMs: 1500,
      exchanges: [
        {
          status: 200,
          attempts: 1,
          firstTokenMs: null,
          totalMs: 1500,
          usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
          warnings: [],
          headers: {},
          served: 'asked',
          inFlight: 1,
        },
      ],
    });
  });

  it('keeps arguments as stored, and names what the wire would have shown', () => {
    const call = {
      id: 'search:0',
      type: 'function',
      function: { name: 'search', arguments: '{"a": 1.0, "a": 2' },
    };
    const observation = read(
      answer({
        finish_reason: 'tool_calls',
        message: { content: '<|tool_call_begin|>', tool_calls: [call] },
      }),
    );
    expect(observation).toMatchObject({
      payload: {
        completion: {
          finishReason: 'tool_calls',
          toolCalls: [{ id: 'search:0', name: 'search', arguments: '{"a": 1.0, "a": 2' }],
        },
      },
    });
    expect([...(observation?.exchanges[0]?.warnings ?? [])].sort()).toEqual([
      'foreign_call_id',
      'leaked_tool_markup',
      'truncated_arguments',
    ]);
  });

  test.each<[string, Json]>([
    ['of another data set', { ...STOP, data_index: 9 }],
    ['without index', { status: 'success' }],
    ['with a text for an index', { ...STOP, data_index: '2' }],
    ['that is a list', [1]],
    ['that is null', null],
  ])('%s belongs to no row', (_name, given) => {
    expect(read(given)).toBeNull();
  });

  test.each<[string, JsonObject, string]>([
    ['no choices, which K2VV calls a success', record({ response: { id: 'x' } }), 'malformed'],
    ['empty choices', record({ response: { choices: [] } }), 'malformed'],
    [
      'an error inside',
      record({ response: { error: { message: 'no', code: 500 } } }),
      'stream_error',
    ],
    [
      'no finish_reason',
      answer({ finish_reason: null, message: { content: 'x' } }),
      'no_finish_reason',
    ],
    [
      'an aborted answer',
      answer({ finish_reason: 'abort', message: { content: 'x' } }),
      'server_aborted',
    ],
    ['no response', record({}), 'malformed'],
  ])('%s is no answer', (_name, given, cause) => {
    expect(read(given)).toMatchObject({ kind: 'unmeasured', cause, id: '2' });
  });

  it('has its old function_call read as tool calls', () => {
    const message = { content: null, function_call: { name: 'f', arguments: '{}' } };
    expect(read(answer({ finish_reason: 'function_call', message }))).toMatchObject({
      payload: {
        completion: { finishReason: 'tool_calls', toolCalls: [{ name: 'f', arguments: '{}' }] },
      },
    });
  });
});

describe('a failed K2VV record', () => {
  const failed = (type: string, message: string): JsonObject =>
    record({
      status: 'failed',
      finish_reason: null,
      response: { error_type: type, error_message: message, error: message },
    });

  test.each<[string, string, number, string]>([
    ['BadRequestError', "Error code: 400 - {'error': 'x'}", 400, "{'error': 'x'}"],
    ['UnprocessableEntityError', 'Error code: 422 - no', 422, 'no'],
    ['APIStatusError', 'Error code: 413 - big', 413, 'big'],
    ['BadRequestError', 'no code', 400, 'no code'],
  ])('%s %s is a refusal', (type, message, status, body) => {
    expect(read(failed(type, message))).toMatchObject({
      kind: 'measured',
      payload: { kind: 'refused', status, body },
      exchanges: [{ status }],
    });
  });

  test.each<[string, string, string]>([
    ['AuthenticationError', 'Error code: 401', 'unauthorized'],
    ['PermissionDeniedError', 'Error code: 403', 'forbidden'],
    ['NotFoundError', 'Error code: 404', 'model_not_found'],
    ['RateLimitError', 'Error code: 429', 'rate_limited'],
    ['InternalServerError', 'Error code: 502', 'server_error'],
    ['APITimeoutError', 'Request timed out.', 'timeout'],
    ['APIConnectionError', 'Connection error.', 'network'],
    ['APIError', 'in the stream', 'stream_error'],
    ['APIStatusError', 'Error code: 402', 'quota'],
    ['APIStatusError', 'Error code: 418 - teapot', 'http_status'],
    ['ValueError', 'odd', 'malformed'],
    ['constructor', 'odd', 'malformed'],
  ])('%s %s is unmeasured: %s', (type, message, cause) => {
    expect(read(failed(type, message))).toMatchObject({
      kind: 'unmeasured',
      cause,
      detail: `${type}: ${message}`,
      exchanges: [{ status: null }],
    });
  });

  it('without an error at all is unmeasured', () => {
    expect(
      read(record({ status: 'failed', response: null, last_run_at: 'yesterday', duration_ms: -1 })),
    ).toMatchObject({
      kind: 'unmeasured',
      startedAt: 0,
      durationMs: 0,
    });
  });
});

describe('a refusal that is none, as from the wire', () => {
  const failed = (error_type: string, error_message: string) =>
    record({ status: 'failed', response: { error_type, error_message, error: error_message } });

  test.each([
    [
      "Error code: 400 - {'error': {'message': 'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2', 'type': 'invalid_request_error'}}",
      'reasoning_required',
    ],
    ["Error code: 400 - {'error': {'code': 'insufficient_quota', 'message': 'no'}}", 'quota'],
  ])('%s', (message, cause) => {
    expect(read(failed('BadRequestError', message))).toMatchObject({ kind: 'unmeasured', cause });
  });

  it('and one that is', () => {
    const message = "Error code: 400 - {'error': {'message': 'The prompt is too long'}}";
    expect(read(failed('BadRequestError', message))).toMatchObject({
      kind: 'measured',
      payload: { kind: 'refused', status: 400 },
    });
  });
});

test.each<[JsonObject, number, number]>([
  [{ duration_ms: 1e300 }, Date.UTC(2025, 10, 15, 8, 0, 1, 500), 0],
  [{ duration_ms: Number.POSITIVE_INFINITY }, Date.UTC(2025, 10, 15, 8, 0, 1, 500), 0],
  [{ duration_ms: -1 }, Date.UTC(2025, 10, 15, 8, 0, 1, 500), 0],
  [{ last_run_at: '+275760-09-13T00:00:00Z' }, -1500, 1500],
  [{ last_run_at: 'yesterday' }, -1500, 1500],
])('times that make no sense: %j', (rest, startedAt, durationMs) => {
  expect(read({ ...STOP, ...rest })).toMatchObject({ startedAt, durationMs });
});
