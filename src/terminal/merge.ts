import { BENCHMARKS } from '../benchmarks/index.js';
import type { Flags } from '../config/flags.js';
import { mergeRuns } from '../merge-runs.js';
import { NO_LINKS } from '../report/links.js';
import { forTerminal } from '../text/escape.js';
import { untrusted } from '../text/untrusted.js';
import type { Io } from './io.js';
import { printResult } from './result.js';
import { configOf } from './settings.js';
import { MERGE } from './verbs.js';

/** `merge DIR...`: joins the reports of shards into the report of one run and judges it; sends nothing. */
export async function merge(flags: Flags, io: Io): Promise<number> {
  const { config } = configOf(MERGE, flags, io);
  const merged = await mergeRuns(flags.positionals, config.outputDir, {
    benchmarks: BENCHMARKS,
    links: NO_LINKS,
    log: (text) => {
      io.stderr.write(`${forTerminal(untrusted(text))}\n`);
    },
  });
  return printResult(merged, config.failOn, io);
}
