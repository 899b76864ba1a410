import { describe, expect, it, test } from '@jest/globals';
import { CALL_DELTA_FAULTS } from '../../src/simulator/faults/call-deltas.js';
import { STREAM_FAULTS } from '../../src/simulator/faults/streams.js';
import { ask, OSLO, ROME, type ROWS } from './fault-rows.js';
import { callDeltas, chunksIn, type Loose, readPlain, readStream } from './wire.js';

const ID = 'functions.get_weather:0';
const SECOND = 'functions.get_weather:1';
const finishes = (text: string): unknown[] =>
  chunksIn(text).flatMap((chunk) => chunk.choices.map((c: Loose) => c.finish_reason));
const joined = (deltas: readonly Loose[]): string =>
  deltas.map((delta) => delta.function?.arguments ?? '').join('');
const DONE = 'data: [DONE]\n\n';

/** Fault, row, and what must hold of the stream. 8 chunks: role, 6 deltas, finish; then usage and [DONE]. */
const CASES: readonly [string, keyof typeof ROWS, (text: string) => void][] = [
  [
    'empty-deltas',
    'call',
    (text) => {
      const sent = chunksIn(text).flatMap((c) => c.choices[0]?.delta.tool_calls ?? 'none');
      expect(sent.filter((calls) => calls !== 'none')).toEqual([]);
      expect(text.split('"tool_calls":[]')).toHaveLength(6 + 1);
      expect(readStream(text).finish).toBe('tool_calls');
    },
  ],
  [
    'done-without-finish',
    'call',
    (text) => {
      expect(new Set(finishes(text))).toEqual(new Set([null]));
      expect(text.endsWith(DONE)).toBe(true);
    },
  ],
  [
    'no-done',
    'text',
    (text) => {
      expect(readStream(text)).toMatchObject({ finish: 'stop', done: false });
      expect(text).not.toContain('[DONE]');
    },
  ],
  [
    'cut-stream',
    'text',
    (text) => {
      expect(chunksIn(text)).toHaveLength(4);
      expect(readStream(text)).toMatchObject({ finish: null, done: false });
    },
  ],
  ['blank-finish', 'call', (text) => expect(new Set(finishes(text))).toEqual(new Set(['']))],
  [
    'blank-finish-between',
    'call',
    (text) => expect(finishes(text)).toEqual([...Array(7).fill(''), 'tool_calls']),
  ],
  [
    'error-in-stream',
    'text',
    (text) => {
      expect(chunksIn(text)).toHaveLength(4 + 1);
      expect(chunksIn(text)[4]).toEqual({
        error: { message: 'The engine was restarted.', type: 'server_error', code: 500 },
      });
    },
  ],
  ['sse-comments', 'call', (text) => expectBetween(text, ': OPENROUTER PROCESSING\n\n')],
  ['keepalive-data', 'call', (text) => expectBetween(text, 'data: : keepalive\n\n')],
  ['empty-data', 'call', (text) => expectBetween(text, 'data:\n\ndata: \n\n')],
  [
    'filter-chunk',
    'call',
    (text) => {
      expect(chunksIn(text)[0]).toMatchObject({ choices: [], prompt_filter_results: [{}] });
      expect(chunksIn(text)).toHaveLength(8 + 1 + 1);
    },
  ],
  [
    'no-delta',
    'call',
    (text) => expect(chunksIn(text)[1].choices).toEqual([{ index: 0, finish_reason: null }]),
  ],
  [
    'usage-in-choice',
    'text',
    (text) => {
      const chunks = chunksIn(text);
      expect(chunks).toHaveLength(8);
      expect(chunks[7].choices[0]).toMatchObject({
        finish_reason: 'stop',
        usage: { total_tokens: expect.any(Number) },
      });
      expect(chunks[7].usage).toBeUndefined();
    },
  ],
  [
    'usage-null-finish',
    'text',
    (text) => {
      expect(chunksIn(text)[8]).toMatchObject({
        choices: [{ delta: {}, finish_reason: null }],
        usage: { total_tokens: expect.any(Number) },
      });
    },
  ],
  [
    'no-index',
    'pair',
    (text) => {
      const deltas = callDeltas(text);
      expect(deltas.every((delta) => !('index' in delta))).toBe(true);
      expect(joined(deltas.filter((delta) => delta.id === ID))).toBe(OSLO);
      expect(joined(deltas.filter((delta) => delta.id === SECOND))).toBe(ROME);
    },
  ],
  [
    'shared-index',
    'pair',
    (text) => {
      const deltas = callDeltas(text);
      expect(new Set(deltas.map((delta) => delta.index))).toEqual(new Set([0]));
      expect(deltas.flatMap((delta) => delta.id ?? [])).toEqual([ID, SECOND]);
      expect(joined(deltas)).toBe(OSLO + ROME);
    },
  ],
  [
    'shared-index',
    'call',
    (text) => {
      const deltas = callDeltas(text);
      expect(deltas.flatMap((delta) => delta.id ?? [])).toEqual([ID, SECOND]);
      expect(joined(deltas)).toBe(OSLO + OSLO);
    },
  ],
  [
    'index-drift',
    'call',
    (text) => {
      const deltas = callDeltas(text);
      expect(deltas.map((delta) => delta.index)).toEqual([0, 1, 2, 3, 4, 5]);
      expect(new Set(deltas.map((delta) => delta.id))).toEqual(new Set([ID]));
      expect(joined(deltas)).toBe(OSLO);
    },
  ],
  [
    'index-twice',
    'call',
    (text) => {
      const sizes = chunksIn(text).map((c) => c.choices[0]?.delta.tool_calls?.length ?? 0);
      expect(sizes).toEqual([0, 1, 2, 2, 2, 2, 2, 0, 0]);
      expect(new Set(callDeltas(text).map((delta) => delta.index))).toEqual(new Set([0]));
      expect(joined(callDeltas(text))).toBe(OSLO);
    },
  ],
  [
    'id-changes',
    'call',
    (text) => {
      const deltas = callDeltas(text);
      expect(deltas.map((delta) => delta.id)).toEqual([
        ID,
        ...[1, 2, 3, 4, 5].map((n) => `${ID}-part-${n}`),
      ]);
      expect(deltas.map((delta) => delta.function.name)).toEqual([
        'get_weather',
        ...Array(5).fill(undefined),
      ]);
    },
  ],
  [
    'id-repeated',
    'call',
    (text) => expect(callDeltas(text).map((d) => d.id)).toEqual(Array(6).fill(ID)),
  ],
  [
    'id-blank',
    'call',
    (text) => expect(callDeltas(text).map((d) => d.id)).toEqual([ID, ...Array(5).fill('')]),
  ],
  [
    'name-repeated',
    'call',
    (text) =>
      expect(callDeltas(text).map((d) => d.function.name)).toEqual(Array(6).fill('get_weather')),
  ],
  [
    'arguments-first',
    'pair',
    (text) => {
      const deltas = callDeltas(text);
      const names = deltas.map((delta) => delta.function.name);
      // Four pieces of arguments in all: 6 deltas less the two that open a call.
      expect(names.filter(Boolean)).toEqual(['get_weather', 'get_weather']);
      for (const [index, args] of [OSLO, ROME].entries()) {
        const own = deltas.filter((delta) => delta.index === index);
        expect(joined(own)).toBe(args);
        expect(own.at(-1).function).toEqual({ name: 'get_weather' });
      }
    },
  ],
];

