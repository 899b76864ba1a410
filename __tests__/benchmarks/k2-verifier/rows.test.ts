import { describe, expect, it, test } from '@jest/globals';
import {
  fieldsOf,
  officialOf,
  parseRow,
  RowError,
  rereadRow,
} from '../../../src/benchmarks/k2-verifier/rows.js';

const MESSAGES = [{ role: 'user', content: 'x' }];
const row = (columns: object): string => JSON.stringify({ messages: MESSAGES, ...columns });

describe('a malformed row', () => {
  test.each<[string, string, string]>([
    ['no JSON', '{"messages": [}', 'is not valid JSON (unexpected character at offset 14).'],
    ['cut off', '{"messages": [', 'is not valid JSON (the text ends too early at offset 14).'],
    ['CSV', 'messages,tools', 'is not valid JSON (unexpected character at offset 0).'],
    [
      'NaN',
      '{"messages":[{"role":"user"}],"temperature":NaN}',
      'is not valid JSON (unexpected character at offset 44).',
    ],
    ['a list', '[1]', 'is not a JSON object.'],
    ['null', 'null', 'is not a JSON object.'],
    ['no messages', '{"tools":[]}', 'has no `messages`.'],
    ['null messages', '{"messages":null}', 'has no `messages`.'],
    ['empty messages', '{"messages":"[]"}', 'has no `messages`.'],
    ['messages no list', '{"messages":{}}', '`messages` is not a list.'],
    [
      'messages a text',
      '{"messages":"hello"}',
      '`messages` is not valid JSON (unexpected character at offset 0).',
    ],
    ['messages an encoded object', '{"messages":"{}"}', '`messages` is not a list.'],
    [
      'a message without role',
      '{"messages":[{"role":"user"},{"content":"x"}]}',
      'has no role in `messages[1]`.',
    ],
    ['a message that is text', '{"messages":["x"]}', 'has no role in `messages[0]`.'],
    ['tools no list', row({ tools: 7 }), '`tools` is not a list.'],
    [
      'tools not JSON',
      row({ tools: '[' }),
      '`tools` is not valid JSON (the text ends too early at offset 1).',
    ],
    ['a tool no object', row({ tools: [{}, 'f'] }), '`tools[1]` is not an object.'],
    [
      'label no boolean',
      row({ should_call_tool: 'perhaps' }),
      '`should_call_tool` is neither true nor false.',
    ],
    [
      'reason no text',
      row({ official_finish_reason: 1 }),
      '`official_finish_reason` is not a string.',
    ],
    [
      'labels that contradict each other',
      row({ should_call_tool: false, official_finish_reason: 'tool_calls' }),
      'contradicts itself: `should_call_tool` is false, `official_finish_reason` is "tool_calls".',
    ],
    [
      'labels that contradict each other the other way',
      row({ should_call_tool: true, official_finish_reason: 'stop' }),
      'contradicts itself: `should_call_tool` is true, `official_finish_reason` is "stop".',
    ],
    [
      'a result record',
      '{"data_index":1,"request":{},"response":{}}',
      'is a result record, not a row: a results file belongs to `labels`, or to the verb score.',
    ],
  ])('%s', (_name, line, expected) => {
    expect(() => parseRow(line)).toThrow(new RowError(expected));
  });
});

test.each([
  row({}),
  row({ should_call_tool: true, tools: '[]', temperature: 0.6 }),
  JSON.stringify({ messages: JSON.stringify(MESSAGES), official_finish_reason: 'stop' }),
])('%s is the same when read again', (line) => {
  expect(rereadRow(line)).toEqual(parseRow(line));
});

describe('the official decision of a row', () => {
  test.each<[object, boolean | undefined, string | null | undefined]>([
    [{ should_call_tool: true, official_finish_reason: 'tool_calls' }, true, 'tool_calls'],
    [{ should_call_tool: false, official_finish_reason: 'length' }, false, 'length'],
    [{ should_call_tool: true }, true, null],
    [{ official_finish_reason: 'stop' }, false, 'stop'],
    [{ official_finish_reason: 'tool_calls' }, true, 'tool_calls'],
    [{ should_call_tool: 'False' }, false, null],
    [{ should_call_tool: 'true' }, true, null],
    [{ should_call_tool: 1 }, true, null],
    [{ should_call_tool: '0' }, false, null],
    [{ should_call_tool: null, official_finish_reason: null }, undefined, undefined],
    [{}, undefined, undefined],
  ])('%j', (columns, triggered, finishReason) => {
    const { label } = parseRow(row(columns));
    expect(label?.triggered).toBe(triggered);
    expect(label?.finishReason).toBe(finishReason);
  });

  it('has the calls where they are recorded, in either form', () => {
    const calls = [
      { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x": 1.0}' } },
      { name: 'g', arguments: { y: 2 } },
      { function: { arguments: '{}' } },
      'h',
    ];
    const expected = [
      { name: 'f', arguments: '{"x": 1.0}' },
      { name: 'g', arguments: '{"y":2}' },
    ];
    for (const column of [calls, JSON.stringify(calls)]) {
      const parsed = parseRow(row({ should_call_tool: true, official_tool_calls: column }));
      expect(officialOf(parsed)?.calls).toEqual(expected);
    }
    const odd = parseRow(row({ should_call_tool: true, official_tool_calls: 'none' }));
    expect(officialOf(odd)?.calls).toEqual([]);
  });
});

describe('the form of a row', () => {
  test.each<[string, string, 'hosted' | 'request']>([
    ['encoded messages', '{"messages":"[{\\"role\\":\\"user\\"}]"}', 'hosted'],
    ['encoded tools', row({ tools: '[]' }), 'hosted'],
    ['a label', row({ should_call_tool: false }), 'hosted'],
    ['a request body', row({ tools: [], temperature: 0.6, stream: true }), 'request'],
  ])('%s: %s is %s', (_name, line, form) => {
    expect(parseRow(line).form).toBe(form);
  });

  it('accepts any schema, true included', () => {
    expect(() =>
      parseRow(row({ tools: [{ function: { name: 'f', parameters: true } }, {}] })),
    ).not.toThrow();
  });

  it('takes the last of duplicate members, where the first stands', () => {
    const line = '{"a":1,"messages":[{"role":"user"}],"a":2.0}';
    expect(fieldsOf(line, parseRow(line))).toEqual([
      { key: 'a', text: '2.0' },
      { key: 'messages', text: '[{"role":"user"}]' },
    ]);
  });
});
