import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Flags } from '../config/flags.js';
import { makeOutputDir, writeWhole } from '../engine/files.js';
import { closeRuns, openRuns } from '../engine/open-runs.js';
import { type Plan, planOf } from '../engine/plan.js';
import type { Gate } from '../model/gate.js';
import { forTerminal } from '../text/escape.js';
import { untrusted } from '../text/untrusted.js';
import type { Io } from './io.js';
import { worldOf } from './run.js';
import { configOf } from './settings.js';
import { PLAN } from './verbs.js';

/** `plan`: what run would do; sends nothing. With --output the plan also stands there as plan.json. */
export async function plan(flags: Flags, io: Io): Promise<number> {
  const { config } = configOf(PLAN, flags, io);
  // Unpacked data sets go where nothing has to be cleaned up.
  const scratch = mkdtempSync(join(tmpdir(), 'vendor-gate-plan-'));
  try {
    const world = worldOf(io);
    const runs = await openRuns({ ...config, outputDir: scratch }, { ...world, note: world.log });
    const plans = runs.map((run) => planOf(run, config));
    await closeRuns(runs);
    io.stdout.write(plans.map(planText).join('\n'));
    if (flags.values['output-dir'] !== undefined) {
      makeOutputDir(config.outputDir);
      writeWhole(join(config.outputDir, 'plan.json'), `${JSON.stringify(plans, null, 2)}\n`);
    }
    return 0;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const count = (n: number): string => n.toLocaleString('en-US');
const counted = (n: number, what: string): string => `${count(n)} ${what}${n === 1 ? '' : 's'}`;
const percent = (share: number): string =>
  share > 0 && share < 0.01 ? 'under 1 %' : `${Math.round(share * 100)} %`;

/** The plan in words. */
export function planText(planned: Plan): string {
  const source = forTerminal(untrusted(planned.source));
  const lines = [
    `${planned.name}/${planned.subset}`,
    `  data set  ${source}, ${counted(planned.rows, 'row')}, sha256 ${planned.sha256.slice(0, 12)}…`,
    `  samples   ${samplesText(planned)}`,
    `  requests  ${planned.earlyStop === null ? '' : 'at most '}${count(planned.requests)}, without retries`,
    planned.tokens === null
      ? '  tokens    no ceiling: set max-tokens to bound the answers'
      : `  tokens    at most ${count(planned.tokens)} of answers (the ceiling, not the expectation)`,
    '  gates     '.concat(planned.gates.map(({ text }) => text).join('\n            ')),
    ...planned.notComparable.map(
      (reason) => `  not comparable with published figures: ${forTerminal(untrusted(reason))}`,
    ),
    ...tellsText(planned),
  ];
  return `${lines.join('\n')}\n`;
}

function samplesText({ samples, order, shard, earlyStop }: Plan): string {
  const how = order === 'random' ? 'a random draw' : 'the first of the file';
  if (shard !== null) {
    return `shard ${count(shard.index)} of ${count(shard.of)}, ${count(samples)} of ${counted(shard.samples, 'sample')}; it judges nothing`;
  }
  return earlyStop === null ? `${count(samples)}, ${how}` : `at most ${count(samples)}, ${how}`;
}

/** When the run ends, and what keeps it from ending. */
function earlyStopText({ samples, rows }: Plan, unfollowed: readonly Gate[]): string[] {
  return [
    `    The run ends as soon as the samples settle what all ${counted(rows, 'row')} would say; ${samples < rows ? 'what is not settled by then is judged by its interval' : 'at the latest with the last of them'}.`,
    ...(unfollowed.length === 0
      ? []
      : [
          '    Cannot be followed, so that the run ends early only when another gate fails:',
          ...unfollowed.map(({ text }) => `      ${text}`),
        ]),
  ];
}

function tellsText(planned: Plan): string[] {
  const { tells, earlyStop } = planned;
  if (earlyStop !== null) {
    return ['  what this can tell', ...earlyStopText(planned, earlyStop.unfollowed)];
  }
  if (tells === null) return [];
  const { gate, sd, halfWidth, chanceBelow, rowsToTell, whole } = tells;
  const truth = Number(tells.truth.toFixed(3));
  const samples = planned.shard?.samples ?? planned.samples;
  const size = counted(samples, 'sample');
  return [
    planned.shard === null ? '  what this can tell' : '  what all shards together can tell',
    `    With ${size} F1 has a standard deviation of about ${sd.toFixed(3)}; expect a 95 % interval of ±${halfWidth.toFixed(3)}.`,
    whole
      ? '    Every row is run, so the measured value itself is held against the gate.'
      : '    Only a part is run, so the interval decides: a gate inside it is inconclusive, not a failure.',
    `    A deployment that is really at ${truth} measures below ${gate.bound} in ${percent(chanceBelow)} of such runs.`,
    samples < rowsToTell
      ? `    It finds breakage, not drift: telling ${truth} from ${gate.bound} takes about ${count(rowsToTell)} random rows (80 % power).`
      : `    It is enough to tell ${truth} from ${gate.bound} (about ${count(rowsToTell)} random rows for 80 % power).`,
  ];
}
