import { judge } from '../gates/judge.js';
import { SequentialGate, type Settled } from '../gates/sequential.js';
import type { Metric } from '../model/benchmark.js';
import type { Gate } from '../model/gate.js';
import type { Counts } from '../model/observation.js';

export interface EarlyStopPlan {
  readonly gates: readonly Gate[];
  readonly metrics: readonly Metric[];
  /** Rows of the whole data set, however few a limit allows. */
  readonly rows: number;
  /** Samples of the plan. */
  readonly planned: number;
  /** In (0, 1): the early verdict differs from the full run's with at most 1 - confidence. */
  readonly confidence: number;
}

/** Nobody acts on a verdict of a handful of samples, and so few cost cents. Waiting longer keeps the guarantee. */
const FEWEST = 20;

/**
 * Decides when the samples run so far settle the verdict that the whole data set would give. Three rules make the
 * guarantee hold (docs/gates.md, Stopping early):
 *
 * - Results are used in the order of the draw: one waits until all drawn before it have ended. In the order of arrival
 *   quick answers would come first, and they are not a fair sample: calls are shorter than texts.
 * - With k gates the side `fail` of each has 1/k of the risk, because one failed gate fails the run; the side `pass`
 *   needs no correction, because all must pass.
 * - Gates that warn, and those that measure the run itself, are judged on the samples run and stand outside. But a run
 *   does not end while too many of its samples are unanswered for one of these and the rest of the plan could mend that:
 *   one failure in sixty must not turn a verdict into an error.
 */
export class EarlyStop {
  readonly #followed: readonly SequentialGate[];
  /** Gates that only the full run can judge. */
  readonly #unfollowed: number;
  readonly #waiting = new Map<number, Counts>();
  readonly #rows: number;
  readonly #planned: number;
  /** Gates that measure the run itself, and what they count: all samples run, in whatever order. */
  readonly #ofTheRun: readonly { readonly gate: Gate; readonly metric: Metric }[];
  readonly #sums = new Map<string, number>();
  #next = 0;

  constructor({ gates, metrics, rows, planned, confidence }: EarlyStopPlan) {
    const byName = new Map(metrics.map((metric) => [metric.name, metric]));
    const all = gates.flatMap((gate) => {
      const metric = byName.get(gate.metric);
      return gate.warn || metric === undefined ? [] : [{ gate, metric }];
    });
    const deciding = all.filter(({ metric }) => !metric.measuresTheRun);
    this.#ofTheRun = all.filter(({ metric }) => metric.measuresTheRun);
    this.#planned = planned;
    this.#rows = rows;
    const risk = 1 - confidence;
    const alpha = { pass: risk, fail: risk / Math.max(1, deciding.length) };
    this.#followed = deciding.flatMap(
      ({ gate, metric }) => SequentialGate.of(gate, metric, rows, alpha) ?? [],
    );
    this.#unfollowed = deciding.length - this.#followed.length;
  }

  /** Samples used: those drawn one after the other without a gap. */
  get used(): number {
    return this.#next;
  }

  /** Whether no further sample can change the verdict, but for the risk. */
  get decided(): boolean {
    return this.#isSettled && !this.#isBlindForNow;
  }

  get #isSettled(): boolean {
    if (!this.#isEnough) return false;
    const settled = this.#followed.map((gate) => gate.settled);
    if (settled.includes('fail')) return true;
    return this.#unfollowed === 0 && settled.length > 0 && !settled.includes(null);
  }

  /** Whether a gate on the run itself fails now, although it holds if every other sample of the plan is answered. */
  get #isBlindForNow(): boolean {
    const run = this.#sums.get('engine.run') ?? 0;
    const counts = Object.fromEntries(this.#sums);
    const atBest = { ...counts, 'engine.run': Math.max(run, this.#planned) };
    const how = { decision: 'point', confidence: 0.95, complete: true, rows: run, run } as const;
    const fails = (given: Counts): boolean =>
      this.#ofTheRun.some(
        ({ gate, metric }) => judge(gate, metric, given, how).verdict === 'error',
      );
    return fails(counts) && !fails(atBest);
  }

  /**
   * @param place position of the sample in the draw, from 0
   * @param isMeasured whether it got a usable answer
   */
  add(place: number, score: Counts, isMeasured: boolean): void {
    this.#count('engine.run');
    if (!isMeasured) this.#count('engine.unmeasured');
    if (this.#isSettled) return;
    this.#waiting.set(place, score);
    // What is decided stays so: later samples would only say more than the guarantee covers.
    for (let next = this.#take(); next !== null && !this.#isSettled; next = this.#take()) {
      for (const gate of this.#followed) gate.add(next);
      this.#next += 1;
      this.#waiting.delete(this.#next - 1);
    }
  }

  verdictOf(gate: Gate): Settled | null {
    if (!this.#isEnough) return null;
    return this.#followed.find((followed) => followed.gate === gate)?.settled ?? null;
  }

  #count(name: string): void {
    this.#sums.set(name, (this.#sums.get(name) ?? 0) + 1);
  }

  get #isEnough(): boolean {
    return this.#next >= Math.min(FEWEST, this.#rows);
  }

  #take(): Counts | null {
    return this.#waiting.get(this.#next) ?? null;
  }
}
