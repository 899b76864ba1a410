import type { Interval, MetricValue, Verdict } from '../model/gate.js';
import type { BenchmarkReport, GateReport } from '../model/report.js';
import { count, exact, figure, level, NBSP, NONE, type Style, span, styleOf } from './numbers.js';
import { remembered } from './shape.js';

/**
 * How a gate stands in a table. `warn`: a warning gate that does not hold. `not_judged`: the benchmark could not be
 * measured, so its other gates say nothing.
 */
export type Outcome = Verdict | 'warn' | 'not_judged';

const BROKEN: readonly Outcome[] = ['error', 'fail', 'warn'];

/** One row of the gate table; the figures are ready to print, the title is not escaped yet. */
export interface GateRow {
  readonly title: string;
  /** '≥ 0.73', '0.80–1.25'. */
  readonly asked: string;
  /** '0.759', '97/98 = 99.0 %'. */
  readonly measured: string;
  /** '0.688–0.823', with its level behind where that is not the heading's: '0.676–0.834 (99 %)'; or a dash. */
  readonly interval: string;
  readonly official: string;
  readonly outcome: Outcome;
  readonly borderline: boolean;
  /** A warning gate: never decides. */
  readonly warning: boolean;
}

const SYMBOLS: Record<GateReport['operator'], string> = {
  '>=': '≥',
  '>': '>',
  '<=': '≤',
  '<': '<',
};
const ORDER: readonly Outcome[] = ['error', 'fail', 'inconclusive', 'warn', 'not_judged', 'pass'];

/** The gates as table rows, worst first; a lower and an upper gate on one metric share a row. */
export const gateRows = remembered((benchmark): readonly GateRow[] => {
  const rows: GateRow[] = [];
  const taken = new Set<GateReport>();
  const byMetric = new Map<string, GateReport[]>();
  for (const gate of benchmark.gates) {
    byMetric.set(gate.metric, [...(byMetric.get(gate.metric) ?? []), gate]);
  }
  for (const gate of worstFirst(benchmark.gates, benchmark)) {
    if (taken.has(gate)) continue;
    const others = byMetric.get(gate.metric) ?? [];
    const partner = others.find((other) => !taken.has(other) && pairs(gate, other));
    const shown = partner === undefined ? [gate] : [gate, partner];
    for (const each of shown) taken.add(each);
    rows.push(rowOf(gate, shown, benchmark));
  }
  return rows;
});

/** What the table says of a gate. */
export function outcomeOf(gate: GateReport, benchmark: BenchmarkReport): Outcome {
  if (benchmark.verdict === 'error' && gate.verdict !== 'error') return 'not_judged';
  // A shard's: it has a value, but it is not held against the gate.
  if (gate.decided_by === 'none' && gate.value !== null) return 'not_judged';
  if (gate.warn)
    return gate.verdict === 'pass' || gate.verdict === 'inconclusive' ? gate.verdict : 'warn';
  return gate.verdict;
}

/**
 * Gates that do not hold before those that do. Among those that do not, the one furthest from its bound comes first, in
 * units of its interval's half width (a figure known exactly counts as far); the others keep their order.
 */
export function worstFirst(
  gates: readonly GateReport[],
  benchmark: BenchmarkReport,
): readonly GateReport[] {
  return gates
    .map((gate) => {
      const outcome = outcomeOf(gate, benchmark);
      // An undecided warning gate is worth no more attention than one that holds.
      const quiet = gate.warn && outcome !== 'warn';
      return {
        gate,
        rank: quiet ? ORDER.length : ORDER.indexOf(outcome),
        far: BROKEN.includes(outcome) ? distance(gate, benchmark) : 0,
      };
    })
    .sort((a, b) => a.rank - b.rank || b.far - a.far)
    .map(({ gate }) => gate);
}

/** A gate's bound with its operator: '≥ 0.73', '≤ 1 %'. */
export function asked(gate: GateReport, benchmark: BenchmarkReport): string {
  return `${SYMBOLS[gate.operator]}${NBSP}${exact(gate.bound, gateStyle(gate, benchmark))}`;
}

/**
 * The measured value beside its gate, as a fraction where the metric is a rate: '97/98 = 99.0 %'. `bounds` are those
 * the figure must not be rounded across.
 */
export function measured(
  gate: GateReport,
  benchmark: BenchmarkReport,
  bounds: readonly number[] = [gate.bound],
): string {
  const metric = benchmark.metrics[gate.metric];
  const value = figure(gate.value, gateStyle(gate, benchmark), bounds);
  const fraction = metric?.kind === 'rate' ? fractionOf(metric) : null;
  return fraction === null || gate.value === null ? value : `${fraction} = ${value}`;
}

