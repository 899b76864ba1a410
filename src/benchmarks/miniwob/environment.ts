import type { Action } from './action.js';

/** What the browser shows after a reset or a step; the model sees all of it but the raw reward. */
export interface View {
  /** Text of the goal; the same for the whole episode. */
  readonly goal: string;
  readonly url: string;
  /** Environment steps executed so far; 0 after the reset. */
  readonly step: number;
  /** 1 when the page's raw reward is above the success threshold. */
  readonly reward: 0 | 1;
  readonly rawReward: number;
  /** The page ended the episode, or the step budget is used up. */
  readonly done: boolean;
  /** `ErrorType: message` of the last action in Python's shape; empty when it worked. */
  readonly actionError: string;
  /** The accessibility tree as text. */
  readonly tree: string;
  /** PNG of 498x321 pixels. */
  readonly screenshot: Buffer;
}

/** One episode in a browser. Every call ends within a deadline of its own, or rejects with EnvironmentError. */
export interface Environment {
  /** Opens the page, seeds it and starts the episode. */
  reset(): Promise<View>;
  step(action: Action): Promise<View>;
  /** Never rejects. */
  close(): Promise<void>;
}

/** The browser crashed, hung or did something that is no fault of the model; ends the episode. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}

/** What the pool is asked for. */
export interface EpisodeRequest {
  /** `miniwob.click-test`. */
  readonly task: string;
  /** Handed to the page's Math.seedrandom. */
  readonly mathSeed: number;
  /** Environment steps after which the episode is over (TimeLimit). */
  readonly maxSteps: number;
  readonly successThreshold: number;
  readonly urlCheck: 'strict' | 'ignore-hash';
}
