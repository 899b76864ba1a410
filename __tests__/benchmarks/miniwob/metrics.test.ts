import { describe, expect, it, test } from '@jest/globals';
import { METRICS } from '../../../src/benchmarks/miniwob/metrics.js';
import { figureOf } from '../../../src/gates/measure.js';
import type { Counts } from '../../../src/model/observation.js';

// Ten episodes: five solved, one of them nodelay; one unmeasured.
const COUNTS: Counts = {
  episodes: 10,
  success: 5,
  unmeasured: 1,
  runtime_error: 3,
  'failed.wrong': 0,
  'failed.invalid_action': 2,
  'failed.environment': 1,
  'failed.model': 0,
  'failed.max_steps': 1,
  'failed.idle': 0,
  steps: 27,
  model_calls: 30,
  tokens: 4000,
  'tokens.episodes': 8,
  'episodes.category.original': 6,
  'success.category.original': 4,
  'episodes.category.hidden test': 3,
  'episodes.category.nodelay': 1,
  'success.category.nodelay': 1,
  'episodes.split.train': 7,
  'success.split.train': 4,
  'episodes.split.test': 3,
  'success.split.test': 1,
};

function measured(name: string, counts: Counts): { value: number | null; n: number } {
  const metric = METRICS.find((each) => each.name === name);
  if (metric === undefined) throw new Error(`no metric ${name}`);
  const { value, n } = figureOf(metric, counts);
  return { value, n };
}

describe('metrics', () => {
  test.each<[string, number | null, number]>([
    ['success_rate', 0.5, 10],
    ['success_rate_measured', 5 / 9, 9],
    ['error_rate', 0.3, 10],
    ['invalid_action_rate', 0.2, 10],
    ['environment_error_rate', 0.1, 10],
    ['model_error_rate', 0, 10],
    ['max_steps_rate', 0.1, 10],
    ['idle_rate', 0, 10],
    ['steps_per_episode', 3, 9],
    ['tokens_per_episode', 500, 8],
    ['success_rate_original', 4 / 6, 6],
    ['success_rate_hidden_test', 0, 3],
    ['success_rate_debug', null, 0],
    ['success_rate_additional', null, 0],
    ['success_rate_nodelay', 1, 1],
    ['success_rate_train', 4 / 7, 7],
    ['success_rate_test', 1 / 3, 3],
  ])('%s', (name, value, n) => {
    expect(measured(name, COUNTS)).toEqual({ value, n });
  });

  it('has no value where nothing was run', () => {
    expect(METRICS.map(({ name }) => measured(name, {}).value)).toEqual(METRICS.map(() => null));
  });

  it('has all of them above, under names that a gate can have', () => {
    expect(METRICS).toHaveLength(17);
    for (const { name } of METRICS) expect(name).toMatch(/^[a-z_]+$/);
    expect(new Set(METRICS.map(({ title }) => title)).size).toBe(17);
  });

  it('takes the browser alone for a fault of the run', () => {
    const ofTheRun = METRICS.filter(({ measuresTheRun }) => measuresTheRun);
    expect(ofTheRun.map(({ name }) => name)).toEqual(['environment_error_rate']);
  });
});
