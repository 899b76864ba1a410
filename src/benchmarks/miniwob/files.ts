import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '../../model/json.js';
import type { Observation } from '../../model/observation.js';
import type { Payload } from './payload.js';
import type { Episode } from './schedule.js';

/**
 * Writes `results.jsonl`, a line an episode in file order; it appears under its name only when it is complete.
 * @returns the paths written
 */
export async function writeResultFiles(
  dir: string,
  observations: AsyncIterable<Observation<Payload>>,
  episodeOf: (id: string) => Episode,
): Promise<string[]> {
  const path = join(dir, 'results.jsonl');
  const lines: string[] = [];
  for await (const observation of observations) {
    lines.push(`${JSON.stringify(resultOf(episodeOf(observation.id), observation))}\n`);
  }
  await writeFile(`${path}.part`, lines.join(''));
  await rename(`${path}.part`, path);
  return [path];
}

/** An episode as a line of results.jsonl. */
export function resultOf(
  { id, task, repeat, seed, mathSeed }: Episode,
  observation: Observation<Payload>,
): JsonObject {
  const { exchanges, durationMs, attempt } = observation;
  const sum = (of: 'prompt_tokens' | 'completion_tokens'): number =>
    exchanges.reduce((total, { usage }) => total + (usage?.[of] ?? 0), 0);
  const known = {
    id,
    task: task.name,
    category: task.category,
    split: task.split,
    repeat,
    seed,
    math_seed: mathSeed,
    attempt,
    duration_ms: durationMs,
    prompt_tokens: sum('prompt_tokens'),
    completion_tokens: sum('completion_tokens'),
  };
  if (observation.kind === 'unmeasured') {
    const { cause, detail } = observation;
    return { ...known, status: 'unmeasured', cause, detail: detail as unknown as string };
  }
  const { payload } = observation;
  return {
    ...known,
    status: 'measured',
    success: payload.success,
    ending: payload.ending,
    reward: payload.reward,
    raw_reward: payload.rawReward,
    model_calls: payload.modelCalls,
    steps: payload.steps,
    error: payload.error as unknown as string | null,
    goal: payload.goal as unknown as string,
    last_actions: payload.lastActions as unknown as string[],
    browser: payload.browser,
    trace: payload.trace,
  };
}
