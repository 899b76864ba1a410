import { existsSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { LineError, LineFile } from '../../datasets/lines.js';
import type { MergedFiles, RunTimes } from '../../model/benchmark.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { Observation } from '../../model/observation.js';
import { type RecordFacts, resultRecord, type Sent } from './record.js';
import type { Payload, Sample } from './sample.js';

const RESULTS = 'results.jsonl';
/** Text gathered before it is written. */
const CHUNK = 1 << 18;
/** Values of finish_reason that the summary tells apart, in the order of the data set; the rest is counted together. */
const MAX_REASONS = 100;
const FURTHER_REASONS = '(further values)';

/** Loads what a record needs beside the observation. */
export type LoadSent = (id: string) => Promise<{ sample: Sample; sent: Omit<Sent, 'model'> }>;

/**
 * Writes `results.jsonl` and `summary.json` as K2 Vendor Verifier writes them, one record at a time and in file order.
 * Each appears under its name only when it is complete.
 * @returns the paths written.
 */
export async function writeResultFiles(
  dir: string,
  observations: AsyncIterable<Observation<Payload>>,
  load: LoadSent,
  run: RunTimes,
): Promise<string[]> {
  async function* records(): AsyncIterable<WrittenRecord> {
    for await (const observation of observations) {
      const { sample, sent } = await load(observation.id);
      yield resultRecord(sample, observation, { ...sent, model: run.model });
    }
  }
  return writeBoth(dir, records(), run);
}

/**
 * Joins the results.jsonl of shards by data_index, one record at a time, and writes the summary of all their records.
 * @param shards directories, of which some may have no results.jsonl
 */
export async function mergeResultFiles(
  dir: string,
  shards: readonly string[],
  run: RunTimes,
): Promise<MergedFiles> {
  const without: string[] = [];
  const files: LineFile[] = [];
  try {
    for (const shard of shards) {
      const path = join(shard, RESULTS);
      if (existsSync(path)) files.push(await LineFile.open(path));
      else without.push(shard);
    }
    if (files.length === 0) return { files: [], without };
    const places = files.flatMap(placesIn).sort((a, b) => a.index - b.index);
    return { files: await writeBoth(dir, recordsAt(places), run), without };
  } finally {
    for (const file of files) file.close();
  }
}

interface WrittenRecord {
  readonly line: string;
  readonly facts: RecordFacts;
}

async function writeBoth(
  dir: string,
  records: AsyncIterable<WrittenRecord>,
  run: RunTimes,
): Promise<string[]> {
  const summary = new Summary();
  const results = join(dir, RESULTS);
  await writeThenRename(results, async (write) => {
    for await (const { line, facts } of records) {
      summary.add(facts);
      await write(`${line}\n`);
    }
  });
  const path = join(dir, 'summary.json');
  await writeThenRename(path, (write) => write(`${JSON.stringify(summary.of(run), null, 4)}\n`));
  return [results, path];
}

interface Place {
  readonly index: number;
  readonly file: LineFile;
  readonly line: number;
}

/** Where each record of a file lies; only its number is read, which our records begin with. */
function placesIn(file: LineFile): Place[] {
  const places: Place[] = [];
  for (let line = 1; line <= file.lines; line += 1) {
    if (!file.has(line)) continue;
    const text = textAt(file, line);
    const index = Number(
      /^\{"data_index":(\d+),/.exec(text)?.[1] ?? parsed(text, file, line)['data_index'],
    );
    if (!Number.isInteger(index))
      throw new Error(`Line ${line} of ${file.path} has no data_index.`);
    places.push({ index, file, line });
  }
  return places;
}

async function* recordsAt(places: readonly Place[]): AsyncIterable<WrittenRecord> {
  for (const { file, line } of places) {
    const text = textAt(file, line);
    yield { line: text, facts: factsIn(parsed(text, file, line)) };
  }
}

function textAt(file: LineFile, line: number): string {
  try {
    return file.read(line);
  } catch (error) {
    if (!(error instanceof LineError)) throw error;
    throw new Error(`Line ${line} of ${file.path} ${error.message}.`);
  }
}

function parsed(text: string, file: LineFile, line: number): JsonObject {
  try {
    const record = JSON.parse(text) as Json;
    if (isObject(record)) return record;
  } catch {
    // Said below.
  }
  throw new Error(`Line ${line} of ${file.path} is no record.`);
}

/** What the summary counts, as it stands in a record. */
function factsIn(record: JsonObject): RecordFacts {
  const { status, finish_reason: reason, tool_calls_valid: valid, response } = record;
  return {
    status: status === 'success' ? 'success' : 'failed',
    finishReason: typeof reason === 'string' ? reason : null,
    toolCallsValid: typeof valid === 'boolean' ? valid : null,
    usage: usageIn(isObject(response) ? response['usage'] : null),
  };
}

function usageIn(usage: Json | undefined): RecordFacts['usage'] {
  if (!isObject(usage)) return null;
  const tokens = (name: string): number => (typeof usage[name] === 'number' ? usage[name] : 0);
  return {
    prompt_tokens: tokens('prompt_tokens'),
    completion_tokens: tokens('completion_tokens'),
    total_tokens: tokens('total_tokens'),
  };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** K2VV's summary. Failed records are in none of the finish counts, since they have no finish_reason. */
class Summary {
  #success = 0;
  #failure = 0;
  #finish = new Map<string, number>();
  #valid = 0;
  #usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

  add({ status, finishReason, toolCallsValid, usage }: RecordFacts): void {
    if (status === 'success') this.#success += 1;
    else this.#failure += 1;
    if (finishReason !== null) this.#count(finishReason);
    if (toolCallsValid === true) this.#valid += 1;
    if (usage === null) return;
    this.#usage.prompt_tokens += usage.prompt_tokens;
    this.#usage.completion_tokens += usage.completion_tokens;
    this.#usage.total_tokens += usage.total_tokens;
  }

  #count(reason: string): void {
    const isNew = !this.#finish.has(reason) && reason !== 'stop' && reason !== 'tool_calls';
    const key = isNew && this.#finish.size >= MAX_REASONS ? FURTHER_REASONS : reason;
    this.#finish.set(key, (this.#finish.get(key) ?? 0) + 1);
  }

  of({ model, startedAt, finishedAt }: RunTimes): object {
    const others = [...this.#finish].filter(
      ([reason]) => reason !== 'stop' && reason !== 'tool_calls',
    );
    const toolCalls = this.#finish.get('tool_calls') ?? 0;
    return {
      model,
      success_count: this.#success,
      failure_count: this.#failure,
      finish_stop: this.#finish.get('stop') ?? 0,
      finish_tool_calls: toolCalls,
      finish_others: others.reduce((sum, [, count]) => sum + count, 0),
      finish_others_detail: Object.fromEntries(others),
      schema_validation_error_count: toolCalls - this.#valid,
      successful_tool_call_count: this.#valid,
      usage: this.#usage,
      eval_started_at: new Date(startedAt).toISOString(),
      eval_finished_at: new Date(finishedAt).toISOString(),
      eval_duration_ms: Math.max(0, Math.floor(finishedAt - startedAt)),
    };
  }
}

async function writeThenRename(
  path: string,
  body: (write: (text: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const aside = `${path}.part`;
  const file = await open(aside, 'w');
  try {
    await gathered(file, body);
  } finally {
    await file.close();
  }
  await rename(aside, path);
}

async function gathered(
  file: FileHandle,
  body: (write: (text: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  let waiting: string[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    await file.appendFile(waiting.join(''));
    waiting = [];
    size = 0;
  };
  await body(async (text) => {
    waiting.push(text);
    size += text.length;
    if (size >= CHUNK) await flush();
  });
  await flush();
}
