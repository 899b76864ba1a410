import { describe, expect, it, test } from '@jest/globals';
import { exampleOf } from '../../../src/benchmarks/k2-verifier/example.js';
import { promptEnd } from '../../../src/benchmarks/k2-verifier/prompt.js';
import type { Payload, Sample } from '../../../src/benchmarks/k2-verifier/sample.js';
import type { JsonObject } from '../../../src/model/json.js';
import type { Observation } from '../../../src/model/observation.js';
import { untrusted } from '../../../src/text/untrusted.js';
import {
  callOf,
  completed,
  completionOf,
  EXCHANGE,
  GOOD_CALL,
  measured,
  sampleOf,
} from '../../support/k2.js';

const CALLED = 'called a tool: search({"q":"official"})';
const NOT_CALLED = 'did not call a tool (finish_reason stop)';

describe('an example', () => {
  test.each<[string, Sample, Observation<Payload>, object]>([
    [
      'missed call',
      sampleOf(true),
      completed('stop', { content: ' I would search. ' }),
      {
        id: '1',
        kind: 'missed_call',
        rank: 2,
        title: 'the official model called a tool, the vendor did not',
        prompt: 'the prompt',
        official: CALLED,
        vendor: `${NOT_CALLED}: I would search.`,
        detail: '',
      },
    ],
    [
      'extra call',
      sampleOf(false, {
        official: { triggered: false, finishReason: 'stop', calls: [], content: 'Hello.' },
      }),
      completed('tool_calls', { content: null, toolCalls: [GOOD_CALL, callOf('bare', '{}')] }),
      { kind: 'invalid_call', rank: 1, official: `${NOT_CALLED}: Hello.` },
    ],
    [
      'extra call, valid',
      sampleOf(false),
      completed('tool_calls', { content: null, toolCalls: [GOOD_CALL] }),
      {
        kind: 'extra_call',
        rank: 3,
        official: NOT_CALLED,
        vendor: 'called a tool: search({"q":"x"})',
        detail: '',
      },
    ],
    [
      'one invalid call of two',
      sampleOf(true),
      completed('tool_calls', { toolCalls: [GOOD_CALL, callOf('open', '{}')] }),
      {
        kind: 'invalid_call',
        title: 'a tool call failed validation: the tool was not offered',
        vendor: 'called a tool: search({"q":"x"}), open({})',
        detail: expect.stringMatching(/^call 2 of 2: ./),
      },
    ],
    [
      'finish_reason tool_calls and no call',
      sampleOf(true),
      completed('tool_calls', { content: 'text', toolCalls: [] }),
      {
        kind: 'invalid_call',
        title: 'a tool call failed validation: finish_reason says tool_calls, but no call came',
        vendor: 'called a tool: text',
      },
    ],
    [
      'calls without finish_reason',
      sampleOf(false),
      completed('stop', { content: null, toolCalls: [GOOD_CALL] }),
      { kind: 'unmarked_call', rank: 1, vendor: `${NOT_CALLED}: search({"q":"x"})` },
    ],
    [
      'leaked markup',
      sampleOf(true),
      measured(
        {
          kind: 'completion',
          completion: completionOf('stop', { content: '<|tool_call_begin|>' }),
        },
        { exchanges: [{ ...EXCHANGE, warnings: ['leaked_tool_markup'] }] },
      ),
      { kind: 'leaked_call', rank: 1, vendor: `${NOT_CALLED}: <|tool_call_begin|>` },
    ],
    [
      'reasoning only',
      sampleOf(true),
      completed('stop', { content: null, reasoning: 'thinking' }),
      { kind: 'reasoning_only', vendor: `${NOT_CALLED}: thinking` },
    ],
    [
      'other arguments',
      sampleOf(true),
      completed('tool_calls', { content: null, toolCalls: [GOOD_CALL] }),
      {
        kind: 'other_arguments',
        rank: 8,
        title: 'the vendor called the same tool with other arguments',
        official: CALLED,
        vendor: 'called a tool: search({"q":"x"})',
        detail: '/q: "x", officially "official"',
      },
    ],
    [
      'another number of calls',
      sampleOf(true),
      completed('tool_calls', { content: null, toolCalls: [GOOD_CALL, GOOD_CALL] }),
      {
        kind: 'other_call_count',
        rank: 7,
        title: 'the vendor made another number of tool calls than the official model',
        vendor: 'called a tool: search({"q":"x"}), search({"q":"x"})',
        detail: '2 calls, officially 1',
      },
    ],
    [
      'another tool',
      sampleOf(true, {
        official: {
          triggered: true,
          finishReason: 'tool_calls',
          calls: [{ name: 'open', arguments: '{}' }],
          content: null,
        },
      }),
      completed('tool_calls', { content: null, toolCalls: [GOOD_CALL] }),
      {
        kind: 'other_tool',
        rank: 6,
        title: 'the vendor called another tool than the official model',
        official: 'called a tool: open({})',
        vendor: 'called a tool: search({"q":"x"})',
        detail: 'search, officially open',
      },
    ],
    [
      'an invalid call rather than another one',
      sampleOf(true),
      completed('tool_calls', { content: null, toolCalls: [callOf('search', '{"q":1}')] }),
      { kind: 'invalid_call', rank: 1 },
    ],
    [
      'refusal',
      sampleOf(true),
      measured({ kind: 'refused', status: 400, body: untrusted('{"error":"tool_use_failed"}') }),
      { kind: 'refused', vendor: 'refused with HTTP 400', detail: '{"error":"tool_use_failed"}' },
    ],
    [
      'no answer',
      sampleOf(true),
      {
        kind: 'unmeasured',
        cause: 'timeout',
        detail: untrusted('after 600 s'),
        id: '1',
        attempt: 1,
        startedAt: 0,
        durationMs: 0,
        exchanges: [],
      },
      {
        kind: 'unanswered',
        vendor: 'no answer',
        detail: 'no complete answer within request-timeout: after 600 s',
      },
    ],
  ])('%s', (_name, sample, observation, expected) => {
    expect(exampleOf(sample, observation)).toMatchObject(expected);
  });

  const SAME = callOf('search', '{ "q": "official" }');
  it.each([
    ['both make the same call', sampleOf(true), completed('tool_calls', { toolCalls: [SAME] })],
    [
      'both call and the official calls are not recorded',
      sampleOf(true, {
        official: { triggered: true, finishReason: 'tool_calls', calls: [], content: null },
      }),
      completed('tool_calls', { toolCalls: [GOOD_CALL] }),
    ],
    ['neither calls', sampleOf(false), completed('stop')],
    ['neither calls, cut off', sampleOf(false), completed('length')],
  ])('is none where %s', (_name, sample, observation) => {
    expect(exampleOf(sample, observation)).toBeNull();
  });

  it('is bounded whatever the vendor sends, and cuts no character in half', () => {
    const huge = '😀'.repeat(100_000);
    const many = Array.from({ length: 50 }, () => callOf(huge, huge));
    const invalid = exampleOf(sampleOf(true), completed('tool_calls', { toolCalls: many }));
    const missed = exampleOf(sampleOf(true), completed(huge, { content: `x${huge}` }));
    const refused = exampleOf(
      sampleOf(true),
      measured({ kind: 'refused', status: 400, body: untrusted(huge) }),
    );
    const other = exampleOf(
      sampleOf(true, {
        official: {
          triggered: true,
          finishReason: 'tool_calls',
          calls: [{ name: 'search', arguments: JSON.stringify({ q: `${huge}1` }) }],
          content: null,
        },
      }),
      completed('tool_calls', { toolCalls: [callOf('search', JSON.stringify({ q: huge }))] }),
    );
    expect(other?.kind).toBe('other_arguments');
    expect(invalid?.vendor).toContain('47 more calls');
    for (const example of [invalid, missed, refused, other]) {
      const text = JSON.stringify(example);
      expect(text.length).toBeLessThan(3_000);
      expect(text).not.toMatch(/\\ud[89a-f]/);
    }
  });
});

describe('the end of the prompt', () => {
  test.each<[string, JsonObject[], string]>([
    [
      'last user message',
      [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
      ],
      'a',
    ],
    [
      'no user',
      [
        { role: 'system', content: 's' },
        { role: 'tool', content: 't\n' },
      ],
      't',
    ],
    [
      'parts',
      [
        {
          role: 'user',
          content: [{ type: 'text', text: 'a' }, { type: 'image_url' }, 7, { text: 'b' }],
        },
      ],
      'a\nb',
    ],
    ['no content', [{ role: 'user', content: null }], ''],
    ['long', [{ role: 'user', content: `${'x'.repeat(1000)}end` }], `…${'x'.repeat(597)}end`],
    [
      'long, no half character',
      [{ role: 'user', content: `😀${'y'.repeat(599)}` }],
      `…${'y'.repeat(599)}`,
    ],
  ])('%s', (_name, messages, expected) => {
    expect(promptEnd(messages)).toBe(expected);
  });
});
