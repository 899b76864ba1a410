import type { RequestSettings } from '../../model/benchmark.js';
import type { ChatRequest, Completion } from '../../model/completion.js';
import type { JsonObject } from '../../model/json.js';
import { thinkingOf } from '../request-settings.js';
import { observationText } from './conversation-text.js';
import type { View } from './environment.js';
import { SYSTEM_PROMPT, TOOL } from './tool.js';
import { type Record, screenshotName } from './trace.js';

/** How conversations are held; the same for all episodes of a run. */
export interface ConversationRules {
  readonly request: RequestSettings;
  /** Whether screenshots are sent. */
  readonly image: boolean;
  /** Every screenshot so far with each request, or the newest only. */
  readonly history: 'full' | 'last-image';
}

/** EvalScope's default for models behind an API. */
const TEMPERATURE = 0;

/** A message as it is sent, already JSON. */
interface Part {
  readonly text: string;
  /** Without its screenshot; null for a message that is nothing else. Absent where there is no screenshot. */
  readonly blind?: string | null;
}

/**
 * One episode's conversation: system prompt, first observation with its screenshot, and then for every turn the
 * assistant's message, the tool's answer as text and the new screenshot as a user message of its own.
 */
export class Conversation {
  readonly #rules: ConversationRules;
  readonly #parts: Part[] = [];
  readonly #record: Record;
  readonly #frame: { readonly before: string; readonly after: string; readonly stream: boolean };
  /** Of calls that came without an id. */
  #unnamed = 0;

  constructor(rules: ConversationRules, first: View, record: Record) {
    this.#rules = rules;
    this.#record = record;
    this.#frame = frameOf(rules.request);
    this.#push({ role: 'system', content: SYSTEM_PROMPT });
    this.#look(first, observationText(first));
  }

  /** The next request, every message so far in it. */
  request(): ChatRequest {
    const { before, after, stream } = this.#frame;
    const newest = this.#parts.findLastIndex(({ blind }) => blind !== undefined);
    const messages = this.#parts.flatMap(({ text, blind }, at) => {
      if (this.#rules.history === 'full' || at === newest || blind === undefined) return [text];
      return blind === null ? [] : [blind];
    });
    const body = `${before}[${messages.join(',')}]${after}`;
    return { path: '/chat/completions', body, stream };
  }

  /**
   * Takes the model's turn over: content, reasoning and tool calls, their arguments as objects.
   * @param args of each call, in order
   * @returns the ids by which the calls are to be answered
   */
  take(completion: Completion, args: readonly JsonObject[]): readonly string[] {
    const { content, reasoning, toolCalls } = completion;
    const ids = (toolCalls ?? []).map(({ id }) => id ?? this.#newId());
    // An answer that is empty, or all reasoning, has nothing to repeat, and many endpoints refuse an empty message.
    if (ids.length === 0 && (content ?? '').trim() === '') return ids;
    const calls = (toolCalls ?? []).map(({ name }, at) => ({
      id: ids[at] ?? '',
      type: 'function',
      function: { name, arguments: JSON.stringify(args[at] ?? {}) },
    }));
    this.#push({
      role: 'assistant',
      content,
      ...(reasoning === null || reasoning === '' ? {} : { reasoning_content: reasoning }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    });
    return ids;
  }

  /** Answers a call in words. */
  answer(id: string, content: string): void {
    this.#push({ role: 'tool', tool_call_id: id, content });
  }

  /** Answers a call with what the page shows after it. */
  show(id: string, view: View): void {
    this.answer(id, observationText(view));
    this.#look(view, null);
  }

  remind(content: string): void {
    this.#push({ role: 'user', content });
  }

  /** A user message with the screenshot, below the text where there is one. */
  #look(view: View, text: string | null): void {
    const name = screenshotName(view);
    this.#record({ kind: 'screenshot', name, png: view.screenshot });
    if (!this.#rules.image) {
      if (text !== null) this.#push({ role: 'user', content: text });
      return;
    }
    const said = text === null ? [] : [{ type: 'text', text }];
    const message = (url: string): JsonObject => ({
      role: 'user',
      content: [...said, { type: 'image_url', image_url: { url, detail: 'auto' } }],
    });
    this.#parts.push({
      text: JSON.stringify(message(dataUrl(view))),
      blind: text === null ? null : JSON.stringify({ role: 'user', content: said }),
    });
    this.#record({ kind: 'message', message: message(name) });
  }

  #push(message: JsonObject): void {
    this.#parts.push({ text: JSON.stringify(message) });
    this.#record({ kind: 'message', message });
  }

  #newId(): string {
    this.#unnamed += 1;
    return `call_${this.#unnamed}`;
  }
}

function dataUrl({ screenshot }: View): string {
  return `data:image/png;base64,${screenshot.toString('base64')}`;
}

/** The request around its messages; `extra-body` has the last word in everything. */
function frameOf(settings: RequestSettings): {
  readonly before: string;
  readonly after: string;
  readonly stream: boolean;
} {
  const { model, temperature, maxTokens, stream, extraBody } = settings;
  const { model: ownModel = model, messages: _, ...others } = extraBody;
  const rest: JsonObject = {
    tools: [TOOL],
    tool_choice: 'auto',
    temperature: temperature ?? TEMPERATURE,
    ...(maxTokens === null ? {} : { max_tokens: maxTokens }),
    stream,
    ...(stream ? { stream_options: { include_usage: true } } : {}),
    ...thinkingOf(settings),
    ...others,
  };
  return {
    before: `{"model":${JSON.stringify(ownModel)},"messages":`,
    after: `,${JSON.stringify(rest).slice(1)}`,
    stream: rest['stream'] === true,
  };
}
