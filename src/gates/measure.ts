import type { Metric } from '../model/benchmark.js';
import type { Interval, MetricValue } from '../model/gate.js';
import type { Counts } from '../model/observation.js';
import { f1Interval, wilson } from '../statistics/intervals.js';

/** A measured metric with what an exact comparison and a sentence need. */
export interface Measured {
  readonly value: number | null;
  readonly n: number;
  /** Numerator and denominator of a ratio of two sums. */
  readonly terms: { readonly num: number; readonly den: number } | null;
}

/**
 * A metric's value from counts, with its interval where the metric has one.
 * `n`: a rate's or a mean's denominator; for an F1 the samples in which either side triggered, TP + FP + FN, which is
 * what its interval rests on.
 * @param level confidence level of the interval, in (0, 1)
 */
export function measure(metric: Metric, counts: Counts, level: number): MetricValue {
  const { value, n } = figureOf(metric, counts);
  const interval = value === null ? null : intervalOf(metric, counts, level);
  return interval === null ? { value, n } : { value, n, interval };
}

/** The value alone. Undefined (null): a zero denominator, or a figure that is not a finite number. */
export function figureOf(metric: Metric, counts: Counts): Measured {
  if (!('terms' in metric)) {
    const { value, n } = metric.value(counts);
    return { value: finite(value), n, terms: null };
  }
  const terms = metric.terms(counts);
  const { num, den } = terms;
  const n = metric.kind === 'f1' ? den - num / 2 : den;
  return den > 0 && Number.isFinite(num / den)
    ? { value: num / den, n, terms }
    : { value: null, n: finite(n) ?? 0, terms: null };
}

/**
 * The interval alone; null for metrics without one.
 * @param factor as if so many times the samples had been run, with the same proportions
 */
export function intervalOf(
  metric: Metric,
  counts: Counts,
  level: number,
  factor = 1,
): Interval | null {
  if (metric.interval !== undefined || !('terms' in metric)) {
    const interval = metric.interval?.(scaled(counts, factor), level) ?? null;
    const broken = interval === null || Number.isNaN(interval.low) || Number.isNaN(interval.high);
    return broken ? null : interval;
  }
  const terms = metric.terms(counts);
  const num = terms.num * factor;
  const den = terms.den * factor;
  // A mean of values in [0, 1] with mean p varies at most as much as a share p does: Wilson's interval errs on the wide
  // side for it.
  if (metric.kind === 'rate' || metric.kind === 'mean') return wilson(num, den, level);
  // num is 2TP and den 2TP + FP + FN; how the errors divide into FP and FN makes no difference.
  return metric.kind === 'f1' ? f1Interval(num / 2, den - num, 0, level) : null;
}

function scaled(counts: Counts, factor: number): Counts {
  if (factor === 1) return counts;
  return Object.fromEntries(Object.entries(counts).map(([name, n]) => [name, n * factor]));
}

function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}
