import type { Clock } from './clock.js';
import type { ChatRequest, Reply } from './completion.js';
import type { Downloads } from './downloads.js';
import type { Interval } from './gate.js';
import type { Json, JsonObject, JsonSchema } from './json.js';
import type { Counts, Observation, Outcome } from './observation.js';
import type { BenchmarkDetail, Example } from './report.js';

/**
 * A metric is computed from counts alone. With `terms` it is a ratio of two sums over samples (F1 is 2TP over
 * 2TP+FP+FN), which gives merging, early stopping and paired tests for free.
 */
export type Metric = {
  readonly name: string;
  /** For people: 'tool-call decision (F1)'. */
  readonly title: string;
  /** `rate`: a share of samples. `mean`: of a value in [0, 1] that each sample has, the sum over their number. */
  readonly kind: 'rate' | 'mean' | 'f1' | 'count' | 'ratio' | 'coefficient' | 'seconds';
  /** Legal values, inclusive; a gate's bound must lie within. */
  readonly range: readonly [number, number];
  readonly better: 'higher' | 'lower' | 'neither';
  /**
   * Says how well this run could measure, not how the model does: the value itself always decides, and a breach of its
   * gate is an error, never a failure.
   */
  readonly measuresTheRun?: true;
  /** Why there is nothing to divide by; completes 'TITLE has no value over all 20 samples: '. */
  whyUndefined?(counts: Counts): string;
} & (
  | {
      terms(counts: Counts): { num: number; den: number };
      /**
       * The [num, den] that a single sample can have, which bounds what the samples not run yet could change; needed
       * for a `ratio` only, the other kinds imply it. An interval, too, only where the kind implies none.
       */
      readonly sampleTerms?: readonly (readonly [number, number])[];
      interval?(counts: Counts, level: number): Interval | null;
    }
  | {
      value(counts: Counts): { value: number | null; n: number };
      interval?(counts: Counts, level: number): Interval | null;
    }
);

/** How the official model does on a metric, shown beside the measured value. */
export interface Reference {
  /** Mean of official re-runs. */
  readonly mean: number;
  /** Smallest of official re-runs, where known. */
  readonly min?: number;
  /** Where the figures come from. */
  readonly source: string;
}

export interface Subset {
  readonly name: string;
  /** Gate lines that hold without configuration. */
  readonly defaultGates: readonly string[];
  /** Sampling conditions under which the published figures were taken. */
  readonly sampling: { readonly temperature?: number; readonly max_tokens?: number };
  /** By metric name. */
  readonly references: Readonly<Record<string, Reference>>;
}

export interface BenchmarkSpec {
  /** EvalScope's name. */
  readonly name: string;
  readonly title: string;
  readonly version: string;
  /** Of the options under `datasets:`; `additionalProperties: false`. */
  readonly optionsSchema: JsonSchema;
  readonly defaultSubset: string;
  readonly subsets: readonly Subset[];
  readonly metrics: readonly Metric[];
  readonly defaultOrder: 'random' | 'file';
  readonly maxConcurrency?: number;
}

/** What the user set about requests; null or absent means: not set, the row's or subset's own holds. */
export interface RequestSettings {
  readonly model: string;
  readonly temperature: number | null;
  readonly maxTokens: number | null;
  /** Default true. */
  readonly stream: boolean;
  readonly thinking: 'on' | 'off' | 'default';
  readonly thinkingStyle: 'kimi' | 'vllm' | 'none';
  readonly extraBody: JsonObject;
}

export interface OpenContext {
  readonly subset: Subset;
  readonly request: RequestSettings;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Proxy settings and the like for downloads. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where data sets from the network are kept. */
  readonly downloads: Downloads;
  /** A directory that may be written to during the run (unpacked data sets). */
  readonly scratch: string;
  /** Says something worth knowing in the log and the report's warnings. */
  note(text: string): void;
}

export interface Benchmark<S = unknown, P = unknown> {
  readonly spec: BenchmarkSpec;
  /** Throws ConfigError for options or data that cannot be used. */
  open(options: JsonObject, ctx: OpenContext): Promise<Opened<S, P>>;
  /** Pure. The parts of the report that only this benchmark knows; of a sum of shards as of one run. */
  detail(counts: Counts): BenchmarkDetail;
  /**
   * Joins what `Opened.writeFiles` wrote for the shards of one run, each in one of `shards`, into the same files below
   * `dir`. Throws Error for files that cannot be read; the message is a whole sentence.
   */
  mergeFiles?(dir: string, shards: readonly string[], run: RunTimes): Promise<MergedFiles>;
}

/** What came of joining the files of shards. */
export interface MergedFiles {
  /** Paths written; none when no shard had any. */
  readonly files: readonly string[];
  /** Those of the given directories in which there was nothing to join. */
  readonly without: readonly string[];
}

export interface ObserveContext {
  /** Sends and records the exchange; rejects only when `signal` is aborted. */
  send(request: ChatRequest): Promise<Reply>;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** The data set as the report names it. */
export interface DatasetInfo {
  /** Path or URL as the user gave it; never with credentials. */
  readonly source: string;
  /** Of the bytes as stored at the source, lower-case hex. */
  readonly sha256: string;
  readonly rows: number;
  /** Made by hand for tests and demos: figures say nothing about a vendor. */
  readonly synthetic?: boolean;
}

export interface Opened<S = unknown, P = unknown> {
  /** What journal, baseline and shards must share. `settings` is a flat object, so that a difference can be named. */
  readonly fingerprint: { readonly digest: string; readonly settings: JsonObject };
  readonly dataset: DatasetInfo;
  /** In file order. `group`: the task of repeated episodes; a sample that repeats nothing has one of its own. */
  readonly keys: readonly { readonly id: string; readonly group: string }[];
  /** Reasons why the figures are not comparable with the published ones; empty when they are. */
  readonly notComparable: readonly string[];
  /** The most that one sample can cost. `tokens`: completion tokens, null when unbounded. */
  ceiling(id: string): { readonly requests: number; readonly tokens: number | null };
  load(id: string): Promise<S>;
  observe(sample: S, ctx: ObserveContext): Promise<Outcome<P>>;
  /** Pure. Called for unmeasured observations too. */
  score(sample: S, observation: Observation<P>): Counts;
  /** Pure. What a person would learn from this sample, or null. */
  example(sample: S, observation: Observation<P>): Example | null;
  /**
   * Writes the benchmark's own files below `dir`. `observations` yields the newest observation of each sample run,
   * in file order.
   */
  writeFiles(
    dir: string,
    observations: () => AsyncIterable<Observation<P>>,
    run: RunTimes,
  ): Promise<readonly string[]>;
  /** One record of another tool's result file as an observation; null for a record that fits no row. */
  readRecord?(record: Json, line: number): Observation<P> | null;
  close(): Promise<void>;
}

export interface RunTimes {
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly model: string;
}
