import { ENGINE_METRICS } from '../gates/engine-metrics.js';
import { judge, measure, worst } from '../gates/judge.js';
import type { BenchmarkSpec, Metric, Opened, Subset } from '../model/benchmark.js';
import type { BudgetSettings } from '../model/config.js';
import type { Decision, Gate, Verdict } from '../model/gate.js';
import type { BenchmarkReport, GateReport, Stopped } from '../model/report.js';
import { costOf } from './budget.js';
import type { EarlyStop } from './early-stop.js';
import type { Tally } from './tally.js';

/** Ends that mean: could not measure. */
const BROKEN: ReadonlySet<Stopped['kind']> = new Set(['configuration', 'outage', 'disk']);

export interface Conclusion {
  readonly spec: BenchmarkSpec;
  readonly subset: Subset;
  readonly opened: Opened;
  readonly tally: Tally;
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
  const { spec, subset, opened, tally } = from;
  const counts = tally.counts;
  const run = counts['engine.run'] ?? 0;
  const errors = counts['engine.unmeasured'] ?? 0;
  const metrics = metricsOf(spec);
  const gates = judgeAll(from, metrics, counts, run);
  const detail = opened.detail(counts);
  return {
    name: spec.name,
    title: spec.title,
    subset: subset.name,
    version: spec.version,
    dataset: {
      source: opened.dataset.source,
      sha256: opened.dataset.sha256,
      rows: opened.dataset.rows,
      synthetic: opened.dataset.synthetic ?? false,
    },
    samples: { planned: from.planned, run, answered: run - errors, errors },
    metrics: Object.fromEntries(
      metrics.map((metric) => [
        metric.name,
        { ...measure(metric, counts, from.confidence), title: metric.title, kind: metric.kind },
      ]),
    ),
    references: subset.references,
    gates,
    verdict: verdictOf(from, gates, counts['engine.answered'] ?? 0),
    ...detail,
    examples: tally.examples,
    latency: tally.latency,
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
    not_comparable: opened.notComparable,
  };
}

/** How far the run was shortened; null when it was not to stop early or went through its plan. */
function earlyStopOf(
  { early, planned, opened, confidence }: Conclusion,
  run: number,
): BenchmarkReport['early_stop'] {
  if (early === null || !early.decided || run >= planned) return null;
  const rows = opened.dataset.rows;
  return { used: early.used, run, rows, saved: planned - run, risk: risk(confidence) };
}

/** 1 - 0.95 is 0.05 and not 0.050000000000000044. */
function risk(confidence: number): number {
  return Number((1 - confidence).toPrecision(12));
}

/** The benchmark's metrics and the engine's. */
export function metricsOf(spec: BenchmarkSpec): readonly Metric[] {
  return [...spec.metrics, ...ENGINE_METRICS];
}

function judgeAll(
  { gates, opened, decision, confidence, early }: Conclusion,
  metrics: readonly Metric[],
  counts: Tally['counts'],
  run: number,
): GateReport[] {
  const rows = opened.dataset.rows;
  const how = { decision, confidence, complete: run >= rows, rows, run };
  const judged: GateReport[] = [];
  for (const gate of gates) {
    const metric = metrics.find(({ name }) => name === gate.metric);
    if (metric === undefined) continue;
    judged.push(judge(gate, metric, counts, { ...how, settled: early?.verdictOf(gate) ?? null }));
  }
  const blind = judged.some(({ verdict, warn }) => verdict === 'error' && !warn);
  return blind ? judged.map(withoutJudgement) : judged;
}

/** A run with too many unanswered samples says nothing about the other metrics: F1 counts each as a missed call. */
function withoutJudgement(gate: GateReport): GateReport {
  if (gate.verdict === 'error') return gate;
  return {
    ...gate,
    verdict: 'inconclusive',
    decided_by: 'none',
    borderline: false,
    samples_to_settle: null,
    reason: 'Not judged: too many samples got no answer.',
  };
}

function verdictOf(
  { stopped, spec }: Conclusion,
  gates: readonly GateReport[],
  answered: number,
): Verdict {
  if (answered === 0 || (stopped !== null && BROKEN.has(stopped.kind))) return 'error';
  const deciding = gates.filter(({ warn }) => !warn);
  const judged = deciding.map(({ verdict }) => verdict);
  // Measured, but nothing to hold it against: not a pass. That all requests were answered says nothing about fidelity.
  const ofTheRun = new Set(
    metricsOf(spec)
      .filter(({ measuresTheRun }) => measuresTheRun)
      .map(({ name }) => name),
  );
  if (deciding.every(({ metric }) => ofTheRun.has(metric))) judged.push('inconclusive');
  // Whoever stops a run by hand may have seen a bad figure coming, or a good one: it never passes. Nor does a run
  // whose answers grew dearer than planned: those that were not paid for are not like those that were.
  if (stopped?.kind === 'interrupted' || stopped?.kind === 'budget') judged.push('inconclusive');
  return worst(judged);
}
