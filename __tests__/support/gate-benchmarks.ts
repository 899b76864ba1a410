import type { BenchmarkSpec, Metric } from '../../src/model/benchmark.js';

/** The default gates of the benchmark k2_verifier, subset k2_thinking. */
export const K2_DEFAULTS = [
  'trigger_similarity >= 0.73',
  'schema_accuracy >= 90%',
  'schema_accuracy >= 95% warn',
  'trigger_rate_ratio >= 0.80',
  'trigger_rate_ratio <= 1.25',
];

const RANGES: Readonly<Record<string, Pick<Metric, 'kind' | 'range'>>> = {
  trigger_rate_ratio: { kind: 'ratio', range: [0, Number.POSITIVE_INFINITY] },
  trigger_kappa: { kind: 'coefficient', range: [-1, 1] },
  count_steps: { kind: 'count', range: [0, Number.POSITIVE_INFINITY] },
};

/** A benchmark as far as gates look at one: its name, its metrics and the subsets k2_thinking and k2_0905. */
export function specOf(name: string, metrics: readonly string[]): BenchmarkSpec {
  const subset = { defaultGates: [], sampling: {}, references: {} };
  return {
    name,
    title: name,
    version: '1',
    optionsSchema: true,
    defaultSubset: 'k2_thinking',
    subsets: [
      { name: 'k2_thinking', ...subset },
      { name: 'k2_0905', ...subset },
    ],
    metrics: metrics.map((metric) => ({
      name: metric,
      title: metric,
      kind: 'rate',
      range: [0, 1],
      better: 'higher',
      value: () => ({ value: 0, n: 0 }),
      ...RANGES[metric],
    })),
    defaultOrder: 'random',
  };
}
