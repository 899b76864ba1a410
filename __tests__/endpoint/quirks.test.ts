import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Completion } from '../../src/model/completion.js';
import { reveal } from '../../src/text/untrusted.js';
import { ask, PLAIN_BODY, STREAM_BODY } from '../support/endpoint-ask.js';
import {
  calls,
  chunk,
  DONE,
  event,
  type HostileServer,
  startHostile,
  writePieces,
} from '../support/hostile-server.js';

type Pieces = readonly (string | Uint8Array)[];

interface Row {
  /** Number in the list of what endpoints really send. */
  readonly row: number;
  readonly name: string;
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly type?: string;
  readonly sends: Pieces;
  /** Default: a request with stream true. */
  readonly body?: string;
  readonly expected: Expected;
}

type Call = readonly [id: string | null, name: string, args: unknown];

interface Expected {
  /** Fields of the completion; `calls` stands for toolCalls. */
  readonly completion?: Partial<Completion> & { readonly calls?: readonly Call[] | null };
  readonly refused?: { status: number; body: string };
  readonly failed?: { cause: string; detail?: RegExp };
  /** Exactly these; default none. */
  readonly warnings?: readonly string[];
}

const ID = 'functions.get_weather:0';
const ARGS = '{"city":"Bern"}';
const CALL: Call = [ID, 'get_weather', ARGS];
/** A call in three deltas, as OpenAI sends it. */
const opening = {
  index: 0,
  id: ID,
  type: 'function',
  function: { name: 'get_weather', arguments: '' },
};
const wholeCall = { ...opening, function: { name: 'get_weather', arguments: ARGS } };
const more = (text: string) => calls({ index: 0, function: { arguments: text } });
const goodCall = [calls(opening), more('{"city":'), more('"Bern"}')];
const body = (message: object, finish: unknown = 'stop', rest: object = {}) =>
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'kimi-k2',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
    ...rest,
  });
const usage = { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 };
const section =
  '<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>';
const withCall = { finishReason: 'tool_calls', calls: [CALL] };

