import { PLAIN_BODY } from '../support/endpoint-ask.js';
import {
  ARGS,
  body,
  CALL,
  ID,
  more,
  opening,
  type Row,
  withCall,
} from '../support/endpoint-rows.js';
import { calls, chunk, DONE } from '../support/hostile-server.js';

/** Rows 20 to 31: how tool calls are cut into deltas. */
export const TOOL_CALLS: readonly Row[] = [
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
];
