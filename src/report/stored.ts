import { ConfigError } from '../model/errors.js';
import type { RunReport } from '../model/report.js';

/** Version of report.json that this version reads. */
const SCHEMA_VERSION = 1;

/**
 * A report.json as it was written. Checked is what later work counts on: that it is a report of this schema version, and
 * the form of its counts; docs/report.schema.json has the rest.
 * @param path where it lies, for messages
 * @throws ConfigError
 */
export function readReport(text: string, path: string): RunReport {
  const wrong = (what: string): ConfigError =>
    new ConfigError([
      { where: path, what, fix: 'Give the report.json of a run, as Vendor Gate wrote it.' },
    ]);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrong('It is not JSON; perhaps it was cut off.');
  }
  if (!isObject(value) || !isObject(value['tool']) || value['tool']['name'] !== 'vendor-gate') {
    throw wrong('It is not a report of Vendor Gate.');
  }
  if (value['schema_version'] !== SCHEMA_VERSION) {
    throw wrong(
      `Its schema_version is ${JSON.stringify(value['schema_version'])?.slice(0, 40)}, this version reads ${SCHEMA_VERSION}.`,
    );
  }
  const { benchmarks, endpoint, settings, notes } = value;
  const whole =
    isObject(endpoint) &&
    isObject(settings) &&
    Array.isArray(benchmarks) &&
    Array.isArray(notes) &&
    typeof value['report_id'] === 'string' &&
    isShard(value['shard']);
  if (!whole) throw wrong('It lacks parts that every report has.');
  for (const [index, benchmark] of benchmarks.entries()) {
    const problem = benchmarkProblem(benchmark);
    if (problem !== null) throw wrong(`Benchmark ${index + 1} ${problem}.`);
  }
  return value as unknown as RunReport;
}

const PARTS = ['samples', 'dataset', 'fingerprint', 'counts', 'histograms', 'usage', 'latency'];

function benchmarkProblem(benchmark: unknown): string | null {
  if (!isObject(benchmark)) return 'is not an object';
  const missing = PARTS.find((part) => !isObject(benchmark[part]));
  if (missing !== undefined) return `has no ${missing}`;
  if (!Array.isArray(benchmark['gates'])) return 'has no gates';
  return countsProblem(benchmark['counts'], benchmark['samples'], benchmark['dataset']);
}

/** Counters of one report; a benchmark has some dozens. */
const MAX_COUNTERS = 10_000;

/** What no run can have counted. */
function countsProblem(counts: unknown, samples: unknown, dataset: unknown): string | null {
  if (!isObject(counts) || !isObject(samples) || !isObject(dataset)) return 'has no counts';
  const numbers = Object.values(counts);
  if (numbers.length > MAX_COUNTERS) return `has more than ${MAX_COUNTERS} counts`;
  const isWhole = (value: unknown): value is number =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
  if (!numbers.every(isWhole)) return 'has a count that is no whole number from 0';
  const { run, planned } = samples;
  const { rows } = dataset;
  if (!isWhole(run) || !isWhole(planned) || !isWhole(rows)) return 'has no numbers of samples';
  if ((counts['engine.run'] ?? 0) !== run) return 'counts other samples than it says it ran';
  if (run > planned || planned > rows) return 'ran more samples than there are';
  const { tp = 0, fp = 0, fn = 0, tn = 0 } = counts as Record<string, number>;
  const decided = tp + fp + fn + tn;
  return decided === 0 || decided === run
    ? null
    : 'has decisions that do not add up to its samples';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isShard(value: unknown): boolean {
  if (value === null) return true;
  if (!isObject(value)) return false;
  const { index, of } = value;
  return (
    Number.isInteger(index) &&
    Number.isInteger(of) &&
    Number(index) >= 1 &&
    Number(index) <= Number(of)
  );
}
