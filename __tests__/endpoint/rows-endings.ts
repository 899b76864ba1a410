import { PLAIN_BODY } from '../support/endpoint-ask.js';
import {
  body,
  CALL,
  goodCall,
  ID,
  more,
  opening,
  type Row,
  section,
  usage,
  withCall,
} from '../support/endpoint-rows.js';
import { calls, chunk, DONE, event } from '../support/hostile-server.js';

/** Rows 1 to 19: how answers end, errors inside them, and what streams hold beside the answer. */
export const ENDINGS: readonly Row[] = [
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
];
