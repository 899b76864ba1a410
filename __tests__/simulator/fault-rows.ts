import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SimulatorOptions } from '../../src/simulator/options.js';
import { bodyOf, type Exchange, post, type Row, withSimulator } from './wire.js';

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city'],
      additionalProperties: false,
    },
  },
};

export const OSLO = '{"city": "Oslo"}';
export const ROME = '{"city": "Rome", "days": 3}';

function row(messages: readonly object[], calls: readonly string[]): Row {
  const called = calls.map((args, at) => ({
    id: `functions.get_weather:${at}`,
    type: 'function',
    function: { name: 'get_weather', arguments: args },
  }));
  return {
    messages: JSON.stringify(messages),
    tools: JSON.stringify([weather]),
    should_call_tool: calls.length > 0,
    ...(calls.length > 0 ? { official_tool_calls: JSON.stringify(called) } : {}),
  };
}

const user = (content: string) => ({ role: 'user', content });
const past = (name: string, args: string) => [
  {
    role: 'assistant',
    content: '',
    tool_calls: [
      { id: `functions.${name}:0`, type: 'function', function: { name, arguments: args } },
    ],
  },
  { role: 'tool', tool_call_id: `functions.${name}:0`, content: 'ok' },
];

/** Rows whose wire form can be written down by hand. */
export const ROWS = {
  /** Calls once. */
  call: row([user('Weather in Oslo?')], [OSLO]),
  /** Calls twice at once. */
  pair: row([user('Weather in Oslo, and for three days in Rome?')], [OSLO, ROME]),
  /** Answers in words. */
  text: row([user('Good morning!')], []),
  /** Calls; the history has a call of a tool that is not on offer, with malformed arguments. */
  past: row([user('Flights?'), ...past('find_flight', '{"to": '), user('Then Oslo.')], [OSLO]),
  /** Calls; the history is sound, but without reasoning. */
  sound: row([user('Rome?'), ...past('get_weather', ROME), user('Oslo?')], [OSLO]),
};

export interface Asked {
  readonly stream?: boolean;
  readonly more?: object;
  readonly options?: SimulatorOptions;
  readonly times?: number;
  readonly patienceMs?: number;
  readonly headers?: object;
}

/**
 * Asks a simulator in which `fault` hits every row; thinking is off, so that calls and texts stand alone. With `times`
 * the same request is sent again and the last exchange counts.
 */
export async function ask(
  fault: string | null,
  which: keyof typeof ROWS,
  { stream = false, more = {}, options = {}, times = 1, ...how }: Asked = {},
): Promise<Exchange> {
  const dir = mkdtempSync(join(tmpdir(), 'faults-'));
  const dataset = join(dir, 'rows.jsonl');
  writeFileSync(
    dataset,
    Object.values(ROWS)
      .map((r) => JSON.stringify(r))
      .join('\n'),
  );
  const faults = fault === null ? {} : { [fault]: 1 };
  try {
    return await withSimulator({ dataset, faults, chunks: 8, ...options }, async (url) => {
      const streaming = stream ? { stream, stream_options: { include_usage: true } } : {};
      const body = bodyOf(ROWS[which], { thinking: { type: 'disabled' }, ...streaming, ...more });
      for (let n = 1; n < times; n += 1) await post(url, body, how);
      return post(url, body, how);
    });
  } finally {
    rmSync(dir, { recursive: true });
  }
}
