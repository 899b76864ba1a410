import { ENGINE_METRICS } from '../gates/engine-metrics.js';
import { judge, measure, worst } from '../gates/judge.js';
import type { Benchmark, BenchmarkSpec, Metric, Opened, Subset } from '../model/benchmark.js';
import type { BudgetSettings, Shard } from '../model/config.js';
import type { Decision, Gate, Verdict } from '../model/gate.js';
import type { BenchmarkReport, GateReport, Stopped } from '../model/report.js';
import { costOf } from './budget.js';
import type { EarlyStop } from './early-stop.js';
import type { Tally } from './tally.js';

/** Ends after which what was measured may be unlike the rest. */
const NEVER_PASSES: ReadonlySet<Stopped['kind']> = new Set(['interrupted', 'budget', 'shards']);
/** Ends that mean: could not measure. */
const BROKEN: ReadonlySet<Stopped['kind']> = new Set(['configuration', 'outage', 'disk']);

export interface Conclusion {
  readonly spec: BenchmarkSpec;
  readonly subset: Subset;
  /** What was run: of a benchmark that is open, or as the reports of its shards have it. */
  readonly data: Pick<Opened, 'dataset' | 'notComparable' | 'fingerprint'>;
  readonly detail: Benchmark['detail'];
  readonly tally: Pick<Tally, 'counts' | 'examples' | 'latency' | 'histograms'>;
  /** Which part of the plan this is; its gates are judged when all parts are merged. null: the whole plan. */
  readonly shard: Shard | null;
  readonly planned: number;
  readonly gates: readonly Gate[];
  readonly decision: Decision;
  readonly confidence: number;
  readonly stopped: Stopped | null;
  readonly prices: Pick<BudgetSettings, 'priceIn' | 'priceOut'>;
  readonly early: Pick<EarlyStop, 'decided' | 'used' | 'verdictOf'> | null;
}

/** From the tally of a benchmark to its part of the report; pure. */
export function conclude(from: Conclusion): BenchmarkReport {
  const { spec, subset, data, tally } = from;
  const { dataset } = data;
  const counts = tally.counts;
  const run = counts['engine.run'] ?? 0;
  const errors = counts['engine.unmeasured'] ?? 0;
  const metrics = metricsOf(spec);
  const gates = judgeAll(from, metrics, counts, run);
  return {
    name: spec.name,
    title: spec.title,
    subset: subset.name,
    version: spec.version,
    dataset: {
      source: dataset.source,
      sha256: dataset.sha256,
      rows: dataset.rows,
      synthetic: dataset.synthetic ?? false,
    },
    fingerprint: data.fingerprint,
    samples: { planned: from.planned, run, answered: run - errors, errors },
    metrics: Object.fromEntries(
      metrics.map((metric) => [
        metric.name,
        { ...measure(metric, counts, from.confidence), title: metric.title, kind: metric.kind },
      ]),
    ),
    references: subset.references,
    gates,
    verdict: verdictOf(from, gates, { run, answered: counts['engine.answered'] ?? 0 }),
    ...from.detail(counts),
    examples: tally.examples,
    latency: tally.latency,
    histograms: tally.histograms,
    usage: {
      prompt_tokens: counts['usage.prompt_tokens'] ?? 0,
      completion_tokens: counts['usage.completion_tokens'] ?? 0,
      total_tokens: counts['usage.total_tokens'] ?? 0,
      requests: counts['engine.requests'] ?? 0,
      retries: counts['engine.retries'] ?? 0,
      cost: costOf(
        {
          prompt_tokens: counts['usage.prompt_tokens'] ?? 0,
          completion_tokens: counts['usage.completion_tokens'] ?? 0,
        },
        from.prices,
      ),
    },
    counts,
    early_stop: earlyStopOf(from, run),
    not_comparable: data.notComparable,
  };
}

