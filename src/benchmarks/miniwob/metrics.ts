import type { Metric } from '../../model/benchmark.js';
import type { Counts } from '../../model/observation.js';
import { CATEGORIES, SPLITS } from './tasks.js';

/* Every metric is computed from the counters of score.ts. */

const RATE = [0, 1] as const;
const COUNT = [0, Number.POSITIVE_INFINITY] as const;

function get(counts: Counts, name: string): number {
  return counts[name] ?? 0;
}

interface Words {
  readonly name: string;
  readonly title: string;
}

function successRate(words: Words, group: string): Metric {
  return {
    ...words,
    kind: 'rate',
    range: RATE,
    better: 'higher',
    terms: (counts) => ({
      num: get(counts, `success${group}`),
      den: get(counts, `episodes${group}`),
    }),
  };
}

/** A share of all episodes. */
function failureRate(words: Words, counter: string): Metric {
  return {
    ...words,
    kind: 'rate',
    range: RATE,
    better: 'lower',
    terms: (counts) => ({ num: get(counts, counter), den: get(counts, 'episodes') }),
  };
}

/** The mean of a sum over episodes. */
function perEpisode(words: Words, sum: string, episodes: (counts: Counts) => number): Metric {
  return {
    ...words,
    kind: 'ratio',
    range: COUNT,
    better: 'neither',
    value(counts) {
      const n = episodes(counts);
      return { value: n === 0 ? null : get(counts, sum) / n, n };
    },
  };
}

function measured(counts: Counts): number {
  return get(counts, 'episodes') - get(counts, 'unmeasured');
}

export const METRICS: readonly Metric[] = [
  successRate({ name: 'success_rate', title: 'episodes solved' }, ''),
  {
    name: 'success_rate_measured',
    title: 'episodes solved, measured ones only',
    kind: 'rate',
    range: RATE,
    better: 'higher',
    terms: (counts) => ({ num: get(counts, 'success'), den: measured(counts) }),
  },
  failureRate(
    { name: 'error_rate', title: 'episodes with a runtime error (invalid action or browser)' },
    'runtime_error',
  ),
  failureRate(
    { name: 'invalid_action_rate', title: 'episodes ended by an invalid action' },
    'failed.invalid_action',
  ),
  {
    ...failureRate(
      { name: 'environment_error_rate', title: 'episodes in which the browser failed' },
      'failed.environment',
    ),
    measuresTheRun: true,
  },
  failureRate(
    { name: 'model_error_rate', title: 'episodes that the endpoint refused to go on with' },
    'failed.model',
  ),
  failureRate({ name: 'max_steps_rate', title: 'episodes out of steps' }, 'failed.max_steps'),
  failureRate(
    { name: 'idle_rate', title: 'episodes ended by turns without exactly one tool call' },
    'failed.idle',
  ),
  perEpisode({ name: 'steps_per_episode', title: 'actions an episode' }, 'steps', measured),
  perEpisode({ name: 'tokens_per_episode', title: 'tokens an episode' }, 'tokens', (counts) =>
    get(counts, 'tokens.episodes'),
  ),
  ...CATEGORIES.map((category) =>
    successRate(
      {
        name: `success_rate_${category.replace(' ', '_')}`,
        title: `episodes solved, ${category} tasks`,
      },
      `.category.${category}`,
    ),
  ),
  ...SPLITS.map((split) =>
    successRate(
      { name: `success_rate_${split}`, title: `episodes solved, ${split} split` },
      `.split.${split}`,
    ),
  ),
];
