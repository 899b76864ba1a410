import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Flags } from '../config/flags.js';
import { ConfigError, type Problem } from '../model/errors.js';
import { DEFAULT_MODEL } from '../simulator/options.js';
import { startSimulator } from '../simulator/start.js';
import { verify } from '../verify.js';
import type { Io } from './io.js';
import { printMeasured } from './result.js';
import { worldOf } from './run.js';
import { configOf } from './settings.js';
import { faultsOf, optionsOf } from './simulate.js';
import { RUN } from './verbs.js';

/** What comes with the project, by benchmark: nothing has to be downloaded. */
const BUILT_IN: Readonly<Record<string, { readonly datasets: string; readonly sets: string[] }>> = {
  k2_verifier: { datasets: 'k2_verifier', sets: ['k2_verifier.source=synthetic'] },
  miniwob: { datasets: 'miniwob/own', sets: [] },
};

/** For the looks, and to find a browser. */
const KEPT = ['CI', 'TERM', 'NO_COLOR', 'PATH', 'CHROME_PATH'];

/** `demo`: the whole way against a simulated endpoint on this machine. */
export async function demo(flags: Flags, io: Io): Promise<number> {
  const faults = faultsOf(flags.own.texts('fault'));
  const chosen = (flags.values['datasets'] ?? 'k2_verifier').split(/[\s,]+/).filter(Boolean);
  const problems = [...flags.problems, ...faults.problems, ...chosen.flatMap(unknownDemo)];
  if (problems.length > 0) throw new ConfigError(problems);
  const options = optionsOf(flags, faults.rates);
  const simulator = await startSimulator(options);
  try {
    const values = {
      ...flags.values,
      endpoint: simulator.url,
      model: DEFAULT_MODEL,
      datasets: chosen.map((name) => BUILT_IN[name]?.datasets).join(','),
      'output-dir': flags.values['output-dir'] ?? mkdtempSync(join(tmpdir(), 'vendor-gate-demo-')),
    };
    // A key of the user's is not for a simulator, and a proxy is not between us and this machine.
    const kept = KEPT.map((name) => [name, io.env[name]] as const);
    const alone: Io = { ...io, env: Object.fromEntries(kept) };
    const sets = chosen.flatMap((name) => BUILT_IN[name]?.sets ?? []);
    const { config } = configOf(RUN, { ...flags, values, sets }, alone);
    return printMeasured(await verify(config, worldOf(alone)), config.failOn, alone);
  } finally {
    await simulator.close();
  }
}

function unknownDemo(name: string): Problem[] {
  if (Object.hasOwn(BUILT_IN, name)) return [];
  const fix = `Give one or several of ${Object.keys(BUILT_IN).join(', ')}.`;
  return [{ where: '--datasets', what: `There is no demo of ${JSON.stringify(name)}.`, fix }];
}
