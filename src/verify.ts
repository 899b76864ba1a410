import { join } from 'node:path';
import { conclude } from './engine/conclude.js';
import { alsoIn, makeOutputDir, writeWhole } from './engine/files.js';
import { Journal, JournalFull } from './engine/journal.js';
import { takeLock } from './engine/lock.js';
import { closeRuns, openRuns, type PlannedRun } from './engine/open-runs.js';
import type { Progress } from './engine/progress.js';
import {
  observeSamples,
  replayJournal,
  type SampleRun,
  tallyLeftovers,
} from './engine/run-samples.js';
import { settingsOf } from './engine/settings.js';
import { deadlineStop, diskStop, interruptedStop, notReadyStop } from './engine/stop.js';
import { Tally } from './engine/tally.js';
import { worst } from './gates/judge.js';
import type { Benchmark, RunTimes } from './model/benchmark.js';
import type { Clock } from './model/clock.js';
import type { Endpoint } from './model/completion.js';
import type { Config } from './model/config.js';
import type { Observation } from './model/observation.js';
import type { BenchmarkReport, RunReport, Stopped } from './model/report.js';
import { SUMMARY_BYTES } from './report/fit.js';
import type { Links } from './report/links.js';
import { renderSummary } from './report/summary.js';
import { redactor } from './text/redact.js';
import { reveal, type Untrusted } from './text/untrusted.js';

/** Everything of the outside world that a run needs. */
export interface World {
  readonly benchmarks: readonly Benchmark[];
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** Aborted when the user or the runner wants the run to end now. */
  readonly signal: AbortSignal;
  openEndpoint(config: Config, deadlineAt: number): Endpoint;
  /** Addresses that the summary may link to. */
  readonly links: Links;
  readonly progress: Progress;
  log(text: string): void;
}

export interface Verified {
  readonly report: RunReport;
  readonly reportPath: string;
  readonly summaryPath: string;
}

/**
 * Measures the endpoint with every benchmark of the configuration and judges it. The pipeline on one page: open,
 * replay the journal, observe until done or stopped, fold, judge, report.
 * @throws ConfigError for a configuration or data set that cannot be used. An endpoint's failure is in the report.
 */
export async function verify(config: Config, world: World): Promise<Verified> {
  return await inOutputDir(config, world, async (session) => {
    const deadline = AbortSignal.timeout(config.deadlineMs);
    const signal = AbortSignal.any([world.signal, deadline]);
    const endpoint = world.openEndpoint(config, world.clock.now() + config.deadlineMs);
    const stoppedFromOutside = (): Stopped | null => {
      if (world.signal.aborted) return interruptedStop();
      return deadline.aborted ? deadlineStop(`${config.deadlineMs / 60_000} minutes`) : null;
    };
    try {
      if (config.waitForReadyMs > 0) {
        world.log(`Waiting for ${config.endpoint} to answer.`);
        if (!(await endpoint.waitUntilReady(config.waitForReadyMs, signal))) {
          session.stopped = notReadyStop(config.waitForReadyMs);
        }
      }
      for (const run of session.runs) {
        await session.measure(run, async (samples) => {
          const ids = await replayJournal(samples);
          session.resumed += samples.ids.length - ids.length;
          if (session.stopped === null && !signal.aborted) {
            const live = { ...samples, endpoint, concurrency: concurrencyOf(config, run), signal };
            const onProgress = world.progress.update.bind(world.progress, run.benchmark.spec.name);
            const { stopped, done } = await observeSamples({ ...live, onProgress }, ids);
            world.progress.end();
            session.stopped ??= stopped ?? stoppedFromOutside();
            await tallyLeftovers(samples, done);
          } else {
            session.stopped ??= stoppedFromOutside();
            await tallyLeftovers(samples, new Set());
          }
        });
      }
    } finally {
      await endpoint.close();
    }
  });
}

/**
 * Judges the records of a result file that another run or another tool wrote; sends nothing.
 * @param records the file's observations for the one benchmark of the configuration, in file order.
 */
export async function verifyRecords(
  config: Config,
  world: World,
  records: (run: PlannedRun) => AsyncIterable<Observation<unknown>>,
): Promise<Verified> {
  return await inOutputDir(config, world, async (session) => {
    for (const run of session.runs) {
      await session.measure(run, async (samples) => {
        for await (const observation of records(run)) samples.journal.append(observation);
        await replayJournal(samples);
        await tallyLeftovers(samples, new Set());
      });
    }
  });
}

interface Session {
  readonly runs: readonly PlannedRun[];
  /** Why the run ended early; set once. */
  stopped: Stopped | null;
  /** Samples taken over from the journal. */
  resumed: number;
  /** Opens the journal of a run, lets `observe` fill it, then judges it and writes its files. */
  measure(run: PlannedRun, observe: (samples: SampleRun) => Promise<void>): Promise<void>;
}