/** How far the run was shortened; null when it was not to stop early or went through its plan. */
function earlyStopOf(
  { early, planned, data, confidence }: Conclusion,
  run: number,
): BenchmarkReport['early_stop'] {
  if (early === null || !early.decided || run >= planned) return null;
  const rows = data.dataset.rows;
  return { used: early.used, run, rows, saved: planned - run, risk: risk(confidence) };
}

/** 1 - 0.95 is 0.05 and not 0.050000000000000044. */
function risk(confidence: number): number {
  return Number((1 - confidence).toPrecision(12));
}

function namesOfTheRun(metrics: readonly Metric[]): ReadonlySet<string> {
  return new Set(metrics.filter(({ measuresTheRun }) => measuresTheRun).map(({ name }) => name));
}

/** The benchmark's metrics and the engine's. */
export function metricsOf(spec: BenchmarkSpec): readonly Metric[] {
  return [...spec.metrics, ...ENGINE_METRICS];
}

function judgeAll(
  { gates, data, decision, confidence, early, shard }: Conclusion,
  metrics: readonly Metric[],
  counts: Tally['counts'],
  run: number,
): GateReport[] {
  const rows = data.dataset.rows;
  const how = { decision, confidence, complete: run >= rows, rows, run };
  const judged: GateReport[] = [];
  for (const gate of gates) {
    const metric = metrics.find(({ name }) => name === gate.metric);
    if (metric === undefined) continue;
    judged.push(judge(gate, metric, counts, { ...how, settled: early?.verdictOf(gate) ?? null }));
  }
  if (shard !== null) {
    // Whether it could measure at all is the shard's own affair: it is the shard that can be run again.
    const ofTheRun = namesOfTheRun(metrics);
    return judged.map((gate) =>
      ofTheRun.has(gate.metric) ? gate : withoutJudgement(gate, OF_A_SHARD),
    );
  }
  const blind = judged.find(({ verdict, warn }) => verdict === 'error' && !warn);
  if (blind === undefined) return judged;
  const reason = ENGINE_METRICS.some(({ name }) => name === blind.metric) ? BLIND : BLIND_OTHERWISE;
  return judged.map((gate) => (gate.verdict === 'error' ? gate : withoutJudgement(gate, reason)));
}

/** A run with too many unanswered samples says nothing about the other metrics: F1 counts each as a missed call. */
const BLIND = 'Not judged: too many samples got no answer.';
const BLIND_OTHERWISE = 'Not judged: too much of the run could not be measured.';
const OF_A_SHARD = 'Judged when the shards are merged.';

function withoutJudgement(gate: GateReport, reason: string): GateReport {
  return {
    ...gate,
    verdict: 'inconclusive',
    decided_by: 'none',
    borderline: false,
    samples_to_settle: null,
    reason,
  };
}

function verdictOf(
  { stopped, spec, planned, shard }: Conclusion,
  gates: readonly GateReport[],
  { run, answered }: { readonly run: number; readonly answered: number },
): Verdict {
  // Nothing was asked, because the budget went to the benchmarks before, or because the shard has no sample.
  const outOfBudget = stopped?.kind === 'budget';
  if (run === 0 && (outOfBudget || (shard !== null && planned === 0))) return 'inconclusive';
  if (answered === 0 || (stopped !== null && BROKEN.has(stopped.kind))) return 'error';
  const deciding = gates.filter(({ warn }) => !warn);
  const judged = deciding.map(({ verdict }) => verdict);
  // Measured, but nothing to hold it against: not a pass. That all requests were answered says nothing about fidelity.
  const ofTheRun = namesOfTheRun(metricsOf(spec));
  if (deciding.every(({ metric }) => ofTheRun.has(metric))) judged.push('inconclusive');
  // Whoever stops a run by hand may have seen a bad figure coming, or a good one; answers that were not paid for any
  // more may be unlike those that were; and a shard may be missing because its samples could not be measured.
  if (stopped !== null && NEVER_PASSES.has(stopped.kind)) judged.push('inconclusive');
  return worst(judged);
}
