import { BENCHMARKS } from '../benchmarks/index.js';
import { terminalKey } from '../config/environment.js';
import type { Flags } from '../config/flags.js';
import { type ParsedConfig, parseConfig } from '../config/parse.js';
import type { VerbSpec } from '../config/verb.js';
import { readConfigFile } from '../config-file.js';
import type { Io } from './io.js';

/**
 * The configuration of a verb from its flags, the config file and the environment.
 * @throws ConfigError with every problem, those of the flags included
 */
export function configOf(verb: VerbSpec, flags: Flags, io: Io): ParsedConfig {
  const parsed = parseConfig(
    {
      values: { ...flags.values, 'api-key': terminalKey(io.env) },
      configFile: readConfigFile(flags.values['config']),
      sets: flags.sets,
      surface: 'terminal',
      problems: flags.problems,
      dispensable: verb.dispensable ?? [],
    },
    BENCHMARKS.map(({ spec }) => spec),
  );
  for (const notice of parsed.notices) io.stderr.write(`${notice}\n`);
  return parsed;
}
