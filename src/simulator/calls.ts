import type { Json } from '../model/json.js';
import { BROWSER_TOOL, nextMove } from './miniwob/player.js';
import { callsIn, type OfferedTool, type Prompt } from './prompt.js';
import { sampleArguments } from './sample-arguments.js';
import { seeded } from './seeded.js';

/** One tool call of the simulated model. Faults may make its arguments anything; they start as a string. */
export interface SimulatedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Json;
}

/** What the data set says about one conversation. */
export interface OfficialAnswer {
  readonly callsTool: boolean;
  /** Empty when the row does not record the calls. */
  readonly calls: readonly SimulatedCall[];
}

/**
 * The calls that an answer to this prompt makes if it makes any: the official ones where they are known and still on
 * offer, the next move in an episode of miniwob, else one call of an offered tool with arguments that its schema
 * accepts, else none.
 */
export function callsFor(
  prompt: Prompt,
  official: OfficialAnswer | null,
  seed: number,
): readonly SimulatedCall[] {
  const demanded = typeof prompt.toolChoice === 'object' ? prompt.toolChoice.name : null;
  const callable = prompt.tools.filter((tool) => demanded === null || tool.name === demanded);
  const names = new Set(callable.map((tool) => tool.name));
  const known = official?.calls ?? [];
  if (known.length > 0 && known.every((call) => names.has(call.name))) return known;
  const move = names.has(BROWSER_TOOL) ? nextMove(prompt.messages) : null;
  if (move !== null) {
    const id = callId(BROWSER_TOOL, nextCallIndex(prompt));
    return [{ id, name: BROWSER_TOOL, arguments: JSON.stringify({ action: move }) }];
  }
  return sampleCall(prompt, callable, seed);
}

/** Kimi's form of a call id; `index` is one counter over the conversation. */
export function callId(name: string, index: number): string {
  return `functions.${name}:${index}`;
}

/** The index that the next call of this conversation gets. */
export function nextCallIndex(prompt: Prompt): number {
  return prompt.messages.reduce((sum, message) => sum + callsIn(message).length, 0);
}

/** Tries the tools in turn, from one that the prompt decides, until one has arguments that can be made up. */
function sampleCall(
  prompt: Prompt,
  tools: readonly OfferedTool[],
  seed: number,
): readonly SimulatedCall[] {
  const first = Math.floor(seeded(seed, 'tool', prompt.digest) * tools.length);
  for (const tool of [...tools.slice(first), ...tools.slice(0, first)]) {
    const sampled = sampleArguments(tool.parameters);
    if (sampled === null) continue;
    const id = callId(tool.name, nextCallIndex(prompt));
    return [{ id, name: tool.name, arguments: JSON.stringify(sampled) }];
  }
  return [];
}
