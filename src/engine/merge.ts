import { effectiveGates } from '../gates/effective.js';
import { worst } from '../gates/judge.js';
import { parseGates } from '../gates/parse.js';
import type { Benchmark } from '../model/benchmark.js';
import type { Shard } from '../model/config.js';
import { ConfigError, type Problem } from '../model/errors.js';
import { DECISIONS, type Decision, type Gate } from '../model/gate.js';
import type { Counts } from '../model/observation.js';
import type { BenchmarkReport, RunReport, Stopped } from '../model/report.js';
import { DurationHistogram } from '../statistics/histogram.js';
import { reveal, untrusted } from '../text/untrusted.js';
import { conclude, metricsOf } from './conclude.js';
import { chosenExamples, percentilesOf, type Tally } from './tally.js';

/** A shard's report and where it lies, for messages. */
export interface Part {
  readonly path: string;
  readonly report: RunReport;
}

type Whole = readonly [Part, ...Part[]];

/**
 * Joins the reports of shards into the report of one run: counts and durations are added up, and the gates recorded in
 * them are judged on the sums. Of a shard that ran twice the newest report counts. Shards that are missing are named,
 * and the verdict is then at best inconclusive. The setting `merged` names the reports that count.
 * @throws ConfigError for reports that do not belong together, with every difference
 */
export function mergeReports(given: readonly Part[], benchmarks: readonly Benchmark[]): RunReport {
  try {
    return merged(given, benchmarks);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    // A report of another form than Vendor Gate writes, in a part that nothing has looked at before.
    const where = given
      .map(({ path }) => path)
      .join(', ')
      .slice(0, 300);
    const what = `One of these is no report as Vendor Gate writes it (${String(error).slice(0, 200)}).`;
    throw new ConfigError([
      { where, what, fix: 'Give the report.json files of the shards unchanged.' },
    ]);
  }
}

function merged(given: readonly Part[], benchmarks: readonly Benchmark[]): RunReport {
  const { parts, notes } = newestOf(given);
  const [first] = parts;
  if (first === undefined) throw new ConfigError([NOTHING]);
  const whole: Whole = [first, ...parts.slice(1)];
  const problems = differences(whole);
  if (problems.length > 0) throw new ConfigError(problems);
  const stopped = worstOf([...(missingOf(whole) ?? []), ...stopsOf(whole)]);
  const { report } = first;
  const judged = report.benchmarks.map((_, index) =>
    mergeBenchmark(whole, index, benchmarks, stopped),
  );
  return {
    ...report,
    verdict: worst(judged.map(({ verdict }) => verdict)),
    endpoint: { ...report.endpoint, served: servedOf(whole) },
    settings: { ...report.settings, shard: null, merged: whole.map(({ path }) => path) },
    started_at: timesOf(whole, 'started_at')[0] ?? report.started_at,
    finished_at: timesOf(whole, 'finished_at').at(-1) ?? report.finished_at,
    resumed_samples: sum(whole.map((part) => part.report.resumed_samples)),
    shard: null,
    stopped,
    benchmarks: judged,
    notes: [...notesOf(whole), ...notes],
  };
}

const NOTHING: Problem = {
  where: 'merge',
  what: 'There is no report to merge.',
  fix: 'Name the output directories of the shards.',
};

/** One report a shard, by its number. */
function newestOf(given: readonly Part[]): { parts: Part[]; notes: string[] } {
  const byShard = new Map<number, Part>();
  const notes: string[] = [];
  for (const part of given) {
    const { shard } = part.report;
    if (shard === null) {
      throw new ConfigError([
        {
          where: part.path,
          what: 'It is the report of a whole run, not of a shard.',
          fix: 'Leave it out; merge joins runs with `shard`.',
        },
      ]);
    }
    const other = byShard.get(shard.index);
    if (other === undefined) byShard.set(shard.index, part);
    else {
      const [older, newer] = isOlder(other, part) ? [other, part] : [part, other];
      byShard.set(shard.index, newer);
      notes.push(
        `Shard ${shard.index} ran more than once; the newest run counts (${older.path} does not).`,
      );
    }
  }
  return { parts: [...byShard].sort(([a], [b]) => a - b).map(([, part]) => part), notes };
}

function isOlder(a: Part, b: Part): boolean {
  return Date.parse(a.report.finished_at) < Date.parse(b.report.finished_at);
}

/** Settings in which shards of one run may differ: how fast and how long, not what. */
const FREE: ReadonlySet<string> = new Set([
  'shard',
  'concurrency',
  'max-requests-per-minute',
  'request-timeout',
  'max-retries',
  'deadline',
  'token-budget',
  'cost-budget',
]);

