import type { BenchmarkReport, GateReport, RunReport } from '../model/report.js';
import { utf8Bytes } from './fit.js';
import { outcomeOf, worstFirst } from './rows.js';
import { nameOf } from './shape.js';

/** The action's outputs that come from the report; names as in action.yml, values as GitHub takes them. */
export interface Outputs {
  /** pass, fail, inconclusive or error. */
  readonly verdict: string;
  /** Plain number from 0 to 1, or empty where it is undefined or was not measured. */
  readonly 'trigger-similarity': string;
  readonly 'schema-accuracy': string;
  /** JSON object of objects: benchmark/subset, then metric, then the value or null. */
  readonly metrics: string;
  /** JSON list of gate lines. */
  readonly 'failed-gates': string;
}

/** A job's outputs may take 1 MB together; each of the two JSON ones stays well below it. */
const MOST_BYTES = 100_000;

/**
 * Outputs of a run. With several benchmarks `trigger-similarity` and `schema-accuracy` are those of the first
 * benchmark, in the order of `datasets`, that has the metric; `metrics` is always keyed by `benchmark/subset`; and a
 * failed gate that was written without a prefix gets that of the benchmark on which it failed, so that every line of
 * `failed-gates` is itself a gate. With one benchmark gates are as written. Gates of a benchmark that could not be
 * measured are not failed; only the gate that says so is listed, and the two plain numbers are empty. They are empty for
 * a shard too, which judges nothing: a workflow must not compare a part.
 */
export function outputsOf(report: RunReport): Outputs {
  return {
    verdict: report.verdict,
    'trigger-similarity': firstValue(report, 'trigger_similarity'),
    'schema-accuracy': firstValue(report, 'schema_accuracy'),
    metrics: metricsJson(report),
    'failed-gates': failedJson(report),
  };
}

function firstValue(report: RunReport, name: string): string {
  const owner = report.benchmarks.find((each) => Object.hasOwn(each.metrics, name));
  // Unanswered samples count as not called: such a figure is no measurement, and a workflow must not compare it.
  const value =
    owner === undefined || owner.verdict === 'error' || report.shard !== null
      ? null
      : owner.metrics[name]?.value;
  return value === null || value === undefined ? '' : String(value);
}

function metricsJson(report: RunReport): string {
  const whole: Record<string, Record<string, number | null>> = {};
  let size = 2;
  for (const benchmark of report.benchmarks) {
    const values = Object.fromEntries(
      Object.entries(benchmark.metrics).map(([name, metric]) => [name, metric.value]),
    );
    size += utf8Bytes(JSON.stringify({ [nameOf(benchmark)]: values }));
    // Whole benchmarks only: half an object would look like a benchmark without those metrics.
    if (size > MOST_BYTES) break;
    whole[nameOf(benchmark)] = values;
  }
  return JSON.stringify(whole);
}

function failedJson(report: RunReport): string {
  const several = report.benchmarks.length > 1;
  const lines: string[] = [];
  let size = 2;
  for (const benchmark of report.benchmarks) {
    for (const gate of worstFirst(benchmark.gates, benchmark)) {
      const outcome = outcomeOf(gate, benchmark);
      if ((outcome !== 'fail' && outcome !== 'error') || gate.warn) continue;
      const line = several ? prefixed(gate, benchmark) : gate.gate;
      size += utf8Bytes(JSON.stringify(line)) + 1;
      if (size > MOST_BYTES) return JSON.stringify(lines);
      lines.push(line);
    }
  }
  return JSON.stringify(lines);
}

/** `k2_verifier/k2_0905.trigger_similarity >= 0.80`. */
function prefixed(gate: GateReport, benchmark: BenchmarkReport): string {
  return gate.gate.startsWith(gate.metric) ? `${nameOf(benchmark)}.${gate.gate}` : gate.gate;
}
