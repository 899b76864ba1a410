import { describe, expect, it, test } from '@jest/globals';
import { exampleOf } from '../../../src/benchmarks/k2-verifier/example.js';
import { readResultRecord } from '../../../src/benchmarks/k2-verifier/import.js';
import { resultRecord } from '../../../src/benchmarks/k2-verifier/record.js';
import type { Payload } from '../../../src/benchmarks/k2-verifier/sample.js';
import { scoreSample } from '../../../src/benchmarks/k2-verifier/score.js';
import type { Json, JsonObject } from '../../../src/model/json.js';
import type { Observation } from '../../../src/model/observation.js';
import { completionOf, measured, sampleOf } from '../../support/k2.js';

const markup = (...calls: readonly [id: string, args: string][]): string =>
  [
    '<|tool_calls_section_begin|>',
    ...calls.map(
      ([id, args]) =>
        `<|tool_call_begin|>${id}<|tool_call_argument_begin|>${args}<|tool_call_end|>`,
    ),
    '<|tool_calls_section_end|>',
  ].join('');
const GOOD = markup(['functions.search:0', '{"q":"x"}']);
const CUT = GOOD.replace('<|tool_calls_section_end|>', '');
const STRIPPED = 'functions.search:0{"q":"x"}';

function said(text: string, finish = 'stop', opensThinking = false): Observation<Payload> {
  return measured({
    kind: 'text',
    completion: completionOf(finish, { content: text }),
    opensThinking,
  });
}

describe('the score of a text', () => {
  test.each<[string, boolean, Observation<Payload>, Record<string, number>]>([
    ['words', false, said('Hello.'), { tn: 1, 'finish.stop': 1 }],
    [
      'a valid call',
      true,
      said(`<think>hm</think>${GOOD}`),
      { tp: 1, 'finish.tool_calls': 1, finish_tool_calls: 1, calls: 1, successful_tool_call: 1 },
    ],
    [
      'a call in an id without a name',
      false,
      said(markup(['search:0', '{"q":"x"}'])),
      {
        fp: 1,
        'finish.tool_calls': 1,
        finish_tool_calls: 1,
        calls: 1,
        calls_invalid: 1,
        'invalid.unknown_tool': 1,
      },
    ],
    [
      'a section without its end',
      true,
      said(CUT),
      { fn: 1, 'finish.stop': 1, 'warning.malformed_markup': 1 },
    ],
    ['the same, cut at the limit', true, said(CUT, 'length'), { fn: 1, 'finish.length': 1 }],
    [
      'a call without its markers',
      true,
      said(STRIPPED),
      { fn: 1, 'finish.stop': 1, 'warning.stripped_markup': 1 },
    ],
    [
      'thinking alone, in a prompt that opened it',
      true,
      said('hm', 'stop', true),
      { fn: 1, 'finish.stop': 1, reasoning_only: 1 },
    ],
  ])('%s', (_name, official, observation, expected) => {
    const counts = scoreSample(sampleOf(official), observation);
    const own = Object.entries(counts).filter(([name]) => !name.startsWith('agreement.'));
    expect(Object.fromEntries(own)).toEqual(expected);
  });
});

describe('the example of a text', () => {
  test.each<[string, Observation<Payload>, string | null, string]>([
    ['a valid call', said(GOOD), null, ''],
    ['words', said('Hello.'), 'missed_call', 'did not call a tool (finish_reason stop): Hello.'],
    [
      'markup that is not whole',
      said(CUT),
      'malformed_markup',
      `did not call a tool (finish_reason stop): ${CUT}`,
    ],
    [
      'markup without its markers',
      said(STRIPPED),
      'stripped_markup',
      `did not call a tool (finish_reason stop): ${STRIPPED}`,
    ],
    [
      'an invalid call',
      said(markup(['functions.search:0', '{"q":1}'])),
      'invalid_call',
      'called a tool: search({"q":1})',
    ],
  ])('%s', (_name, observation, kind, vendor) => {
    const sample = sampleOf(true, {
      official: {
        triggered: true,
        finishReason: 'tool_calls',
        calls: [{ name: 'search', arguments: '{"q":"x"}' }],
        content: null,
      },
    });
    const example = exampleOf(sample, observation);
    expect(example?.kind ?? null).toBe(kind);
    if (example !== null) expect(example.vendor).toBe(vendor);
  });
});

