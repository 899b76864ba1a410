import { describe, expect, test } from '@jest/globals';
import type { Draft } from '../../src/endpoint/assemble.js';
import { odditiesOf } from '../../src/endpoint/oddities.js';
import { WIRE_WARNINGS } from '../../src/endpoint/warnings.js';

const PLAIN: Draft = {
  id: null,
  created: null,
  model: null,
  provider: null,
  fingerprint: null,
  finishReason: 'stop',
  content: 'hi',
  reasoning: null,
  toolCalls: null,
  usage: null,
};

function withArguments(value: string, finishReason = 'tool_calls'): Draft {
  const call = { id: 'functions.f:0', type: 'function', name: 'f', arguments: value };
  return { ...PLAIN, finishReason, toolCalls: [call] };
}

test.each<[string, Draft, string[]]>([
  ['nothing odd', PLAIN, []],
  ['length with cut arguments', withArguments('{"a":', 'length'), []],
  ['an escape before the end', withArguments('{"a":"\\'), ['truncated_arguments']],
  ['a brace in a string', withArguments('{"a":"}'), ['truncated_arguments']],
  ['garbage that is not cut', withArguments('{"a":1} trailing'), []],
  ['empty arguments', withArguments(''), []],
  ['twice', withArguments('{"a":"b"}{"a":"b"}'), ['arguments_twice']],
  ['thrice is not twice', withArguments('{}{}{}'), []],
  ['reasoning and white space', { ...PLAIN, content: ' \n', reasoning: 'hm' }, ['reasoning_only']],
  [
    'reasoning cut by length',
    { ...PLAIN, content: '', reasoning: 'hm', finishReason: 'length' },
    [],
  ],
  ['think tags', { ...PLAIN, content: 'a</think>b' }, ['think_tags_in_content']],
  ['one special token', { ...PLAIN, content: 'x <|tool_call_begin|>' }, ['leaked_tool_markup']],
  [
    'one id twice',
    {
      ...PLAIN,
      finishReason: 'tool_calls',
      toolCalls: ['f', 'g'].map((name) => ({
        id: 'functions.f:0',
        type: 'function',
        name,
        arguments: '{}',
      })),
    },
    ['duplicate_call_id'],
  ],
  ['a lost character in an object', withArguments('\ufffd'), ['replacement_character']],
])('%s', (_, draft, expected) => {
  expect(odditiesOf(draft, 'kimi-k2')).toEqual(expected);
});

describe('the model that answers', () => {
  test.each([
    ['kimi-k2-thinking', 'moonshotai/Kimi-K2-Thinking', false],
    ['moonshotai/kimi-k2:free', 'kimi_k2', false],
    ['gpt-4o', 'gpt-4o-2024-08-06', false],
    ['glm-4', 'glm-4-20240806', false],
    ['accounts/fireworks/models/kimi-k2', 'kimi-k2', false],
    ['/data/models/Kimi-K2', 'Kimi-K2', false],
    ['kimi-k2', 'kimi-k2-0905', true],
    ['kimi-k2', 'kimi-k2-thinking', true],
    ['kimi-k2', 'gpt-oss', true],
  ])('%s asked, %s served: differs %p', (asked, served, differs) => {
    const found = odditiesOf({ ...PLAIN, model: served }, asked);
    expect(found).toEqual(differs ? ['model_differs'] : []);
  });
});

test('every warning has one plain sentence', () => {
  for (const [name, text] of Object.entries(WIRE_WARNINGS)) {
    expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(text).toMatch(/^[A-Z].*\.$/);
  }
});
