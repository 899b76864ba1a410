import type { Counts, Observation } from '../model/observation.js';
import {
  type BenchmarkReport,
  type Example,
  MINOR_RANK,
  type Percentiles,
} from '../model/report.js';
import { DurationHistogram } from '../statistics/histogram.js';
import { reveal, type Untrusted } from '../text/untrusted.js';

const EXAMPLES_KEPT_PER_KIND = 3;
const EXAMPLES_SHOWN = 5;
const SERVED_KEPT = 20;

/**
 * The sum over all scores of a run, with the engine's own counters, latencies and the most instructive samples.
 * Adding is order-free: the same observations give the same tally in whatever order they arrived.
 */
export class Tally {
  readonly #counts = new Map<string, number>();
  readonly #firstToken = new DurationHistogram();
  readonly #total = new DurationHistogram();
  readonly #examples = new Map<string, { place: number; example: Example }[]>();
  readonly #served = new Map<string, Untrusted>();

  /**
   * @param place position of the sample in the draw: of equally instructive samples the earliest drawn are shown,
   * so that the choice does not depend on which answer came first.
   */
  add(
    observation: Observation<unknown>,
    score: Counts,
    example: Example | null,
    place: number,
  ): void {
    for (const [name, count] of Object.entries(score)) this.#count(name, count);
    this.#count('engine.run', 1);
    if (observation.kind === 'unmeasured') {
      this.#count('engine.unmeasured', 1);
      this.#count(`engine.unmeasured.${observation.cause}`, 1);
    }
    if (hasAnswer(observation)) this.#count('engine.answered', 1);
    const warnings = new Set<string>();
    for (const exchange of observation.exchanges) {
      this.#count('engine.requests', exchange.attempts);
      this.#count('engine.retries', exchange.attempts - 1);
      for (const name of exchange.warnings) warnings.add(name);
      if (exchange.usage !== null) {
        this.#count('usage.prompt_tokens', exchange.usage.prompt_tokens);
        this.#count('usage.completion_tokens', exchange.usage.completion_tokens);
        this.#count('usage.total_tokens', exchange.usage.total_tokens);
      }
      if (observation.kind === 'measured') {
        if (exchange.firstTokenMs !== null) this.#firstToken.add(exchange.firstTokenMs);
        this.#total.add(exchange.totalMs);
      }
      if (exchange.served !== null && this.#served.size < SERVED_KEPT) {
        this.#served.set(reveal(exchange.served), exchange.served);
      }
    }
    for (const name of warnings) this.#count(`wire.${name}`, 1);
    if (example !== null) this.#keep(example, place);
  }

  get counts(): Counts {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  get served(): readonly Untrusted[] {
    return [...this.#served].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  }

  get latency(): { first_token: Percentiles | null; total: Percentiles | null } {
    return { first_token: percentilesOf(this.#firstToken), total: percentilesOf(this.#total) };
  }

  get histograms(): BenchmarkReport['histograms'] {
    return { first_token: this.#firstToken.toJSON(), total: this.#total.toJSON() };
  }

  /** A varied choice: the most instructive kind first, then one of each kind in turn; minor kinds share their turn. */
  get examples(): readonly Example[] {
    return chosenExamples(
      [...this.#examples.values()].flatMap((kept) => kept.map(({ example }) => example)),
    );
  }

  #count(name: string, by: number): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + by);
  }

  #keep(example: Example, place: number): void {
    const kept = [...(this.#examples.get(example.kind) ?? []), { place, example }];
    kept.sort((a, b) => a.place - b.place);
    this.#examples.set(example.kind, kept.slice(0, EXAMPLES_KEPT_PER_KIND));
  }
}

/**
 * A varied choice: the most instructive kind first, then one of each kind in turn; the minor kinds share one turn.
 * @param examples of one kind the most telling first
 */
export function chosenExamples(examples: readonly Example[]): readonly Example[] {
  const byKind = new Map<string, Example[]>();
  for (const example of examples) {
    byKind.set(example.kind, [...(byKind.get(example.kind) ?? []), example]);
  }
  const kinds = [...byKind.values()].sort((a, b) => rankOf(a) - rankOf(b));
  const minor = inTurn(kinds.filter((kind) => rankOf(kind) >= MINOR_RANK));
  const major = kinds.filter((kind) => rankOf(kind) < MINOR_RANK);
  return inTurn([...major, minor]).slice(0, EXAMPLES_SHOWN);
}

function rankOf(kind: readonly Example[]): number {
  return kind[0]?.rank ?? 0;
}

/** The first of each list, then the second of each, and so on. */
function inTurn(lists: readonly (readonly Example[])[]): Example[] {
  const rounds = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: rounds }, (_, round) =>
    lists.flatMap((list) => list[round] ?? []),
  ).flat();
}

export function percentilesOf(histogram: DurationHistogram): Percentiles | null {
  const at = (p: number): number | null => histogram.percentile(p);
  const [p50, p90, p99] = [at(50), at(90), at(99)];
  if (p50 === null || p90 === null || p99 === null) return null;
  return { p50, p90, p99, n: histogram.n };
}

/** Whether the endpoint answered with anything but a refusal. Records of another tool have no exchanges. */
function hasAnswer({ kind, exchanges }: Observation<unknown>): boolean {
  if (kind !== 'measured') return false;
  return (
    exchanges.length === 0 ||
    exchanges.some(({ status }) => status !== null && status >= 200 && status < 300)
  );
}
