import { createHash } from 'node:crypto';
import type { Json, JsonObject, JsonSchema } from '../model/json.js';

/** A tool as the request offers it. */
export interface OfferedTool {
  readonly name: string;
  /** Absent when the tool declares no `parameters`: then no arguments can be valid. */
  readonly parameters?: JsonSchema;
}

/** What the simulator needs to know of a chat request. */
export interface Prompt {
  readonly model: string;
  readonly messages: readonly JsonObject[];
  readonly tools: readonly OfferedTool[];
  /** `{ name }`: this tool is demanded. */
  readonly toolChoice: 'auto' | 'none' | 'required' | { readonly name: string };
  readonly stream: boolean;
  readonly includeUsage: boolean;
  readonly hasStreamOptions: boolean;
  /** False when the request switches thinking off, in Kimi's or vLLM's way. */
  readonly thinking: boolean;
  /** Identifies the conversation, see digestOf. */
  readonly digest: string;
  /** A stand-in for a tokenizer: four characters are a token. */
  readonly promptTokens: number;
}

/** The request cannot be read; answered with HTTP 400. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest';
}

/** Reads the body of a chat request. Throws BadRequest. */
export function readPrompt(text: string): Prompt {
  let body: Json;
  try {
    body = JSON.parse(text) as Json;
  } catch {
    throw new BadRequest('The body of the request is not valid JSON.');
  }
  if (!isObject(body)) throw new BadRequest('The body of the request must be a JSON object.');
  if (typeof body.model !== 'string') throw new BadRequest("'model' must be a string.");
  if (!Array.isArray(body.messages) || !body.messages.every(isObject)) {
    throw new BadRequest("'messages' must be a list of objects.");
  }
  const messages: readonly JsonObject[] = body.messages;
  const options = isObject(body.stream_options) ? body.stream_options : null;
  return {
    model: body.model,
    messages,
    tools: Array.isArray(body.tools) ? body.tools.flatMap(offeredTool) : [],
    toolChoice: toolChoice(body.tool_choice),
    stream: body.stream === true,
    includeUsage: options?.include_usage === true,
    hasStreamOptions: options !== null,
    thinking: !thinkingOff(body),
    digest: digestOf(messages),
    promptTokens: tokensOf(JSON.stringify([messages, body.tools ?? null])),
  };
}

/**
 * Digest of a conversation: roles, contents and names of called tools, in order. It leaves out what a client may
 * rightly change before sending: ids of calls, arguments in the history (malformed ones are replaced), the role
 * `_input` (sent as `system`), and whether an empty content is null, "" or missing.
 */
export function digestOf(messages: readonly JsonObject[]): string {
  const hash = createHash('sha256');
  for (const message of messages) {
    const role = message.role === '_input' ? 'system' : message.role;
    hash.update(JSON.stringify([role ?? null, textOf(message.content), calledTools(message)]));
  }
  return hash.digest('base64url').slice(0, 22);
}

/** Names of the tools that one message of the history calls. */
export function calledTools(message: JsonObject): string[] {
  return callsIn(message).map((call) => {
    const named = isObject(call.function) ? call.function.name : undefined;
    return typeof named === 'string' ? named : '';
  });
}

/** The calls that one message of the history makes, as they stand there. */
export function callsIn(message: JsonObject): readonly JsonObject[] {
  return Array.isArray(message.tool_calls) ? message.tool_calls.filter(isObject) : [];
}

/** Text of a content: a string, or the text parts of a list. */
export function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: Json) => (isObject(part) && typeof part.text === 'string' ? part.text : ''))
    .join('');
}

/** Four characters to a token, at least one. */
export function tokensOf(text: string): number {
  return Math.max(1, Math.ceil(text.length / 4));
}

/** Whether a JSON value is an object, neither null nor a list. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The tool that an entry of the request's list offers; none where it names none. */
export function offeredTool(tool: Json): OfferedTool[] {
  if (!isObject(tool) || !isObject(tool.function)) return [];
  const { name, parameters } = tool.function;
  if (typeof name !== 'string') return [];
  return isObject(parameters) || typeof parameters === 'boolean'
    ? [{ name, parameters }]
    : [{ name }];
}

function toolChoice(value: Json | undefined): Prompt['toolChoice'] {
  if (value === 'none' || value === 'required') return value;
  if (isObject(value) && isObject(value.function) && typeof value.function.name === 'string') {
    return { name: value.function.name };
  }
  return 'auto';
}

function thinkingOff(body: JsonObject): boolean {
  const kimi = isObject(body.thinking) && body.thinking.type === 'disabled';
  const template = body.chat_template_kwargs;
  return kimi || (isObject(template) && template.thinking === false);
}
