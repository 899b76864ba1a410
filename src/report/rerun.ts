import type { Json } from '../model/json.js';
import type { BenchmarkReport, RunReport } from '../model/report.js';
import { isMeasured } from './shape.js';

/** Settings of the report that are flags of the same name and decide the figures, or what a run may spend. */
export const FLAGS = [
  'limit',
  'order',
  'seed',
  'default-gates',
  'decision',
  'confidence',
  'early-stop',
  'concurrency',
  'max-requests-per-minute',
  'request-timeout',
  'max-retries',
  'deadline',
  'token-budget',
  'cost-budget',
  'price-in',
  'price-out',
  'temperature',
  'max-tokens',
  'stream',
  'thinking',
  'thinking-style',
  'extra-body',
] as const;

/** Those of them that the verb score has too. */
const JUDGING_FLAGS = [
  'limit',
  'order',
  'seed',
  'default-gates',
  'decision',
  'confidence',
] as const;

/** Switches that are on by themselves. */
const ON: readonly string[] = ['default-gates', 'stream'];

/**
 * The command that runs the same thing again from a checkout. The key is not in it: it comes from the environment.
 * A merged report has the command that merges again. Everything is quoted for a POSIX shell; the result is text from outside all the same and must be escaped.
 */
export function rerunCommand(report: RunReport): string {
  const { merged } = report.settings;
  if (Array.isArray(merged)) {
    return ['node dist/index.js merge', ...merged.map((path) => quoted(written(path)))].join(BREAK);
  }
  const parts = [
    ...(isMeasured(report)
      ? ['node dist/index.js run', option('endpoint', report.endpoint.url)]
      : ['node dist/index.js score', option('results', report.settings['results'] ?? 'FILE')]),
    option('model', report.endpoint.model),
    `--datasets ${report.benchmarks.map((each) => quoted(named(each.name, each.subset))).join(' ')}`,
    ...report.benchmarks.flatMap((each) => optionsOf(each, report)),
  ];
  for (const flag of isMeasured(report) ? FLAGS : JUDGING_FLAGS) {
    const value = report.settings[flag] ?? null;
    if (isSet(flag, value)) parts.push(option(flag, value));
  }
  if (report.shard !== null) {
    parts.push(option('shard', `${report.shard.index}/${report.shard.of}`));
  }
  const gates = report.benchmarks.flatMap((each) =>
    each.gates.filter((gate) => gate.origin === 'user').map((gate) => gate.gate),
  );
  if (gates.length > 0) parts.push(option('thresholds', [...new Set(gates)].join('\n')));
  return parts.join(BREAK);
}

const BREAK = ' \\\n  ';

/** `--set NAME/SUBSET.OPTION=VALUE` for every option; a report without them still names the data set. */
function optionsOf(benchmark: BenchmarkReport, report: RunReport): string[] {
  const prefix = `${named(benchmark.name, benchmark.subset)}.`;
  const options = Object.entries(report.settings).filter(([key]) => key.startsWith(prefix));
  const all =
    options.length > 0 ? options : [[`${prefix}source`, benchmark.dataset.source] as const];
  return all.map(([key, value]) => `--set ${quoted(`${key}=${written(value)}`)}`);
}

function named(name: string, subset: string): string {
  return subset === '' ? name : `${name}/${subset}`;
}

/** `--seed 42`; a switch is `--early-stop` or `--no-stream`, and a value like an option needs the equals sign. */
function option(flag: string, value: Json): string {
  if (typeof value === 'boolean') return value ? `--${flag}` : `--no-${flag}`;
  const word = quoted(written(value));
  return written(value).startsWith('-') ? `--${flag}=${word}` : `--${flag} ${word}`;
}

/** Not null, an empty mapping, a switch as it is by itself, or the word for 'as the benchmark has it'. */
function isSet(flag: string, value: Json): value is Exclude<Json, null> {
  if (value === null || value === ON.includes(flag) || value === 'default') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

function written(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** One word of a POSIX shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