const PREPARED = '{"model":"m","prompt":"P"}';

function recordOf(observation: Observation<Payload>): JsonObject {
  const sent = { prepared: PREPARED, hash: 'h', extraBody: {}, model: 'm', stream: true };
  return JSON.parse(resultRecord(sampleOf(true), observation, sent).line) as JsonObject;
}

describe('the record of a text', () => {
  it('holds the whole text and the calls in it, as K2VV writes them', () => {
    const record = recordOf(said(`<think>hm</think>Wait.${GOOD}`, 'stop', true));
    expect(record).toMatchObject({
      request: { model: 'm', prompt: 'P' },
      status: 'success',
      finish_reason: 'tool_calls',
      tool_calls_valid: true,
      vendor_gate: { wire_finish_reason: 'stop', opens_thinking: true },
    });
    expect(record['response']).toMatchObject({
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: `<think>hm</think>Wait.${GOOD}`,
            tool_calls: [
              {
                id: 'functions.search:0',
                type: 'function',
                function: { name: 'search', arguments: '{"q":"x"}' },
              },
            ],
          },
          finish_reason: 'tool_calls',
        },
      ],
    });
    expect(JSON.stringify(record)).not.toContain('reasoning_content');
  });

  it('has nothing to add where no call came', () => {
    const record = recordOf(said('Hello.'));
    expect(record['finish_reason']).toBe('stop');
    expect(record['vendor_gate']).toBeUndefined();
  });

  test.each<[string, Observation<Payload>]>([
    ['words', said('Hello.')],
    ['a call', said(GOOD)],
    ['a call, cut after it', said(`${GOOD}x`, 'length')],
    ['thinking that the prompt opened', said('hm', 'stop', true)],
    ['markup that is not whole', said(CUT)],
  ])('is read back as it was: %s', (_name, observation) => {
    const back = readResultRecord(recordOf(observation), () => true);
    if (back?.kind !== 'measured' || observation.kind !== 'measured') throw new Error('unmeasured');
    expect(back.payload).toEqual(observation.payload);
    expect(back.exchanges[0]?.warnings).toEqual([]);
  });
});

describe('a record that K2VV wrote of raw completions', () => {
  const record = (
    response: JsonObject,
    request: JsonObject = { model: 'm', prompt: 'P' },
  ): Json => ({
    data_index: 1,
    request,
    extra_body: {},
    status: 'success',
    last_run_at: '2025-11-15T08:00:01.500000',
    duration_ms: 1500,
    hash: '0',
    response: { id: 'c', created: 5, model: 'm', ...response },
  });
  const payloadOf = (json: Json): Payload => {
    const observation = readResultRecord(json, () => true);
    if (observation?.kind !== 'measured') throw new Error(JSON.stringify(observation));
    return observation.payload;
  };

  test('streamed: the text is the content, and the calls are read again', () => {
    const message = {
      role: 'assistant',
      content: GOOD,
      tool_calls: [{ function: { name: 'other' } }],
    };
    const json = record({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] });
    expect(payloadOf(json)).toMatchObject({
      kind: 'text',
      completion: { content: GOOD, toolCalls: null, finishReason: 'tool_calls' },
      opensThinking: false,
    });
    expect(scoreSample(sampleOf(true), measured(payloadOf(json)))).toMatchObject({
      tp: 1,
      successful_tool_call: 1,
    });
  });

  test('not streamed: it kept the answer of /completions itself, and looked for no calls', () => {
    const json = record(
      { object: 'text_completion', choices: [{ index: 0, text: GOOD, finish_reason: 'stop' }] },
      { model: 'm', prompt: 'P<think>' },
    );
    expect(payloadOf(json)).toMatchObject({ kind: 'text', opensThinking: true });
    expect(scoreSample(sampleOf(true), measured(payloadOf(json)))).toMatchObject({ tp: 1 });
  });
});
