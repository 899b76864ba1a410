import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import { finishCounter } from '../../../src/benchmarks/k2-verifier/finish-reasons.js';
import type { Sample } from '../../../src/benchmarks/k2-verifier/sample.js';
import { scoreSample } from '../../../src/benchmarks/k2-verifier/score.js';
import type { Completion, ToolCall } from '../../../src/model/completion.js';
import type { Counts, Observation } from '../../../src/model/observation.js';
import { untrusted } from '../../../src/text/untrusted.js';
import { callOf, completed, GOOD_CALL, measured, sampleOf } from '../../support/k2.js';

const LOST: Observation<never> = {
  kind: 'unmeasured',
  cause: 'timeout',
  detail: untrusted(''),
  id: '1',
  attempt: 1,
  startedAt: 0,
  durationMs: 1,
  exchanges: [],
};
const REFUSED = (status: number) => measured({ kind: 'refused', status, body: untrusted('no') });
const calls = (...list: ToolCall[]): Partial<Completion> => ({ content: null, toolCalls: list });

/** An official call that nobody recorded: nothing to hold the vendor's against. */
const UNRECORDED: Partial<Sample> = {
  official: { triggered: true, finishReason: 'tool_calls', calls: [], content: null },
};

/** What a triggered response with the given calls counts, beside the decision. */
function triggered(counts: Counts): Counts {
  return { tp: 1, 'finish.tool_calls': 1, finish_tool_calls: 1, ...counts };
}

describe('the decision', () => {
  test.each<[string, boolean, Observation<never> | ReturnType<typeof completed>, Counts]>([
    [
      'both call',
      true,
      completed('tool_calls', calls(GOOD_CALL)),
      triggered({
        calls: 1,
        successful_tool_call: 1,
        'agreement.known': 1,
        'agreement.call_count': 1,
        'agreement.tool_names': 1,
      }),
    ],
    [
      'the vendor alone calls',
      false,
      completed('tool_calls', calls(GOOD_CALL)),
      { fp: 1, 'finish.tool_calls': 1, finish_tool_calls: 1, calls: 1, successful_tool_call: 1 },
    ],
    ['the official model alone calls', true, completed('stop'), { fn: 1, 'finish.stop': 1 }],
    ['nobody calls', false, completed('stop'), { tn: 1, 'finish.stop': 1 }],
    ['a failed request counts as not triggered', true, LOST, { fn: 1, fn_unmeasured: 1 }],
    ['a failed request where nothing was expected', false, LOST, { tn: 1, tn_unmeasured: 1 }],
    [
      '400 is a refusal: measured, not triggered',
      true,
      REFUSED(400),
      { fn: 1, refused: 1, 'refused.400': 1 },
    ],
    ['413 is a refusal', false, REFUSED(413), { tn: 1, refused: 1, 'refused.413': 1 }],
    ['422 is a refusal', false, REFUSED(422), { tn: 1, refused: 1, 'refused.422': 1 }],
    [
      'finish stop with calls is not counted, but noted',
      true,
      completed('stop', calls(GOOD_CALL)),
      { fn: 1, 'finish.stop': 1, calls_without_finish: 1 },
    ],
    [
      'calls in an answer that was cut off are not judged, and its finish_reason is right',
      false,
      completed('length', calls(callOf('nosuch', '{'))),
      { tn: 1, 'finish.length': 1 },
    ],
    [
      'other stop reasons are kept as they came',
      false,
      completed('stop_163586'),
      { tn: 1, 'finish.stop_163586': 1 },
    ],
    ['tool_use is not tool_calls', true, completed('tool_use'), { fn: 1, 'finish.tool_use': 1 }],
    [
      'TOOL_CALLS is not tool_calls',
      true,
      completed('TOOL_CALLS'),
      { fn: 1, 'finish.TOOL_CALLS': 1 },
    ],
    [
      'one that begins with a known word goes with those',
      false,
      completed('stop_early'),
      { tn: 1, 'finish.stop…': 1 },
    ],
    ['a long one too', false, completed(`stop${'-'.repeat(500)}`), { tn: 1, 'finish.stop…': 1 }],
    [
      'any other goes with all others',
      false,
      completed('x'.repeat(500)),
      { tn: 1, 'finish.(other)': 1 },
    ],
    [
      'a known word inside a longer one',
      false,
      completed('stopped'),
      { tn: 1, 'finish.(other)': 1 },
    ],
    ['a member of Object.prototype', false, completed('__proto__'), { tn: 1, 'finish.(other)': 1 }],
    [
      'reasoning and then nothing',
      true,
      completed('stop', { reasoning: 'hm', content: ' \n' }),
      { fn: 1, 'finish.stop': 1, reasoning_only: 1 },
    ],
    [
      'reasoning cut at max_tokens is not reasoning only',
      true,
      completed('length', { reasoning: 'hm', content: null }),
      { fn: 1, 'finish.length': 1 },
    ],
    [
      'no reasoning and nothing',
      false,
      completed('stop', { content: null }),
      { tn: 1, 'finish.stop': 1 },
    ],
  ])('%s', (_name, official, observation, expected) => {
    expect(scoreSample(sampleOf(official), observation)).toEqual(expected);
  });
});

