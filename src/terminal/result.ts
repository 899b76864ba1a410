import type { Verdict } from '../model/gate.js';
import type { RunReport } from '../model/report.js';
import { renderTerminal } from '../report/terminal.js';
import { forTerminal } from '../text/escape.js';
import { untrusted } from '../text/untrusted.js';
import type { Verified } from '../verify.js';
import { colorFor, type Io } from './io.js';

const EXIT: Readonly<Record<Verdict, number>> = { pass: 0, fail: 1, error: 2, inconclusive: 3 };
/** 128 + SIGINT, as a shell expects it of a program that was stopped by hand. */
const INTERRUPTED = 130;

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

/** 0 unless the verdict is one of `fail-on`; then 1 fail, 2 error, 3 inconclusive. 130 when stopped by hand. */
export function exitCode({ verdict, stopped }: RunReport, failOn: readonly Verdict[]): number {
  if (stopped?.kind === 'interrupted') return INTERRUPTED;
  return failOn.includes(verdict) ? EXIT[verdict] : 0;
}
