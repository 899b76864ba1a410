import { SequentialGate } from '../gates/sequential.js';
import type { Metric } from '../model/benchmark.js';
import type { Config, Shard } from '../model/config.js';
import type { Gate } from '../model/gate.js';
import { type SampleSizeTells, whatSampleSizeTells } from '../statistics/power.js';
import { metricsOf } from './conclude.js';
import type { PlannedRun } from './open-runs.js';

/** What a run would do and cost, and what it could tell; nothing is sent to find out. */
export interface Plan {
  readonly name: string;
  readonly subset: string;
  readonly source: string;
  readonly sha256: string;
  readonly rows: number;
  readonly samples: number;
  /** Which part of the plan this is, and how many samples all parts have together; null for a whole plan. */
  readonly shard: (Shard & { readonly samples: number }) | null;
  /**
   * Set when the run may stop early, so that `samples` is the most it takes. `unfollowed`: the gates that cannot be
   * followed sample by sample; with one of them a run ends early only by failing another.
   */
  readonly earlyStop: { readonly unfollowed: readonly Gate[] } | null;
  readonly order: 'random' | 'file';
  /** Requests without retries. */
  readonly requests: number;
  /** Most completion tokens that could be billed; null when a sample has no ceiling. */
  readonly tokens: number | null;
  readonly gates: readonly Gate[];
  /** By the first gate on an F1 metric, of all shards together; null where there is none. */
  readonly tells: (SampleSizeTells & { readonly gate: Gate; readonly truth: number }) | null;
  readonly notComparable: readonly string[];
}

export function planOf(
  { benchmark, subset, opened, ids, gates, order }: PlannedRun,
  config: Pick<Config, 'limit' | 'shard' | 'earlyStop'>,
): Plan {
  const { rows } = opened.dataset;
  const all = config.shard === null ? ids.length : Math.min(config.limit ?? rows, rows);
  let requests = 0;
  let tokens: number | null = 0;
  for (const id of ids) {
    const ceiling = opened.ceiling(id);
    requests += ceiling.requests;
    tokens = tokens === null || ceiling.tokens === null ? null : tokens + ceiling.tokens;
  }
  const f1 = new Set(
    benchmark.spec.metrics.filter(({ kind }) => kind === 'f1').map(({ name }) => name),
  );
  const gate = gates.find(
    ({ metric, operator, bound, warn }) =>
      f1.has(metric) && operator.startsWith('>') && bound > 0 && bound < 1 && !warn,
  );
  const tellsOf = (by: Gate): Plan['tells'] => {
    // The official model's own figure, where it is known and above the gate, is what a good deployment should reach.
    const official = subset.references[by.metric]?.mean ?? 0;
    const truth = official > by.bound ? official : Math.min(by.bound + 0.03, (1 + by.bound) / 2);
    return {
      ...whatSampleSizeTells(all, rows, by.bound, truth),
      gate: by,
      truth,
    };
  };
  return {
    name: benchmark.spec.name,
    subset: subset.name,
    source: opened.dataset.source,
    sha256: opened.dataset.sha256,
    rows,
    samples: ids.length,
    shard: config.shard === null ? null : { ...config.shard, samples: all },
    earlyStop: config.earlyStop
      ? { unfollowed: unfollowedIn(gates, metricsOf(benchmark.spec)) }
      : null,
    order,
    requests,
    tokens,
    gates,
    tells: gate === undefined || ids.length === 0 ? null : tellsOf(gate),
    notComparable: opened.notComparable,
  };
}

/** Of the gates that decide a verdict; warnings and gates on the run itself stand outside early stopping. */
function unfollowedIn(gates: readonly Gate[], metrics: readonly Metric[]): Gate[] {
  return gates.filter((gate) => {
    const metric = metrics.find(({ name }) => name === gate.metric);
    if (metric === undefined || gate.warn || metric.measuresTheRun) return false;
    return !SequentialGate.canFollow(gate, metric);
  });
}
