import { createHash } from 'node:crypto';
import type { Clock } from '../model/clock.js';
import type { Config } from '../model/config.js';
import { ConfigError } from '../model/errors.js';
import type { Verdict } from '../model/gate.js';
import type { JsonObject } from '../model/json.js';
import type { Observation } from '../model/observation.js';
import type { BenchmarkReport, Stopped } from '../model/report.js';
import { reveal, type Untrusted } from '../text/untrusted.js';
import { Budget } from './budget.js';
import { conclude, metricsOf } from './conclude.js';
import { EarlyStop } from './early-stop.js';
import { alsoIn, makeOutputDir, removeIfEmpty, setResultsAside, unwritable } from './files.js';
import { Journal, JournalFull } from './journal.js';
import { takeLock } from './lock.js';
import { closeRuns, type OpenWith, openRuns, type PlannedRun } from './open-runs.js';
import { planOf } from './plan.js';
import type { SampleRun } from './run-samples.js';
import { diskStop } from './stop.js';
import { Tally } from './tally.js';

export interface SessionWorld extends Omit<OpenWith, 'note'> {
  readonly clock: Clock;
  /** Names the workflow run, so that a journal left by another one is not continued; null on a terminal. */
  readonly runKey: string | null;
  log(text: string): void;
}

interface Measured {
  readonly run: PlannedRun;
  readonly journal: Journal;
}

/** One run in its output directory: holds the lock, the opened benchmarks and their journals. */
export class Session {
  readonly startedAt: number;
  /** Why the run ended early; the first reason stands. */
  stopped: Stopped | null = null;
  /** Samples taken over from an earlier, unfinished run. */
  resumed = 0;
  readonly parts: BenchmarkReport[] = [];
  readonly notes: string[] = [];
  runs: readonly PlannedRun[] = [];
  #budget = new Budget(NO_BUDGET, null);
  readonly #config: Config;
  readonly #world: SessionWorld;
  readonly #release: () => void;
  readonly #measured: Measured[] = [];
  readonly #served = new Map<string, Untrusted>();

  private constructor(config: Config, world: SessionWorld) {
    this.#config = config;
    this.#world = world;
    this.startedAt = world.clock.now();
    makeOutputDir(config.outputDir);
    this.#release = takeLock(config.outputDir, () => world.clock.now());
  }

  /** @throws ConfigError when the directory is taken, or a benchmark or its data cannot be used. */
  static async open(config: Config, world: SessionWorld): Promise<Session> {
    const session = new Session(config, world);
    try {
      setResultsAside(config.outputDir);
      session.runs = await openRuns(config, { ...world, note: (text) => session.note(text) });
      session.#budget = new Budget(config.budget, ceilingOf(session.runs, config));
      return session;
    } catch (error) {
      session.#release();
      removeIfEmpty(config.outputDir);
      throw error;
    }
  }

  /** Says something in the log and keeps it for the report. */
  note(text: string): void {
    this.notes.push(text);
    this.#world.log(text);
  }