function expectBetween(text: string, raw: string): void {
  // 8 chunks, usage and [DONE].
  expect(text.split(raw)).toHaveLength(10 + 1);
  expect(readStream(text)).toMatchObject({ finish: 'tool_calls', done: true });
  expect(readStream(text).calls[0]?.arguments).toBe(OSLO);
}

describe('faults of streams', () => {
  test.each(CASES)('%s on a row of kind %s', async (fault, row, holds) => {
    const { status, ended, text } = await ask(fault, row, { stream: true });
    expect([status, ended]).toEqual([200, true]);
    holds(text);
  });

  it('empty-deltas: the list is empty in one body too', async () => {
    const { text } = await ask('empty-deltas', 'call');
    expect(readPlain(text)).toMatchObject({ finish: 'tool_calls', calls: [] });
  });

  it('usage-in-choice: in one body too', async () => {
    const body: Loose = JSON.parse((await ask('usage-in-choice', 'text')).text);
    expect(body.usage).toBeUndefined();
    expect(body.choices[0].usage.total_tokens).toBeGreaterThan(0);
  });

  it('blank-finish: in one body too', async () => {
    expect(readPlain((await ask('blank-finish', 'text')).text).finish).toBe('');
  });

  it('leaves no fault of these tables untested', () => {
    const tested = new Set(CASES.map(([name]) => name));
    const names = [...STREAM_FAULTS, ...CALL_DELTA_FAULTS].map((fault) => fault.name);
    expect([...tested].sort()).toEqual(names.sort());
  });
});
