import { type Flags, parseFlags } from './config/flags.js';
import { helpFor } from './config/help.js';
import type { VerbSpec } from './config/verb.js';
import { ConfigError } from './model/errors.js';
import { problemLine } from './report/problems.js';
import { demo } from './terminal/demo.js';
import type { Io } from './terminal/io.js';
import { merge } from './terminal/merge.js';
import { official } from './terminal/official.js';
import { plan } from './terminal/plan.js';
import { run } from './terminal/run.js';
import { score } from './terminal/score.js';
import { simulate } from './terminal/simulate.js';
import {
  DEMO,
  faultList,
  MERGE,
  OFFICIAL,
  PLAN,
  RUN,
  SCORE,
  SIMULATE,
  VERBS,
} from './terminal/verbs.js';
import { forTerminal } from './text/escape.js';
import { nearest } from './text/nearest.js';
import { untrusted } from './text/untrusted.js';
import { VERSION } from './version.js';

const PROGRAM = 'node dist/index.js';
const USAGE_ERROR = 2;

const WORK: ReadonlyMap<VerbSpec, (flags: Flags, io: Io) => Promise<number>> = new Map([
  [RUN, run],
  [PLAN, plan],
  [SCORE, score],
  [MERGE, merge],
  [OFFICIAL, official],
  [SIMULATE, simulate],
  [DEMO, demo],
]);

/**
 * The terminal: `VERB [options]`.
 * @returns the exit code: 0, or 1 fail, 2 error or wrong usage, 3 inconclusive, 130 interrupted
 */
export async function runTerminal(words: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = words;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    io.stdout.write(usage());
    return name === undefined ? USAGE_ERROR : 0;
  }
  if (name === '--version') {
    io.stdout.write(`${VERSION}\n`);
    return 0;
  }
  const verb = VERBS.find((each) => each.name === name);
  const work = verb && WORK.get(verb);
  if (verb === undefined || work === undefined) {
    const near = nearest(
      name,
      VERBS.map((each) => each.name),
    );
    const hint = near === null ? '' : ` Did you mean ${near}?`;
    io.stderr.write(`There is no verb ${forTerminal(untrusted(name))}.${hint}\n\n${usage()}`);
    return USAGE_ERROR;
  }
  const flags = parseFlags(rest, verb);
  if (flags.help) {
    io.stdout.write(
      helpFor(verb, PROGRAM) + (verb === SIMULATE || verb === DEMO ? faultList() : ''),
    );
    return 0;
  }
  try {
    return await work(flags, io);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) io.stderr.write(`error: ${problemLine(problem)}\n`);
    return USAGE_ERROR;
  }
}

function usage(): string {
  const verbs = VERBS.map(({ name, summary }) => `  ${name.padEnd(9)} ${summary}`);
  return [
    'Does this OpenAI-compatible deployment behave like the official model?',
    '',
    `Usage: ${PROGRAM} VERB [options]`,
    '',
    ...verbs,
    '',
    `${PROGRAM} VERB --help lists the options of a verb.`,
    'Exit code: 0, or 1 fail, 2 error, 3 inconclusive when fail-on says so; 130 interrupted.',
    '',
  ].join('\n');
}
