import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { playEpisode } from '../../../src/benchmarks/miniwob/agent-loop.js';
import { Evidence } from '../../../src/benchmarks/miniwob/evidence.js';
import { type Episode, schedule } from '../../../src/benchmarks/miniwob/schedule.js';
import type { JsonObject } from '../../../src/model/json.js';
import { ACT, answer, fakeEnvironment, RULES, SOLVED, stubModel } from '../../support/miniwob.js';
import { tempDir } from '../../support/temp-dir.js';

const [EPISODE] = schedule({
  repeats: 1,
  tasks: new Set(['miniwob.click-test']),
  limit: null,
}) as [Episode];

async function played(
  dir: string,
  replies = [ACT],
  after: Parameters<typeof fakeEnvironment>[0] = { 1: SOLVED },
): Promise<Error | null> {
  const model = stubModel(replies);
  const evidence = new Evidence(dir, EPISODE, model.clock);
  await playEpisode(fakeEnvironment(after), model, RULES, evidence.record);
  return evidence.close();
}

const FOLDER = join('episodes', 'click-test.0');
const linesIn = (dir: string): JsonObject[] =>
  readFileSync(join(dir, FOLDER, 'trace.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject);

describe('what is kept of an episode', () => {
  it('is a trace and a picture of every step', async () => {
    const dir = tempDir();
    expect(await played(dir)).toBeNull();
    expect(readdirSync(join(dir, FOLDER)).sort()).toEqual([
      'step-000.png',
      'step-001.png',
      'trace.jsonl',
    ]);
    expect([...readFileSync(join(dir, FOLDER, 'step-001.png'))]).toEqual([1]);
    const lines = linesIn(dir);
    expect(lines.map(({ kind }) => kind)).toEqual([
      'start',
      'message',
      'message',
      'answer',
      'message',
      'step',
      'message',
      'message',
      'end',
    ]);
    expect(lines[0]).toMatchObject({ task: 'miniwob.click-test', math_seed: EPISODE.mathSeed });
    // The picture by its name instead of its bytes.
    expect(lines[2]).toMatchObject({
      message: {
        role: 'user',
        content: [
          { type: 'text' },
          { type: 'image_url', image_url: { url: 'step-000.png', detail: 'auto' } },
        ],
      },
    });
    expect(lines[3]).toMatchObject({ finish_reason: 'tool_calls', ms: 5 });
    expect(lines[5]).toMatchObject({ action: 'click("7")', step: 1, reward: 1, done: true });
    expect(lines[8]).toMatchObject({ success: true, ending: 'done' });
    expect(readFileSync(join(dir, FOLDER, 'trace.jsonl'), 'utf8')).not.toContain('base64');
  });

  it('replaces what an earlier attempt left', async () => {
    const dir = tempDir();
    mkdirSync(join(dir, FOLDER), { recursive: true });
    writeFileSync(join(dir, FOLDER, 'step-009.png'), 'old');
    writeFileSync(join(dir, FOLDER, 'trace.jsonl'), 'old\n');
    await played(dir);
    expect(existsSync(join(dir, FOLDER, 'step-009.png'))).toBe(false);
    expect(linesIn(dir)[0]).toMatchObject({ kind: 'start' });
  });

  it('is bounded, whatever the model says', async () => {
    const dir = tempDir();
    await played(dir, [answer({ content: 'x'.repeat(1_000_000) }), ACT]);
    const text = readFileSync(join(dir, FOLDER, 'trace.jsonl'), 'utf8');
    expect(text.length).toBeLessThan(60_000);
    expect(text).toContain('… (980000 more)');
  });

  it('costs nothing but itself when it cannot be written', async () => {
    const dir = tempDir();
    writeFileSync(join(dir, 'episodes'), 'in the way');
    expect((await played(dir))?.message).toMatch(/EEXIST|ENOTDIR/);
  });
});
