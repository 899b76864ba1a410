import type { Untrusted } from '../../text/untrusted.js';

/**
 * How an episode ended:
 * - `done`: the page says so, whatever the reward;
 * - `max_steps`: steps of the loop or of the environment used up;
 * - `idle`, `malformed`: too many turns in a row without a tool call, or with several;
 * - `invalid_action`: an action that is no call of an allowed function; EvalScope counts it as a runtime error;
 * - `environment`: the browser failed, at the reset or later; a runtime error too;
 * - `model`: the endpoint refused the conversation (HTTP 400, 413, 422);
 * - `context`: the conversation was longer than the model's context.
 */
export type Ending =
  | 'done'
  | 'max_steps'
  | 'idle'
  | 'malformed'
  | 'invalid_action'
  | 'environment'
  | 'model'
  | 'context';

/** What became of one episode. Token counts are those of the observation's exchanges. */
export interface Payload {
  readonly success: boolean;
  readonly ending: Ending;
  /** Of the last observation; 1 above the success threshold. */
  readonly reward: 0 | 1;
  /** The page's own figure, from -1 to 1. */
  readonly rawReward: number;
  /** Answers of the model, each of which used up a step of the loop. */
  readonly modelCalls: number;
  /** Actions executed in the environment. */
  readonly steps: number;
  /** Of what ended the episode; null when nothing failed. */
  readonly error: Untrusted | null;
  /** Version of the browser; null when none was started. */
  readonly browser: string | null;
  /** Path of the trace below the benchmark's directory; null when there is none. */
  readonly trace: string | null;
  /** Empty when the reset failed. */
  readonly goal: Untrusted;
  /** The last few actions as the model wrote them, the newest last. */
  readonly lastActions: readonly Untrusted[];
}