describe('the calls of a triggered response', () => {
  const invalid = (reason: string, more: Counts = {}): Counts =>
    triggered({ calls: 1, calls_invalid: 1, [`invalid.${reason}`]: 1, ...more });

  test.each<[string, Partial<Completion>, Counts]>([
    ['no calls: null', { toolCalls: null }, triggered({ 'invalid.no_tool_calls': 1 })],
    ['no calls: empty list', { toolCalls: [] }, triggered({ 'invalid.no_tool_calls': 1 })],
    [
      'several, all valid',
      calls(GOOD_CALL, GOOD_CALL),
      triggered({ calls: 2, successful_tool_call: 1 }),
    ],
    [
      'several, one invalid: the response is',
      calls(GOOD_CALL, callOf('search', '{}'), GOOD_CALL),
      triggered({ calls: 3, calls_invalid: 1, 'invalid.schema_violation': 1 }),
    ],
    [
      'several reasons, counted by call',
      calls(callOf('a', '{}'), callOf('b', '{}'), callOf('search', '')),
      triggered({
        calls: 3,
        calls_invalid: 3,
        'invalid.unknown_tool': 2,
        'invalid.empty_arguments': 1,
      }),
    ],
    ['unknown tool', calls(callOf('open', '{"q":"x"}')), invalid('unknown_tool')],
    ['tool without parameters', calls(callOf('bare', '{}')), invalid('no_schema')],
    [
      'arguments an object',
      calls(callOf('search', { q: 'x' })),
      triggered({ calls: 1, successful_tool_call: 1, 'warning.arguments_object': 1 }),
    ],
    ['arguments ""', calls(callOf('search', '')), invalid('empty_arguments')],
    ['arguments null', calls(callOf('search', null)), invalid('empty_arguments')],
    [
      'truncated JSON',
      calls(callOf('search', '{"q":"x"')),
      invalid('invalid_json', { 'warning.arguments_truncated': 1 }),
    ],
    [
      'the whole arguments twice',
      calls(callOf('search', '{"q":"x"}{"q":"x"}')),
      invalid('invalid_json', { 'warning.arguments_repeated': 1 }),
    ],
    [
      'a string of JSON',
      calls(callOf('search', '"{\\"q\\":\\"x\\"}"')),
      invalid('schema_violation', { 'warning.arguments_double_encoded': 1 }),
    ],
    ['a list', calls(callOf('search', '[]')), invalid('schema_violation')],
    ['NaN', calls(callOf('search', '{"q":NaN}')), invalid('non_finite_number')],
    [
      'duplicate keys: the last one wins',
      calls(callOf('search', '{"q":1,"q":"x"}')),
      triggered({ calls: 1, successful_tool_call: 1, 'warning.duplicate_keys': 1 }),
    ],
  ])('%s', (_name, completion, expected) => {
    const sample = sampleOf(true, UNRECORDED);
    expect(scoreSample(sample, completed('tool_calls', completion))).toEqual(expected);
  });

  it('are invalid under tools nested beyond all reason, as in Python', () => {
    const tools = `${'['.repeat(2000)}${']'.repeat(2000)}`;
    const observation = completed('tool_calls', calls(GOOD_CALL));
    const sample = sampleOf(true, { ...UNRECORDED, tools });
    expect(scoreSample(sample, observation)).toEqual(invalid('invalid_schema'));
  });

  it('are all of unknown tools when the row has none', () => {
    const observation = completed('tool_calls', calls(GOOD_CALL));
    const sample = sampleOf(true, { ...UNRECORDED, tools: null });
    expect(scoreSample(sample, observation)).toEqual(invalid('unknown_tool'));
  });
});