  /** Models that said they answered. */
  get served(): readonly Untrusted[] {
    return [...this.#served.values()];
  }

  /** Opens the journal of a run, lets `observe` fill it and judges what is there. */
  async measure(run: PlannedRun, observe: (samples: SampleRun) => Promise<void>): Promise<void> {
    const { opened, ids, gates } = run;
    const journal = this.#openJournal(run);
    const tally = new Tally();
    const early = this.#earlyStop(run);
    const budget = this.#budget;
    try {
      await observe({ opened, journal, tally, early, budget, ids, clock: this.#world.clock });
    } catch (error) {
      if (!(error instanceof JournalFull)) throw error;
      this.stopped = diskStop(error.message);
    }
    for (const text of tally.served) this.#served.set(reveal(text), text);
    const { decision, confidence } = this.#config;
    this.parts.push(
      conclude({
        spec: run.benchmark.spec,
        subset: run.subset,
        planned: ids.length,
        stopped: this.stopped,
        data: opened,
        detail: run.benchmark.detail,
        shard: this.#config.shard,
        gates,
        decision,
        confidence,
        tally,
        early,
        prices: this.#config.budget,
      }),
    );
  }

  /**
   * Writes the benchmarks' own files: after the report, because a cancelled job has only seconds left and the report
   * matters more.
   */
  async writeFiles(): Promise<void> {
    for (const { run, journal } of this.#measured) {
      const times = {
        startedAt: this.startedAt,
        finishedAt: this.#world.clock.now(),
        model: this.#config.request.model,
      };
      const observations = (): AsyncIterable<Observation<unknown>> => inFileOrder(run, journal);
      try {
        const files = await run.opened.writeFiles(run.dir, observations, times);
        if (this.runs.length === 1) alsoIn(this.#config.outputDir, files);
      } catch (error) {
        // The verdict is known and the journal complete: a full disk must not hide them.
        this.#world.log(
          `The result files in ${run.dir} could not be written: ${(error as Error).message}`,
        );
      }
    }
  }

  /**
   * Closes the journals of a run that went through its plan and could be judged, all together: running again then
   * measures anew. One that was stopped or could not measure stays open and is continued.
   */
  finish(verdict: Verdict): void {
    if (this.stopped !== null || verdict === 'error') return;
    for (const { journal } of this.#measured) {
      try {
        journal.finish();
      } catch (error) {
        if (!(error instanceof JournalFull)) throw error;
      }
    }
  }

  async close(): Promise<void> {
    await closeRuns(this.runs);
    for (const { journal } of this.#measured) journal.close();
    this.#release();
  }

  #earlyStop({ benchmark, opened, gates, ids }: PlannedRun): EarlyStop | null {
    const { earlyStop, confidence } = this.#config;
    if (!earlyStop) return null;
    if (new Set(opened.keys.map(({ group }) => group)).size < opened.keys.length) {
      this.note(
        `${benchmark.spec.name}: early-stop is not used: its samples are repetitions of tasks, and those are not drawn one by one.`,
      );
      return null;
    }
    const metrics = metricsOf(benchmark.spec);
    return new EarlyStop({
      gates,
      metrics,
      rows: opened.dataset.rows,
      planned: ids.length,
      confidence,
    });
  }

  #openJournal(run: PlannedRun): Journal {
    const { benchmark, subset, opened, dir } = run;
    const { endpoint, headers } = this.#config;
    const manifest = {
      benchmark: benchmark.spec.name,
      subset: subset.name,
      version: benchmark.spec.version,
      digest: opened.fingerprint.digest,
      settings: { endpoint, headers: traceOf(headers), ...opened.fingerprint.settings },
    };
    const journal = openOrExplain(() => Journal.open(dir, manifest, this.#world.runKey), dir);
    this.#measured.push({ run, journal });
    const { earlier } = journal;
    if (earlier.kind === 'set-aside') {
      this.note(`Measured anew; the journal of an earlier run was set aside as ${earlier.path}.`);
    } else if (earlier.kind === 'continued' && earlier.damaged > 0) {
      this.note(`${earlier.damaged} damaged journal lines were left out; their samples ran again.`);
    }
    return journal;
  }
}

const NO_BUDGET = { tokens: null, cost: null, priceIn: null, priceOut: null };

/** Most completion tokens of all benchmarks together; null when one has no ceiling. */
function ceilingOf(runs: readonly PlannedRun[], config: Config): number | null {
  return runs.reduce<number | null>((sum, run) => {
    const { tokens } = planOf(run, config);
    return sum === null || tokens === null ? null : sum + tokens;
  }, 0);
}

/** The newest observation of each sample that was run. */
async function* inFileOrder(
  { opened, ids }: PlannedRun,
  journal: Journal,
): AsyncIterable<Observation<unknown>> {
  const drawn = new Set(ids);
  for (const { id } of opened.keys) {
    const observation = drawn.has(id) ? journal.read(id) : null;
    if (observation !== null) yield observation;
  }
}

/**
 * Header names with four hex digits of a digest of each value: enough to notice that a request would go to another
 * deployment, too little to find out a secret.
 */
function traceOf(headers: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      createHash('sha256').update(value).digest('hex').slice(0, 4),
    ]),
  );
}

function openOrExplain(open: () => Journal, dir: string): Journal {
  try {
    return open();
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw unwritable(dir, (error as Error).message);
  }
}
