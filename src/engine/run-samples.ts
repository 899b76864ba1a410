import type { Opened } from '../model/benchmark.js';
import type { Clock } from '../model/clock.js';
import type { Endpoint, Exchange, Reply } from '../model/completion.js';
import type { Counts, Observation } from '../model/observation.js';
import type { Example, Stopped } from '../model/report.js';
import { untrusted } from '../text/untrusted.js';
import type { Budget } from './budget.js';
import type { EarlyStop } from './early-stop.js';
import type { Journal } from './journal.js';
import type { ProgressState } from './progress.js';
import { schedule } from './schedule.js';
import { endingOf, StopWatch } from './stop.js';
import type { Tally } from './tally.js';

const TICK_MS = 1000;

export interface SampleRun {
  readonly opened: Opened;
  readonly journal: Journal;
  readonly tally: Tally;
  /** Says when the verdict is settled; null: every sample of the plan is run. */
  readonly early: EarlyStop | null;
  /** Of the whole run, all benchmarks together. */
  readonly budget: Budget;
  /** Ids of the plan, in draw order. */
  readonly ids: readonly string[];
  readonly clock: Clock;
}

/**
 * Takes over what an earlier run in the same directory measured.
 * @returns the ids still to be run: never run, or run without a measurement.
 */
export async function replayJournal(run: SampleRun): Promise<string[]> {
  const open: string[] = [];
  for (const [place, id] of run.ids.entries()) {
    const before = run.journal.state(id) === 'measured' ? run.journal.read(id) : null;
    if (before === null) open.push(id);
    else await tallyOne(run, before, place);
  }
  return open;
}

/** Counts the samples whose newest observation is an earlier, unmeasured one because the run ended before their turn. */
export async function tallyLeftovers(run: SampleRun, done: ReadonlySet<string>): Promise<void> {
  for (const [place, id] of run.ids.entries()) {
    if (done.has(id) || run.journal.state(id) !== 'unmeasured') continue;
    const before = run.journal.read(id);
    if (before !== null) await tallyOne(run, before, place);
  }
}

async function tallyOne(
  run: SampleRun,
  observation: Observation<unknown>,
  place: number,
): Promise<void> {
  tally(run, await run.opened.load(observation.id), observation, place);
}

/**
 * Adds an observation. One that cannot be scored, which is a fault of ours, counts as not measured: the observation is
 * in the journal already, and throwing would end this run and each that continues it.
 */
function tally(
  { opened, tally: sum, early, budget }: SampleRun,
  sample: unknown,
  observation: Observation<unknown>,
  place: number,
): void {
  for (const { usage } of observation.exchanges) if (usage !== null) budget.spend(usage);
  let [counted, score, example] = [observation, {} as Counts, null as Example | null];
  try {
    score = opened.score(sample, observation);
    example = opened.example(sample, observation);
  } catch (error) {
    const { id, attempt, startedAt, durationMs, exchanges } = observation;
    const detail = untrusted(`it could not be scored: ${String(error)}`);
    counted = {
      ...{ kind: 'unmeasured', cause: 'malformed', detail },
      ...{ id, attempt, startedAt, durationMs, exchanges },
    };
    score = opened.score(sample, counted);
    example = null;
  }
  sum.add(counted, score, example, place);
  early?.add(place, score, counted.kind === 'measured');
}

export interface LiveRun extends SampleRun {
  readonly endpoint: Endpoint;
  readonly concurrency: number;
  /** Aborted from outside: deadline, interruption. What is in flight then is dropped, not counted. */
  readonly signal: AbortSignal;
  onProgress(state: ProgressState): void;
}

/**
 * Observes the given samples: journal first, then score. Ends early when a stop rule says so, or when the verdict is
 * settled.
 * @returns which stop rule ended it, or null; and the ids observed.
 */
export async function observeSamples(
  run: LiveRun,
  ids: readonly string[],
): Promise<{ stopped: Stopped | null; done: Set<string> }> {
  const { opened, journal, endpoint, clock } = run;
  const before = run.ids.length - ids.length;
  const watch = new StopWatch(ids.length, before);
  const ending = new AbortController();
  const signal = AbortSignal.any([run.signal, ending.signal]);
  const places = new Map(run.ids.map((id, place) => [id, place]));
  const done = new Set<string>();
  const begun = clock.elapsed();
  let stopped: Stopped | null = null;
  let errors = 0;
  const progress = (): void =>
    run.onProgress({
      done: done.size,
      total: ids.length,
      before,
      errors,
      elapsedMs: clock.elapsed() - begun,
    });
  // Long answers must not look like a run that hangs.
  const ticking = setInterval(progress, TICK_MS);

  const observe = async (id: string): Promise<void> => {
    const sample = await opened.load(id);
    const exchanges: Exchange[] = [];
    const replies: Reply[] = [];
    const startedAt = clock.now();
    const start = clock.elapsed();
    const outcome = await opened.observe(sample, {
      signal,
      clock,
      async send(request) {
        const { reply, exchange } = await endpoint.send(request, signal);
        exchanges.push(exchange);
        replies.push(reply);
        return reply;
      },
    });
    const observation: Observation<unknown> = {
      ...outcome,
      id,
      attempt: journal.attempts(id) + 1,
      startedAt,
      durationMs: Math.round(clock.elapsed() - start),
      exchanges,
    };
    journal.append(observation);
    done.add(id);
    if (observation.kind === 'unmeasured') errors += 1;
    tally(run, sample, observation, places.get(id) ?? 0);
    const ended = endingOf(replies);
    if (ended !== null) stopped ??= watch.after(ended);
    if (done.size < ids.length) stopped ??= run.budget.exhausted;
    if (stopped !== null || run.early?.decided === true) ending.abort();
    progress();
  };

  const observeOrDrop = async (id: string): Promise<void> => {
    try {
      await observe(id);
    } catch (error) {
      // Cut off by us: the sample counts as not run and stays open for the next run.
      if (signal.aborted) return;
      // A fault of ours, such as a full disk: what is in flight cannot be kept either.
      ending.abort();
      throw error;
    }
  };
  try {
    await schedule(ids, observeOrDrop, {
      concurrency: run.concurrency,
      opened: () => watch.opened,
      signal,
    });
  } finally {
    clearInterval(ticking);
  }
  return { stopped, done };
}
