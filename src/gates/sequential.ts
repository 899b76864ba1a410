import type { Metric } from '../model/benchmark.js';
import type { Gate } from '../model/gate.js';
import type { Counts } from '../model/observation.js';
import { SumSignTest } from '../statistics/betting.js';

/** What a gate's verdict over the whole data set is, known before it was all run. */
export type Settled = 'pass' | 'fail';

/**
 * A gate followed sample by sample, in the order of a random draw from the whole data set. `num / den >= bound` over
 * the whole set means that the sum of `num - bound * den` over its samples is at least zero, so each gate is a test of
 * that sum's sign (statistics/betting.ts).
 */
export class SequentialGate {
  readonly gate: Gate;
  readonly #terms: (counts: Counts) => { num: number; den: number };
  readonly #test: SumSignTest;
  /** 1 or -1, so that `above` always means: num / den is on the side that includes the bound. */
  readonly #sign: number;
  readonly #above: Settled;
  readonly #range: readonly [number, number];

  private constructor(gate: Gate, metric: Terms, rows: number, alpha: Alpha) {
    this.gate = gate;
    this.#terms = (counts) => metric.terms(counts);
    const { operator, bound } = gate;
    this.#sign = operator === '<=' || operator === '>' ? -1 : 1;
    this.#above = operator === '>=' || operator === '<=' ? 'pass' : 'fail';
    const values = sampleTermsOf(metric).map(([num, den]) => this.#sign * (num - bound * den));
    this.#range = [Math.min(...values), Math.max(...values)];
    const [alphaAbove, alphaBelow] =
      this.#above === 'pass' ? [alpha.pass, alpha.fail] : [alpha.fail, alpha.pass];
    this.#test = new SumSignTest(rows, this.#range, { alphaAbove, alphaBelow });
  }

  /** Whether the gate can be followed: its metric is a ratio of two sums, and it forces no interval. */
  static canFollow(gate: Gate, metric: Metric): metric is Terms {
    return gate.level === null && 'terms' in metric && sampleTermsOf(metric).length > 0;
  }

  /**
   * @param rows samples of the whole data set
   * @returns null for a gate that cannot be followed
   */
  static of(gate: Gate, metric: Metric, rows: number, alpha: Alpha): SequentialGate | null {
    return SequentialGate.canFollow(gate, metric)
      ? new SequentialGate(gate, metric, rows, alpha)
      : null;
  }

  get settled(): Settled | null {
    const { decision } = this.#test;
    if (decision === null) return null;
    if (decision === 'above') return this.#above;
    return this.#above === 'pass' ? 'fail' : 'pass';
  }

  /** @param score the counters of one sample, the next in the draw */
  add(score: Counts): void {
    const { num, den } = this.#terms(score);
    const value = this.#sign * (num - this.gate.bound * den);
    const [low, high] = this.#range;
    // By rounding alone a value can lie a hair outside.
    this.#test.add(
      Math.abs(value - low) < 1e-12 ? low : Math.abs(value - high) < 1e-12 ? high : value,
    );
  }
}

/** How often each side may be wrong. */
export interface Alpha {
  readonly pass: number;
  readonly fail: number;
}

type Terms = Extract<Metric, { terms: unknown }>;

/** What one sample can add, by the kind of the metric. Fractions of a rate lie between. */
function sampleTermsOf(metric: Terms): readonly (readonly [number, number])[] {
  if (metric.sampleTerms !== undefined) return metric.sampleTerms;
  switch (metric.kind) {
    case 'rate':
      return [
        [0, 0],
        [0, 1],
        [1, 1],
      ];
    case 'f1':
      return [
        [0, 0],
        [0, 1],
        [2, 2],
      ];
    default:
      return [];
  }
}
