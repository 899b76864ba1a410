import type { Clock } from '../model/clock.js';
import type { Config } from '../model/config.js';
import { ConfigError } from '../model/errors.js';
import type { Observation } from '../model/observation.js';
import type { BenchmarkReport, Stopped } from '../model/report.js';
import { reveal, type Untrusted } from '../text/untrusted.js';
import { conclude } from './conclude.js';
import { alsoIn, makeOutputDir, removeIfEmpty, unwritable } from './files.js';
import { Journal, JournalFull } from './journal.js';
import { takeLock } from './lock.js';
import { closeRuns, type OpenWith, openRuns, type PlannedRun } from './open-runs.js';
import type { SampleRun } from './run-samples.js';
import { diskStop } from './stop.js';
import { Tally } from './tally.js';

export interface SessionWorld extends Omit<OpenWith, 'note'> {
  readonly clock: Clock;
  /** Names the workflow run, so that a journal left by another one is not continued; null on a terminal. */
  readonly runKey: string | null;
  log(text: string): void;
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
  readonly #config: Config;
  readonly #world: SessionWorld;
  readonly #release: () => void;
  readonly #journals: { readonly journal: Journal; readonly ids: readonly string[] }[] = [];
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
      session.runs = await openRuns(config, { ...world, note: (text) => session.note(text) });
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

  /** Opens the journal of a run, lets `observe` fill it, judges what is there and writes the benchmark's files. */
  async measure(run: PlannedRun, observe: (samples: SampleRun) => Promise<void>): Promise<void> {
    const { opened, ids, gates } = run;
    const journal = this.#openJournal(run);
    const tally = new Tally();
    try {
      await observe({ opened, journal, tally, ids, clock: this.#world.clock });
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
        opened,
        gates,
        decision,
        confidence,
        tally,
      }),
    );
    await this.#writeFiles(run, journal);
  }

  /** The report is written: what was measured whole is finished and will not be continued. */
  finish(): void {
    for (const { journal, ids } of this.#journals) {
      if (!ids.every((id) => journal.state(id) === 'measured')) continue;
      try {
        journal.finish();
      } catch (error) {
        if (!(error instanceof JournalFull)) throw error;
      }
    }
  }

  async close(): Promise<void> {
    await closeRuns(this.runs);
    for (const { journal } of this.#journals) journal.close();
    this.#release();
  }

  #openJournal({ benchmark, subset, opened, dir, ids }: PlannedRun): Journal {
    const { endpoint, headers } = this.#config;
    const manifest = {
      benchmark: benchmark.spec.name,
      subset: subset.name,
      version: benchmark.spec.version,
      digest: opened.fingerprint.digest,
      // Header values are secrets; a header more or less may still mean another deployment.
      settings: { endpoint, headers: Object.keys(headers), ...opened.fingerprint.settings },
    };
    const journal = openOrExplain(() => Journal.open(dir, manifest, this.#world.runKey), dir);
    this.#journals.push({ journal, ids });
    const { earlier } = journal;
    if (earlier.kind === 'set-aside') {
      this.note(`Measured anew; the journal of an earlier run was set aside as ${earlier.path}.`);
    } else if (earlier.kind === 'continued' && earlier.damaged > 0) {
      this.note(`${earlier.damaged} damaged journal lines were left out; their samples ran again.`);
    }
    return journal;
  }

  async #writeFiles({ opened, dir, ids }: PlannedRun, journal: Journal): Promise<void> {
    const drawn = new Set(ids);
    const inFileOrder = opened.keys.map(({ id }) => id).filter((id) => drawn.has(id));
    async function* observations(): AsyncIterable<Observation<unknown>> {
      for (const id of inFileOrder) {
        const observation = journal.read(id);
        if (observation !== null) yield observation;
      }
    }
    const times = {
      startedAt: this.startedAt,
      finishedAt: this.#world.clock.now(),
      model: this.#config.request.model,
    };
    try {
      const files = await opened.writeFiles(dir, observations, times);
      if (this.runs.length === 1) alsoIn(this.#config.outputDir, files);
    } catch (error) {
      // The verdict is known and the journal complete: a full disk must not hide them.
      this.note(`The result files in ${dir} could not be written: ${(error as Error).message}`);
    }
  }
}

function openOrExplain(open: () => Journal, dir: string): Journal {
  try {
    return open();
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw unwritable(dir, (error as Error).message);
  }
}
