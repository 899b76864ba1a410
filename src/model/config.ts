import type { RequestSettings } from './benchmark.js';
import type { Decision, Gate, Verdict } from './gate.js';
import type { JsonObject } from './json.js';

/** One entry of `datasets`. */
export interface BenchmarkChoice {
  readonly name: string;
  readonly subset: string;
  /** Checked against the benchmark's optionsSchema; `subset` taken out. */
  readonly options: JsonObject;
}

/** What a run may spend, as far as it is set. */
export interface BudgetSettings {
  /** Prompt and completion tokens together. */
  readonly tokens: number | null;
  /** In the currency of the prices. */
  readonly cost: number | null;
  /** Price of a million prompt tokens. */
  readonly priceIn: number | null;
  /** Price of a million completion tokens. */
  readonly priceOut: number | null;
}

/** One of several parts of a plan that run at the same time, on other machines perhaps. */
export interface Shard {
  /** From 1 to `of`. */
  readonly index: number;
  readonly of: number;
}

/** Everything a run needs to know, frozen. Built by config/, with every problem reported together. */
export interface Config {
  /** Base URL without a trailing slash and without /chat/completions: `https://host/v1`. */
  readonly endpoint: string;
  /** null: no Authorization header. */
  readonly apiKey: string | null;
  /** Extra request headers; their values count as secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly benchmarks: readonly BenchmarkChoice[];
  /** The user's gates only; default gates are added per benchmark and subset. */
  readonly gates: readonly Gate[];
  readonly defaultGates: boolean;
  readonly decision: Decision;
  /** In (0,1), default 0.95. */
  readonly confidence: number;
  /** End a benchmark when its verdict is settled. */
  readonly earlyStop: boolean;
  /** Samples a benchmark; null: the whole data set. */
  readonly limit: number | null;
  /** null: the benchmark's own default. */
  readonly order: 'random' | 'file' | null;
  /** null: the whole plan. */
  readonly shard: Shard | null;
  /** 32-bit unsigned. */
  readonly seed: number;
  readonly concurrency: number;
  /** Retries included; null: no limit. */
  readonly maxRequestsPerMinute: number | null;
  readonly requestTimeoutMs: number;
  readonly maxRetries: number;
  readonly deadlineMs: number;
  readonly budget: BudgetSettings;
  /** 0: do not wait. */
  readonly waitForReadyMs: number;
  readonly request: RequestSettings;
  readonly failOn: readonly Verdict[];
  readonly reportId: string;
  readonly outputDir: string;
  /** Data sets come from the cache alone. */
  readonly offline: boolean;
}

/** What only the GitHub Action knows. */
export interface ActionConfig {
  readonly onMissingSecret: 'skip' | 'fail';
  readonly comment: 'always' | 'on-change' | 'on-failure' | 'never';
  readonly commentMode: 'update' | 'recreate';
  readonly summary: boolean;
  readonly annotations: boolean;
  /** `merge`: nothing is measured; the reports of shards are joined and judged. */
  readonly mode: 'run' | 'merge';
  /** Directories with the reports of shards; empty in mode run. */
  readonly mergeDirs: readonly string[];
  readonly githubToken: string | null;
}
