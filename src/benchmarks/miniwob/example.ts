import { CAUSES } from '../../model/completion.js';
import type { Observation } from '../../model/observation.js';
import type { Example } from '../../model/report.js';
import { reveal, untrusted } from '../../text/untrusted.js';
import type { Ending, Payload } from './payload.js';
import type { Episode } from './schedule.js';
import { CAUSE_OF } from './score.js';
import { ENDING_TEXTS } from './words.js';

/** The smaller, the more can be learned: a model's own slips first, pages that are simply hard last. */
const RANKS: Readonly<Record<Ending, number>> = {
  invalid_action: 1,
  malformed: 2,
  idle: 2,
  model: 3,
  context: 3,
  environment: 4,
  done: 5,
  max_steps: 6,
};
const UNANSWERED = 7;

/** What a person would learn from this episode; null when it was solved. */
export function exampleOf(episode: Episode, observation: Observation<Payload>): Example | null {
  const { id, task } = episode;
  if (observation.kind === 'unmeasured') {
    const { cause, detail } = observation;
    return {
      id,
      kind: 'unanswered',
      rank: UNANSWERED,
      title: 'the endpoint failed',
      prompt: untrusted(task.name),
      official: untrusted(''),
      vendor: untrusted('no answer'),
      detail: untrusted([CAUSES[cause], reveal(detail)].filter(Boolean).join(': ')),
    };
  }
  const { payload } = observation;
  if (payload.success) return null;
  const { ending, goal, lastActions, error, trace } = payload;
  const told = [
    error === null ? '' : reveal(error),
    `Raw reward ${payload.rawReward}; actions: ${payload.steps}; calls of the model: ${payload.modelCalls}.`,
    trace === null ? '' : `Trace: ${trace}`,
  ];
  return {
    id,
    kind: CAUSE_OF[ending],
    rank: RANKS[ending],
    title: `${task.page}: ${ENDING_TEXTS[ending]}`,
    prompt: goal,
    official: untrusted(''),
    vendor: untrusted(lastActions.map(reveal).join('\n') || 'no action'),
    detail: untrusted(told.filter(Boolean).join('\n')),
  };
}
