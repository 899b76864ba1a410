import { describe, expect, it, test } from '@jest/globals';
import { editMessages, examine } from '../../../src/benchmarks/k2-verifier/history.js';
import type { JsonObject } from '../../../src/model/json.js';

const NO_EDITS = { inputRole: false, sanitize: false, functionIds: false };

function call(id: string | undefined, name: string, args: unknown = '{}'): JsonObject {
  const head = id === undefined ? {} : { id };
  return { ...head, type: 'function', function: { name, arguments: args as string } };
}

describe('examine', () => {
  test.each<[string, JsonObject[], { inputRoles: number; malformedArguments: number }]>([
    ['nothing to do', [{ role: 'user', content: 'x' }], { inputRoles: 0, malformedArguments: 0 }],
    [
      'role _input, counted by message',
      [{ role: '_input' }, { role: '_input' }, { role: 'input' }],
      { inputRoles: 2, malformedArguments: 0 },
    ],
    [
      'malformed arguments, counted by call',
      [
        {
          role: 'assistant',
          tool_calls: [call('a', 'f', '{'), call('b', 'f', ''), call('c', 'f')],
        },
      ],
      { inputRoles: 0, malformedArguments: 2 },
    ],
    [
      'arguments that are JSON but no object, or no string, are left alone',
      [
        {
          role: 'assistant',
          tool_calls: [call('a', 'f', '[1]'), call('b', 'f', { q: 1 }), call('c', 'f', null)],
        },
      ],
      { inputRoles: 0, malformedArguments: 0 },
    ],
    [
      'only assistant messages have calls',
      [{ role: 'user', tool_calls: [call('a', 'f', '{')] }],
      { inputRoles: 0, malformedArguments: 0 },
    ],
    [
      'odd shapes do no harm',
      [
        { role: 'assistant', tool_calls: null },
        { role: 'assistant', tool_calls: [null, 1, {}, { function: 1 }] },
      ],
      { inputRoles: 0, malformedArguments: 0 },
    ],
  ])('%s', (_name, messages, expected) => {
    expect(examine(messages)).toEqual(expected);
  });
});

describe('editMessages', () => {
  it('replaces the role and nothing else', () => {
    const text =
      '[ {"content": "1.0 _input" ,"role" : "_input"}, {"10": 1.0, "9": 2, "role": "user"} ]';
    expect(editMessages(text, { ...NO_EDITS, inputRole: true })).toBe(
      '[ {"content": "1.0 _input" ,"role" : "system"}, {"10": 1.0, "9": 2, "role": "user"} ]',
    );
  });

  it('replaces malformed arguments only', () => {
    const text =
      '[{"role":"assistant","tool_calls":[{"function":{"arguments":"{\\"a\\": ","name":"f"}},{"function":{"name":"g","arguments":"{\\"a\\": 1.0}"}}]}]';
    expect(editMessages(text, { ...NO_EDITS, sanitize: true })).toBe(
      '[{"role":"assistant","tool_calls":[{"function":{"arguments":"{}","name":"f"}},{"function":{"name":"g","arguments":"{\\"a\\": 1.0}"}}]}]',
    );
  });

  it('edits the last of duplicate keys, the one that counts', () => {
    expect(
      editMessages('[{"role":"user","role":"_input"},{"role":"_input","role":"user"}]', {
        ...NO_EDITS,
        inputRole: true,
      }),
    ).toBe('[{"role":"user","role":"system"},{"role":"_input","role":"user"}]');
  });

  it('renames ids with one counter for the conversation, tool messages included', () => {
    const messages = [
      { role: 'user', content: 'search:0' },
      { role: 'assistant', tool_calls: [call('search:0', 'search'), call('x', 'open')] },
      { role: 'tool', tool_call_id: 'x', content: 'x' },
      { role: 'tool', tool_call_id: 'search:0', content: '1' },
      { role: 'assistant', content: 'no calls' },
      { role: 'assistant', tool_calls: [call('search:0', 'search')] },
      { role: 'tool', tool_call_id: 'search:0', content: '2' },
      { role: 'tool', tool_call_id: 'unknown', content: '3' },
    ];
    const edited = JSON.parse(
      editMessages(JSON.stringify(messages), { ...NO_EDITS, functionIds: true }),
    ) as { tool_calls?: { id: string }[]; tool_call_id?: string }[];
    expect(
      edited.map(({ tool_calls: calls, tool_call_id: id }) => calls?.map((each) => each.id) ?? id),
    ).toEqual([
      undefined,
      ['functions.search:0', 'functions.open:1'],
      'functions.open:1',
      'functions.search:0',
      undefined,
      ['functions.search:2'],
      'functions.search:2',
      'unknown',
    ]);
    expect(edited[0]).toEqual(messages[0]);
  });

  it('tells calls of one turn with the same id apart by their order', () => {
    const messages = [
      { role: 'assistant', tool_calls: [call('a', 'f'), call('a', 'g')] },
      { role: 'tool', tool_call_id: 'a' },
      { role: 'tool', tool_call_id: 'a' },
    ];
    const edited = editMessages(JSON.stringify(messages), { ...NO_EDITS, functionIds: true });
    expect(edited).toContain(
      '{"role":"tool","tool_call_id":"functions.f:0"},{"role":"tool","tool_call_id":"functions.g:1"}',
    );
  });

  it('counts a call without an id, and gives it none', () => {
    const messages = [{ role: 'assistant', tool_calls: [call(undefined, 'f'), call('b', 'g')] }];
    const edited = editMessages(JSON.stringify(messages), { ...NO_EDITS, functionIds: true });
    expect(edited).toBe(JSON.stringify(messages).replace('"b"', '"functions.g:1"'));
  });
});
