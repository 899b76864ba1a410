import { join } from 'node:path';
import type { Flags } from '../config/flags.js';
import { makeOutputDir, writeWhole } from '../engine/files.js';
import { ConfigError, type Problem } from '../model/errors.js';
import { DEFAULT_MODEL, type SimulatorOptions } from '../simulator/options.js';
import { startSimulator } from '../simulator/start.js';
import { forTerminal } from '../text/escape.js';
import { untrusted } from '../text/untrusted.js';
import type { Io } from './io.js';

/** `simulate`: serves until it is interrupted. */
export async function simulate(flags: Flags, io: Io): Promise<number> {
  const { own } = flags;
  const faults = faultsOf(own.texts('fault'));
  const problems = [...flags.problems, ...faults.problems];
  if (problems.length > 0) throw new ConfigError(problems);
  const dataset = own.text('dataset');
  const model = own.text('model');
  const simulator = await startSimulator({
    ...optionsOf(flags, faults.rates),
    port: own.number('port') ?? 0,
    seed: own.number('seed') ?? 1,
    ...(dataset === null ? {} : { dataset }),
    ...(model === null ? {} : { models: [model] }),
  });
  const dir = flags.values['output-dir'];
  if (dir !== undefined) {
    makeOutputDir(dir);
    const address = { url: simulator.url, model: model ?? DEFAULT_MODEL };
    writeWhole(join(dir, 'simulator.json'), `${JSON.stringify(address)}\n`);
  }
  const served = forTerminal(untrusted(model ?? DEFAULT_MODEL));
  io.stdout.write(`Serving ${served} at ${simulator.url} (end with Ctrl-C).\n`);
  await untilAborted(io.signal);
  io.stdout.write(`Answered ${simulator.requests()} chat requests.\n`);
  await simulator.close();
  return 0;
}

/** The options that simulate and demo share. */
export function optionsOf(
  { own }: Flags,
  faults: Readonly<Record<string, number>>,
): Pick<SimulatorOptions, 'fidelity' | 'latencyMs' | 'faults'> {
  return {
    fidelity: own.number('fidelity') ?? 1,
    latencyMs: own.number('latency-ms') ?? 0,
    faults,
  };
}

/** Reads `NAME=RATE`, a rate being 0.1 or 10%. */
export function faultsOf(texts: readonly string[]): {
  readonly rates: Readonly<Record<string, number>>;
  readonly problems: readonly Problem[];
} {
  const rates = new Map<string, number>();
  const problems: Problem[] = [];
  for (const text of texts) {
    const [, name, number, percent] = /^([\w-]+)=(\d*\.?\d+)(%?)$/.exec(text) ?? [];
    if (name === undefined) {
      problems.push({
        where: '--fault',
        what: `${JSON.stringify(text)} is not of the form NAME=RATE.`,
        fix: 'Write for example --fault stop-with-calls=0.1; simulate --help lists the names.',
      });
    } else {
      rates.set(name, Number(number) / (percent === '%' ? 100 : 1));
    }
  }
  // fromEntries makes own members of names such as __proto__, so that they are refused like any other unknown one.
  return { rates: Object.fromEntries(rates), problems };
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // Keeps the process alive; the server alone would too, but says less clearly why.
    const alive = setInterval(() => {}, 60_000);
    const end = (): void => {
      clearInterval(alive);
      resolve();
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
