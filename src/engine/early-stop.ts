import { SequentialGate, type Settled } from '../gates/sequential.js';
import type { Metric } from '../model/benchmark.js';
import type { Gate } from '../model/gate.js';
import type { Counts } from '../model/observation.js';

export interface EarlyStopPlan {
  readonly gates: readonly Gate[];
  readonly metrics: readonly Metric[];
  /** Rows of the whole data set, however few a limit allows. */
  readonly rows: number;
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
 * - Gates that warn, and those that measure the run itself, are judged on the samples run and stand outside.
 */
export class EarlyStop {
  readonly #followed: readonly SequentialGate[];
  /** Gates that only the full run can judge. */
  readonly #unfollowed: number;
  readonly #waiting = new Map<number, Counts>();
  readonly #rows: number;
  #next = 0;

  constructor({ gates, metrics, rows, confidence }: EarlyStopPlan) {
    const byName = new Map(metrics.map((metric) => [metric.name, metric]));
    const deciding = gates.flatMap((gate) => {
      const metric = byName.get(gate.metric);
      return gate.warn || metric === undefined || metric.measuresTheRun ? [] : [{ gate, metric }];
    });
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
    if (!this.#isEnough) return false;
    const settled = this.#followed.map((gate) => gate.settled);
    if (settled.includes('fail')) return true;
    return this.#unfollowed === 0 && settled.length > 0 && !settled.includes(null);
  }

  /** @param place position of the sample in the draw, from 0 */
  add(place: number, score: Counts): void {
    this.#waiting.set(place, score);
    // What is decided stays so: later samples would only say more than the guarantee covers.
    for (let next = this.#take(); next !== null && !this.decided; next = this.#take()) {
      for (const gate of this.#followed) gate.add(next);
      this.#next += 1;
      this.#waiting.delete(this.#next - 1);
    }
  }

  verdictOf(gate: Gate): Settled | null {
    if (!this.#isEnough) return null;
    return this.#followed.find((followed) => followed.gate === gate)?.settled ?? null;
  }

  get #isEnough(): boolean {
    return this.#next >= Math.min(FEWEST, this.#rows);
  }

  #take(): Counts | null {
    return this.#waiting.get(this.#next) ?? null;
  }
}
