import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../model/clock.js';
import type { Completion } from '../../model/completion.js';
import type { JsonObject } from '../../model/json.js';
import type { Episode } from './schedule.js';
import { bounded, type TraceEvent } from './trace.js';

/**
 * What is kept of one episode: `episodes/ID/trace.jsonl`, a line an event, and its screenshots. Written as the episode
 * goes, so that one which hangs or is cut off can be looked at.
 */
export class Evidence {
  /** Of the trace, below the benchmark's directory. */
  readonly path: string;
  readonly #dir: string;
  readonly #clock: Clock;
  readonly #start: number;
  #writing: Promise<void> = Promise.resolve();
  #fault: Error | null = null;

  /** @param dir the benchmark's directory; what an earlier attempt at the episode left there is removed */
  constructor(dir: string, episode: Episode, clock: Clock) {
    const folder = join('episodes', episode.id);
    this.path = join(folder, 'trace.jsonl');
    this.#dir = join(dir, folder);
    this.#clock = clock;
    this.#start = clock.elapsed();
    this.#then(async () => {
      await rm(this.#dir, { recursive: true, force: true });
      await mkdir(this.#dir, { recursive: true });
    });
    const { id, task, seed, mathSeed } = episode;
    this.#line({ at_ms: 0, kind: 'start', id, task: task.name, seed, math_seed: mathSeed });
  }

  /** Takes an event down. A disk that is full costs the evidence, never the episode. */
  readonly record = (event: TraceEvent): void => {
    if (event.kind === 'screenshot') {
      this.#then(() => writeFile(join(this.#dir, event.name), event.png));
      return;
    }
    const ms = Math.round(this.#clock.elapsed() - this.#start);
    this.#line({ at_ms: ms, ...lineOf(event) });
  };

  /** Resolves when everything is written. @returns why not all of it could be, or null */
  async close(): Promise<Error | null> {
    await this.#writing;
    return this.#fault;
  }

  #line(line: JsonObject): void {
    const text = `${JSON.stringify(bounded(line))}\n`;
    this.#then(() => appendFile(join(this.#dir, 'trace.jsonl'), text));
  }

  /** One after the other, and nothing more after the first fault. */
  #then(write: () => Promise<void>): void {
    this.#writing = this.#writing.then(async () => {
      if (this.#fault !== null) return;
      try {
        await write();
      } catch (error) {
        this.#fault = error as Error;
      }
    });
  }
}

function lineOf(event: Exclude<TraceEvent, { kind: 'screenshot' }>): JsonObject {
  switch (event.kind) {
    case 'message':
      return { kind: 'message', message: event.message };
    case 'answer':
      return { kind: 'answer', ms: Math.round(event.ms), ...answerOf(event.completion) };
    case 'step': {
      const { step, reward, rawReward, done, actionError, url } = event.view;
      return {
        kind: 'step',
        ms: Math.round(event.ms),
        action: event.action,
        step,
        reward,
        raw_reward: rawReward,
        done,
        error: actionError,
        url,
      };
    }
    case 'error':
      return { kind: 'error', what: event.what, text: event.text };
    case 'end':
      return { kind: 'end', ...event.result };
  }
}

/** The answer as it came: the messages hold it in the form in which it is sent back. */
function answerOf({ finishReason, content, reasoning, toolCalls, usage }: Completion): JsonObject {
  return {
    finish_reason: finishReason,
    content,
    reasoning,
    tool_calls: toolCalls?.map(({ id, name, arguments: args }) => ({ id, name, args })) ?? null,
    usage: usage === null ? null : { ...usage },
  };
}
