import type { OpenContext } from '../../model/benchmark.js';
import { DECISIVE } from '../request-settings.js';
import { DEFAULT_MAX_STEPS, DEFAULT_SUCCESS_THRESHOLD, type Options } from './options.js';
import type { Pages } from './pages.js';

/** EvalScope runs one or five. */
const USUAL_REPEATS: readonly number[] = [1, 5];

/** Why the figures cannot be set beside those of EvalScope; empty when nothing known speaks against it. */
export function notComparableReasons(
  pages: Pick<Pages, 'synthetic' | 'pinned' | 'tasks'>,
  options: Options,
  { request, subset }: Pick<OpenContext, 'request' | 'subset'>,
): string[] {
  const reasons: string[] = [];
  const { temperature } = subset.sampling;
  if (pages.synthetic) reasons.push('the pages are the built-in ones');
  else if (!pages.pinned) reasons.push('the pages are others than those EvalScope uses');
  if (options.tasks !== null) {
    reasons.push(`tasks chooses ${new Set(options.tasks).size} of ${pages.tasks.length}`);
  }
  if (!options.image) reasons.push('image: false, the model gets no screenshots');
  if (options.image && options.history !== 'full') {
    reasons.push('history: last-image, the model gets the newest screenshot only');
  }
  if (options.maxSteps !== DEFAULT_MAX_STEPS) {
    reasons.push(`max_steps ${options.maxSteps} instead of ${DEFAULT_MAX_STEPS}`);
  }
  if (options.successThreshold !== DEFAULT_SUCCESS_THRESHOLD) {
    reasons.push(
      `success_threshold ${options.successThreshold} instead of ${DEFAULT_SUCCESS_THRESHOLD}`,
    );
  }
  if (options.urlCheck !== 'strict') reasons.push('url_check: ignore-hash');
  if (!USUAL_REPEATS.includes(options.repeats)) {
    reasons.push(`repeats ${options.repeats} instead of ${USUAL_REPEATS.join(' or ')}`);
  }
  if (request.temperature !== null && request.temperature !== temperature) {
    reasons.push(`temperature ${request.temperature} instead of ${temperature ?? 'the usual one'}`);
  }
  if (request.maxTokens !== null) reasons.push(`max_tokens ${request.maxTokens} instead of none`);
  for (const [key, value] of Object.entries(request.extraBody)) {
    const isUsual = key === 'temperature' && value === temperature;
    if (DECISIVE.has(key) && !isUsual) reasons.push(`extra-body sets ${key}`);
  }
  return reasons;
}
