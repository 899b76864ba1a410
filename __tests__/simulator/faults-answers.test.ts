import { describe, expect, it, test } from '@jest/globals';
import { ARGUMENT_FAULTS } from '../../src/simulator/faults/arguments.js';
import { DECISION_FAULTS } from '../../src/simulator/faults/decisions.js';
import { PAYLOAD_FAULTS } from '../../src/simulator/faults/payloads.js';
import { ask, OSLO, ROME, type ROWS } from './fault-rows.js';
import { chunksIn, type Loose, type Read, readPlain, readStream } from './wire.js';

const MARKUP =
  '<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0' +
  `<|tool_call_argument_begin|>${OSLO}<|tool_call_end|><|tool_calls_section_end|>`;
const ID = 'functions.get_weather:0';
const call = (args: unknown) => [{ id: ID, name: 'get_weather', arguments: args }];
const words = { calls: [], finish: 'stop', content: expect.stringMatching(/^.{30,}$/u) };

/** Fault, row, and what both the stream and the one body must say. */
const CASES: readonly [string, keyof typeof ROWS, Partial<Record<keyof Read, unknown>>][] = [
  ['missed-calls', 'call', words],
  ['missed-calls', 'text', words],
  ['extra-calls', 'text', { finish: 'tool_calls', calls: call('{"city":"sample"}') }],
  ['extra-calls', 'call', { finish: 'tool_calls', calls: call(OSLO) }],
  ['ignores-tool-choice', 'text', words],
  ['stop-with-calls', 'call', { finish: 'stop', calls: call(OSLO) }],
  ['stop-with-calls', 'text', words],
  ['empty-calls', 'call', { finish: 'tool_calls', calls: [], content: MARKUP }],
  ['null-calls', 'call', { finish: 'tool_calls', calls: [], content: '' }],
  ['leaked-markup', 'call', { finish: 'stop', calls: [], content: MARKUP }],
  [
    'markup-in-reasoning',
    'call',
    { finish: 'stop', calls: [], content: '', reasoning: `Let me think. ${MARKUP}` },
  ],
  [
    'reasoning-only',
    'call',
    { finish: 'stop', calls: [], content: '', reasoning: 'Let me think.' },
  ],
  ['reasoning-only', 'text', { finish: 'stop', content: '', reasoning: 'Let me think.' }],
  ['reasoning-field', 'text', words],
  ['think-in-content', 'call', { calls: call(OSLO), content: '<think>Let me think.</think>' }],
  ['no-finish', 'call', { finish: null, calls: call(OSLO), done: true }],
  ['stop-token', 'text', { ...words, finish: 'stop_163586' }],
  ['abort', 'text', { ...words, finish: 'abort' }],
  ['network-error', 'text', { ...words, finish: 'network_error' }],
  ['foreign-finish', 'call', { finish: 'tool_use', calls: call(OSLO) }],
  ['foreign-finish', 'text', { ...words, finish: 'end_turn' }],
  ['length', 'call', { finish: 'length', calls: [], content: '' }],
  // No other tool is on offer here.
  ['other-tool', 'call', { finish: 'tool_calls', calls: call(OSLO) }],
  ['other-arguments', 'call', { finish: 'tool_calls', calls: call('{"city":"Oslo instead"}') }],
  ['other-arguments', 'text', words],
  [
    'calls-twice',
    'call',
    {
      finish: 'tool_calls',
      calls: [...call(OSLO), { ...call(OSLO)[0], id: 'functions.get_weather:1' }],
    },
  ],
  [
    'calls-twice',
    'pair',
    {
      calls: [OSLO, OSLO, ROME, ROME].map((args, at) => ({
        id: `functions.get_weather:${at}`,
        name: 'get_weather',
        arguments: args,
      })),
    },
  ],
  ['calls-twice', 'text', words],
  ['arguments-twice', 'call', { calls: call(OSLO + OSLO) }],
  ['arguments-object', 'call', { calls: call({ city: 'Oslo' }) }],
  ['empty-arguments', 'call', { finish: 'tool_calls', calls: call('') }],
  ['null-arguments', 'call', { finish: 'tool_calls', calls: call(null) }],
  ['double-encoded', 'call', { calls: call(String.raw`"{\"city\": \"Oslo\"}"`) }],
  ['schema-violation', 'call', { finish: 'tool_calls', calls: call('{}') }],
  ['non-finite', 'call', { calls: call('{"simulated_number": NaN, "city": "Oslo"}') }],
  ['duplicate-keys', 'call', { calls: call('{"city": null, "city": "Oslo"}') }],
  [
    'unknown-tool',
    'call',
    { calls: [{ id: 'functions.get_weather_v2:0', name: 'get_weather_v2', arguments: OSLO }] },
  ],
  [
    'unknown-tool',
    'past',
    { calls: [{ id: 'functions.find_flight:1', name: 'find_flight', arguments: OSLO }] },
  ],
  [
    'foreign-ids',
    'call',
    {
      calls: [
        { id: expect.stringMatching(/^call_\w{22}0$/), name: 'get_weather', arguments: OSLO },
      ],
    },
  ],
];

