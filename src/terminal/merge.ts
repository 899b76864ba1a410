import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BENCHMARKS } from '../benchmarks/index.js';
import type { Flags } from '../config/flags.js';
import { makeOutputDir, setResultsAside, writeWhole } from '../engine/files.js';
import { mergeReports, type Part } from '../engine/merge.js';
import { ConfigError, type Problem } from '../model/errors.js';
import { SUMMARY_BYTES } from '../report/fit.js';
import { NO_LINKS } from '../report/links.js';
import { readReport } from '../report/stored.js';
import { renderSummary } from '../report/summary.js';
import type { Io } from './io.js';
import { printResult } from './result.js';
import { configOf } from './settings.js';
import { MERGE } from './verbs.js';

/** `merge DIR...`: joins the reports of shards into the report of one run and judges it; sends nothing. */
export async function merge(flags: Flags, io: Io): Promise<number> {
  const { config } = configOf(MERGE, flags, io);
  const report = mergeReports(partsIn(flags.positionals), BENCHMARKS);
  makeOutputDir(config.outputDir);
  setResultsAside(config.outputDir);
  const reportPath = join(config.outputDir, 'report.json');
  const summaryPath = join(config.outputDir, 'summary.md');
  const links = { ...NO_LINKS, report: reportPath };
  writeWhole(reportPath, `${JSON.stringify(report, null, 2)}\n`);
  writeWhole(summaryPath, renderSummary(report, { maxBytes: SUMMARY_BYTES, links }));
  return printResult({ report, written: true, reportPath, summaryPath }, config.failOn, io);
}

/** The report of each place, which is a report.json or a directory with one. Every problem is reported together. */
function partsIn(places: readonly string[]): Part[] {
  const problems: Problem[] = [];
  const parts = places.flatMap((place): Part[] => {
    try {
      const isDirectory = statSync(place).isDirectory();
      const path = isDirectory ? join(place, 'report.json') : place;
      return [{ path, report: readReport(readFileSync(path, 'utf8'), path) }];
    } catch (error) {
      if (error instanceof ConfigError) problems.push(...error.problems);
      else problems.push(unreadable(place, error as NodeJS.ErrnoException));
      return [];
    }
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return parts;
}

function unreadable(place: string, { code, message }: NodeJS.ErrnoException): Problem {
  const what =
    code === 'ENOENT' ? 'There is no report here.' : `The report cannot be read: ${message}.`;
  return {
    where: place,
    what,
    fix: 'Name the output directory of a shard, or its report.json. A shard that wrote none must run again.',
  };
}
