import type { Metric } from '../model/benchmark.js';
import type { Gate, Interval, Operator, Verdict } from '../model/gate.js';
import type { GateReport } from '../model/report.js';
import { capital, grouped, perCent, roughly, roundedBeside } from '../text/figures.js';
import { compareValue } from './compare.js';
import type { Measured } from './measure.js';

/** A judged gate, as the sentence about it needs it. */
export interface Case {
  readonly gate: Gate;
  readonly metric: Metric;
  readonly measured: Measured;
  readonly how: { readonly rows: number; readonly run: number };
  readonly verdict: Verdict;
  readonly decidedBy: GateReport['decided_by'];
  readonly interval: Interval | null;
  readonly borderline: boolean;
  /**
   * For an inconclusive gate: `some` more samples, the `rest` of the data set, or none that it holds (`too-small`), or
   * none at all (`never`: the value equals the bound).
   */
  readonly settle:
    | { readonly kind: 'some' | 'rest'; readonly samples: number }
    | { readonly kind: 'too-small' | 'never'; readonly samples: null }
    | null;
  /** Why the metric has no value, where it can say more than that there is nothing to divide by. */
  readonly why?: string | undefined;
}

/** One plain sentence with the figures: what was compared and, when inconclusive, what would settle it. */
export function reasonFor(judged: Case): string {
  const { gate, metric, measured, how, verdict, interval } = judged;
  if (measured.value === null) return undefinedReason(judged);
  const unit = unitOf(metric, gate);
  const bound = exact(gate.bound, unit);
  const subject = `${capital(metric.title)} ${shown(judged, measured.value, unit)} over ${samples(how)}`;
  if (judged.decidedBy === 'sequence') {
    const against = verdict === 'pass' ? MEETS[gate.operator] : MISSES[gate.operator];
    return `${subject}; that settles it: over all ${count(how.rows)} it would be ${against} ${bound}.`;
  }
  if (judged.decidedBy === 'point' || interval === null) {
    const against = verdict === 'pass' ? MEETS[gate.operator] : MISSES[gate.operator];
    const blind = verdict === 'error' && !gate.warn;
    const consequence = blind ? ', so this run could not measure the endpoint' : '';
    return `${subject} is ${against} ${bound}${consequence}${remark(judged, unit)}.`;
  }
  const level = exact(interval.level, 'percent');
  const span = `${level} interval ${ends(interval, gate.bound, unit)}`;
  if (verdict === 'inconclusive') {
    return `${subject}; ${span} contains ${bound}; ${settled(judged)}.`;
  }
  const side = verdict === 'pass' ? MEETS[gate.operator] : MISSES[gate.operator];
  return `${subject}; the whole ${span} is ${side} ${bound}.`;
}

const MEETS: Record<Operator, string> = {
  '>=': 'at least',
  '>': 'above',
  '<=': 'at most',
  '<': 'below',
};
const MISSES: Record<Operator, string> = {
  '>=': 'below',
  '>': 'not above',
  '<=': 'above',
  '<': 'not below',
};

function undefinedReason({ metric, how, why = 'there is nothing to divide by' }: Case): string {
  if (metric.measuresTheRun) return 'No sample was run, so nothing was measured.';
  if (how.run === 0) return `${capital(metric.title)} has no value: no sample was run.`;
  return `${capital(metric.title)} has no value over ${samples(how)}: ${why}.`;
}

function remark(judged: Case, unit: Unit): string {
  const { gate, interval, borderline } = judged;
  if (interval === null) {
    return gate.level === null ? '' : '; it has no interval, so the value itself decides';
  }
  if (!borderline) return '';
  const level = exact(interval.level, 'percent');
  return `; borderline: the ${level} interval ${ends(interval, gate.bound, unit)} contains ${exact(gate.bound, unit)}`;
}

function settled({ settle, how }: Case): string {
  switch (settle?.kind) {
    case 'some':
      return `about ${count(roughly(settle.samples))} more samples would settle it`;
    case 'rest':
      return `the other ${count(settle.samples)} samples of the data set would settle it`;
    case 'too-small':
      return `the data set of ${count(how.rows)} is too small to settle it`;
    default:
      return 'the value equals the gate, so no number of samples would settle it';
  }
}

type Unit = 'percent' | number;
const F1_DIGITS = 3;

/** Per cent, or the digits after the point. A rate is shown in per cent, and so is whatever its gate gives in per cent. */
function unitOf(metric: Metric, gate: Gate): Unit {
  if (gate.percent || metric.kind === 'rate') return 'percent';
  if (metric.kind === 'count') return 0;
  return metric.kind === 'f1' || metric.kind === 'mean' ? F1_DIGITS : 2;
}

function shown({ metric, measured, gate }: Case, value: number, unit: Unit): string {
  const figure = rounded(value, unit, gate.bound);
  return metric.kind === 'rate' && measured.terms !== null
    ? `${count(measured.terms.num)} of ${count(measured.terms.den)} (${figure})`
    : figure;
}

function ends({ low, high }: Interval, bound: number, unit: Unit): string {
  return `${bare(low, unit, bound)} to ${rounded(high, unit, bound)}`;
}

function rounded(value: number, unit: Unit, bound: number): string {
  return `${bare(value, unit, bound)}${suffix(unit)}`;
}

/**
 * Rounded, but with as many digits as it takes to stand on the same side of the bound as the value (0.7299, not 0.730),
 * and never to a perfect or an empty score that it is not (99.97 %, not 100.0 %).
 */
function bare(value: number, unit: Unit, bound: number): string {
  if (compareValue(value, bound) === 0) return grouped(String(scale(bound, unit)));
  const share = unit === 'percent' || unit === F1_DIGITS;
  if (share && (value === 0 || value === 1)) return String(scale(value, unit));
  const fences = (share ? [bound, 0, 1] : [bound]).map((fence) => scale(fence, unit));
  return roundedBeside(scale(value, unit), fences, unit === 'percent' ? 1 : unit);
}

/** As it was written: 0.73, 90 %. */
function exact(value: number, unit: Unit): string {
  return `${grouped(String(scale(value, unit)))}${suffix(unit)}`;
}

function suffix(unit: Unit): string {
  return unit === 'percent' ? ' %' : '';
}

function scale(value: number, unit: Unit): number {
  return unit === 'percent' ? perCent(value) : value;
}

function samples({ rows, run }: Case['how']): string {
  return run >= rows ? `all ${count(run)} samples` : `${count(run)} of ${count(rows)} samples`;
}

function count(n: number): string {
  return grouped(String(n));
}
