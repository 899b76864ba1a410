import { callsFor, type OfficialAnswer, type SimulatedCall } from './calls.js';
import { BROWSER_TOOL } from './miniwob/player.js';
import type { Prompt } from './prompt.js';
import { seeded } from './seeded.js';
import { answerText, reasoningText } from './texts.js';

/** What the simulated model says, before it is given the form of a body or a stream. */
export interface Answer {
  /** Empty: the model did not reason aloud. */
  readonly reasoning: string;
  readonly reasoningField: 'reasoning_content' | 'reasoning';
  readonly content: string | null;
  /** undefined: the field is absent, as in an answer of plain text. */
  readonly calls: readonly SimulatedCall[] | null | undefined;
  /** undefined: the field is absent. */
  readonly finishReason: string | null | undefined;
}

/** What an answer depends on beside the prompt. */
export interface AnswerSettings {
  /** Probability in [0, 1] that a row keeps the official decision. */
  readonly fidelity: number;
  readonly seed: number;
  /** Pieces a streamed answer is cut into; texts are made long enough for them. */
  readonly chunks: number;
}

/** Share of unknown prompts (with tools on offer) that are answered with a call, as in the built-in data set. */
const UNKNOWN_CALL_RATE = 0.55;
/** Share of answers that reason aloud; also every answer that would be too short for the pieces asked for. */
const REASONING_RATE = 0.5;

/**
 * The model's answer. `official` is what the data set says about this prompt, null when the prompt is not in it:
 * then a decision is derived from the prompt. Depends on prompt and seed only.
 */
export function answerTo(
  prompt: Prompt,
  official: OfficialAnswer | null,
  settings: AnswerSettings,
): Answer {
  const calls = decides(prompt, official, settings)
    ? callsFor(prompt, official, settings.seed)
    : [];
  return calls.length > 0 ? calling(prompt, calls, settings) : talking(prompt, settings);
}

/** An answer that calls tools. */
export function calling(
  prompt: Prompt,
  calls: readonly SimulatedCall[],
  settings: AnswerSettings,
): Answer {
  const length = calls.reduce((sum, call) => sum + String(call.arguments).length, 0);
  return {
    reasoning: reasoning(prompt, length, settings, calls[0]?.name ?? null),
    reasoningField: 'reasoning_content',
    content: null,
    calls,
    finishReason: 'tool_calls',
  };
}

/** An answer of plain text. */
export function talking(prompt: Prompt, settings: AnswerSettings): Answer {
  const content = answerText(prompt, settings.seed, settings.chunks);
  return {
    reasoning: reasoning(prompt, content.length, settings, null),
    reasoningField: 'reasoning_content',
    content,
    calls: undefined,
    finishReason: 'stop',
  };
}

function decides(
  prompt: Prompt,
  official: OfficialAnswer | null,
  { fidelity, seed }: AnswerSettings,
): boolean {
  if (prompt.toolChoice === 'none') return false;
  if (prompt.toolChoice !== 'auto') return true;
  // Without the seed: the decision stands for the official model's, which no seed of ours can change.
  const plays = prompt.tools.some(({ name }) => name === BROWSER_TOOL);
  const guessed = plays || seeded(0, 'decision', prompt.digest) < UNKNOWN_CALL_RATE;
  const decision = official?.callsTool ?? guessed;
  const kept = seeded(seed, 'fidelity', prompt.digest) < fidelity;
  return kept ? decision : !decision;
}

function reasoning(
  prompt: Prompt,
  answerLength: number,
  { seed, chunks }: AnswerSettings,
  tool: string | null,
): string {
  if (!prompt.thinking) return '';
  const wanted = seeded(seed, 'reasoning', prompt.digest) < REASONING_RATE;
  return wanted || answerLength < chunks ? reasoningText(prompt, tool, chunks) : '';
}