const ROWS: readonly Row[] = [
  {
    row: 1,
    name: 'finish stop although tool calls are present',
    sends: [...goodCall, chunk({}, 'stop'), DONE],
    expected: {
      completion: { finishReason: 'stop', calls: [CALL] },
      warnings: ['stop_with_tool_calls'],
    },
  },
  {
    row: 2,
    name: 'finish tool_calls with an empty list, markup in the content',
    body: PLAIN_BODY,
    type: 'application/json',
    sends: [body({ content: section, tool_calls: [] }, 'tool_calls')],
    expected: {
      completion: { finishReason: 'tool_calls', calls: [], content: section },
      warnings: ['empty_tool_calls', 'leaked_tool_markup'],
    },
  },
  {
    row: 2,
    name: 'finish tool_calls with null calls',
    body: PLAIN_BODY,
    type: 'application/json',
    sends: [body({ content: '', tool_calls: null }, 'tool_calls')],
    expected: {
      completion: { finishReason: 'tool_calls', calls: null, content: '' },
      warnings: ['empty_tool_calls'],
    },
  },
  {
    row: 3,
    name: 'deltas with empty tool_calls, then finish tool_calls',
    sends: [chunk({ tool_calls: [] }), chunk({ tool_calls: [] }), chunk({}, 'tool_calls'), DONE],
    expected: {
      completion: { finishReason: 'tool_calls', calls: [] },
      warnings: ['empty_tool_call_deltas', 'empty_tool_calls'],
    },
  },
  {
    row: 3,
    name: 'deltas with empty tool_calls, then finish stop',
    sends: [chunk({ tool_calls: [], content: 'hi' }), chunk({}, 'stop'), DONE],
    expected: {
      completion: { finishReason: 'stop', calls: [], content: 'hi' },
      warnings: ['empty_tool_call_deltas'],
    },
  },
  {
    row: 4,
    name: 'arguments cut off, still finish tool_calls',
    sends: [calls(opening), more('{"city":"Be'), chunk({}, 'tool_calls'), DONE],
    expected: {
      completion: { finishReason: 'tool_calls', calls: [[ID, 'get_weather', '{"city":"Be']] },
      warnings: ['truncated_arguments'],
    },
  },
  {
    row: 5,
    name: 'finish_reason null at the end of a body',
    body: PLAIN_BODY,
    type: 'application/json',
    sends: [body({ content: 'hi' }, null)],
    expected: { failed: { cause: 'no_finish_reason' } },
  },
  {
    row: 5,
    name: 'finish_reason absent to the end of a stream',
    sends: [event({ choices: [{ index: 0, delta: { content: 'hi' } }] })],
    expected: { failed: { cause: 'no_finish_reason', detail: /without \[DONE\]/ } },
  },
  {
    row: 6,
    name: '[DONE] with no finish_reason',
    sends: [...goodCall, DONE],
    expected: { failed: { cause: 'no_finish_reason' }, warnings: ['done_without_finish'] },
  },
  {
    row: 7,
    name: 'the stream ends with no [DONE] after a finish_reason',
    sends: [...goodCall, chunk({}, 'tool_calls')],
    expected: { completion: withCall, warnings: ['no_done_marker'] },
  },
  {
    row: 8,
    name: 'finish "" on every chunk, then a real one',
    sends: [chunk({ content: 'a' }, ''), chunk({ content: 'b' }, ''), chunk({}, 'stop'), DONE],
    expected: { completion: { finishReason: 'stop', content: 'ab' } },
  },
  {
    row: 8,
    name: 'finish "" on every chunk and nothing else',
    sends: [chunk({ content: 'a' }, ''), chunk({}, ''), DONE],
    expected: { failed: { cause: 'no_finish_reason' }, warnings: ['done_without_finish'] },
  },
  {
    row: 9,
    name: 'finish stop_163586',
    sends: [chunk({ content: 'a' }), chunk({}, 'stop_163586'), DONE],
    expected: {
      completion: { finishReason: 'stop_163586', content: 'a' },
      warnings: ['unknown_finish_reason'],
    },
  },
  ...['abort', 'network_error'].map((finish) => ({
    row: 10,
    name: `finish ${finish}`,
    sends: [chunk({ content: 'a' }), chunk({}, finish), DONE],
    expected: { failed: { cause: 'server_aborted', detail: new RegExp(finish) } },
  })),
  ...['tool_use', 'end_turn'].map((finish) => ({
    row: 11,
    name: `finish ${finish}`,
    sends: [...goodCall, chunk({}, finish), DONE],
    expected: {
      completion: { finishReason: finish, calls: [CALL] },
      warnings: ['unknown_finish_reason'],
    },
  })),
  {
    row: 12,
    name: 'an error object inside a 200 stream',
    sends: [chunk({ content: 'a' }), event({ error: { message: 'engine died', code: 502 } }), DONE],
    expected: { failed: { cause: 'stream_error', detail: /^engine died$/ } },
  },
  {
    row: 12,
    name: 'an error object beside choices',
    sends: [chunk({ content: '' }, 'error', { error: { code: 502, message: 'upstream' } }), DONE],
    expected: { failed: { cause: 'stream_error', detail: /^upstream$/ } },
  },
  {
    row: 12,
    name: 'an event of type error',
    sends: [chunk({ content: 'a' }), 'event: error\ndata: {"message":"no worker"}\n\n'],
    expected: { failed: { cause: 'stream_error', detail: /no worker/ } },
  },
  {
    row: 13,
    name: '200 with no choices',
    body: PLAIN_BODY,
    type: 'application/json',
    sends: ['{"id":"x","object":"chat.completion","choices":null}'],
    expected: { failed: { cause: 'malformed', detail: /no choices/ } },
  },
  {
    row: 13,
    name: '200 with an error code in the body',
    body: PLAIN_BODY,
    type: 'application/json',
    sends: ['{"code":50505,"message":"model busy","data":null}'],
    expected: { failed: { cause: 'stream_error', detail: /model busy/ } },
  },
  {
    row: 14,
    name: 'SSE comment lines',
    sends: [': OPENROUTER PROCESSING\n\n', ...goodCall, ': x\n\n', chunk({}, 'tool_calls'), DONE],
    expected: { completion: withCall },
  },
  {
    row: 15,
    name: 'data: : keepalive',
    sends: ['data: : keepalive\n\n', ...goodCall, chunk({}, 'tool_calls'), DONE],
    expected: { completion: withCall, warnings: ['keepalive_in_data'] },
  },
  {
    row: 16,
    name: 'empty data lines',
    sends: ['data: \n\n', ...goodCall, 'data:\n\n', chunk({}, 'tool_calls'), DONE],
    expected: { completion: withCall },
  },
  {
    row: 17,
    name: 'a first chunk with empty choices',
    sends: [
      event({ id: '', model: '', choices: [], prompt_filter_results: [{ prompt_index: 0 }] }),
      ...goodCall,
      chunk({}, 'tool_calls'),
      DONE,
    ],
    expected: { completion: { ...withCall, id: 'chatcmpl-1', model: 'kimi-k2', created: 7 } },
  },
  {
    row: 18,
    name: 'a choice with no delta',
    sends: [chunk(null), ...goodCall, chunk(null, 'tool_calls'), DONE],
    expected: { completion: withCall },
  },
  {
    row: 19,
    name: 'a usage chunk after the finish chunk',
    sends: [
      ...goodCall,
      chunk({}, 'tool_calls'),
      chunk({}, null),
      event({ choices: [], usage }),
      DONE,
    ],
    expected: { completion: { ...withCall, usage } },
  },
  {
    row: 19,
    name: 'usage inside choices[0]',
    sends: [
      ...goodCall,
      event({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls', usage }] }),
      DONE,
    ],
    expected: { completion: { ...withCall, usage } },
  },
  {
    row: 20,
    name: 'tool-call deltas without index, told apart by id',
    sends: [
      calls({ id: 'functions.a:0', function: { name: 'a', arguments: '{"x":' } }),
      calls({ id: 'functions.a:0', function: { arguments: '1}' } }),
      calls({ id: 'functions.b:1', function: { name: 'b', arguments: '{}' } }),
      chunk({}, 'tool_calls'),
      DONE,
    ],
    expected: {
      completion: {
        finishReason: 'tool_calls',
        calls: [
          ['functions.a:0', 'a', '{"x":1}'],
          ['functions.b:1', 'b', '{}'],
        ],
      },
      warnings: ['calls_without_index'],
    },
  },
  {
    row: 20,
    name: 'tool-call deltas with neither index nor id',
    sends: [
      calls({ function: { name: 'a', arguments: '{"x":' } }),
      calls({ function: { arguments: '1}' } }),
      calls({ function: { name: 'a', arguments: '{}' } }),
      chunk({}, 'tool_calls'),
      DONE,
    ],
    expected: {
      completion: {
        finishReason: 'tool_calls',
        calls: [
          [null, 'a', '{"x":1}'],
          [null, 'a', '{}'],
        ],
      },
      warnings: ['calls_without_index', 'foreign_call_id'],
    },
  },
  {
    row: 21,
    name: 'parallel calls all with index 0',
    sends: [
      calls(opening),
      more(ARGS),
      calls({
        index: 0,
        id: 'functions.get_weather:1',
        function: { name: 'get_weather', arguments: '' },
      }),
      more('{"city":"Rome"}'),
      chunk({}, 'tool_calls'),
      DONE,
    ],
    expected: {
      completion: {
        finishReason: 'tool_calls',
        calls: [CALL, ['functions.get_weather:1', 'get_weather', '{"city":"Rome"}']],
      },
      warnings: ['shared_index'],
    },
  },
  {
    row: 22,
    name: 'the index drifts between chunks of one call',
    sends: [
      calls(opening),
      calls({ index: 1, id: ID, function: { arguments: '{"city":' } }),
      calls({ index: 2, id: ID, function: { arguments: '"Bern"}' } }),
      chunk({}, 'tool_calls'),
      DONE,
    ],
    expected: { completion: withCall, warnings: ['index_drift'] },
  },
  {
    row: 23,
    name: 'one index twice in a chunk',
    sends: [
      calls({ ...opening }, { index: 0, function: { arguments: '{"city":' } }),
      calls(
        { index: 0, function: { arguments: '"Be' } },
        { index: 0, function: { arguments: 'rn"}' } },
      ),
      chunk({}, 'tool_calls'),
      DONE,
    ],
    expected: { completion: withCall },
  },
  {
    row: 24,
    name: 'the id changes in mid-call, same index, no name',
    sends: [
      calls(opening),
      calls({ index: 0, id: 'call_b', function: { arguments: '{"city":' } }),
      calls({ index: 0, id: 'call_c', function: { arguments: '"Bern"}' } }),
      chunk({}, 'tool_calls'),
      DONE,
    ],
    expected: { completion: withCall, warnings: ['id_changed'] },
  },
  {
    row: 25,
    name: 'the id repeated on each chunk',
    sends: [
      calls(opening),
      calls({ index: 0, id: ID, function: { arguments: '{"city":' } }),
      calls({ index: 0, id: ID, function: { arguments: '"Bern"}' } }),
      chunk({}, 'tool_calls'),
      DONE,
    ],
    expected: { completion: withCall },
  },
  {
    row: 25,
    name: 'the id "" on later chunks, and name ""',
    sends: [
      calls(opening),
      calls({ index: 0, id: '', function: { name: '', arguments: '{"city":' } }),
      calls({ index: 0, id: '', function: { name: null, arguments: '"Bern"}' } }),
      chunk({}, 'tool_calls'),
      DONE,
    ],
    expected: { completion: withCall },
  },
  {
    row: 26,
    name: 'the name repeated on each chunk',
    sends: [
      calls(opening),
      calls({ index: 0, function: { name: 'get_weather', arguments: '{"city":' } }),
      calls({ index: 0, id: ID, function: { name: 'get_weather', arguments: '"Bern"}' } }),
      chunk({}, 'tool_calls'),
      DONE,
    ],
    expected: { completion: withCall, warnings: ['name_repeated'] },
  },
  {
    row: 27,
    name: 'arguments before the name',
    sends: [
      more('{"city":'),
      more('"Bern"'),
      calls({ index: 0, id: ID, function: { name: 'get_weather', arguments: '}' } }),
      chunk({}, 'tool_calls'),
      DONE,
    ],
    expected: { completion: withCall },
  },
  {
    row: 28,
    name: 'the whole arguments sent twice',
    sends: [calls(opening), more(ARGS), more(ARGS), chunk({}, 'tool_calls'), DONE],
    expected: {
      completion: { finishReason: 'tool_calls', calls: [[ID, 'get_weather', ARGS + ARGS]] },
      warnings: ['arguments_twice'],
    },
  },
  {
    row: 29,
    name: 'arguments as an object',
    body: PLAIN_BODY,
    type: 'application/json',
    sends: [
      body(
        {
          tool_calls: [
            { ...opening, function: { name: 'get_weather', arguments: { city: 'Bern' } } },
          ],
        },
        'tool_calls',
      ),
    ],
    expected: {
      completion: { finishReason: 'tool_calls', calls: [[ID, 'get_weather', { city: 'Bern' }]] },
      warnings: ['arguments_object'],
    },
  },
  {
    row: 30,
    name: 'arguments ""',
    sends: [calls(opening), chunk({}, 'tool_calls'), DONE],
    expected: { completion: { finishReason: 'tool_calls', calls: [[ID, 'get_weather', '']] } },
  },
  {
    row: 30,
    name: 'arguments null',
    sends: [
      calls({ index: 0, id: ID, function: { name: 'get_weather', arguments: null } }),
      chunk({}, 'tool_calls'),
      DONE,
    ],
    expected: { completion: { finishReason: 'tool_calls', calls: [[ID, 'get_weather', null]] } },
  },
  {
    row: 31,
    name: 'arguments double-encoded',
    sends: [calls(opening), more(JSON.stringify(ARGS)), chunk({}, 'tool_calls'), DONE],
    expected: {
      completion: {
        finishReason: 'tool_calls',
        calls: [[ID, 'get_weather', '"{\\"city\\":\\"Bern\\"}"']],
      },
    },
  },
  {
    row: 32,
    name: 'tool markup inside the reasoning text',
    sends: [
      chunk({ reasoning_content: section }),
      chunk({ content: 'hm' }),
      chunk({}, 'stop'),
      DONE,
    ],
    expected: {
      completion: { finishReason: 'stop', reasoning: section, content: 'hm' },
      warnings: ['markup_in_reasoning'],
    },
  },
  ...['reasoning', 'reasoning_content'].map((field) => ({
    row: 33,
    name: `the field ${field}`,
    sends: [
      chunk({ [field]: 'let me ' }),
      chunk({ [field]: 'see' }),
      ...goodCall,
      chunk({}, 'tool_calls'),
      DONE,
    ],
    expected: { completion: { ...withCall, reasoning: 'let me see', content: null } },
  })),
  {
    row: 33,
    name: 'both fields with the same text count once',
    sends: [
      chunk({ reasoning: 'see', reasoning_content: 'see', content: 'a' }),
      chunk({}, 'stop'),
      DONE,
    ],
    expected: { completion: { finishReason: 'stop', reasoning: 'see', content: 'a' } },
  },
  {
    row: 34,
    name: 'reasoning and then nothing',
    sends: [chunk({ content: '', reasoning: 'hm' }), chunk({}, 'stop'), DONE],
    expected: {
      completion: { finishReason: 'stop', reasoning: 'hm', content: '', calls: null },
      warnings: ['reasoning_only'],
    },
  },
  {
    row: 35,
    name: 'ids not of the form functions.NAME:IDX',
    sends: [calls({ ...wholeCall, id: 'chatcmpl-tool-7f' }), chunk({}, 'tool_calls'), DONE],
    expected: {
      completion: {
        finishReason: 'tool_calls',
        calls: [['chatcmpl-tool-7f', 'get_weather', ARGS]],
      },
      warnings: ['foreign_call_id'],
    },
  },
  {
    row: 36,
    name: 'a tool that was never offered',
    sends: [
      calls({ index: 0, id: 'functions.launch:0', function: { name: 'launch', arguments: '{}' } }),
      chunk({}, 'tool_calls'),
      DONE,
    ],
    expected: {
      completion: { finishReason: 'tool_calls', calls: [['functions.launch:0', 'launch', '{}']] },
    },
  },
  {
    row: 37,
    name: '400 tool_use_failed',
    status: 400,
    type: 'application/json',
    sends: ['{"error":{"code":"tool_use_failed","failed_generation":"<x>"}}'],
    expected: {
      refused: {
        status: 400,
        body: '{"error":{"code":"tool_use_failed","failed_generation":"<x>"}}',
      },
    },
  },
  {
    row: 38,
    name: 'calls although tool_choice is none',
    body: '{"model":"kimi-k2","messages":[],"tool_choice":"none","stream":true}',
    sends: [...goodCall, chunk({}, 'tool_calls'), DONE],
    expected: { completion: withCall },
  },
  ...[502, 524].map((status) => ({
    row: 39,
    name: `an HTML page with ${status}`,
    status,
    type: 'text/html',
    sends: [
      `<!doctype html><html><head><title>${status}: Bad gateway</title><style>p{}</style></head><body><h1>Sorry</h1></body></html>`,
    ],
    expected: {
      failed: { cause: 'server_error', detail: new RegExp(`^${status}: Bad gateway Sorry$`) },
    },
  })),
  {
    row: 40,
    name: '429 with Retry-After, retries used up',
    status: 429,
    headers: { 'retry-after': '1' },
    type: 'application/json',
    sends: ['{"error":{"message":"slow down"}}'],
    expected: { failed: { cause: 'rate_limited', detail: /slow down/ } },
  },
  {
    row: 42,
    name: 'SSE though stream was false, role null',
    body: PLAIN_BODY,
    sends: [chunk({ role: null, content: 'hi' }), chunk({}, 'stop'), DONE],
    expected: {
      completion: { finishReason: 'stop', content: 'hi' },
      warnings: ['stream_though_not_asked'],
    },
  },
  {
    row: 42,
    name: 'SSE though stream was false, labelled JSON, with a whole message',
    body: PLAIN_BODY,
    type: 'application/json',
    sends: [`data: ${body({ content: null, tool_calls: [wholeCall] }, 'tool_calls')}\n\n`, DONE],
    expected: { completion: withCall, warnings: ['stream_though_not_asked'] },
  },
  {
    row: 42,
    name: 'JSON though stream was true, labelled SSE',
    sends: [body({ content: 'hi' })],
    expected: {
      completion: { finishReason: 'stop', content: 'hi' },
      warnings: ['json_though_stream_asked'],
    },
  },
  {
    row: 43,
    name: 'white space before the JSON body, piece by piece',
    body: PLAIN_BODY,
    type: 'application/json',
    sends: [' ', '\n', ' \r\n\t', ' ', body({ content: 'hi' })],
    expected: { completion: { finishReason: 'stop', content: 'hi' } },
  },
  {
    row: 43,
    name: 'a byte order mark before the body',
    body: PLAIN_BODY,
    type: 'application/json',
    sends: [Buffer.from(`\ufeff${body({ content: 'hi' })}`)],
    expected: { completion: { finishReason: 'stop', content: 'hi' } },
  },
  {
    row: 44,
    name: 'UTF-8 characters split between chunks',
    sends: [...splitBytes(chunk({ content: '北京 🌧' })), chunk({}, 'stop'), DONE],
    expected: { completion: { finishReason: 'stop', content: '北京 🌧' } },
  },
  {
    row: 44,
    name: 'a byte of a character lost',
    sends: [
      Buffer.concat([
        Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"a'),
        Buffer.from([0xe5, 0x8c]),
        Buffer.from('b"}}]}\n\n'),
      ]),
      chunk({}, 'stop'),
      DONE,
    ],
    expected: {
      completion: { finishReason: 'stop', content: 'a\ufffdb' },
      warnings: ['replacement_character'],
    },
  },
  {
    row: 45,
    name: '500 because of malformed history arguments',
    status: 500,
    type: 'application/json',
    sends: [
      '{"error":{"code":500,"message":"Failed to parse tool call arguments as JSON: [json.exception.parse_error.101] parse error at line 1, column 2","type":"server_error"}}',
    ],
    expected: { failed: { cause: 'history_rejected', detail: /Failed to parse tool call/ } },
  },
  {
    row: 46,
    name: '400 because the history lacks reasoning',
    status: 400,
    type: 'application/json',
    sends: ['{"error":{"message":"thinking is enabled but reasoning_content is missing"}}'],
    expected: {
      refused: {
        status: 400,
        body: '{"error":{"message":"thinking is enabled but reasoning_content is missing"}}',
      },
    },
  },
];

function splitBytes(text: string): Uint8Array[] {
  return [...Buffer.from(text)].map((byte) => Uint8Array.of(byte));
}

function callsOf(completion: Completion): readonly Call[] | null {
  return completion.toolCalls?.map((call) => [call.id, call.name, call.arguments] as const) ?? null;
}

describe('what endpoints really send', () => {
  let server: HostileServer;
  let current: Row;

  beforeAll(async () => {
    server = await startHostile(async (response) => {
      const type = current.type ?? 'text/event-stream';
      response.writeHead(current.status ?? 200, { 'content-type': type, ...current.headers });
      await writePieces(response, current.sends);
    });
  });
  afterAll(() => server.close());

  test.each(ROWS)('row $row: $name', async (row) => {
    current = row;
    const { reply, exchange } = await ask(server.url, row.body ?? STREAM_BODY);
    const { completion, refused, failed, warnings = [] } = row.expected;
    expect([...exchange.warnings].sort()).toEqual([...warnings].sort());
    expect(exchange.status).toBe(row.status ?? 200);
    if (completion !== undefined) {
      if (reply.kind !== 'completion') throw new Error(JSON.stringify(reply));
      const { calls: wanted, ...fields } = completion;
      expect(reply.completion).toMatchObject(fields);
      if (wanted !== undefined) expect(callsOf(reply.completion)).toEqual(wanted);
    } else if (refused !== undefined) {
      expect(reply).toEqual({ kind: 'refused', ...refused });
    } else {
      expect(reply).toMatchObject({ kind: 'failed', cause: failed?.cause });
      if (reply.kind === 'failed' && failed?.detail !== undefined) {
        expect(reveal(reply.detail)).toMatch(failed.detail);
      }
    }
  });

  test('every row of the list is here; row 41 needs two requests and has a test of its own', () => {
    const rows = new Set(ROWS.map((row) => row.row));
    const missing = Array.from({ length: 46 }, (_, at) => at + 1).filter((row) => !rows.has(row));
    expect(missing).toEqual([41]);
  });

  test('a compressed stream is read all the same', async () => {
    const bytes = gzipSync([...goodCall, chunk({}, 'tool_calls'), DONE].join(''));
    current = {
      row: 0,
      name: '',
      headers: { 'content-encoding': 'gzip' },
      sends: [bytes.subarray(0, 9), bytes.subarray(9)],
      expected: {},
    };
    const { reply } = await ask(server.url, STREAM_BODY);
    if (reply.kind !== 'completion') throw new Error(JSON.stringify(reply));
    expect(callsOf(reply.completion)).toEqual([CALL]);
  });
});
