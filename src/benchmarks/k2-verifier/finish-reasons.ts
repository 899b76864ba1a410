/**
 * Values of finish_reason that are counted under their own name: those of the OpenAI API, and what servers are known to
 * send in their place (Anthropic, Gemini, Cohere, Mistral, Ollama, vLLM, SGLang, TGI and gateways in front of them).
 */
const KNOWN: ReadonlySet<string> = new Set([
  'stop',
  'tool_calls',
  'length',
  'content_filter',
  'end_turn',
  'tool_use',
  'max_tokens',
  'stop_sequence',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
  'STOP',
  'MAX_TOKENS',
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'OTHER',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOOL_CALLS',
  'COMPLETE',
  'ERROR',
  'TOOL_CALL',
  'tool_call',
  'tool-calls',
  'toolUse',
  'function_call',
  'function',
  'model_length',
  'context_length',
  'eos',
  'eos_token',
  'eot',
  'end',
  'load',
  'unload',
  'done',
  'complete',
  'completed',
  'incomplete',
  'finished',
  'repetition',
  'sensitive',
  'safety',
  'timeout',
  'preempted',
  'unknown',
  'other',
  'null',
  'None',
]);

/** Some servers name the token that ended the answer (ATOM#1727); Kimi K2's special tokens have these numbers. */
const STOP_TOKEN = /^stop_163[5-8]\d\d$/;

/** The key of all values that are neither known nor begin like one. */
export const OTHER_FINISH = '(other)';
/** What follows the known word in the key of values that only begin with it. */
const REST = '…';
const LEADING_WORD = /^[A-Za-z]{1,40}/;

/**
 * The name under which a finish_reason is counted. A value that is not known goes with those that begin with the same
 * known word (`stop_early` is `stop…`), else with all others. So there are only some hundred counters, whatever an
 * endpoint sends, and since a value alone decides its counter, counts of parts can be added in any order; a cap on how
 * many different values are kept could not promise that. results.jsonl has every value as it came.
 */
export function finishCounter(finishReason: string): string {
  if (KNOWN.has(finishReason) || STOP_TOKEN.test(finishReason)) return finishReason;
  const [word = ''] = LEADING_WORD.exec(finishReason) ?? [];
  return KNOWN.has(word) ? `${word}${REST}` : OTHER_FINISH;
}

/** Whether a counter stands for more than one value. */
export function isFamily(counter: string): boolean {
  return counter.endsWith(REST);
}
