import { errorWordsOf } from '../../endpoint/error-words.js';
import { reveal, type Untrusted } from '../../text/untrusted.js';

/** What a refusal of the conversation means for the episode. */
export type Refusal =
  /** It has become longer than the model's context, which is how an episode may end. */
  | 'context'
  /** A filter took offence, which counts as an answer in words. */
  | 'filter'
  | 'other';

/**
 * OpenAI, vLLM ("maximum context length", "longer than the maximum model length"), SGLang ("model's context length"),
 * llama.cpp ("exceeds the available context size"), Moonshot ("exceeded model token limit"), Anthropic ("prompt is too
 * long"), Groq ("reduce the length of the messages"), Gemini ("maximum number of tokens").
 */
const CONTEXT =
  /\bcontext[ _-](?:length|window|size)\b|\bmaximum (?:model|prompt|input) length\b|\bmodel token limit\b|\b(?:prompt|input)s?\b.{0,30}\btoo long\b|\breduce the length\b|\bmaximum number of tokens\b/i;
const CONTEXT_CODES = new Set(['context_length_exceeded', 'exceed_context_size_error']);
/** OpenAI and Azure, Alibaba, Moonshot. */
const FILTER =
  /\bcontent[ _]?(?:filter|management policy|policy_violation)|data_inspection_failed|\bhigh risk\b/i;

/** By the endpoint's own words, never by what it quotes of the request. */
export function refusalKind(body: Untrusted): Refusal {
  const { messages, codes } = errorWordsOf(reveal(body));
  if (codes.some((code) => CONTEXT_CODES.has(code))) return 'context';
  if (messages.some((text) => CONTEXT.test(text))) return 'context';
  return [...codes, ...messages].some((text) => FILTER.test(text)) ? 'filter' : 'other';
}
