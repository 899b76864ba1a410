import type { Ending } from './payload.js';
import type { FailureCause } from './score.js';

/** What ended an episode without success, for people. */
export const CAUSE_TEXTS: Readonly<Record<FailureCause, string>> = {
  wrong: 'the page ended the episode without a reward',
  max_steps: 'the steps were used up',
  idle: 'too many turns in a row without exactly one tool call',
  invalid_action: 'the action was no call of an allowed function',
  environment: 'the browser failed',
  model: 'the endpoint refused to go on, or the context was full',
};

/** How an episode ended, as a phrase in a title. */
export const ENDING_TEXTS: Readonly<Record<Ending, string>> = {
  done: 'the page ended it without a reward',
  max_steps: 'out of steps',
  idle: 'no tool call three times in a row',
  malformed: 'several tool calls in one turn, four times in a row',
  invalid_action: 'an action that is no call of an allowed function',
  environment: 'the browser failed',
  model: 'the endpoint refused the conversation',
  context: 'the conversation no longer fits the context',
};
