import type { MarkupFault } from './completions-answer.js';
import { isFamily, OTHER_FINISH } from './finish-reasons.js';
import type { Change } from './request.js';
import type { CallWarning, InvalidReason } from './tool-calls.js';

/** Why a tool call counts as invalid, in plain words. */
const INVALID: Readonly<Record<InvalidReason | 'no_tool_calls', string>> = {
  no_tool_calls: 'finish_reason says tool_calls, but no call came',
  unknown_tool: 'the tool was not offered',
  no_schema: 'the tool has no parameter schema to check against',
  invalid_schema: 'the parameter schema of the tool is itself not valid',
  unresolvable_ref: 'the parameter schema refers to something that cannot be found',
  empty_arguments: 'the arguments are empty',
  invalid_json: 'the arguments are not valid JSON',
  non_finite_number: 'the arguments hold NaN or Infinity, which JSON does not know',
  schema_violation: 'the arguments do not fit the parameter schema',
};

export function invalidText(reason: string): string {
  return ownText(INVALID, reason) ?? reason.replaceAll('_', ' ');
}

const FINISH: Readonly<Record<string, string>> = {
  tool_calls: 'the model called a tool',
  stop: 'the model ended its answer',
  length: 'the answer was cut at max_tokens',
  content_filter: 'the endpoint filtered the answer',
};

const EACH_VALUE = 'results.jsonl has each as it came';

export function finishText(reason: string): string {
  if (reason === OTHER_FINISH) return `values that no server is known to send; ${EACH_VALUE}`;
  if (isFamily(reason)) return `values that begin so; ${EACH_VALUE}`;
  return ownText(FINISH, reason) ?? 'not a value of the OpenAI API';
}

/** Reasons may be a vendor's own words, `constructor` among them. */
function ownText(texts: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}

const CHANGED: Readonly<Record<Change, string>> = {
  input_role: 'The role _input was sent as system, as K2VV does.',
  history_arguments:
    'Tool-call arguments in the history that are not JSON were sent as {}; `history-arguments: raw` sends them as they are.',
  tool_call_ids: 'Tool-call ids in the history were rewritten to functions.NAME:IDX.',
  tool_strict: '"strict": true was added to every tool.',
};

const OF_CALLS: Readonly<Record<CallWarning, string>> = {
  arguments_object:
    'Arguments came as a JSON value instead of a string; they were judged as they are.',
  duplicate_keys: 'Arguments hold a key twice; the last one was judged.',
  arguments_truncated: 'Arguments end in the middle of their JSON.',
  arguments_repeated: 'The whole arguments stand there twice or more, one after the other.',
  arguments_double_encoded: 'Arguments are a JSON string that holds JSON, encoded once too often.',
};

const OF_MARKUP: Readonly<Record<MarkupFault, string>> = {
  malformed_markup:
    'The text holds tool-call markers that do not make up whole calls in a whole section; what is not whole was not taken for a call.',
  stripped_markup:
    'The text holds a tool call without its special tokens: the server left them out although `skip_special_tokens: false` asked for them.',
};

/** Oddities that this benchmark counts itself. */
export const WARNINGS: Readonly<Record<string, string>> = {
  ...CHANGED,
  ...OF_CALLS,
  ...OF_MARKUP,
  calls_without_finish:
    'The answer holds tool calls but its finish_reason is not tool_calls, so it counts as not triggered.',
  reasoning_only: 'The answer holds reasoning and then neither content nor a tool call.',
};
