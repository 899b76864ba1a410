import { join } from 'node:path';
import { writeWhole } from './engine/files.js';
import type { PlannedRun } from './engine/open-runs.js';
import type { Progress } from './engine/progress.js';
import { observeSamples, replayJournal, tallyLeftovers } from './engine/run-samples.js';
import { Session, type SessionWorld } from './engine/session.js';
import { settingsOf } from './engine/settings.js';
import { deadlineStop, interruptedStop, notReadyStop } from './engine/stop.js';
import { worst } from './gates/judge.js';
import type { Endpoint } from './model/completion.js';
import type { Config } from './model/config.js';
import { ConfigError } from './model/errors.js';
import type { JsonObject } from './model/json.js';
import type { Observation } from './model/observation.js';
import type { RunReport, Stopped } from './model/report.js';
import { SUMMARY_BYTES } from './report/fit.js';
import type { Links } from './report/links.js';
import { secretsIn, withoutSecrets } from './report/redacted.js';
import { renderSummary } from './report/summary.js';

/** Everything of the outside world that a run needs. `signal` is aborted when the run is to end now. */
export interface World extends SessionWorld {
  readonly version: string;
  openEndpoint(config: Config, deadlineAt: number): Endpoint;
  /** Addresses that the summary may link to. */
  readonly links: Links;
  readonly progress: Progress;
}

export interface Verified {
  readonly report: RunReport;
  /** Whether the files could be written; the report is here all the same. */
  readonly written: boolean;
  readonly reportPath: string;
  readonly summaryPath: string;
}

/**
 * Measures the endpoint with every benchmark of the configuration and judges it. The pipeline on one page: open,
 * replay the journal, observe until done or stopped, fold, judge, report.
 * @throws ConfigError for a configuration or data set that cannot be used. An endpoint's failure is in the report.
 */
export async function verify(config: Config, world: World): Promise<Verified> {
  const deadline = AbortSignal.timeout(config.deadlineMs);
  const signal = AbortSignal.any([world.signal, deadline]);
  const stoppedFromOutside = (): Stopped | null => {
    if (world.signal.aborted) return interruptedStop();
    return deadline.aborted ? deadlineStop(config.deadlineMs) : null;
  };
  const endpoint = world.openEndpoint(config, world.clock.now() + config.deadlineMs);
  let session: Session | null = null;
  try {
    session = await openBefore(deadline, config, { ...world, signal });
    session.stopped = await waitForEndpoint(config, world, endpoint, signal);
    for (const run of session.runs) await observe(run, session);
    return await writeReport(config, world, session);
  } finally {
    await session?.close();
    await endpoint.close();
  }

  async function observe(run: PlannedRun, open: Session): Promise<void> {
    await open.measure(run, async (samples) => {
      const todo = await replayJournal(samples);
      open.resumed += samples.ids.length - todo.length;
      open.stopped ??= stoppedFromOutside() ?? (todo.length > 0 ? samples.budget.exhausted : null);
      let done: ReadonlySet<string> = new Set();
      if (open.stopped === null && samples.early?.decided !== true) {
        const { name, maxConcurrency = config.concurrency } = run.benchmark.spec;
        const label = `${name}/${run.subset.name}`;
        const observed = await observeSamples(
          {
            ...samples,
            endpoint,
            signal,
            concurrency: Math.min(config.concurrency, maxConcurrency),
            onProgress: (state) => world.progress.update(label, state),
          },
          todo,
        );
        world.progress.end();
        done = observed.done;
        open.stopped = observed.stopped ?? stoppedFromOutside();
      }
      await tallyLeftovers(samples, done);
    });
  }
}

/**
 * Judges the records of a result file that another run or another tool wrote; sends nothing.
 * @param records the file's observations for a benchmark of the configuration, in file order; the last of a sample counts
 * @param resultsPath the file, for the report
 */
export async function verifyRecords(
  config: Config,
  world: World,
  records: (run: PlannedRun) => AsyncIterable<Observation<unknown>>,
  resultsPath: string,
): Promise<Verified> {
  const session = await Session.open(config, world);
  try {
    for (const run of session.runs) {
      await session.measure(run, async (samples) => {
        for await (const observation of records(run)) samples.journal.append(observation);
        await replayJournal(samples);
        await tallyLeftovers(samples, new Set());
      });
    }
    return await writeReport(config, world, session, {
      ...settingsOf(config),
      results: resultsPath,
    });
  } finally {
    await session.close();
  }
}

/** Opens data sets within the deadline too: a download that trickles must not hold the job for ever. */
async function openBefore(deadline: AbortSignal, config: Config, world: World): Promise<Session> {
  try {
    return await Session.open(config, world);
  } catch (error) {
    if (!deadline.aborted || error instanceof ConfigError) throw error;
    throw new ConfigError([
      {
        where: 'deadline',
        what: `${config.deadlineMs / 1000} s were over before the data sets were ready.`,
        fix: 'Raise it, or name a data set that can be read faster.',
      },
    ]);
  }
}

async function waitForEndpoint(
  config: Config,
  world: World,
  endpoint: Endpoint,
  signal: AbortSignal,
): Promise<Stopped | null> {
  if (config.waitForReadyMs === 0) return null;
  world.log(`Waiting for ${config.endpoint} to answer.`);
  try {
    const ready = await endpoint.waitUntilReady(config.waitForReadyMs, signal);
    return ready || signal.aborted ? null : notReadyStop(config.waitForReadyMs);
  } catch (error) {
    // Interrupted or out of time while waiting; who looks next sees the signal.
    if (signal.aborted) return null;
    throw error;
  }
}

async function writeReport(
  config: Config,
  world: World,
  session: Session,
  settings: JsonObject = settingsOf(config),
): Promise<Verified> {
  const report: RunReport = {
    schema_version: 1,
    tool: { name: 'vendor-gate', version: world.version },
    report_id: config.reportId,
    verdict: worst(session.parts.map(({ verdict }) => verdict)),
    endpoint: { url: config.endpoint, model: config.request.model, served: session.served },
    settings,
    started_at: new Date(session.startedAt).toISOString(),
    finished_at: new Date(world.clock.now()).toISOString(),
    resumed_samples: session.resumed,
    shard: config.shard,
    stopped: session.stopped,
    benchmarks: session.parts,
    notes: session.notes,
  };
  const reportPath = join(config.outputDir, 'report.json');
  const summaryPath = join(config.outputDir, 'summary.md');
  const clean = withoutSecrets(report, secretsIn(config));
  const links = { ...world.links, report: reportPath };
  let written = false;
  try {
    writeWhole(reportPath, `${JSON.stringify(clean, null, 2)}\n`);
    writeWhole(summaryPath, renderSummary(clean, { maxBytes: SUMMARY_BYTES, links }));
    written = true;
  } catch (error) {
    world.log(
      `The report could not be written to ${config.outputDir}: ${(error as Error).message}`,
    );
  }
  await session.writeFiles();
  if (written) session.finish(clean.verdict);
  return { report: clean, written, reportPath, summaryPath };
}
