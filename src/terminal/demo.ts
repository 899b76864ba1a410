import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Flags } from '../config/flags.js';
import { ConfigError } from '../model/errors.js';
import { DEFAULT_MODEL } from '../simulator/options.js';
import { startSimulator } from '../simulator/start.js';
import { verify } from '../verify.js';
import type { Io } from './io.js';
import { printMeasured } from './result.js';
import { worldOf } from './run.js';
import { configOf } from './settings.js';
import { faultsOf, optionsOf } from './simulate.js';
import { RUN } from './verbs.js';

/** `demo`: the whole way against a simulated endpoint on this machine. */
export async function demo(flags: Flags, io: Io): Promise<number> {
  const faults = faultsOf(flags.own.texts('fault'));
  const problems = [...flags.problems, ...faults.problems];
  if (problems.length > 0) throw new ConfigError(problems);
  const options = optionsOf(flags, faults.rates);
  const simulator = await startSimulator(options);
  try {
    const values = {
      endpoint: simulator.url,
      model: DEFAULT_MODEL,
      datasets: 'k2_verifier',
      'output-dir': flags.values['output-dir'] ?? mkdtempSync(join(tmpdir(), 'vendor-gate-demo-')),
    };
    // A key of the user's is not for a simulator, and a proxy is not between us and this machine.
    const alone: Io = {
      ...io,
      env: { CI: io.env['CI'], TERM: io.env['TERM'], NO_COLOR: io.env['NO_COLOR'] },
    };
    const { config } = configOf(
      RUN,
      { ...flags, values, sets: ['k2_verifier.source=synthetic'] },
      alone,
    );
    return printMeasured(await verify(config, worldOf(alone)), config.failOn, alone);
  } finally {
    await simulator.close();
  }
}
