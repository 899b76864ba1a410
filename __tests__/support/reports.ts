import { detailOf } from '../../src/benchmarks/k2-verifier/detail.js';
import { METRICS } from '../../src/benchmarks/k2-verifier/metrics.js';
import { SUBSETS } from '../../src/benchmarks/k2-verifier/subsets.js';
import { conclude } from '../../src/engine/conclude.js';
import { Tally } from '../../src/engine/tally.js';
import { effectiveGates } from '../../src/gates/effective.js';
import { ENGINE_DEFAULT_GATES } from '../../src/gates/engine-metrics.js';
import { worst } from '../../src/gates/judge.js';
import { parseGates } from '../../src/gates/parse.js';
import type { BenchmarkSpec, Opened, Subset } from '../../src/model/benchmark.js';
import type { Cause, Exchange } from '../../src/model/completion.js';
import type { Shard } from '../../src/model/config.js';
import type { Decision } from '../../src/model/gate.js';
import type { Counts, Observation } from '../../src/model/observation.js';
import type { BenchmarkReport, Example, RunReport, Stopped } from '../../src/model/report.js';
import { untrusted } from '../../src/text/untrusted.js';

/*
 * Reports with realistic counts. Only the counts are made up: metrics, intervals, gates and verdicts come from the
 * project's own tally and judge, so that a report here is one that a run with these answers would write.
 */

/** What a deployment did, in counts. */
export interface Made {
  readonly subset?: 'k2_thinking' | 'k2_0905';
  /** Rows of the data set; the number of samples run is the sum of the table. */
  readonly rows?: number;
  readonly tp: number;
  readonly fp: number;
  readonly fn: number;
  readonly tn: number;
  /** Invalid calls by reason, each in a response of its own. */
  readonly invalid?: Readonly<Record<string, number>>;
  /** Samples without an answer by cause, half of them in `fn`, the rest in `tn`. */
  readonly unmeasured?: Readonly<Partial<Record<Cause, number>>>;
  /** Counters added as they are: `wire.NAME`, `warning.NAME`, `finish.VALUE`. */
  readonly more?: Counts;
  readonly examples?: readonly Example[];
  readonly planned?: number;
  /** The user's gate lines. */
  readonly gates?: string;
  readonly decision?: Decision;
  readonly synthetic?: boolean;
  readonly source?: string;
  readonly notComparable?: readonly string[];
  readonly stopped?: Stopped | null;
  readonly shard?: Shard;
  readonly prices?: { readonly priceIn: number; readonly priceOut: number };
  /** Samples that settled the verdict of every gate early, as a pass; `planned` is then the whole data set. */
  readonly settledBy?: number;
}

const SPEC: BenchmarkSpec = {
  name: 'k2_verifier',
  title: 'K2 Vendor Verifier',
  version: '1',
  optionsSchema: { type: 'object' },
  defaultSubset: 'k2_thinking',
  subsets: SUBSETS,
  metrics: METRICS,
  defaultOrder: 'random',
};

export function benchmarkReport(made: Made): BenchmarkReport {
  const subset = subsetNamed(made.subset ?? 'k2_thinking');
  const run = made.tp + made.fp + made.fn + made.tn;
  return conclude({
    spec: SPEC,
    subset,
    data: openedFor(made),
    detail: detailOf,
    shard: made.shard ?? null,
    tally: tallyOf(made),
    planned: made.planned ?? run,
    gates: gatesFor(made, subset),
    decision: made.decision ?? 'auto',
    confidence: 0.95,
    stopped: made.stopped ?? null,
    prices: made.prices ?? { priceIn: null, priceOut: null },
    early:
      made.settledBy === undefined
        ? null
        : { decided: true, used: made.settledBy, verdictOf: () => 'pass' },
  });
}

/** A run of one benchmark; `change` replaces fields of the report. */
export function runReport(made: Made, change: Partial<RunReport> = {}): RunReport {
  return reportOf([benchmarkReport(made)], { stopped: made.stopped ?? null, ...change });
}

export function reportOf(
  benchmarks: readonly BenchmarkReport[],
  change: Partial<RunReport> = {},
): RunReport {
  const run = benchmarks.reduce((sum, each) => sum + each.samples.run, 0);
  const rows = benchmarks.reduce((sum, each) => sum + each.dataset.rows, 0);
  const started = Date.UTC(2026, 11, 1, 9, 14, 5);
  return {
    schema_version: 1,
    tool: { name: 'vendor-gate', version: '0.1.0' },
    report_id: 'kimi-staging',
    verdict: worst(benchmarks.map(({ verdict }) => verdict)),
    endpoint: {
      url: 'https://kimi-staging.example.com/v1',
      model: 'kimi-k2-thinking',
      served: [untrusted('kimi-k2-thinking')],
    },
    settings: {
      limit: run < rows ? run : null,
      order: 'default',
      seed: 42,
      shard: null,
      concurrency: 16,
      'max-requests-per-minute': null,
      'request-timeout': '600s',
      'max-retries': 3,
      deadline: '19800s',
      'token-budget': null,
      'cost-budget': null,
      'price-in': null,
      'price-out': null,
      temperature: null,
      'max-tokens': null,
      stream: true,
      thinking: 'default',
      'thinking-style': 'kimi',
      'extra-body': {},
      headers: [],
      decision: 'auto',
      confidence: 0.95,
      'early-stop': false,
      'default-gates': true,
    },
    started_at: new Date(started).toISOString(),
    // 2.35 s of wall-clock time a sample at concurrency 16.
    finished_at: new Date(started + run * 2350).toISOString(),
    resumed_samples: 0,
    shard: null,
    stopped: null,
    benchmarks,
    notes: [],
    ...change,
  };
}

