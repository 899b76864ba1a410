import type { Metric } from '../model/benchmark.js';

const UNMEASURED_RATE = 'unmeasured_rate';

/** Metrics of the engine: every benchmark has them beside its own. */
export const ENGINE_METRICS: readonly Metric[] = [
  {
    name: UNMEASURED_RATE,
    title: 'request errors',
    kind: 'rate',
    range: [0, 1],
    better: 'lower',
    measuresTheRun: true,
    terms: (counts) => ({
      num: counts['engine.unmeasured'] ?? 0,
      den: counts['engine.run'] ?? 0,
    }),
  },
];

/** Gate lines that hold for every benchmark without configuration. */
export const ENGINE_DEFAULT_GATES: readonly string[] = [`${UNMEASURED_RATE} <= 1%`];
