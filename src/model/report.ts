import type { HistogramJson } from '../statistics/histogram.js';
import type { Untrusted } from '../text/untrusted.js';
import type { Shard } from './config.js';
import type { Gate, Interval, MetricValue, Verdict } from './gate.js';
import type { JsonObject } from './json.js';
import type { Counts } from './observation.js';

/** How one gate came out. */
export interface GateReport {
  /** The gate as written. */
  readonly gate: string;
  readonly metric: string;
  readonly operator: Gate['operator'];
  readonly bound: number;
  readonly percent: boolean;
  readonly warn: boolean;
  readonly origin: Gate['origin'];
  readonly verdict: Verdict;
  readonly value: number | null;
  /** How it was decided: by the point estimate, by the interval, or by the sequence of a run that may stop early. */
  readonly decided_by: 'point' | 'interval' | 'sequence' | 'none';
  /** The metric's interval at the gate's own level, else at the run's; null where the metric has none or no value. */
  readonly interval: Interval | null;
  /** A whole sentence for people: what was compared and, when inconclusive, what would settle it. */
  readonly reason: string;
  /** Whether the interval contains the bound although the point decided. */
  readonly borderline: boolean;
  /**
   * Samples beyond those run that would settle an inconclusive gate at the measured value; null where none would or
   * not needed.
   */
  readonly samples_to_settle: number | null;
}

/**
 * Kinds of example from this rank on are about answers whose decision is right. They share one place among the kinds, so
 * that they never crowd out wrong decisions and invalid answers.
 */
export const MINOR_RANK = 6;

/** One instructive sample. Everything in `Untrusted` came from the data set or the vendor. */
export interface Example {
  readonly id: string;
  /** Short and stable, used to choose a varied set: `missed_call`, `extra_call`, `invalid_call`, `refused`, ... */
  readonly kind: string;
  /** Rank among kinds: smaller is more instructive. See MINOR_RANK. */
  readonly rank: number;
  /** What kind means, a few plain words: 'the official model called a tool, the vendor did not'. */
  readonly title: string;
  /** The end of the prompt. */
  readonly prompt: Untrusted;
  readonly official: Untrusted;
  readonly vendor: Untrusted;
  /** Validation message, error text; may be empty. */
  readonly detail: Untrusted;
}

/** What only the benchmark knows of its counts. */
export interface BenchmarkDetail {
  /** 2x2 table of decisions over the samples run; null for benchmarks without one. */
  readonly confusion: Confusion | null;
  /** Tables 'what failed and how often', by group. */
  readonly reasons: readonly ReasonGroup[];
  /** Oddities that were counted and do not decide a gate. */
  readonly warnings: readonly Warning[];
}

/** Samples by official and vendor decision. */
export interface Confusion {
  readonly tp: number;
  readonly fp: number;
  readonly fn: number;
  readonly tn: number;
  /** Samples without an answer: how many of fn and tn they are. */
  readonly fn_unmeasured: number;
  readonly tn_unmeasured: number;
}

export interface ReasonGroup {
  /** `invalid_calls`, `finish_reasons`, `refusals`, `errors`. */
  readonly name: string;
  /** 'tool calls that failed validation' */
  readonly title: string;
  /** What the counts are counted in, plural: 'calls', 'samples'. */
  readonly unit: string;
  /** Number the counts are to be compared with; null where none makes sense. */
  readonly of: number | null;
  /** Most frequent first. `key` may hold vendor text (finish reasons). */
  readonly rows: readonly {
    readonly key: Untrusted;
    readonly text: string;
    readonly count: number;
  }[];
}

export interface Warning {
  readonly name: string;
  readonly count: number;
  /** One plain sentence on what it means. */
  readonly text: string;
}

/** Milliseconds. */
export interface Percentiles {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly n: number;
}

export interface BenchmarkReport {
  readonly name: string;
  readonly title: string;
  readonly subset: string;
  readonly version: string;
  readonly dataset: { source: string; sha256: string; rows: number; synthetic: boolean };
  /** What two runs must share to be merged or compared: a flat object of settings, and its digest. */
  readonly fingerprint: { readonly digest: string; readonly settings: JsonObject };
  /** `planned` after limit and of this shard; `answered`: measured; `errors`: run but not measured. */
  readonly samples: { planned: number; run: number; answered: number; errors: number };
  readonly metrics: Readonly<
    Record<string, MetricValue & { readonly title: string; readonly kind: string }>
  >;
  /** Official figures by metric name. */
  readonly references: Readonly<Record<string, { mean: number; min?: number; source: string }>>;
  readonly gates: readonly GateReport[];
  readonly verdict: Verdict;
  readonly confusion: Confusion | null;
  readonly reasons: readonly ReasonGroup[];
  readonly examples: readonly Example[];
  readonly warnings: readonly Warning[];
  readonly latency: {
    readonly first_token: Percentiles | null;
    readonly total: Percentiles | null;
  };
  /** The durations behind `latency`, mergeable: DurationHistogram's JSON. */
  readonly histograms: { readonly first_token: HistogramJson; readonly total: HistogramJson };
  readonly usage: {
    prompt_tokens: number;
    completion_tokens: number;
    total_tokens: number;
    requests: number;
    retries: number;
    /** In the currency of price-in and price-out; null when they are not set. */
    cost: number | null;
  };
  /** Every counter, for merging and for other tools. */
  readonly counts: Counts;
  /**
   * Set when the verdict was settled before the plan was done: `used` samples, the first of the draw, settled it, `run`
   * were run, `saved` of the plan were not. The verdict differs from that of all `rows` with a probability of at most
   * `risk`.
   */
  readonly early_stop: {
    readonly used: number;
    readonly run: number;
    readonly rows: number;
    readonly saved: number;
    readonly risk: number;
  } | null;
  /** Reasons why the figures cannot be compared with the published ones. */
  readonly not_comparable: readonly string[];
}

/** Why a run ended before its plan was done. */
export interface Stopped {
  readonly kind:
    | 'deadline'
    | 'budget'
    | 'shards'
    | 'interrupted'
    | 'configuration'
    | 'outage'
    | 'disk';
  /** What happened, a whole sentence. */
  readonly message: string;
  /** What to check or change; may be empty. */
  readonly advice: string;
  /** The error in full; may be empty. */
  readonly detail: Untrusted;
  /** Whether the detail is the endpoint's own words or this machine's (a connection, a time limit). */
  readonly detail_from: 'endpoint' | 'here';
}

/** The one document of a run; JSON Schema in docs/report.schema.json. */
export interface RunReport {
  readonly schema_version: 1;
  readonly tool: { readonly name: 'vendor-gate'; readonly version: string };
  readonly report_id: string;
  readonly verdict: Verdict;
  readonly endpoint: {
    readonly url: string;
    readonly model: string;
    readonly served: readonly Untrusted[];
  };
  /** What decides the figures, flat; never a secret. */
  readonly settings: JsonObject;
  /** ISO 8601, UTC. */
  readonly started_at: string;
  readonly finished_at: string;
  /** Samples taken over from an earlier, interrupted run in the same output directory. */
  readonly resumed_samples: number;
  /** Which part of the plan this is; null for a whole or merged run. */
  readonly shard: Shard | null;
  readonly stopped: Stopped | null;
  readonly benchmarks: readonly BenchmarkReport[];
  /** Notes of the run: fallbacks taken, data set cleaned, and so on. */
  readonly notes: readonly string[];
}