/** Everything that must be the same, by the words that name it. */
function identityOf({ report }: Part): Map<string, string> {
  const facts: [string, unknown][] = [
    ['the number of shards', report.shard?.of],
    ['the version of Vendor Gate', report.tool.version],
    ['report-id', report.report_id],
    ['endpoint', report.endpoint.url],
    ['model', report.endpoint.model],
    ...Object.entries(report.settings).filter(([name]) => !FREE.has(name)),
    ['the list of benchmarks', report.benchmarks.map((each) => `${each.name}/${each.subset}`)],
    ...report.benchmarks.flatMap((each): [string, unknown][] => [
      [`${each.name}: version`, each.version],
      [`${each.name}: data set`, each.dataset],
      [`${each.name}: gates`, each.gates.map(({ gate }) => gate)],
      ...Object.entries(each.fingerprint.settings).map(([name, value]): [string, unknown] => [
        `${each.name}: ${name}`,
        value,
      ]),
      [`${each.name}: fingerprint`, each.fingerprint.digest],
    ]),
  ];
  return new Map(facts.map(([name, value]) => [name, JSON.stringify(value) ?? 'nothing']));
}

function differences([first, ...others]: Whole): Problem[] {
  const expected = identityOf(first);
  return others.flatMap((part) => {
    const found = identityOf(part);
    const names = [...new Set([...expected.keys(), ...found.keys()])];
    const different = names.filter((name) => expected.get(name) !== found.get(name));
    // The digest says no more than the setting that changed it.
    const telling = different.filter((name) => !name.endsWith(': fingerprint'));
    return (telling.length > 0 ? telling : different).map((name) => ({
      where: part.path,
      what: `It belongs to another run than ${first.path}: ${name} is ${shown(found.get(name))}, not ${shown(expected.get(name))}.`,
      fix: 'Merge the shards of one run only.',
    }));
  });
}

function shown(text: string | undefined): string {
  const value = text ?? 'nothing';
  return value.length > 100 ? `${value.slice(0, 99)}…` : value;
}

function missingOf([first, ...others]: Whole): [Stopped] | null {
  const of = shardIn(first).of;
  const there = new Set([first, ...others].map((part) => shardIn(part).index));
  const missing = Array.from({ length: of }, (_, i) => i + 1).filter((index) => !there.has(index));
  if (missing.length === 0) return null;
  const names = missing.slice(0, 20).join(', ');
  const more = missing.length > 20 ? ` and ${missing.length - 20} more` : '';
  const stopped: Stopped = {
    kind: 'shards',
    message:
      missing.length === 1
        ? `Shard ${names} of ${of} is missing.`
        : `${missing.length} of ${of} shards are missing: ${names}${more}.`,
    advice: 'Run the jobs that failed again, then merge again.',
    detail: untrusted(''),
    detail_from: 'here',
  };
  return [stopped];
}

/** Why shards ended early, each with its number. */
function stopsOf(parts: Whole): Stopped[] {
  return parts.flatMap((part) => {
    const { stopped } = part.report;
    return stopped === null ? [] : [{ ...stopped, message: `${nameOf(part)}: ${stopped.message}` }];
  });
}

/** Kinds by what they mean for the verdict: an error, never a pass, or a part like any other. */
const GRAVITY: Readonly<Record<Stopped['kind'], number>> = {
  configuration: 3,
  outage: 3,
  disk: 3,
  shards: 2,
  interrupted: 1,
  budget: 1,
  deadline: 0,
};

/** The gravest decides what may become of the run; that there are others is said. */
function worstOf(stops: readonly Stopped[]): Stopped | null {
  const [worst] = stops.toSorted((a, b) => GRAVITY[b.kind] - GRAVITY[a.kind]);
  if (worst === undefined) return null;
  const others = stops.filter((each) => each !== worst).map(({ message }) => message);
  const more = others.slice(0, 3).map((message) => ` ${message}`);
  const rest = others.length > 3 ? ` And ${others.length - 3} more shards ended early.` : '';
  return { ...worst, message: `${worst.message}${more.join('')}${rest}` };
}

