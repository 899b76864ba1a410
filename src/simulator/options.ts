import { builtinSyntheticPath } from '../datasets/builtin.js';
import { ConfigError, type Problem } from '../model/errors.js';
import { chooseFaults } from './faults.js';
import type { Behaviour } from './respond.js';

/** How the simulated endpoint is to behave. Everything has a default. */
export interface SimulatorOptions {
  /** 0 (default): any free port. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Path of a data set in the hosted form or of request bodies, JSON lines; default the built-in set. */
  readonly dataset?: string;
  /** Probability in [0, 1] that a row keeps the official decision; default 1. */
  readonly fidelity?: number;
  /**
   * Wall time of a whole response in milliseconds, from the arrival of the request to its last byte; default 0.
   * A stream sends its first token after 40 % of it.
   */
  readonly latencyMs?: number;
  /** Chunks of a streamed answer, the ones with role and finish reason included; default 30. */
  readonly chunks?: number;
  /** Share of rows that each fault hits, by name from FAULTS. */
  readonly faults?: Readonly<Record<string, number>>;
  /** Decides which rows lose fidelity and which are hit by faults; default 1. */
  readonly seed?: number;
  /** Models served; default `simulated-k2` alone. */
  readonly models?: readonly string[];
  /** When set, requests without this key are answered with 401. */
  readonly apiKey?: string;
}

export interface Settings extends Behaviour {
  readonly port: number;
  readonly host: string;
  readonly dataset: string;
  readonly models: readonly string[];
  readonly apiKey: string | null;
}

/** The model the simulator serves unless told otherwise. */
export const DEFAULT_MODEL = 'simulated-k2';

/** Fills in the defaults. Throws ConfigError with every problem found. */
export function readOptions(options: SimulatorOptions): Settings {
  const { chosen, problems } = chooseFaults(options.faults ?? {});
  const settings: Settings = {
    port: options.port ?? 0,
    host: options.host ?? '127.0.0.1',
    dataset: options.dataset ?? builtinSyntheticPath(),
    fidelity: options.fidelity ?? 1,
    latencyMs: options.latencyMs ?? 0,
    chunks: options.chunks ?? 30,
    faults: chosen,
    seed: options.seed ?? 1,
    models: options.models ?? [DEFAULT_MODEL],
    apiKey: options.apiKey ?? null,
  };
  const all = [
    ...problems,
    ...outside('port', settings.port, 0, 65_535, true),
    ...outside('fidelity', settings.fidelity, 0, 1, false),
    ...outside('latency-ms', settings.latencyMs, 0, 86_400_000, false),
    ...outside('chunks', settings.chunks, 1, 100_000, true),
    ...outside('seed', settings.seed, 0, 2 ** 32 - 1, true),
  ];
  if (settings.models.length === 0) {
    all.push({ where: 'models', what: 'The list is empty.', fix: 'Name at least one model.' });
  }
  if (all.length > 0) throw new ConfigError(all);
  return settings;
}

function outside(
  where: string,
  value: number,
  low: number,
  high: number,
  whole: boolean,
): Problem[] {
  if (value >= low && value <= high && (!whole || Number.isInteger(value))) return [];
  const kind = whole ? 'a whole number' : 'a number';
  return [{ where, what: `${value} is not allowed.`, fix: `Give ${kind} from ${low} to ${high}.` }];
}
