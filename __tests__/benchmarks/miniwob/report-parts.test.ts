import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from '@jest/globals';
import { detailOf } from '../../../src/benchmarks/miniwob/detail.js';
import { exampleOf } from '../../../src/benchmarks/miniwob/example.js';
import { resultOf, writeResultFiles } from '../../../src/benchmarks/miniwob/files.js';
import type { Ending, Payload } from '../../../src/benchmarks/miniwob/payload.js';
import { type Episode, schedule } from '../../../src/benchmarks/miniwob/schedule.js';
import type { Exchange } from '../../../src/model/completion.js';
import type { Observation } from '../../../src/model/observation.js';
import { untrusted } from '../../../src/text/untrusted.js';
import { tempDir } from '../../support/temp-dir.js';

const [EPISODE] = schedule({
  repeats: 1,
  tasks: new Set(['miniwob.click-test']),
  limit: null,
}) as [Episode];

const EXCHANGE: Exchange = {
  status: 200,
  attempts: 1,
  firstTokenMs: null,
  totalMs: 100,
  usage: { prompt_tokens: 1000, completion_tokens: 20, total_tokens: 1020 },
  warnings: [],
  headers: {},
  served: null,
  inFlight: 1,
};
const ABOUT = { id: 'click-test.0', attempt: 1, startedAt: 0, durationMs: 900 };

function measured(change: Partial<Payload> = {}): Observation<Payload> {
  const payload: Payload = {
    success: false,
    ending: 'max_steps',
    reward: 0,
    rawReward: 0,
    modelCalls: 3,
    steps: 2,
    error: null,
    browser: '156.0',
    trace: 'episodes/click-test.0/trace.jsonl',
    goal: untrusted('Click the button.'),
    lastActions: [untrusted('noop()'), untrusted('click("9")')],
    ...change,
  };
  return { kind: 'measured', payload, ...ABOUT, exchanges: [EXCHANGE, EXCHANGE, EXCHANGE] };
}

const LOST: Observation<Payload> = {
  kind: 'unmeasured',
  cause: 'timeout',
  detail: untrusted('after 60 s'),
  ...ABOUT,
  exchanges: [{ ...EXCHANGE, usage: null }],
};

describe('an episode to look at', () => {
  it('is none when it was solved', () => {
    expect(exampleOf(EPISODE, measured({ success: true, ending: 'done' }))).toBeNull();
  });

  it('tells goal, last actions and why', () => {
    expect(
      exampleOf(EPISODE, measured({ ending: 'invalid_action', error: untrusted('no string') })),
    ).toEqual({
      id: 'click-test.0',
      kind: 'invalid_action',
      rank: 1,
      title: 'click-test: an action that is no call of an allowed function',
      prompt: 'Click the button.',
      official: '',
      vendor: 'noop()\nclick("9")',
      detail:
        'no string\nRaw reward 0; actions: 2; calls of the model: 3.\nTrace: episodes/click-test.0/trace.jsonl',
    });
  });

  test.each<[Ending, string]>([
    ['done', 'wrong'],
    ['max_steps', 'max_steps'],
    ['idle', 'idle'],
    ['malformed', 'idle'],
    ['environment', 'environment'],
    ['model', 'model'],
    ['context', 'model'],
  ])('%s is of the kind %s', (ending, kind) => {
    expect(exampleOf(EPISODE, measured({ ending }))?.kind).toBe(kind);
  });

  it('without an answer names the cause', () => {
    expect(exampleOf(EPISODE, LOST)).toMatchObject({
      kind: 'unanswered',
      prompt: 'miniwob.click-test',
      detail: 'no complete answer within request-timeout: after 60 s',
    });
  });
});

describe('the parts of the report', () => {
  it('name what failed, most frequent first', () => {
    const counts = {
      episodes: 10,
      unmeasured: 1,
      'failed.idle': 1,
      'failed.max_steps': 3,
      'wire.foreign_call_id': 4,
    };
    expect(detailOf(counts)).toEqual({
      confusion: null,
      reasons: [
        {
          name: 'failures',
          title: 'episodes that were not solved',
          unit: 'episodes',
          of: 9,
          rows: [
            { key: 'max_steps', text: 'the steps were used up', count: 3 },
            {
              key: 'idle',
              text: 'too many turns in a row without exactly one tool call',
              count: 1,
            },
          ],
        },
      ],
      warnings: [
        {
          name: 'foreign_call_id',
          count: 4,
          text: 'The id of a tool call is not of the form functions.NAME:INDEX.',
        },
      ],
    });
  });

  it('are empty where all is well', () => {
    expect(detailOf({ episodes: 3 })).toEqual({ confusion: null, reasons: [], warnings: [] });
  });
});

describe('results.jsonl', () => {
  it('has a line an episode, in the order given', async () => {
    const dir = tempDir();
    async function* observations(): AsyncIterable<Observation<Payload>> {
      yield measured({ success: true, ending: 'done', reward: 1, rawReward: 1 });
      yield LOST;
    }
    const files = await writeResultFiles(dir, observations(), () => EPISODE);
    expect(files).toEqual([join(dir, 'results.jsonl')]);
    const lines = readFileSync(join(dir, 'results.jsonl'), 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      {
        id: 'click-test.0',
        task: 'miniwob.click-test',
        category: 'original',
        seed: EPISODE.seed,
        math_seed: EPISODE.mathSeed,
        prompt_tokens: 3000,
        completion_tokens: 60,
        status: 'measured',
        success: true,
        raw_reward: 1,
        last_actions: ['noop()', 'click("9")'],
      },
      { status: 'unmeasured', cause: 'timeout', detail: 'after 60 s', prompt_tokens: 0 },
    ]);
  });

  it('holds nothing that a journal would not', () => {
    expect(Object.keys(resultOf(EPISODE, LOST))).toEqual([
      'id',
      'task',
      'category',
      'split',
      'repeat',
      'seed',
      'math_seed',
      'attempt',
      'duration_ms',
      'prompt_tokens',
      'completion_tokens',
      'status',
      'cause',
      'detail',
    ]);
  });
});
