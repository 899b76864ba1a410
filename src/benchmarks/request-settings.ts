import type { RequestSettings } from '../model/benchmark.js';
import type { JsonObject } from '../model/json.js';

/** What the benchmarks make alike of the settings of a request. */

/**
 * Members of a request that decide what a model answers, and how it is switched to think, in the ways of OpenAI, Kimi,
 * Qwen, vLLM, SGLang and OpenRouter. `user`, the choice of a provider and the like do not.
 */
export const DECISIVE: ReadonlySet<string> = new Set([
  'messages',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'functions',
  'function_call',
  'temperature',
  'top_p',
  'top_k',
  'top_a',
  'min_p',
  'typical_p',
  'max_tokens',
  'max_completion_tokens',
  'max_new_tokens',
  'min_tokens',
  'frequency_penalty',
  'presence_penalty',
  'repetition_penalty',
  'length_penalty',
  'logit_bias',
  'bad_words',
  'allowed_token_ids',
  'use_beam_search',
  'best_of',
  'stop',
  'stop_token_ids',
  'ignore_eos',
  'truncate_prompt_tokens',
  'response_format',
  'structured_outputs',
  'guided_json',
  'guided_regex',
  'guided_choice',
  'guided_grammar',
  'regex',
  'ebnf',
  'json_schema',
  'chat_template',
  'chat_template_kwargs',
  'documents',
  'thinking',
  'enable_thinking',
  'thinking_budget',
  'reasoning',
  'reasoning_effort',
  'verbosity',
  'models',
  'transforms',
  'plugins',
]);

/** The members that switch thinking on or off in the server's own way; none when it is left as it is. */
export function thinkingOf({ thinking, thinkingStyle }: RequestSettings): JsonObject {
  if (thinking === 'default' || thinkingStyle === 'none') return {};
  const on = thinking === 'on';
  return thinkingStyle === 'kimi'
    ? { thinking: { type: on ? 'enabled' : 'disabled' } }
    : { chat_template_kwargs: { thinking: on } };
}
