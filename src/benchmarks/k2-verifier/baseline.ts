import { figureOf } from '../../gates/measure.js';
import type { Metric } from '../../model/benchmark.js';
import type { Counts } from '../../model/observation.js';
import { type Spread, spreadOf } from '../../statistics/spread.js';
import {
  type Answer,
  agreementCounts,
  answerOf,
  type OfficialRun,
  validityCounts,
} from './baseline-answers.js';
import { METRICS } from './metrics.js';

/** How well the official model agrees with itself: the most that a gate can ask of a vendor. */
export interface Baseline {
  /** Rows that at least one file answers. */
  readonly rows: number;
  /** Rows that every file answers. */
  readonly joined: number;
  readonly files: readonly FileFigures[];
  readonly pairs: readonly Pair[];
  /** Over all pairs. */
  readonly metrics: readonly PairedMetric[];
}

export interface FileFigures {
  readonly answered: number;
  /** Of `rows`. */
  readonly missing: number;
  /** Share of its tool-calling answers in which every call is valid; value null where no tools are recorded. */
  readonly schemaAccuracy: { readonly value: number | null; readonly n: number };
  /** Mean of each metric over its pairs, the other file as the official side; by name. */
  readonly means: Readonly<Record<string, number | null>>;
}

/** Two files, on the rows that both answer. */
export interface Pair {
  /** Indices; the first is the official side, which matters to `trigger_rate_ratio` alone. */
  readonly files: readonly [number, number];
  readonly rows: number;
  /** By metric name; null where it has no value. */
  readonly metrics: Readonly<Record<string, number | null>>;
  /** A row on which the files hold different prompts; null when most rows looked at hold the same. */
  readonly otherPrompt: number | null;
}

export interface PairedMetric {
  readonly metric: Metric;
  /** How many have a value. */
  readonly pairs: number;
  /** null when none has one; without an SD when only one has. A ratio comes in both ways round. */
  readonly spread: Spread | null;
  /** Gates that lie two standard deviations beyond the worst pair; none where that says nothing. */
  readonly gates: readonly string[];
}

/** By what two runs are held against each other. The others say the same of the pair, or nothing. */
const PAIRED: ReadonlySet<string> = new Set([
  'trigger_similarity',
  'trigger_kappa',
  'trigger_rate_ratio',
  'tool_name_agreement',
  'call_count_agreement',
  'argument_agreement',
  'argument_token_f1',
]);
const PAIRED_METRICS = METRICS.filter(({ name }) => PAIRED.has(name));
const SCHEMA_ACCURACY = METRICS.filter(({ name }) => name === 'schema_accuracy');

/** Of these the two ways round differ, and count as two values. */
function isDirected({ kind }: Metric): boolean {
  return kind === 'ratio';
}

/** Rows of a pair whose prompts are compared: enough to notice files about different data sets. */
const PROMPTS_COMPARED = 50;

/**
 * Holds every file against every other by the rules by which a vendor is scored. Files are joined by row number; a row
 * that one of two files did not answer says nothing about the pair. Records are read one row at a time.
 * @param runs two or more
 * Rejects with the signal's reason when it is aborted.
 */
export async function baselineOf(
  runs: readonly OfficialRun[],
  signal: AbortSignal,
): Promise<Baseline> {
  const pairs = runs.flatMap((_, second) =>
    runs.slice(0, second).map((_, first) => new Comparison(first, second)),
  );
  const answered = runs.map(() => 0);
  const valid = runs.map((): Record<string, number> => ({}));
  const last = Math.max(0, ...runs.map(({ lastRow }) => lastRow));
  let rows = 0;
  let joined = 0;
  for (let row = 1; row <= last; row += 1) {
    if (row % 100 === 0) {
      await new Promise(setImmediate);
      signal.throwIfAborted();
    }
    const answers = runs.map((run) => answerOf(run, row));
    const present = answers.filter((answer) => answer !== null).length;
    if (present === 0) continue;
    rows += 1;
    if (present === runs.length) joined += 1;
    for (const [index, answer] of answers.entries()) {
      if (answer === null) continue;
      answered[index] = (answered[index] ?? 0) + 1;
      add(valid[index] ?? {}, validityCounts(answer));
    }
    for (const pair of pairs) pair.add(row, answers);
  }
  return {
    rows,
    joined,
    pairs: pairs.map((pair) => pair.figures()),
    files: runs.map((_, index) => ({
      answered: answered[index] ?? 0,
      missing: rows - (answered[index] ?? 0),
      schemaAccuracy: figuresIn(SCHEMA_ACCURACY, valid[index] ?? {}),
      means: meansOf(index, pairs),
    })),
    metrics: PAIRED_METRICS.map((metric) => overPairs(metric, pairs)),
  };
}

