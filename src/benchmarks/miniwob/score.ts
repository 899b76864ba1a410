import type { Counts, Observation } from '../../model/observation.js';
import type { Ending, Payload } from './payload.js';
import type { Episode } from './schedule.js';

/**
 * Why an episode did not succeed. Several endings can be one cause; an episode that the page ended without success has
 * the cause `wrong`.
 */
export const CAUSE_OF: Readonly<Record<Ending, FailureCause>> = {
  done: 'wrong',
  max_steps: 'max_steps',
  idle: 'idle',
  malformed: 'idle',
  invalid_action: 'invalid_action',
  environment: 'environment',
  model: 'model',
  context: 'model',
};
export type FailureCause =
  | 'wrong'
  | 'max_steps'
  | 'idle'
  | 'invalid_action'
  | 'environment'
  | 'model';

/** What EvalScope calls a runtime error: its check of the action and the browser, never the endpoint. */
const RUNTIME_ERRORS: readonly Ending[] = ['invalid_action', 'environment'];

/**
 * The counters of one episode:
 *
 * - `episodes success runtime_error`: by EvalScope's definitions; an episode that the endpoint cut short counts as a
 *   failure without a runtime error, and in `unmeasured` as well.
 * - `ending.NAME`, and `failed.CAUSE` of those without success: measured episodes.
 * - `episodes.category.NAME success.category.NAME`, the same for `split`.
 * - `steps model_calls`: of measured episodes.
 * - `tokens`, `tokens.episodes`: prompt and completion tokens of the measured episodes whose every answer reported them,
 *   and how many those are.
 */
export function scoreEpisode({ task }: Episode, observation: Observation<Payload>): Counts {
  const groups = [`category.${task.category}`, `split.${task.split}`];
  const counts: Record<string, number> = { episodes: 1 };
  for (const group of groups) counts[`episodes.${group}`] = 1;
  if (observation.kind === 'unmeasured') return { ...counts, unmeasured: 1 };
  const { payload } = observation;
  counts[`ending.${payload.ending}`] = 1;
  if (payload.success) {
    counts['success'] = 1;
    for (const group of groups) counts[`success.${group}`] = 1;
  } else {
    counts[`failed.${CAUSE_OF[payload.ending]}`] = 1;
  }
  if (RUNTIME_ERRORS.includes(payload.ending)) counts['runtime_error'] = 1;
  const tokens = tokensOf(observation);
  if (tokens !== null) {
    counts['tokens'] = tokens;
    counts['tokens.episodes'] = 1;
  }
  return { ...counts, steps: payload.steps, model_calls: payload.modelCalls };
}

/** null when nothing was asked or not every answer said how many. */
function tokensOf({ exchanges }: Observation<Payload>): number | null {
  if (exchanges.length === 0) return null;
  let sum = 0;
  for (const { usage } of exchanges) {
    if (usage === null) return null;
    sum += usage.prompt_tokens + usage.completion_tokens;
  }
  return sum;
}