describe('agreement with the official call search({"q":"official"})', () => {
  const agreementIn = (sample: Sample, observation: Parameters<typeof scoreSample>[1]): Counts =>
    Object.fromEntries(
      Object.entries(scoreSample(sample, observation)).filter(([name]) => /^agreement/.test(name)),
    );
  const search = (q: string): ToolCall => callOf('search', JSON.stringify({ q }));
  const ALL: Counts = {
    'agreement.known': 1,
    'agreement.call_count': 1,
    'agreement.tool_names': 1,
    'agreement.arguments': 1,
    'agreement.argument_tokens': 1_000_000,
  };
  const { 'agreement.arguments': _, ...NAMES } = ALL;

  test.each<[string, Partial<Completion>, Counts]>([
    ['the same call', calls(search('official')), ALL],
    ['the same call, its arguments a value', calls(callOf('search', { q: 'official' })), ALL],
    // One word of three is common, officially one of one: 2 x 1 / 4.
    [
      'other words',
      calls(search('official site today')),
      { ...NAMES, 'agreement.argument_tokens': 500_000 },
    ],
    [
      'another tool',
      calls(callOf('bare', '{}')),
      { 'agreement.known': 1, 'agreement.call_count': 1 },
    ],
    [
      'one call more',
      calls(search('official'), search('x')),
      { 'agreement.known': 1, 'agreement.argument_tokens': 500_000 },
    ],
    ['no calls: an answer that agrees in nothing', calls(), { 'agreement.known': 1 }],
    ['calls null', { toolCalls: null }, { 'agreement.known': 1 }],
    // Invalid calls are compared as well: validity is another question.
    [
      'an invalid call',
      calls(search('official'), callOf('nosuch', '{')),
      { 'agreement.known': 1, 'agreement.argument_tokens': 500_000 },
    ],
  ])('%s', (_name, completion, expected) => {
    expect(agreementIn(sampleOf(true), completed('tool_calls', completion))).toEqual(expected);
  });

  test.each<[string, Sample, Parameters<typeof scoreSample>[1]]>([
    [
      'the official calls are not recorded',
      sampleOf(true, UNRECORDED),
      completed('tool_calls', calls(GOOD_CALL)),
    ],
    ['the vendor alone called', sampleOf(false), completed('tool_calls', calls(GOOD_CALL))],
    ['the vendor did not call', sampleOf(true), completed('stop')],
    [
      'its finish_reason does not say so',
      sampleOf(true),
      completed('stop', calls(search('official'))),
    ],
    ['its calls were cut off', sampleOf(true), completed('length', calls(search('official')))],
    ['it refused', sampleOf(true), REFUSED(400)],
    ['there is no answer', sampleOf(true), LOST],
  ])('is not counted where %s', (_name, sample, observation) => {
    expect(agreementIn(sample, observation)).toEqual({});
  });
});

it('counts what was changed in the row, whatever came back', () => {
  const sample = sampleOf(true, { changes: ['input_role', 'history_arguments'] });
  for (const observation of [LOST, REFUSED(400), completed('stop')]) {
    expect(scoreSample(sample, observation)).toMatchObject({
      fn: 1,
      'warning.input_role': 1,
      'warning.history_arguments': 1,
    });
  }
});

it('has a bounded number of counters whatever an endpoint says, and adds up in any order', () => {
  const said = fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc
      .tuple(fc.constantFrom('stop', 'STOP', 'length', 'tool_use', 'eos', 'x'), fc.string())
      .map((parts) => parts.join('_')),
    fc.nat(999_999).map((token) => `stop_${token}`),
  );
  const names = new Set<string>();
  fc.assert(
    fc.property(said, (reason) => {
      for (const name of Object.keys(scoreSample(sampleOf(false), completed(reason)))) {
        names.add(name);
      }
      // A value decides its counter by itself, however often and in whatever company it comes.
      expect(scoreSample(sampleOf(false), completed(reason))).toEqual(
        scoreSample(sampleOf(false), completed(reason)),
      );
    }),
    { seed: 1, numRuns: 2000 },
  );
  for (let token = 0; token < 1_000_000; token += 7) names.add(finishCounter(`stop_${token}`));
  for (let n = 0; n < 50_000; n += 1) names.add(finishCounter(`reason-${n.toString(36)}`));
  expect(names.size).toBeLessThan(600);
});
