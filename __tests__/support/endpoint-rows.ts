import type { Completion } from '../../src/model/completion.js';
import { calls } from './hostile-server.js';

export type Pieces = readonly (string | Uint8Array)[];

export interface Row {
  /** Number in the list of what endpoints really send. */
  readonly row: number;
  readonly name: string;
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly type?: string;
  readonly sends: Pieces;
  /** Default: a request with stream true. */
  readonly body?: string;
  readonly expected: Expected;
}

export type Call = readonly [id: string | null, name: string, args: unknown];

export interface Expected {
  /** Fields of the completion; `calls` stands for toolCalls. */
  readonly completion?: Partial<Completion> & { readonly calls?: readonly Call[] | null };
  readonly refused?: { status: number; body: string };
  readonly failed?: { cause: string; detail?: RegExp };
  /** Exactly these; default none. */
  readonly warnings?: readonly string[];
}

export const ID = 'functions.get_weather:0';
export const ARGS = '{"city":"Bern"}';
export const CALL: Call = [ID, 'get_weather', ARGS];
/** A call in three deltas, as OpenAI sends it. */
export const opening = {
  index: 0,
  id: ID,
  type: 'function',
  function: { name: 'get_weather', arguments: '' },
};
export const wholeCall = { ...opening, function: { name: 'get_weather', arguments: ARGS } };
export const more = (text: string) => calls({ index: 0, function: { arguments: text } });
export const goodCall = [calls(opening), more('{"city":'), more('"Bern"}')];
export const body = (message: object, finish: unknown = 'stop', rest: object = {}) =>
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'kimi-k2',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
    ...rest,
  });
export const usage = { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 };
export const section =
  '<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>';
export const withCall = { finishReason: 'tool_calls', calls: [CALL] };