describe('faults of what the model says', () => {
  test.each(CASES)('%s on a row of kind %s', async (fault, row, expected) => {
    const plain = readPlain((await ask(fault, row)).text);
    expect(plain).toMatchObject(expected);
    expect(readStream((await ask(fault, row, { stream: true })).text)).toEqual(plain);
  });

  it('ignores-tool-choice: a call although none was allowed', async () => {
    const more = { tool_choice: 'none' };
    expect(readPlain((await ask(null, 'call', { more })).text)).toMatchObject(words);
    expect(readPlain((await ask('ignores-tool-choice', 'call', { more })).text)).toMatchObject({
      finish: 'tool_calls',
      calls: call(OSLO),
    });
  });

  it('cut-arguments: a beginning of the arguments, never all of them', async () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const { text } = await ask('cut-arguments', 'call', { options: { seed } });
      const { finish, calls } = readPlain(text);
      const args = calls[0]?.arguments as string;
      expect(finish).toBe('tool_calls');
      expect(args.length).toBeGreaterThan(0);
      expect(args.length).toBeLessThan(OSLO.length);
      expect(OSLO.startsWith(args)).toBe(true);
    }
  });

  it('absent-finish: the field is nowhere', async () => {
    for (const stream of [true, false]) {
      const { text } = await ask('absent-finish', 'call', { stream });
      expect(text).not.toContain('finish_reason');
      expect(text).toContain('get_weather');
    }
  });

  it('reasoning-field: reasoning instead of reasoning_content', async () => {
    const plain: Loose = JSON.parse((await ask('reasoning-field', 'text')).text);
    const { text } = await ask('reasoning-field', 'text', { stream: true });
    expect(plain.choices[0].message.reasoning).toBe('Let me think.');
    expect(
      chunksIn(text)
        .map((c) => c.choices[0]?.delta.reasoning ?? '')
        .join(''),
    ).toBe('Let me think.');
    expect(text).not.toContain('reasoning_content');
  });

  test.each([
    ['empty-calls', []],
    ['null-calls', null],
  ])('%s: the field itself', async (fault, value) => {
    const plain: Loose = JSON.parse((await ask(fault, 'call')).text);
    const { text } = await ask(fault, 'call', { stream: true });
    expect(plain.choices[0].message.tool_calls).toEqual(value);
    const sent = chunksIn(text).filter((c) => c.choices[0] && 'tool_calls' in c.choices[0].delta);
    expect(sent.map((c) => c.choices[0].delta.tool_calls)).toEqual([value]);
  });

  it('leaves no fault of these tables untested', () => {
    const tested = new Set(CASES.map(([name]) => name));
    const alone = ['cut-arguments', 'absent-finish'];
    expect([...tested, ...alone].sort()).toEqual(
      [...DECISION_FAULTS, ...PAYLOAD_FAULTS, ...ARGUMENT_FAULTS].map(({ name }) => name).sort(),
    );
  });
});
