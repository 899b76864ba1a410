import type { Verdict } from '../model/gate.js';
import type { BenchmarkReport, RunReport } from '../model/report.js';

/** Questions about a report that several surfaces ask. */

/** Whether the verdict makes the job or command fail. A shard judges nothing, so being inconclusive is no failing. */
export function isFailing(
  { verdict, shard }: Pick<RunReport, 'verdict' | 'shard'>,
  failOn: readonly Verdict[],
): boolean {
  return failOn.includes(verdict) && !(shard !== null && verdict === 'inconclusive');
}

/** Whether every row of the data set was run. */
export function isWhole(benchmark: BenchmarkReport): boolean {
  return benchmark.samples.run > 0 && benchmark.samples.run >= benchmark.dataset.rows;
}

const CURTAILED: ReadonlySet<string> = new Set(['configuration', 'outage', 'disk']);

/** Whether the run was stopped by something that leaves nothing to judge. */
export function isCurtailed({ verdict, stopped }: RunReport): boolean {
  return verdict === 'error' && stopped !== null && CURTAILED.has(stopped.kind);
}

/** 'k2_verifier/k2_thinking': how gates and outputs name a benchmark; from the user, so not escaped yet. */
export function nameOf(benchmark: BenchmarkReport): string {
  return benchmark.subset === '' ? benchmark.name : `${benchmark.name}/${benchmark.subset}`;
}

/** Wall-clock time of the run in milliseconds; null where the times are not readable. */
export function elapsedMs(report: RunReport): number | null {
  const ms = Date.parse(report.finished_at) - Date.parse(report.started_at);
  return Number.isFinite(ms) && ms >= 0 ? ms : null;
}

/** Whether an endpoint was asked; otherwise the records of another run were scored. */
export function isMeasured(report: RunReport): boolean {
  return report.endpoint.url !== '';
}

/**
 * Milliseconds of this run a sample; null where that would mislead: too few samples, some of them from another run, or
 * more time than the requests explain. The rest then went into waiting for the endpoint, downloads or retries, and
 * would be counted again for every sample still to come.
 */
export function msPerSample(report: RunReport): number | null {
  const ms = elapsedMs(report);
  const { run } = totals(report);
  const explained = requestMs(report);
  const own = isMeasured(report) && report.resumed_samples === 0 && run >= 20;
  return own && ms !== null && explained !== null && ms <= explained ? ms / run : null;
}

/** The most that the requests of a run can have taken together: nine in ten are faster than p90. */
function requestMs({ benchmarks, settings }: RunReport): number | null {
  const { concurrency } = settings;
  if (typeof concurrency !== 'number' || concurrency < 1) return null;
  let sum = 0;
  for (const { latency, samples } of benchmarks) {
    if (latency.total === null) return null;
    // The last answers are waited for without others beside them.
    sum += (samples.run * latency.total.p90) / concurrency + latency.total.p99;
  }
  return sum;
}

/** Sums over the benchmarks of a run. */
export function totals(report: RunReport): {
  run: number;
  answered: number;
  errors: number;
  rows: number;
} {
  const sums = { run: 0, answered: 0, errors: 0, rows: 0 };
  for (const { samples, dataset } of report.benchmarks) {
    sums.run += samples.run;
    sums.answered += samples.answered;
    sums.errors += samples.errors;
    sums.rows += dataset.rows;
  }
  return sums;
}

/** Models the endpoint said it served, where that is not simply the one asked for. */
export function servedOtherwise(report: RunReport): RunReport['endpoint']['served'] {
  const { served, model } = report.endpoint;
  const asked: unknown = model;
  return served.length === 1 && (served[0] as unknown) === asked ? [] : served;
}

/**
 * `make`, computed once for each benchmark: fitting renders the same report several times, and reports are never
 * changed.
 */
export function remembered<T>(
  make: (benchmark: BenchmarkReport) => T,
): (benchmark: BenchmarkReport) => T {
  const known = new WeakMap<BenchmarkReport, T>();
  return (benchmark) => {
    const found = known.get(benchmark);
    if (found !== undefined) return found;
    const made = make(benchmark);
    known.set(benchmark, made);
    return made;
  };
}
