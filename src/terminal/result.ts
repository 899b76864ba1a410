import type { Verdict } from '../model/gate.js';
import type { RunReport } from '../model/report.js';
import { isFailing } from '../report/shape.js';
import { renderTerminal } from '../report/terminal.js';
import { forTerminal } from '../text/escape.js';
import { untrusted } from '../text/untrusted.js';
import type { Verified } from '../verify.js';
import { colorFor, type Io } from './io.js';

const EXIT: Readonly<Record<Verdict, number>> = { pass: 0, fail: 1, error: 2, inconclusive: 3 };
/** 128 + SIGINT, as a shell expects it of a program that was stopped by hand. */
const INTERRUPTED = 130;

/** Of a run that said its notes in the log when they came up, on the same screen: they are not said again. */
export function printMeasured(
  { report, ...files }: Verified,
  failOn: readonly Verdict[],
  io: Io,
): number {
  return printResult({ ...files, report: { ...report, notes: [] } }, failOn, io);
}

/** Prints the report and where it lies; returns the exit code. */
export function printResult(
  { report, written, reportPath, summaryPath }: Verified,
  failOn: readonly Verdict[],
  io: Io,
): number {
  const width = io.stdout.columns ?? 100;
  io.stdout.write(renderTerminal(report, { color: colorFor(io), width }));
  for (const path of written ? [summaryPath, reportPath] : []) {
    io.stdout.write(`${forTerminal(untrusted(path))}\n`);
  }
  // Whoever waits for the files must not take their absence for success.
  return exitCode(report, failOn) || (written ? 0 : EXIT.error);
}

/**
 * 0 unless the verdict is one of `fail-on`; then 1 fail, 2 error, 3 inconclusive, which a shard's never is. 130 when
 * stopped by hand.
 */
export function exitCode(report: RunReport, failOn: readonly Verdict[]): number {
  if (report.stopped?.kind === 'interrupted') return INTERRUPTED;
  return isFailing(report, failOn) ? EXIT[report.verdict] : 0;
}