function subsetNamed(name: string): Subset {
  const subset = SUBSETS.find((each) => each.name === name);
  if (subset === undefined) throw new Error(`no subset ${name}`);
  return subset;
}

function gatesFor({ gates = '' }: Made, subset: Subset): ReturnType<typeof effectiveGates> {
  const user = parseGates(gates, 'user', 'thresholds');
  const lines = [...subset.defaultGates, ...ENGINE_DEFAULT_GATES].join('\n');
  if (user.problems.length > 0) throw new Error(JSON.stringify(user.problems));
  return effectiveGates(user.gates, parseGates(lines, 'default', '').gates, SPEC, subset.name);
}

/** Only what conclude() looks at. */
export function openedFor(
  made: Pick<Made, 'source' | 'rows' | 'synthetic' | 'notComparable'>,
): Pick<Opened, 'dataset' | 'notComparable' | 'fingerprint'> {
  return {
    fingerprint: { digest: 'd1', settings: { model: 'kimi-k2-thinking' } },
    dataset: {
      source: made.source ?? 'https://data.example.com/k2-thinking.jsonl.gz',
      sha256: '3f9c1b2a7d5e48f09a6bc3d2e1f40718293a4b5c6d7e8f90a1b2c3d4e5f60718',
      rows: made.rows ?? 2000,
      synthetic: made.synthetic ?? false,
    },
    notComparable: made.notComparable ?? [],
  };
}

function tallyOf(made: Made): Tally {
  const tally = new Tally();
  const scores = [...scoresOf(made)];
  for (const [index, { score, cause }] of scores.entries()) {
    const share = (index + 0.5) / scores.length;
    const extra = index === 0 ? (made.more ?? {}) : {};
    const observation = cause === null ? answered(share) : unanswered(cause);
    tally.add(observation, { ...score, ...extra }, made.examples?.[index] ?? null, index);
  }
  return tally;
}

function* scoresOf(made: Made): Iterable<{ score: Counts; cause: Cause | null }> {
  const causes = Object.entries(made.unmeasured ?? {}).flatMap(([cause, n]) =>
    Array.from({ length: n }, () => cause as Cause),
  );
  const reasons = Object.entries(made.invalid ?? {}).flatMap(([reason, n]) =>
    Array.from({ length: n }, () => reason),
  );
  for (const cell of ['tp', 'fp'] as const) {
    for (let i = 0; i < made[cell]; i += 1) {
      const reason = reasons.pop();
      const called = { [cell]: 1, finish_tool_calls: 1, 'finish.tool_calls': 1, calls: 1 };
      const valid =
        reason === undefined
          ? { successful_tool_call: 1 }
          : { calls_invalid: 1, [`invalid.${reason}`]: 1 };
      yield { score: { ...called, ...valid }, cause: null };
    }
  }
  // Half of the unanswered samples are ones on which the official model called a tool.
  const missed = causes.splice(0, Math.min(made.fn, Math.ceil(causes.length / 2)));
  for (const cell of ['fn', 'tn'] as const) {
    for (let i = 0; i < made[cell]; i += 1) {
      const cause = (cell === 'fn' ? missed : causes).pop() ?? null;
      const score =
        cause === null ? { [cell]: 1, 'finish.stop': 1 } : { [cell]: 1, [`${cell}_unmeasured`]: 1 };
      yield { score, cause };
    }
  }
}

/** `share` of all answers were faster: most take seconds, a few take minutes. */
function answered(share: number): Observation<unknown> {
  const prompt = Math.round(3200 + 9000 * share ** 3);
  const completion = Math.round(220 + 2600 * share ** 4);
  const usage = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
  const exchange: Exchange = {
    status: 200,
    attempts: share > 0.995 ? 2 : 1,
    firstTokenMs: 420 + 3600 * share ** 6,
    totalMs: 5200 + 96_000 * share ** 6,
    usage,
    warnings: [],
    headers: {},
    served: untrusted('kimi-k2-thinking'),
    inFlight: 16,
  };
  const about = { id: '1', attempt: 1, startedAt: 0, durationMs: exchange.totalMs };
  return { kind: 'measured', payload: null, ...about, exchanges: [exchange] };
}

function unanswered(cause: Cause): Observation<unknown> {
  const exchange: Exchange = {
    status: cause === 'server_error' ? 503 : null,
    attempts: 4,
    firstTokenMs: null,
    totalMs: 900,
    usage: null,
    warnings: [],
    headers: {},
    served: null,
    inFlight: 16,
  };
  const about = { id: '1', attempt: 1, startedAt: 0, durationMs: 900, exchanges: [exchange] };
  return { kind: 'unmeasured', cause, detail: untrusted(''), ...about };
}
