import type { Metric } from '../model/benchmark.js';

/** The one metric whose gate means 'could not measure': a breach is an error, never a failure of the endpoint. */
export const UNMEASURED_RATE = 'unmeasured_rate';

/** Metrics of the engine: every benchmark has them beside its own. */
export const ENGINE_METRICS: readonly Metric[] = [
  {
    name: UNMEASURED_RATE,
    title: 'request errors',
    kind: 'rate',
    range: [0, 1],
    better: 'lower',
    terms: (counts) => ({
      num: counts['engine.unmeasured'] ?? 0,
      den: counts['engine.run'] ?? 0,
    }),
  },
];

/** Gate lines that hold for every benchmark without configuration. */
export const ENGINE_DEFAULT_GATES: readonly string[] = [`${UNMEASURED_RATE} <= 1%`];
