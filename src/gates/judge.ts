import type { Metric } from '../model/benchmark.js';
import {
  type Decision,
  type Gate,
  type Interval,
  type Operator,
  VERDICTS,
  type Verdict,
} from '../model/gate.js';
import type { Counts } from '../model/observation.js';
import type { GateReport } from '../model/report.js';
import { samplesThatSettle } from '../statistics/settle.js';
import { compareRatio, compareValue } from './compare.js';
import { figureOf, intervalOf, type Measured } from './measure.js';
import type { Settled } from './sequential.js';
import { type Case, reasonFor } from './wording.js';

export { measure } from './measure.js';

/** How gates are to decide in this run. */
export interface How {
  readonly decision: Decision;
  /** Confidence level of the intervals, in (0, 1); a gate's own `@` comes first. */
  readonly confidence: number;
  /** Whether every row of the data set was run. */
  readonly complete: boolean;
  /** Rows of the data set. */
  readonly rows: number;
  /** Samples run. */
  readonly run: number;
  /** What the whole data set would say, where that is known before all of it was run (gates/sequential.ts). */
  readonly settled?: Settled | null;
}

/**
 * Holds a metric against a gate (docs/gates.md). With decision `auto` the point estimate decides when every row was run,
 * the interval when only a part was: wholly on the right side pass, wholly on the wrong side fail, else inconclusive.
 * `@` on the gate forces the interval. Metrics without an interval (counts) and those that measure the run itself
 * (`unmeasured_rate`) are always decided by the point. An undefined metric is inconclusive, except that one that measures
 * the run then is an error, because nothing was run; beyond its gate it is an error too.
 * A warning gate keeps its own verdict here; whoever takes the worst leaves it out.
 */
export function judge(gate: Gate, metric: Metric, counts: Counts, how: How): GateReport {
  const measured = figureOf(metric, counts);
  const facts = { gate, metric, measured, how };
  const { value } = measured;
  if (value === null) {
    const verdict = metric.measuresTheRun ? 'error' : 'inconclusive';
    const why = metric.whyUndefined?.(counts);
    return report(facts, { verdict, decidedBy: 'none', interval: null, why });
  }
  const interval = intervalOf(metric, counts, gate.level ?? how.confidence);
  // Early stopping asks about the whole data set, which the interval of a part does not.
  if (!how.complete && how.settled) {
    return report(facts, { verdict: how.settled, decidedBy: 'sequence', interval });
  }
  if (interval === null || !intervalDecides(gate, metric, how)) {
    return report(facts, {
      verdict: pointVerdict(gate, metric, measured),
      decidedBy: 'point',
      interval,
    });
  }
  const verdict = intervalVerdict(gate.operator, gate.bound, interval);
  return report(facts, {
    verdict,
    decidedBy: 'interval',
    interval,
    settle: verdict === 'inconclusive' ? toSettle(gate, metric, counts, how, value) : null,
  });
}

/** The worst of a list of verdicts: error, fail, inconclusive, pass. Of none it is error: nothing was measured. */
export function worst(verdicts: readonly Verdict[]): Verdict {
  return VERDICTS.find((verdict) => verdicts.includes(verdict)) ?? 'error';
}

interface Facts {
  readonly gate: Gate;
  readonly metric: Metric;
  readonly measured: Measured;
  readonly how: How;
}

interface Outcome {
  readonly verdict: Verdict;
  readonly decidedBy: GateReport['decided_by'];
  readonly interval: Interval | null;
  readonly settle?: Case['settle'];
  readonly why?: Case['why'];
}

function report({ gate, metric, measured, how }: Facts, outcome: Outcome): GateReport {
  const { verdict, decidedBy, interval, settle = null, why } = outcome;
  // How many samples of this run got no answer is a fact about this run, not an estimate.
  const borderline =
    decidedBy === 'point' &&
    interval !== null &&
    !metric.measuresTheRun &&
    intervalVerdict(gate.operator, gate.bound, interval) === 'inconclusive';
  return {
    gate: gate.text,
    metric: gate.metric,
    operator: gate.operator,
    bound: gate.bound,
    percent: gate.percent,
    warn: gate.warn,
    origin: gate.origin,
    verdict,
    value: measured.value,
    decided_by: decidedBy,
    interval,
    reason: reasonFor({
      gate,
      metric,
      measured,
      how,
      verdict,
      decidedBy,
      interval,
      borderline,
      settle,
      why,
    }),
    borderline,
    samples_to_settle: settle?.samples ?? null,
  };
}

function intervalDecides(gate: Gate, metric: Metric, how: How): boolean {
  if (metric.measuresTheRun) return false;
  if (gate.level !== null) return true;
  return how.decision === 'interval' || (how.decision === 'auto' && !how.complete);
}

function pointVerdict(gate: Gate, metric: Metric, { value, terms }: Measured): Verdict {
  const side =
    terms === null
      ? compareValue(value ?? Number.NaN, gate.bound)
      : compareRatio(terms.num, terms.den, gate.bound);
  if (meets(side, gate.operator)) return 'pass';
  return metric.measuresTheRun ? 'error' : 'fail';
}

/** `side`: the sign of value - bound; NaN meets nothing. */
function meets(side: number, operator: Operator): boolean {
  switch (operator) {
    case '>=':
      return side >= 0;
    case '>':
      return side > 0;
    case '<=':
      return side <= 0;
    case '<':
      return side < 0;
  }
}

function intervalVerdict(operator: Operator, bound: number, { low, high }: Interval): Verdict {
  const ends = [Math.sign(low - bound), Math.sign(high - bound)];
  if (ends.every((side) => meets(side, operator))) return 'pass';
  return ends.some((side) => meets(side, operator)) ? 'inconclusive' : 'fail';
}

/**
 * What would settle an inconclusive gate. Where the rule is `auto`, running the rest of the data set always does, because
 * then the point decides; where the interval is forced, a data set can be too small for it.
 */
function toSettle(
  gate: Gate,
  metric: Metric,
  counts: Counts,
  how: How,
  value: number,
): NonNullable<Case['settle']> {
  const level = gate.level ?? how.confidence;
  const needed = samplesThatSettle(how.run, value, gate.bound, (samples) =>
    intervalOf(metric, counts, level, samples / how.run),
  );
  const left = how.rows - how.run;
  const more = needed === null ? null : needed - how.run;
  const pointDecidesInTheEnd = gate.level === null && how.decision === 'auto' && left > 0;
  if (pointDecidesInTheEnd && (more === null || more >= left)) {
    return { kind: 'rest', samples: left };
  }
  if (more !== null && more <= left) return { kind: 'some', samples: more };
  return { kind: more === null ? 'never' : 'too-small', samples: null };
}