/** Two files while their rows pass by. */
class Comparison {
  readonly files: readonly [number, number];
  readonly #counts: Record<string, number> = {};
  #rows = 0;
  #compared = 0;
  #differ = 0;
  #otherPrompt: number | null = null;

  constructor(first: number, second: number) {
    this.files = [first, second];
  }

  add(row: number, answers: readonly (Answer | null)[]): void {
    const [first, second] = this.files.map((index) => answers[index] ?? null);
    if (!first || !second) return;
    this.#rows += 1;
    if (first.triggered && second.triggered) {
      add(this.#counts, agreementCounts(first.calls, second.calls));
      this.#comparePrompts(row, first.prompt, second.prompt);
    } else if (first.triggered) add(this.#counts, { fn: 1 });
    else add(this.#counts, second.triggered ? { fp: 1 } : { tn: 1 });
  }

  figures(): Pair {
    return {
      files: this.files,
      rows: this.#rows,
      metrics: Object.fromEntries(
        PAIRED_METRICS.map((metric) => [metric.name, figureOf(metric, this.#counts).value]),
      ),
      otherPrompt: 2 * this.#differ > this.#compared ? this.#otherPrompt : null,
    };
  }

  /** What the pair says of a metric: a value, two where the ways round differ, or none. */
  values(metric: Metric): number[] {
    const [first, second] = this.files;
    const sides = isDirected(metric) ? [second, first] : [second];
    return sides.flatMap((vendor) => this.valueFor(metric, vendor) ?? []);
  }

  /** With one of the files in the place of the vendor; null when it is none of them or there is no value. */
  valueFor(metric: Metric, vendor: number): number | null {
    if (!this.files.includes(vendor)) return null;
    const { fp = 0, fn = 0 } = this.#counts;
    const turned = vendor === this.files[0];
    const counts = turned ? { ...this.#counts, fp: fn, fn: fp } : this.#counts;
    return figureOf(metric, counts).value;
  }

  #comparePrompts(row: number, first: string | null, second: string | null): void {
    if (first === null || second === null || this.#compared === PROMPTS_COMPARED) return;
    this.#compared += 1;
    if (first === second) return;
    this.#differ += 1;
    this.#otherPrompt ??= row;
  }
}

function overPairs(metric: Metric, all: readonly Comparison[]): PairedMetric {
  const values = all.map((pair) => pair.values(metric)).filter(({ length }) => length > 0);
  const spread = spreadOf(values.flat());
  const pairs = values.length;
  if (spread === null || pairs === 1) {
    return { metric, pairs, spread: spread && { ...spread, sd: null }, gates: [] };
  }
  return { metric, pairs, spread, gates: gatesFrom(metric, spread) };
}

function meansOf(
  file: number,
  pairs: readonly Comparison[],
): Readonly<Record<string, number | null>> {
  return Object.fromEntries(
    PAIRED_METRICS.map((metric) => {
      const values = pairs.flatMap((pair) => pair.valueFor(metric, file) ?? []);
      return [metric.name, spreadOf(values)?.mean ?? null];
    }),
  );
}

function figuresIn([metric]: readonly Metric[], counts: Counts): FileFigures['schemaAccuracy'] {
  if (metric === undefined) return { value: null, n: 0 };
  const { value, n } = figureOf(metric, counts);
  return { value, n };
}

function add(sum: Record<string, number>, counts: Counts): void {
  for (const [name, n] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + n;
}

const DEVIATIONS = 2;
/** Below it what is left of a product of decimals is taken for rounding: 0.7 - 2 * 0.05 is 0.6 and not 0.5999. */
const SLACK = 1e-9;

/** Gate lines, bounds rounded away from the pairs to hundredths. */
function gatesFrom({ name, kind }: Metric, { min, max, sd }: Spread): string[] {
  // Runs that never differed say nothing about how far they may.
  if (sd === null || sd === 0) return [];
  const low = Math.floor((min - DEVIATIONS * sd) * 100 + SLACK);
  const high = Math.ceil((max + DEVIATIONS * sd) * 100 - SLACK);
  const written = (hundredths: number): string =>
    kind === 'rate' ? `${hundredths}%` : (hundredths / 100).toFixed(2);
  return [
    // What chance alone would reach is no gate.
    ...(low > 0 ? [`${name} >= ${written(low)}`] : []),
    ...(kind === 'ratio' ? [`${name} <= ${written(high)}`] : []),
  ];
}