async function inOutputDir(
  config: Config,
  world: World,
  body: (session: Session) => Promise<void>,
): Promise<Verified> {
  const { clock } = world;
  const startedAt = clock.now();
  makeOutputDir(config.outputDir);
  const release = takeLock(config.outputDir, () => clock.now());
  const notes: string[] = [];
  const note = (text: string): void => {
    notes.push(text);
    world.log(text);
  };
  try {
    const runs = await openRuns(config, { ...world, note });
    const parts: BenchmarkReport[] = [];
    const served = new Map<string, Untrusted>();
    const session: Session = {
      runs,
      stopped: null,
      resumed: 0,
      async measure(run, observe) {
        const journal = openJournal(run);
        if (journal.damaged > 0) {
          note(`${journal.damaged} damaged journal lines were left out; their samples run again.`);
        }
        try {
          const tally = new Tally();
          const samples = { opened: run.opened, journal, tally, ids: run.ids, clock };
          try {
            await observe(samples);
          } catch (error) {
            if (!(error instanceof JournalFull)) throw error;
            session.stopped = diskStop(error.message);
          }
          for (const text of tally.served) served.set(reveal(text), text);
          parts.push(
            conclude({
              spec: run.benchmark.spec,
              subset: run.subset,
              opened: run.opened,
              gates: run.gates,
              planned: run.ids.length,
              decision: config.decision,
              confidence: config.confidence,
              stopped: session.stopped,
              tally,
            }),
          );
          const times = { startedAt, finishedAt: clock.now(), model: config.request.model };
          await writeBenchmarkFiles(config, runs, run, journal, times, note);
        } finally {
          journal.close();
        }
      },
    };
    try {
      await body(session);
    } finally {
      await closeRuns(runs);
    }
    const report: RunReport = {
      schema_version: 1,
      tool: { name: 'vendor-gate', version: world.version },
      report_id: config.reportId,
      verdict: worst(parts.map(({ verdict }) => verdict)),
      endpoint: { url: config.endpoint, model: config.request.model, served: [...served.values()] },
      settings: settingsOf(config),
      started_at: new Date(startedAt).toISOString(),
      finished_at: new Date(clock.now()).toISOString(),
      resumed_samples: session.resumed,
      stopped: session.stopped,
      benchmarks: parts,
      notes,
    };
    return writeReport(config, report, world);
  } finally {
    release();
  }
}

function openJournal({ benchmark, subset, opened, dir }: PlannedRun): Journal {
  return Journal.open(dir, {
    benchmark: benchmark.spec.name,
    subset: subset.name,
    version: benchmark.spec.version,
    digest: opened.fingerprint.digest,
    settings: opened.fingerprint.settings,
  });
}

function concurrencyOf(config: Config, { benchmark }: PlannedRun): number {
  return Math.min(config.concurrency, benchmark.spec.maxConcurrency ?? config.concurrency);
}

async function writeBenchmarkFiles(
  config: Config,
  runs: readonly PlannedRun[],
  { opened, dir, ids }: PlannedRun,
  journal: Journal,
  times: RunTimes,
  note: (text: string) => void,
): Promise<void> {
  const drawn = new Set(ids);
  const inFileOrder = opened.keys.map(({ id }) => id).filter((id) => drawn.has(id));
  async function* observations(): AsyncIterable<Observation<unknown>> {
    for (const id of inFileOrder) {
      const observation = journal.read(id);
      if (observation !== null) yield observation;
    }
  }
  try {
    const files = await opened.writeFiles(dir, observations, times);
    if (runs.length === 1) alsoIn(config.outputDir, files);
  } catch (error) {
    // The verdict is known and the journal complete: a full disk must not hide them.
    note(`The result files in ${dir} could not be written: ${(error as Error).message}`);
  }
}

function writeReport(config: Config, report: RunReport, world: World): Verified {
  const reportPath = join(config.outputDir, 'report.json');
  const summaryPath = join(config.outputDir, 'summary.md');
  const links = { ...world.links, report: reportPath };
  const redact = redactor([config.apiKey ?? '', ...Object.values(config.headers)]);
  const clean = JSON.parse(redact(JSON.stringify(report))) as RunReport;
  try {
    writeWhole(reportPath, `${JSON.stringify(clean, null, 2)}\n`);
    writeWhole(summaryPath, renderSummary(clean, { maxBytes: SUMMARY_BYTES, links }));
  } catch (error) {
    world.log(
      `The report could not be written to ${config.outputDir}: ${(error as Error).message}`,
    );
  }
  return { report: clean, reportPath, summaryPath };
}
