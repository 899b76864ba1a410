import type { OpenContext } from '../../model/benchmark.js';
import type { DataSet } from './data-set.js';
import type { Options } from './options.js';

/** Members of a request that decide what a model answers. `user`, provider routing and the like do not. */
const DECISIVE: ReadonlySet<string> = new Set([
  'messages',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'max_tokens',
  'max_completion_tokens',
  'frequency_penalty',
  'presence_penalty',
  'repetition_penalty',
  'logit_bias',
  'response_format',
  'reasoning_effort',
  'stop',
]);

/** Why the figures cannot be compared with the published ones; empty when nothing known speaks against it. */
export function notComparableReasons(
  data: Pick<DataSet, 'info' | 'skipped'>,
  options: Options,
  { request, subset }: Pick<OpenContext, 'request' | 'subset'>,
): string[] {
  const reasons: string[] = [];
  const { temperature, max_tokens: maxTokens } = subset.sampling;
  if (data.info.synthetic) reasons.push('the data set is the built-in one, made by hand');
  if (data.skipped > 0) reasons.push(`${data.skipped} malformed rows were left out`);
  if (request.temperature !== null && request.temperature !== temperature) {
    reasons.push(
      `temperature ${request.temperature} instead of the published ${temperature ?? 'one'}`,
    );
  }
  if (request.maxTokens !== null && request.maxTokens !== maxTokens) {
    reasons.push(
      maxTokens === undefined
        ? `max_tokens ${request.maxTokens} instead of the row's own`
        : `max_tokens ${request.maxTokens} instead of the published ${maxTokens}`,
    );
  }
  const switchedOff = request.thinking === 'off' && request.thinkingStyle !== 'none';
  if (switchedOff && subset.name === 'k2_thinking') {
    reasons.push('thinking is switched off');
  }
  for (const key of Object.keys(request.extraBody)) {
    if (DECISIVE.has(key)) reasons.push(`extra-body replaces ${key}`);
  }
  if (options.functionIds) reasons.push('tool-call-ids: functions rewrites the history');
  if (options.toolStrict) reasons.push('tool-strict: true asks for guided decoding');
  return reasons;
}
