import type { Usage } from '../model/completion.js';
import type { Json, JsonObject } from '../model/json.js';
import type { Answer } from './answer.js';
import { type Prompt, tokensOf } from './prompt.js';
import { segmentsOf, splitEvenly } from './split.js';

/** What surrounds an answer on the wire. */
export interface Envelope {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
  readonly usage: Usage;
}

export interface ToolCallDelta {
  readonly index?: number;
  readonly id?: string;
  readonly type?: 'function';
  readonly function?: { readonly name?: string; readonly arguments?: Json };
}

export interface Delta {
  readonly role?: string | null;
  readonly content?: string | null;
  readonly reasoning_content?: string;
  readonly reasoning?: string;
  readonly tool_calls?: readonly ToolCallDelta[] | null;
}

export interface ChunkChoice {
  readonly index: number;
  readonly delta?: Delta;
  readonly finish_reason?: string | null;
  readonly usage?: Usage;
}

/** One chunk of a streamed completion. */
export interface Chunk {
  readonly id: string;
  readonly object: 'chat.completion.chunk';
  readonly created: number;
  readonly model: string;
  readonly choices: readonly ChunkChoice[];
  readonly usage?: Usage;
}

/** An event of the stream: a chunk, or bytes that are no chunk (comments, `[DONE]`, errors), blank line included. */
export type StreamEvent = { readonly chunk: Chunk } | { readonly raw: string };

export const DONE: StreamEvent = { raw: 'data: [DONE]\n\n' };

/** Token counts of an answer, by the simulator's stand-in for a tokenizer. */
export function usageOf(prompt: Prompt, answer: Answer): Usage {
  const calls = answer.calls ?? [];
  const said = [
    answer.reasoning,
    answer.content ?? '',
    ...calls.map((c) => `${c.name}${c.arguments}`),
  ];
  const completion = tokensOf(said.join(''));
  return {
    prompt_tokens: prompt.promptTokens,
    completion_tokens: completion,
    total_tokens: prompt.promptTokens + completion,
  };
}

/** The answer as one chat completion. */
export function completionBody(answer: Answer, envelope: Envelope): JsonObject {
  const calls = answer.calls?.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }));
  const message: JsonObject = {
    role: 'assistant',
    content: answer.content,
    ...(answer.reasoning === '' ? {} : { [answer.reasoningField]: answer.reasoning }),
    ...(answer.calls === undefined ? {} : { tool_calls: calls ?? null }),
  };
  return {
    id: envelope.id,
    object: 'chat.completion',
    created: envelope.created,
    model: envelope.model,
    choices: [{ index: 0, message, ...finish(answer.finishReason) }],
    usage: { ...envelope.usage },
  };
}

/**
 * The answer as a stream: the role, then reasoning, content and calls in pieces, then the finish reason; `chunks` in
 * all where the answer has the characters for it. Then usage, if asked for, and `[DONE]`.
 */
export function completionEvents(
  answer: Answer,
  envelope: Envelope,
  how: { readonly chunks: number; readonly includeUsage: boolean },
): readonly StreamEvent[] {
  const { id, created, model } = envelope;
  const chunkOf = (choices: readonly ChunkChoice[], usage?: Usage): StreamEvent => ({
    chunk: {
      id,
      object: 'chat.completion.chunk',
      created,
      model,
      choices,
      ...(usage === undefined ? {} : { usage }),
    },
  });
  const unfinished = finish(answer.finishReason === undefined ? undefined : null);
  const piece = (delta: Delta): StreamEvent => chunkOf([{ index: 0, delta, ...unfinished }]);
  return [
    piece({ role: 'assistant', content: '' }),
    ...deltasOf(answer, how.chunks - 2).map(piece),
    chunkOf([{ index: 0, delta: {}, ...finish(answer.finishReason) }]),
    ...(how.includeUsage ? [chunkOf([], envelope.usage)] : []),
    DONE,
  ];
}

function deltasOf(answer: Answer, pieces: number): Delta[] {
  const calls = answer.calls ?? [];
  const segments = segmentsOf(
    [answer.reasoning, answer.content ?? '', ...calls.map((c) => asText(c.arguments))],
    pieces - calls.length,
  );
  const [reasoning = 0, content = 0, ...forCalls] = segments;
  const deltas: Delta[] = [
    ...splitEvenly(answer.reasoning, reasoning).map((text) => ({ [answer.reasoningField]: text })),
    ...splitEvenly(answer.content ?? '', content).map((text) => ({ content: text })),
  ];
  // Nothing to cut up: the empty list or null itself is what the endpoint sends.
  if (calls.length === 0 && answer.calls !== undefined) deltas.push({ tool_calls: answer.calls });
  for (const [index, call] of calls.entries()) {
    const whole = typeof call.arguments === 'string' ? '' : call.arguments;
    const named = { name: call.name, arguments: whole };
    deltas.push({ tool_calls: [{ index, id: call.id, type: 'function', function: named }] });
    for (const text of splitEvenly(asText(call.arguments), forCalls[index] ?? 0)) {
      deltas.push({ tool_calls: [{ index, function: { arguments: text } }] });
    }
  }
  return deltas;
}

/** Arguments that are no string are sent whole and leave nothing to cut up. */
function asText(args: Json): string {
  return typeof args === 'string' ? args : '';
}

function finish(reason: string | null | undefined): { finish_reason?: string | null } {
  return reason === undefined ? {} : { finish_reason: reason };
}
