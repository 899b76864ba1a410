import { join } from 'node:path';
import { effectiveGates } from '../gates/effective.js';
import { ENGINE_DEFAULT_GATES } from '../gates/engine-metrics.js';
import { parseGates } from '../gates/parse.js';
import type { Benchmark, Opened, Subset } from '../model/benchmark.js';
import type { Clock } from '../model/clock.js';
import type { BenchmarkChoice, Config } from '../model/config.js';
import type { Downloads } from '../model/downloads.js';
import { ConfigError } from '../model/errors.js';
import type { Gate } from '../model/gate.js';
import { makeOutputDir, removeIfEmpty } from './files.js';
import { drawOrder, shardOf } from './order.js';

/** One benchmark and subset, opened and planned: data set checked, gates known, draw made. Nothing sent yet. */
export interface PlannedRun {
  readonly benchmark: Benchmark;
  readonly subset: Subset;
  readonly opened: Opened;
  /** `OUTPUT/NAME.SUBSET`. */
  readonly dir: string;
  /** Ids to run, in draw order; those of this shard. */
  readonly ids: readonly string[];
  readonly order: 'random' | 'file';
  readonly gates: readonly Gate[];
}

export interface OpenWith {
  readonly benchmarks: readonly Benchmark[];
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** `offline` is the configuration's. */
  readonly downloads: Omit<Downloads, 'offline'>;
  note(text: string): void;
}

/**
 * Opens every benchmark of the configuration before the first request, so that a typo in the last one costs nothing.
 * @throws ConfigError with the problems of all of them.
 */
export async function openRuns(config: Config, how: OpenWith): Promise<PlannedRun[]> {
  const runs: PlannedRun[] = [];
  const problems: ConfigError[] = [];
  for (const choice of config.benchmarks) {
    try {
      runs.push(await openRun(choice, config, how));
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(error);
    }
  }
  if (problems.length > 0) {
    await closeRuns(runs);
    throw new ConfigError(problems.flatMap((error) => error.problems));
  }
  return runs;
}

export async function closeRuns(runs: readonly PlannedRun[]): Promise<void> {
  await Promise.all(runs.map(({ opened }) => opened.close()));
}

async function openRun(
  choice: BenchmarkChoice,
  config: Config,
  { benchmarks, downloads, note, ...ctx }: OpenWith,
): Promise<PlannedRun> {
  const benchmark = benchmarks.find(({ spec }) => spec.name === choice.name);
  const subset = benchmark?.spec.subsets.find(({ name }) => name === choice.subset);
  if (benchmark === undefined || subset === undefined) {
    throw new Error(`configuration names ${choice.name}/${choice.subset}, which no benchmark has`);
  }
  const { spec } = benchmark;
  const dir = join(config.outputDir, `${spec.name}.${subset.name}`);
  makeOutputDir(dir);
  const opened = await benchmark
    .open(choice.options, {
      ...ctx,
      subset,
      request: config.request,
      downloads: { ...downloads, offline: config.offline },
      scratch: dir,
      note: (text) => note(`${spec.name}: ${text}`),
    })
    .catch((error: unknown) => {
      removeIfEmpty(dir);
      throw error;
    });
  const order = config.order ?? spec.defaultOrder;
  return {
    benchmark,
    subset,
    opened,
    dir,
    order,
    ids: shardOf(
      drawOrder(opened.keys, { order, seed: config.seed, limit: config.limit }),
      config.shard,
    ),
    gates: gatesFor(config, benchmark, subset),
  };
}

function gatesFor(config: Config, { spec }: Benchmark, subset: Subset): Gate[] {
  // The engine's gate asks whether there was a measurement at all, so `default-gates: false` does not drop it: without
  // it an outage would count as missed calls. A gate of the user's on the same metric replaces it.
  const lines = [...ENGINE_DEFAULT_GATES, ...(config.defaultGates ? subset.defaultGates : [])];
  const { gates } = parseGates(lines.join('\n'), 'default', `default gates of ${spec.name}`);
  return effectiveGates(config.gates, gates, spec, subset.name);
}
