import { randomUUID } from 'node:crypto';
import type { Flags } from '../config/flags.js';
import { derivedReportId } from '../config/report-id.js';
import { LineError, LineFile } from '../datasets/lines.js';
import type { PlannedRun } from '../engine/open-runs.js';
import type { Config } from '../model/config.js';
import { ConfigError } from '../model/errors.js';
import type { Json } from '../model/json.js';
import type { Observation } from '../model/observation.js';
import { verifyRecords, type World } from '../verify.js';
import type { Io } from './io.js';
import { printMeasured } from './result.js';
import { worldOf } from './run.js';
import { configOf } from './settings.js';
import { SCORE } from './verbs.js';

/** `score`: judges a results file that K2VV or an earlier run wrote; sends nothing. */
export async function score(flags: Flags, io: Io): Promise<number> {
  const { config } = configOf(SCORE, flags, io);
  const path = flags.own.text('results') ?? '';
  const file = await openResults(path);
  try {
    // A name of its own: a results file is judged by itself, never together with what lies in the directory.
    const world = { ...worldOf(io), runKey: `score-${randomUUID()}` };
    const verified = await verifyRecords(
      withModel({ ...config, endpoint: '' }, file, flags.values['report-id'] === undefined),
      world,
      (run) => observationsOf(run, file, world),
      path,
    );
    return printMeasured(verified, config.failOn, io);
  } finally {
    file.close();
  }
}

async function openResults(path: string): Promise<LineFile> {
  try {
    const file = await LineFile.open(path);
    if (file.lines > 0) return file;
    file.close();
    throw problem(path, 'The results file is empty.', 'Name a file that a run has written.');
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const what = code === 'ENOENT' ? 'There is no such file.' : `It cannot be read: ${message}.`;
    throw problem(path, what, 'Name the results.jsonl of a K2VV run.');
  }
}

async function* observationsOf(
  { benchmark, opened }: PlannedRun,
  file: LineFile,
  world: World,
): AsyncIterable<Observation<unknown>> {
  const { readRecord } = opened;
  if (readRecord === undefined) {
    const what = `${benchmark.spec.name} has no results file to score.`;
    throw problem(file.path, what, 'Use run.');
  }
  let strangers = 0;
  for (let line = 1; line <= file.lines; line += 1) {
    const record = recordAt(file, line);
    if (record === undefined) continue;
    const observation = readRecord.call(opened, record, line);
    if (observation === null) strangers += 1;
    else yield observation;
  }
  if (strangers > 0) world.log(`${strangers} records belong to no row of the data set.`);
}

function recordAt(file: LineFile, line: number): Json | undefined {
  try {
    const text = file.read(line);
    return text === '' ? undefined : (JSON.parse(text) as Json);
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof LineError)) throw error;
    const what =
      error instanceof LineError ? `Line ${line} ${error.message}.` : `Line ${line} is not JSON.`;
    throw problem(file.path, what, 'Mend or remove the line; a torn last line is safe to remove.');
  }
}

/** The model that was measured, as the first record that names one says, unless --model says it. */
function withModel(config: Config, file: LineFile, derive: boolean): Config {
  const model = config.request.model || modelIn(file);
  const request = { ...config.request, model };
  const { reportId, benchmarks } = config;
  return {
    ...config,
    request,
    reportId: derive ? derivedReportId('', model, benchmarks, request, config) : reportId,
  };
}

function modelIn(file: LineFile): string {
  for (let line = 1; line <= file.lines; line += 1) {
    const record = recordAt(file, line) as { request?: { model?: unknown } } | undefined;
    const model = record?.request?.model;
    if (typeof model === 'string' && model !== '') return model;
  }
  return 'unknown';
}

function problem(where: string, what: string, fix: string): ConfigError {
  return new ConfigError([{ where, what, fix }]);
}
