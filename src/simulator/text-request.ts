import type { Json } from '../model/json.js';
import type { KnownConversation } from './known-prompts.js';
import { BadRequest, digestOf, isObject, offeredTool, type Prompt, tokensOf } from './prompt.js';

/** A request to /completions, before anything is known of the conversation behind it. */
export interface TextRequest {
  readonly model: string;
  readonly text: string;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  readonly hasStreamOptions: boolean;
  /** Special tokens stay in the text. As in vLLM and SGLang they do not unless asked for. */
  readonly keepsSpecialTokens: boolean;
}

/** Reads the body of a request to /completions. Throws BadRequest. */
export function readTextRequest(text: string): TextRequest {
  let body: Json;
  try {
    body = JSON.parse(text) as Json;
  } catch {
    throw new BadRequest('The body of the request is not valid JSON.');
  }
  if (!isObject(body)) throw new BadRequest('The body of the request must be a JSON object.');
  if (typeof body.model !== 'string') throw new BadRequest("'model' must be a string.");
  if (typeof body.prompt !== 'string') throw new BadRequest("'prompt' must be a string.");
  const options = isObject(body.stream_options) ? body.stream_options : null;
  return {
    model: body.model,
    text: body.prompt,
    stream: body.stream === true,
    includeUsage: options?.include_usage === true,
    hasStreamOptions: options !== null,
    keepsSpecialTokens: body.skip_special_tokens === false,
  };
}

/** The conversation that was rendered to the prompt; one that is not known is a single message without tools. */
export function promptOf(request: TextRequest, known: KnownConversation | null): Prompt {
  const { text, model, stream, includeUsage, hasStreamOptions } = request;
  const messages = known?.messages ?? [{ role: 'user', content: text }];
  return {
    model,
    messages,
    tools: known?.tools.flatMap(offeredTool) ?? [],
    toolChoice: 'auto',
    stream,
    includeUsage,
    hasStreamOptions,
    thinking: !/<\/think>\s*$/.test(text.slice(-100)),
    digest: digestOf(messages),
    promptTokens: tokensOf(text),
  };
}
