import type { OpenContext } from '../../model/benchmark.js';
import { DECISIVE } from '../request-settings.js';
import type { DataSet } from './data-set.js';
import type { Options } from './options.js';

/** Of a results file that is scored without the options of the run that wrote it. */
export const PROMPTS_SCORED =
  'the results are of prompts that were sent to /completions, with the calls read out of the text';

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
  // A chat template is told in one way only; an endpoint, in the way that `thinking-style` says.
  const told = options.completions || request.thinkingStyle !== 'none';
  const published = subset.name === 'k2_thinking' ? 'on' : 'off';
  if (told && request.thinking !== 'default' && request.thinking !== published) {
    reasons.push(`thinking is switched ${request.thinking}`);
  }
  const sampling: Readonly<Record<string, unknown>> = { temperature, max_tokens: maxTokens };
  for (const [key, value] of Object.entries(request.extraBody)) {
    const isPublished = value === sampling[key] && value !== undefined;
    if (DECISIVE.has(key) && !isPublished) reasons.push(`extra-body sets ${key}`);
  }
  if (options.functionIds) reasons.push('tool-call-ids: functions rewrites the history');
  if (options.toolStrict) reasons.push('tool-strict: true asks for guided decoding');
  if (options.completions) {
    reasons.push('api: completions sends prompts made here and reads the calls out of the text');
  }
  return reasons;
}
