import { PLAIN_BODY } from '../support/endpoint-ask.js';
import {
  ARGS,
  body,
  goodCall,
  type Row,
  section,
  wholeCall,
  withCall,
} from '../support/endpoint-rows.js';
import { calls, chunk, DONE } from '../support/hostile-server.js';

/** Rows 32 to 46: reasoning and ids, HTTP statuses, bodies and bytes. */
export const TEXTS: readonly Row[] = [
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
    sends: [
      '{"error":{"message":"thinking is enabled but reasoning_content is missing in assistant tool call message at index 2"}}',
    ],
    expected: { failed: { cause: 'reasoning_required', detail: /reasoning_content is missing/ } },
  },
];

function splitBytes(text: string): Uint8Array[] {
  return [...Buffer.from(text)].map((byte) => Uint8Array.of(byte));
}
