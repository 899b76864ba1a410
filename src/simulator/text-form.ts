import type { JsonObject } from '../model/json.js';
import type { Answer } from './answer.js';
import type { SimulatedCall } from './calls.js';
import type { ChunkChoice, StreamEvent } from './completion.js';
import { isObject } from './prompt.js';
import type { TextRequest } from './text-request.js';

/** Kimi K2's markers around tool calls; special tokens, which servers leave out of a text unless told otherwise. */
const MARKERS = {
  sectionBegin: '<|tool_calls_section_begin|>',
  callBegin: '<|tool_call_begin|>',
  argumentsBegin: '<|tool_call_argument_begin|>',
  callEnd: '<|tool_call_end|>',
  sectionEnd: '<|tool_calls_section_end|>',
} as const;
const NO_MARKERS: Readonly<Record<keyof typeof MARKERS, string>> = {
  sectionBegin: '',
  callBegin: '',
  argumentsBegin: '',
  callEnd: '',
  sectionEnd: '',
};

/** The same answer as the model itself writes it, before any parser: thinking and tool calls are part of the text. */
export function asText(answer: Answer, { text, keepsSpecialTokens }: TextRequest): Answer {
  const opened = /<think>\s*$/.test(text.slice(-100));
  const thinking =
    answer.reasoning === '' && !opened
      ? ''
      : `${opened ? '' : '<think>'}${answer.reasoning}</think>`;
  const calls = answer.calls ?? [];
  const section = calls.length === 0 ? '' : sectionOf(calls, keepsSpecialTokens);
  return {
    reasoning: '',
    reasoningField: answer.reasoningField,
    content: `${thinking}${answer.content ?? ''}${section}`,
    calls: undefined,
    // A server that does not look into the text only knows that it ended.
    finishReason: answer.finishReason === 'tool_calls' ? 'stop' : answer.finishReason,
  };
}

function sectionOf(calls: readonly SimulatedCall[], keepsSpecialTokens: boolean): string {
  const { sectionBegin, callBegin, argumentsBegin, callEnd, sectionEnd } = keepsSpecialTokens
    ? MARKERS
    : NO_MARKERS;
  const written = calls.map(({ id, arguments: args }) => {
    const text = typeof args === 'string' ? args : JSON.stringify(args);
    return `${callBegin}${id}${argumentsBegin}${text}${callEnd}`;
  });
  return `${sectionBegin}${written.join('')}${sectionEnd}`;
}

/** A chat completion whose message is text alone, in the form of /completions. */
export function textBody(body: JsonObject): JsonObject {
  const choices = Array.isArray(body.choices) ? body.choices.filter(isObject) : [];
  return {
    ...body,
    object: 'text_completion',
    choices: choices.map(({ message, ...choice }) => ({
      ...choice,
      text: isObject(message) ? (message.content ?? '') : '',
      logprobs: null,
    })),
  };
}

/** The same for the events of a stream. */
export function textEvents(events: readonly StreamEvent[]): readonly StreamEvent[] {
  return events.map((event) => {
    if (!('chunk' in event)) return event;
    const choices = event.chunk.choices.map(textChoice);
    const chunk = { ...event.chunk, object: 'text_completion', choices };
    return { raw: `data: ${JSON.stringify(chunk)}\n\n` };
  });
}

function textChoice({ delta, ...choice }: ChunkChoice): object {
  return { ...choice, text: delta?.content ?? '', logprobs: null };
}
