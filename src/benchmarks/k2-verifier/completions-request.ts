import type { ChatTemplate } from './chat-template.js';
import type { Findings } from './history.js';
import { onOneLine, preparedFields } from './prepared.js';
import {
  type Change,
  editedFields,
  objectText,
  type RequestPlan,
  setExtra,
  setSampling,
  setStream,
} from './request.js';
import type { Field } from './rows.js';

/** Fields of /chat/completions that /completions does not know, or that mean something else there (`logprobs`). */
const CHAT_ONLY = [
  'messages',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'functions',
  'function_call',
  'response_format',
  'max_completion_tokens',
  'logprobs',
  'top_logprobs',
  'reasoning_effort',
  'thinking',
  'chat_template_kwargs',
];

/** Whether vLLM and SGLang leave special tokens out of the text; they do unless told otherwise. */
const SKIP = 'skip_special_tokens';

/** A request to /completions. */
export interface CompletionsRequest {
  readonly body: string;
  readonly changes: readonly Change[];
  /** The prompt ends with `<think>`, so that the answer begins with thinking. */
  readonly opensThinking: boolean;
  /** The request as K2VV makes it with --use_raw_completions, on one line; the prompt rendered by our template. */
  prepared(): string;
}

/**
 * The request for a row whose messages and tools the template renders to a prompt. Special tokens are asked for,
 * because without them the calls cannot be seen in the text; an `extra-body` with `skip_special_tokens: null` leaves
 * the field out, for servers that refuse what they do not know.
 *
 * @throws TemplateError
 */
export function buildCompletionsRequest(
  fields: readonly Field[],
  findings: Findings,
  plan: RequestPlan,
  template: ChatTemplate,
): CompletionsRequest {
  const { body, changes } = editedFields(fields, findings, plan);
  const render = (from: ReadonlyMap<string, string>, thinking: boolean | null): string =>
    template.render({ messages: from.get('messages') ?? '[]', tools: toolsIn(from), thinking });
  const messages = body.get('messages');
  const prompt = render(body, plan.thinking);
  const limit = body.get('max_tokens') ?? body.get('max_completion_tokens');
  for (const key of CHAT_ONLY) body.delete(key);
  if (limit !== undefined) body.set('max_tokens', limit);
  setSampling(body, plan);
  body.set('prompt', JSON.stringify(prompt));
  setStream(body, plan);
  body.set(SKIP, 'false');
  setExtra(body, plan);
  if (plan.extraBody[SKIP] === null) body.delete(SKIP);
  return {
    body: objectText(body),
    changes,
    opensThinking: opensThinking(prompt),
    prepared() {
      const prepared = preparedFields(fields, findings, plan);
      const isSame = plan.thinking === null && prepared.get('messages') === messages;
      const text = isSame ? prompt : render(prepared, null);
      prepared.delete('messages');
      prepared.delete('tools');
      prepared.set('prompt', JSON.stringify(text));
      return onOneLine(objectText(prepared));
    },
  };
}

/** Whether what is said after a prompt is thinking from the start. */
export function opensThinking(prompt: string): boolean {
  return prompt.slice(-100).trimEnd().endsWith('<think>');
}

/** The tools that a prompt offers; an empty list offers none. */
function toolsIn(body: ReadonlyMap<string, string>): string | null {
  const tools = body.get('tools') ?? 'null';
  return /^\s*(?:null|\[\s*\])\s*$/.test(tools) ? null : tools;
}
