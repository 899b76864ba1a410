import { Mt19937 } from '../../statistics/mt19937.js';
import { TASKS, type Task } from './tasks.js';

/** One task with one seed. */
export interface Episode {
  /** `click-test.0`: page and repeat. The same whatever is filtered or limited. */
  readonly id: string;
  readonly task: Task;
  /** Place of the task among all 125, from 0. */
  readonly index: number;
  /** From 0. */
  readonly repeat: number;
  /** Of the environment; from 0 to 2^32 - 1. */
  readonly seed: number;
  /** What the page's `Math.seedrandom` is given; from 0 to 999,999. */
  readonly mathSeed: number;
}

export interface ScheduleOptions {
  /** Episodes a task; the seeds of all but the first task's first episode depend on it. */
  readonly repeats: number;
  /** Names of tasks to be run; null for all. */
  readonly tasks: ReadonlySet<string> | null;
  /** Most tasks to be run, counted before they are repeated; null for all. */
  readonly limit: number | null;
  /** The tasks there are. Default: the 125 of EvalScope. */
  readonly all?: readonly Task[];
}

/** Seed of EvalScope's one generator for the whole schedule. */
const SCHEDULE_SEED = 42;

/**
 * The episodes in file order, the repeats of a task one after the other. A task has the same seeds whether others are
 * left out or not, as in EvalScope.
 */
export function schedule({
  repeats,
  tasks,
  limit,
  all = TASKS,
}: ScheduleOptions): readonly Episode[] {
  const words = new Mt19937(SCHEDULE_SEED);
  const seeded = all.map((task, index) =>
    Array.from({ length: repeats }, (_, repeat) => episode(task, index, repeat, words.next())),
  );
  const wanted = seeded.filter((_, index) => tasks?.has(all[index]?.name ?? '') ?? true);
  return wanted.slice(0, limit ?? wanted.length).flat();
}

function episode(task: Task, index: number, repeat: number, seed: number): Episode {
  return { id: `${task.page}.${repeat}`, task, index, repeat, seed, mathSeed: mathSeedOf(seed) };
}

const MATH_SEEDS = 1_000_000;
/** All ones, as many as the largest of them needs. */
const MASK = 0xf_ffff;

/** The first `randint(0, 1000000)` of numpy's `RandomState(seed)`: words are masked, and taken when small enough. */
function mathSeedOf(seed: number): number {
  const words = new Mt19937(seed);
  let value = words.next() & MASK;
  while (value >= MATH_SEEDS) value = words.next() & MASK;
  return value;
}