/** 'the 95 % interval 0.688–0.823' a gate was held against; null where its metric has none. */
export function intervalPhrase(gate: GateReport, benchmark: BenchmarkReport): string | null {
  const { interval } = gate;
  if (interval === null) return null;
  const { low, high } = interval;
  return `the ${level(interval.level)} interval ${span(low, high, gateStyle(gate, benchmark), [gate.bound])}`;
}

/** Whether a gate of the same metric is broken, so that a warning about it says nothing new. */
export function failsAnyway(warning: GateReport, benchmark: BenchmarkReport): boolean {
  return benchmark.gates.some((gate) => {
    const outcome = outcomeOf(gate, benchmark);
    return gate.metric === warning.metric && (outcome === 'fail' || outcome === 'error');
  });
}

/**
 * The figures of the official model by metric. Of the built-in synthetic set there are none: what the official model
 * reaches on other rows says nothing about these.
 */
export function officialFigures({
  dataset,
  references,
}: BenchmarkReport): BenchmarkReport['references'] {
  return dataset.synthetic ? {} : references;
}

/** '97/98' of a rate, null where it is undefined. */
export function fractionOf(metric: MetricValue): string | null {
  if (metric.value === null || metric.n <= 0) return null;
  return `${count(Math.round(metric.value * metric.n))}/${count(metric.n)}`;
}

/** The level that most intervals of the gates have: '95 % interval'; 'interval' where there is none. */
export function intervalHeading(benchmark: BenchmarkReport): string {
  const common = commonLevel(benchmark);
  return common === null ? 'interval' : `${level(common)} interval`;
}

/** Of two levels that are as common the run's own, which the metrics have. */
const commonLevel = remembered(({ gates, metrics }): number | null => {
  const own = Object.values(metrics).find(({ interval }) => interval !== undefined)?.interval;
  const times = new Map<number, number>();
  for (const { interval } of gates) {
    if (interval !== null) times.set(interval.level, (times.get(interval.level) ?? 0) + 1);
  }
  const [most] = [...times].sort(
    ([a, n], [b, m]) => m - n || Number(b === own?.level) - Number(a === own?.level),
  );
  return most?.[0] ?? null;
});

/** How a gate's figures are written. */
export function gateStyle(gate: GateReport, benchmark: BenchmarkReport): Style {
  return styleOf(benchmark.metrics[gate.metric]?.kind ?? 'coefficient', gate.percent);
}

/** The metric's name for people. */
export function gateTitle(gate: GateReport, benchmark: BenchmarkReport): string {
  return benchmark.metrics[gate.metric]?.title ?? gate.metric;
}

/** `first`: the worse of the gates. */
function rowOf(
  first: GateReport,
  gates: readonly GateReport[],
  benchmark: BenchmarkReport,
): GateRow {
  const style = gateStyle(first, benchmark);
  const bounds = gates.map((gate) => gate.bound).sort((a, b) => a - b);
  const reference = officialFigures(benchmark)[first.metric];
  const outcome = outcomeOf(first, benchmark);
  // Unanswered samples count as not called, so figures of a run that could not measure would mislead.
  const blind = outcome === 'not_judged';
  return {
    title: gateTitle(first, benchmark),
    asked:
      gates.length === 1
        ? asked(first, benchmark)
        : bounds.map((bound) => exact(bound, style)).join('–'),
    measured: blind ? NONE : measured(first, benchmark, bounds),
    interval:
      blind || first.interval === null
        ? NONE
        : intervalCell(first.interval, commonLevel(benchmark), style, bounds),
    official: reference === undefined ? NONE : exact(reference.mean, style),
    outcome,
    borderline: !blind && gates.some((gate) => gate.borderline),
    warning: first.warn,
  };
}

function intervalCell(
  interval: Interval,
  common: number | null,
  style: Style,
  bounds: readonly number[],
): string {
  const remark = interval.level === common ? '' : ` (${level(interval.level)})`;
  return `${span(interval.low, interval.high, style, bounds)}${remark}`;
}

/** `>= a` and `<= b` on one metric, alike in everything but how they came out. */
function pairs(a: GateReport, b: GateReport): boolean {
  const [lower, upper] = a.operator === '>=' ? [a, b] : [b, a];
  return (
    lower.operator === '>=' &&
    upper.operator === '<=' &&
    lower.bound < upper.bound &&
    a.metric === b.metric &&
    a.percent === b.percent &&
    a.warn === b.warn &&
    a.interval?.level === b.interval?.level
  );
}

function distance(gate: GateReport, benchmark: BenchmarkReport): number {
  if (gate.value === null) return 0;
  const interval = benchmark.metrics[gate.metric]?.interval;
  const half = interval === undefined ? 0 : (interval.high - interval.low) / 2;
  const gap = Math.abs(gate.value - gate.bound);
  return half > 0 ? gap / half : gap === 0 ? 0 : Number.MAX_VALUE;
}
