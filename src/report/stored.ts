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
      `Its schema_version is ${JSON.stringify(value['schema_version'])}, this version reads ${SCHEMA_VERSION}.`,
    );
  }
  const { benchmarks, endpoint, settings, notes } = value;
  const whole =
    isObject(endpoint) &&
    isObject(settings) &&
    Array.isArray(benchmarks) &&
    Array.isArray(notes) &&
    typeof value['report_id'] === 'string' &&
    'shard' in value;
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
  const counts = Object.values(benchmark['counts'] as object);
  return counts.every((count) => Number.isFinite(count)) ? null : 'has a count that is no number';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
