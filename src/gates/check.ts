import type { BenchmarkSpec, Metric } from '../model/benchmark.js';
import type { Problem } from '../model/errors.js';
import type { Gate } from '../model/gate.js';
import { nearest } from '../text/nearest.js';
import { ENGINE_METRICS } from './engine-metrics.js';

type Chosen = readonly { readonly spec: BenchmarkSpec; readonly subset: string }[];

/** More names than this help nobody. */
const NAMES_LISTED = 20;

/**
 * What is wrong with gates in view of the benchmarks that will run: a benchmark, subset or metric that is not there (with
 * the nearest that is), or a bound that the metric cannot reach. At most one problem a gate; empty when all can be judged.
 * Gates that contradict each other are legal.
 */
export function checkGates(gates: readonly Gate[], chosen: Chosen): Problem[] {
  // Without any benchmark there is nothing to compare names with, and that is reported elsewhere.
  if (chosen.length === 0) return [];
  return gates
    .map((gate) => wrongPlace(gate, chosen) ?? wrongMetric(gate, chosen))
    .filter((problem) => problem !== null);
}

function wrongPlace(gate: Gate, chosen: Chosen): Problem | null {
  const { benchmark, subset } = gate;
  if (benchmark === null) return null;
  const same = chosen.filter(({ spec }) => spec.name === benchmark);
  if (same.length === 0) {
    const names = unique(chosen.map(({ spec }) => spec.name));
    const what = `the benchmark "${benchmark}" is not one of those that run`;
    return problem(gate, what, benchmark, names);
  }
  if (subset === null || same.some((choice) => choice.subset === subset)) return null;
  const exists = same.some(({ spec }) => spec.subsets.some(({ name }) => name === subset));
  const running = unique(same.map((choice) => choice.subset));
  const what = exists
    ? `the subset "${subset}" of ${benchmark} exists but is not run here`
    : `${benchmark} has no subset "${subset}"`;
  return problem(gate, what, subset, running);
}

function wrongMetric(gate: Gate, chosen: Chosen): Problem | null {
  const meant = chosen.filter(
    ({ spec, subset }) =>
      (gate.benchmark === null || gate.benchmark === spec.name) &&
      (gate.subset === null || gate.subset === subset),
  );
  const metrics = [...meant.flatMap(({ spec }) => spec.metrics), ...ENGINE_METRICS];
  const named = metrics.filter(({ name }) => name === gate.metric);
  if (named.length === 0) {
    const names = unique(metrics.map(({ name }) => name));
    return problem(gate, `there is no metric "${gate.metric}"`, gate.metric, names);
  }
  return wrongBound(gate, named);
}

function wrongBound(gate: Gate, metrics: readonly Metric[]): Problem | null {
  const where = placeOf(gate);
  const whole = metrics.find(({ kind }) => kind === 'count' || kind === 'seconds');
  if (gate.percent && whole !== undefined) {
    return {
      where,
      what: `"${gate.text}": ${gate.metric} is not a share, so its bound cannot be in per cent.`,
      fix: 'Leave out the % sign.',
    };
  }
  const outside = metrics.find(({ range: [low, high] }) => gate.bound < low || gate.bound > high);
  if (outside === undefined) return null;
  const [low, high] = outside.range;
  const forgotten = !gate.percent && high === 1 && gate.bound >= 2 && gate.bound <= 100;
  return {
    where,
    what: `"${gate.text}": ${gate.metric} is ${rangeText(low, high)}, so the bound ${gate.bound} can never be reached.`,
    fix: forgotten
      ? `Write ${gate.bound}% or ${Number(`${gate.bound}e-2`)}.`
      : 'Give a bound within that range.',
  };
}

function problem(gate: Gate, what: string, word: string, names: readonly string[]): Problem {
  const near = nearest(word, names);
  const listed = names.slice(0, NAMES_LISTED).join(', ');
  return {
    where: placeOf(gate),
    what: `"${gate.text}": ${what}.`,
    fix: near === null ? `There is: ${listed}.` : `Did you mean ${near}?`,
  };
}

function placeOf(gate: Gate): string {
  return gate.origin === 'user' ? 'thresholds' : 'default gates';
}

function rangeText(low: number, high: number): string {
  if (high === Infinity) return low === -Infinity ? 'any number' : `${low} or more`;
  return low === -Infinity ? `${high} or less` : `from ${low} to ${high}`;
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}
