import { type FileHandle, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunTimes } from '../../model/benchmark.js';
import type { Observation } from '../../model/observation.js';
import { type RecordFacts, resultRecord, type Sent } from './record.js';
import type { Payload, Sample } from './sample.js';

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
  const summary = new Summary();
  const results = join(dir, 'results.jsonl');
  await writeThenRename(results, async (write) => {
    for await (const observation of observations) {
      const { sample, sent } = await load(observation.id);
      const { line, facts } = resultRecord(sample, observation, { ...sent, model: run.model });
      summary.add(facts);
      await write(`${line}\n`);
    }
  });
  const path = join(dir, 'summary.json');
  await writeThenRename(path, (write) => write(`${JSON.stringify(summary.of(run), null, 4)}\n`));
  return [results, path];
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
