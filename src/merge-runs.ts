import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { alsoIn, makeOutputDir, setResultsAside, writeWhole } from './engine/files.js';
import { mergeReports, type Part } from './engine/merge.js';
import type { Benchmark } from './model/benchmark.js';
import { ConfigError, type Problem } from './model/errors.js';
import type { BenchmarkReport, RunReport } from './model/report.js';
import { SUMMARY_BYTES } from './report/fit.js';
import type { Links } from './report/links.js';
import { readReport } from './report/stored.js';
import { renderSummary } from './report/summary.js';
import type { Verified } from './verify.js';

/** What merging needs of the outside world. */
export interface MergeWorld {
  readonly benchmarks: readonly Benchmark[];
  readonly links: Links;
  log(text: string): void;
}

/**
 * Joins the reports of shards, and the result files beside them, into those of one run in `outputDir`; sends nothing.
 * @param places output directories of shards, their report.json files, or directories that hold such directories
 * @throws ConfigError for places without a report, reports that cannot be read or do not belong together, and an
 *   output directory that is a shard's own
 */
export async function mergeRuns(
  places: readonly string[],
  outputDir: string,
  world: MergeWorld,
): Promise<Verified> {
  const parts = readParts(reportPaths(places));
  const report = mergeReports(parts, world.benchmarks);
  refuseOwnDirectory(parts, outputDir);
  makeOutputDir(outputDir);
  setResultsAside(outputDir);
  const note = (text: string): string => {
    world.log(text);
    return text;
  };
  const counting = parts.filter(({ path }) => countedIn(report).includes(path));
  const notes = await joinFiles(counting, report, outputDir, world.benchmarks);
  const whole: RunReport = { ...report, notes: [...report.notes, ...notes.map(note)] };
  const reportPath = join(outputDir, 'report.json');
  const summaryPath = join(outputDir, 'summary.md');
  const links = { ...world.links, report: reportPath };
  let written = false;
  try {
    writeWhole(reportPath, `${JSON.stringify(whole, null, 2)}\n`);
    writeWhole(summaryPath, renderSummary(whole, { maxBytes: SUMMARY_BYTES, links }));
    written = true;
  } catch (error) {
    world.log(`The report could not be written to ${outputDir}: ${(error as Error).message}`);
  }
  return { report: whole, written, reportPath, summaryPath };
}

/**
 * The report of each place: a file is one, a directory with a report.json has one, and any other directory has those of
 * the directories in it, as actions/download-artifact lays them out. A place without one gives none.
 */
export function findReports(place: string): string[] {
  const kind = statSync(place, { throwIfNoEntry: false });
  if (kind === undefined) return [];
  if (!kind.isDirectory()) return [place];
  const own = join(place, REPORT);
  if (isFile(own)) return [own];
  return readdirSync(place)
    .sort()
    .map((name) => join(place, name, REPORT))
    .filter(isFile);
}

const REPORT = 'report.json';
/** A report of 2,000 samples has some hundred kilobytes. */
const MAX_REPORT_BYTES = 64 * 2 ** 20;

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Every report once, however often it is named. @throws ConfigError with each place that has none. */
function reportPaths(places: readonly string[]): string[] {
  const problems: Problem[] = [];
  const paths = places.flatMap((place) => {
    try {
      const found = findReports(place);
      if (found.length === 0) problems.push({ where: place, what: NONE, fix: NAME_A_SHARD });
      return found;
    } catch (error) {
      problems.push(unreadable(place, error as Error));
      return [];
    }
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return [...new Map(paths.map((path) => [realpathSync(path), path])).values()];
}

const NONE = 'There is no report here.';
const NAME_A_SHARD =
  'Name the output directory of a shard, its report.json, or a directory that holds such directories. A shard that wrote none must run again.';

function unreadable(where: string, { message }: Error): Problem {
  return { where, what: `It cannot be read: ${message}.`, fix: NAME_A_SHARD };
}

/** Every problem is reported together. */
function readParts(paths: readonly string[]): Part[] {
  const problems: Problem[] = [];
  const parts = paths.flatMap((path): Part[] => {
    try {
      const { size } = statSync(path);
      if (!isFile(path)) throw new Error('it is not a regular file');
      if (size > MAX_REPORT_BYTES) throw new Error(`it has more than ${MAX_REPORT_BYTES} bytes`);
      return [{ path, report: readReport(readFileSync(path, 'utf8'), path) }];
    } catch (error) {
      if (error instanceof ConfigError) problems.push(...error.problems);
      else problems.push(unreadable(path, error as Error));
      return [];
    }
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return parts;
}

/** Merged into a shard's own directory, the report would take the place of the shard's. */
function refuseOwnDirectory(parts: readonly Part[], outputDir: string): void {
  const real = (path: string): string => {
    const whole = resolve(path);
    return statSync(whole, { throwIfNoEntry: false }) ? realpathSync(whole) : whole;
  };
  const target = real(outputDir);
  const own = parts.find(({ path }) => real(dirname(path)) === target);
  if (own === undefined) return;
  throw new ConfigError([
    {
      where: 'output-dir',
      what: `${outputDir} is the directory of a shard: merging would replace ${own.path}.`,
      fix: 'Name another directory for the merged report.',
    },
  ]);
}

function countedIn({ settings }: RunReport): readonly unknown[] {
  return Array.isArray(settings['merged']) ? settings['merged'] : [];
}

/** Joins each benchmark's own files. @returns what there is to say about those that could not be joined */
async function joinFiles(
  parts: readonly Part[],
  report: RunReport,
  outputDir: string,
  benchmarks: readonly Benchmark[],
): Promise<string[]> {
  const notes: string[] = [];
  const times = {
    startedAt: Date.parse(report.started_at),
    finishedAt: Date.parse(report.finished_at),
    model: report.endpoint.model,
  };
  const single = report.benchmarks.length === 1;
  for (const benchmark of report.benchmarks) {
    const merge = benchmarks.find(({ spec }) => spec.name === benchmark.name)?.mergeFiles;
    if (merge === undefined) continue;
    const dir = join(outputDir, dirName(benchmark));
    const sources = parts.map((part) => ({ part, dir: filesOf(part, benchmark, single) }));
    try {
      makeOutputDir(dir);
      const { files, without } = await merge(
        dir,
        sources.map((source) => source.dir),
        times,
      );
      if (single) alsoIn(outputDir, files);
      const lacking = sources.filter((source) => without.includes(source.dir));
      notes.push(...lacking.map(({ part }) => lackingNote(part, files.length > 0)));
    } catch (error) {
      notes.push(
        `The result files of ${dirName(benchmark)} were not joined: ${(error as Error).message}`,
      );
    }
  }
  return [...new Set(notes)];
}

function lackingNote({ report }: Part, others: boolean): string {
  const who = `Shard ${report.shard?.index} of ${report.shard?.of} has no result files`;
  return others ? `${who}: those of the merged run lack its samples.` : `${who}.`;
}

function dirName({ name, subset }: BenchmarkReport): string {
  return `${name}.${subset}`;
}

/** Where the benchmark's files of a shard lie: in its own directory, or, when only those were kept, by the report. */
function filesOf({ path }: Part, benchmark: BenchmarkReport, single: boolean): string {
  const own = join(dirname(path), dirName(benchmark));
  return single && !statSync(own, { throwIfNoEntry: false })?.isDirectory() ? dirname(path) : own;
}
