import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import { givenPages, type Pages } from '../../../src/benchmarks/miniwob/assets.js';
import { openPool, type Pool } from '../../../src/benchmarks/miniwob/browser/pool.js';
import type { View } from '../../../src/benchmarks/miniwob/environment.js';
import { schedule } from '../../../src/benchmarks/miniwob/schedule.js';
import { bidOf, call, pngSize, testBrowser } from '../../support/miniwob-browser.js';

/** The folder with the real pages, which this project does not hold; see scripts/miniwob-parity.mjs. */
const PAGES = process.env['MINIWOB_PAGES'] ?? '';

interface FirstObservation {
  readonly task: string;
  readonly math_seed: number;
  readonly goal: string;
  readonly accessibility_text: string;
}

const { observations } = JSON.parse(
  readFileSync(new URL('../../fixtures/miniwob-first-observations.json', import.meta.url), 'utf8'),
) as { observations: readonly FirstObservation[] };

/** Driven by timers or by today's date, so their texts differ from one look to the next. */
const TIMED = new Set(['miniwob.stock-market', 'miniwob.terminal']);

const EPISODES = schedule({ repeats: 1, tasks: null, limit: null });
const RULES = { maxSteps: 10, successThreshold: 0, urlCheck: 'strict' } as const;

let pages: Pages;
let pool: Pool | undefined;
const views = new Map<string, View>();

beforeAll(async () => {
  pages = await givenPages(PAGES, 'MINIWOB_PAGES');
  const deadlines = { launchMs: 120_000, resetMs: 120_000, stepMs: 120_000 };
  const opened = await openPool({
    executable: testBrowser(),
    assetsDir: pages.dir,
    workers: Math.min(availableParallelism(), 8),
    env: process.env,
    deadlines,
  });
  pool = opened;
  await Promise.all(
    EPISODES.map(async ({ task, mathSeed }) => {
      const episode = await opened.episode({ task: task.name, mathSeed, ...RULES });
      views.set(task.name, await episode.reset());
      await episode.close();
    }),
  );
}, 1_800_000);

afterAll(() => pool?.close());

it('looks at the pages of the pinned commit', () => {
  expect(pages.pinned).toBe(true);
});

describe('the first look at a task', () => {
  test.each(observations)('$task', ({ task, math_seed, goal, accessibility_text }) => {
    expect(EPISODES.find((episode) => episode.task.name === task)?.mathSeed).toBe(math_seed);
    const view = views.get(task);
    expect(view?.goal).toBe(goal);
    if (!TIMED.has(task)) expect(view?.tree).toBe(accessibility_text);
  });

  test.each(EPISODES.map(({ task }) => task.name))(
    '%s has a goal, a text and a picture',
    (task) => {
      const view = views.get(task);
      expect(view).toMatchObject({ step: 0, done: false, reward: 0, actionError: '' });
      expect(view?.goal).not.toBe('');
      expect(view?.tree).toMatch(/^RootWebArea '.+', focused(\n|$)/);
      expect(pngSize(view?.screenshot ?? Buffer.alloc(24))).toEqual({ width: 498, height: 321 });
    },
  );
});

describe('a task', () => {
  async function play(page: string, act: (view: View) => readonly Parameters<typeof call>[]) {
    const planned = EPISODES.find(({ task }) => task.page === page);
    if (planned === undefined || pool === undefined) throw new Error(`no task ${page}`);
    const { task, mathSeed } = planned;
    const episode = await pool.episode({ task: task.name, mathSeed, ...RULES });
    try {
      let view = await episode.reset();
      for (const action of act(view)) view = await episode.step(call(...action));
      return view;
    } finally {
      await episode.close();
    }
  }

  it('is solved by the right action', async () => {
    const view = await play('click-test', ({ tree }) => [['click', bidOf(tree, 'button')]]);
    expect(view).toMatchObject({ reward: 1, rawReward: 1, done: true });
  });

  it('is lost by the wrong one', async () => {
    const view = await play('click-test-2', ({ tree }) => [['click', bidOf(tree, "'TWO'")]]);
    expect(view).toMatchObject({ reward: 0, rawReward: -1, done: true });
  });

  it('can be solved with the clipboard', async () => {
    const view = await play('copy-paste', ({ tree }) => {
      const [from, to] = [...tree.matchAll(/\[(\d+)\] textbox/g)].map((match) => match[1] ?? '');
      return [
        ['click', from ?? ''],
        ['keyboard_press', 'Control+a'],
        ['keyboard_press', 'Control+c'],
        ['click', to ?? ''],
        ['keyboard_press', 'Control+v'],
        ['click', bidOf(tree, "button 'Submit'")],
      ];
    });
    expect(view).toMatchObject({ reward: 1, rawReward: 1, done: true });
  });

  it('says when a date cannot be set', async () => {
    const view = await play('enter-date', ({ tree }) => [['fill', bidOf(tree, '] Date '), 'soon']]);
    expect(view).toMatchObject({ done: false });
    expect(view.actionError).toBe('Error: Locator.fill: Error: Malformed value');
  });
});