function mergeBenchmark(
  parts: Whole,
  index: number,
  benchmarks: readonly Benchmark[],
  stopped: Stopped | null,
): BenchmarkReport {
  const shards = parts.flatMap(({ report }) => report.benchmarks[index] ?? []);
  const [first] = shards;
  const benchmark = benchmarks.find(({ spec }) => spec.name === first?.name);
  const subset = benchmark?.spec.subsets.find(({ name }) => name === first?.subset);
  if (first === undefined || benchmark === undefined || subset === undefined) {
    const what = `This version has no benchmark ${first?.name}/${first?.subset}.`;
    const fix = 'Merge with the version that ran the shards.';
    throw new ConfigError([{ where: parts[0].path, what, fix }]);
  }
  const { settings } = parts[0].report;
  return conclude({
    spec: benchmark.spec,
    subset,
    detail: benchmark.detail,
    data: {
      dataset: first.dataset,
      fingerprint: first.fingerprint,
      notComparable: first.not_comparable,
    },
    tally: sumOf(shards),
    shard: null,
    planned: sum(shards.map(({ samples }) => samples.planned)),
    gates: gatesOf(first, benchmark, subset.name, parts[0].path),
    decision: decisionOf(settings['decision']),
    confidence: typeof settings['confidence'] === 'number' ? settings['confidence'] : 0.95,
    stopped,
    prices: { priceIn: priceOf(settings['price-in']), priceOut: priceOf(settings['price-out']) },
    early: null,
  });
}

/**
 * The gates as they were recorded, each with where it came from.
 * @throws ConfigError for one that this version would not judge: a gate that vanishes is a verdict that lies
 */
function gatesOf(
  shard: BenchmarkReport,
  { spec }: Benchmark,
  subset: string,
  path: string,
): Gate[] {
  const read = (origin: Gate['origin']): Gate[] => {
    const lines = shard.gates.filter((gate) => gate.origin === origin).map(({ gate }) => gate);
    return [...parseGates(lines.join('\n'), origin, 'gates of the shards').gates];
  };
  const gates = effectiveGates(read('user'), read('default'), spec, subset);
  const metrics = new Set(metricsOf(spec).map(({ name }) => name));
  const judged = new Set(gates.filter(({ metric }) => metrics.has(metric)).map(({ text }) => text));
  const lost = shard.gates.filter(({ gate }) => !judged.has(gate));
  if (lost.length === 0) return gates;
  throw new ConfigError(
    lost.map(({ gate }) => ({
      where: path,
      what: `This version cannot judge the recorded gate ${JSON.stringify(gate)}.`,
      fix: 'Merge with the version that ran the shards.',
    })),
  );
}

/** Counts, durations and examples of all shards, as one tally would have them. */
function sumOf(
  shards: readonly BenchmarkReport[],
): Pick<Tally, 'counts' | 'examples' | 'latency' | 'histograms'> {
  const counts = new Map<string, number>();
  const [firstToken, total] = [new DurationHistogram(), new DurationHistogram()];
  for (const shard of shards) {
    for (const [name, n] of Object.entries(shard.counts)) {
      counts.set(name, (counts.get(name) ?? 0) + n);
    }
    firstToken.merge(DurationHistogram.fromJSON(shard.histograms.first_token));
    total.merge(DurationHistogram.fromJSON(shard.histograms.total));
  }
  const sums: Counts = Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    counts: sums,
    examples: chosenExamples(shards.flatMap(({ examples }) => examples)),
    latency: { first_token: percentilesOf(firstToken), total: percentilesOf(total) },
    histograms: { first_token: firstToken.toJSON(), total: total.toJSON() },
  };
}

/** Each note once: as it is when all shards have it, else with the shards that do. */
function notesOf(parts: Whole): string[] {
  const having = new Map<string, Set<number>>();
  for (const part of parts) {
    for (const note of part.report.notes) {
      having.set(note, (having.get(note) ?? new Set()).add(shardIn(part).index));
    }
  }
  const { of } = shardIn(parts[0]);
  return [...having].map(([note, shards]) => {
    if (shards.size === parts.length) return note;
    const who = shards.size === 1 ? 'Shard' : 'Shards';
    return `${who} ${[...shards].join(', ')} of ${of}: ${note}`;
  });
}

function servedOf(parts: Whole): RunReport['endpoint']['served'] {
  const all = parts.flatMap(({ report }) => report.endpoint.served);
  return [...new Map(all.map((name) => [reveal(name), name])).values()];
}

function timesOf(parts: Whole, field: 'started_at' | 'finished_at'): string[] {
  return parts.map(({ report }) => report[field]).sort((a, b) => Date.parse(a) - Date.parse(b));
}

function shardIn({ report }: Part): Shard {
  return report.shard ?? { index: 1, of: 1 };
}

function nameOf(part: Part): string {
  const { index, of } = shardIn(part);
  return `Shard ${index} of ${of}`;
}

function decisionOf(value: unknown): Decision {
  return DECISIONS.find((decision) => decision === value) ?? 'auto';
}

function priceOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}
