import { describe, expect, it, test } from '@jest/globals';
import type { Payload } from '../../../src/benchmarks/miniwob/payload.js';
import { type Episode, schedule } from '../../../src/benchmarks/miniwob/schedule.js';
import { scoreEpisode } from '../../../src/benchmarks/miniwob/score.js';
import type { Exchange, Usage } from '../../../src/model/completion.js';
import type { Observation, Outcome } from '../../../src/model/observation.js';
import { untrusted } from '../../../src/text/untrusted.js';

const [EPISODE] = schedule({
  repeats: 1,
  tasks: new Set(['miniwob.ascending-numbers']),
  limit: null,
}) as readonly [Episode];

const SOLVED: Payload = {
  success: true,
  ending: 'done',
  reward: 1,
  rawReward: 1,
  modelCalls: 4,
  steps: 3,
  error: null,
  browser: '156.0',
  trace: 'ascending-numbers.0/trace.jsonl',
  goal: untrusted('Click on the numbers in ascending order.'),
  lastActions: [],
};

function usage(prompt: number, completion: number): Usage {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: 0 };
}

function exchange(tokens: Usage | null): Exchange {
  return {
    status: 200,
    attempts: 1,
    firstTokenMs: null,
    totalMs: 1,
    usage: tokens,
    warnings: [],
    headers: {},
    served: null,
    inFlight: 1,
  };
}

function observed(
  outcome: Outcome<Payload>,
  exchanges: readonly Exchange[] = [],
): Observation<Payload> {
  return { ...outcome, id: EPISODE.id, attempt: 1, startedAt: 0, durationMs: 1, exchanges };
}

function played(changes: Partial<Payload>): Observation<Payload> {
  return observed({ kind: 'measured', payload: { ...SOLVED, ...changes } });
}

const GROUPS = { 'episodes.category.hidden test': 1, 'episodes.split.test': 1 };
const FAILED = { success: false, reward: 0, rawReward: -1 } as const;

describe('scoreEpisode', () => {
  it('counts a solved episode, for its groups too', () => {
    expect(scoreEpisode(EPISODE, played({}))).toEqual({
      episodes: 1,
      ...GROUPS,
      success: 1,
      'success.category.hidden test': 1,
      'success.split.test': 1,
      'ending.done': 1,
      steps: 3,
      model_calls: 4,
    });
  });

  test.each<[Payload['ending'], string, boolean]>([
    ['done', 'wrong', false],
    ['max_steps', 'max_steps', false],
    ['idle', 'idle', false],
    ['malformed', 'idle', false],
    ['invalid_action', 'invalid_action', true],
    ['environment', 'environment', true],
    ['model', 'model', false],
    ['context', 'model', false],
  ])('counts an episode without success that ended with %s', (ending, cause, isRuntimeError) => {
    expect(scoreEpisode(EPISODE, played({ ...FAILED, ending }))).toEqual({
      episodes: 1,
      ...GROUPS,
      [`ending.${ending}`]: 1,
      [`failed.${cause}`]: 1,
      ...(isRuntimeError ? { runtime_error: 1 } : {}),
      steps: 3,
      model_calls: 4,
    });
  });

  it('counts an episode whose endpoint failed as a failure without a runtime error', () => {
    const dead = observed({ kind: 'unmeasured', cause: 'network', detail: untrusted('') }, [
      exchange(usage(5, 5)),
    ]);
    expect(scoreEpisode(EPISODE, dead)).toEqual({ episodes: 1, ...GROUPS, unmeasured: 1 });
  });

  test.each<[string, readonly (Usage | null)[], number | undefined]>([
    ['no answer', [], undefined],
    ['one answer', [usage(10, 2)], 12],
    ['several answers', [usage(10, 2), usage(20, 3)], 35],
    ['an answer without a count', [usage(10, 2), null], undefined],
  ])('adds up tokens of %s', (_name, usages, tokens) => {
    const counts = scoreEpisode(
      EPISODE,
      observed({ kind: 'measured', payload: SOLVED }, usages.map(exchange)),
    );
    expect(counts['tokens']).toBe(tokens);
    expect(counts['tokens.episodes']).toBe(tokens === undefined ? undefined : 1);
  });
});
