import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from '@jest/globals';
import { miniwob } from '../../../src/benchmarks/miniwob/index.js';
import { drawOrder } from '../../../src/engine/order.js';
import type { OpenContext, Opened, RequestSettings } from '../../../src/model/benchmark.js';
import { ConfigError } from '../../../src/model/errors.js';
import type { JsonObject } from '../../../src/model/json.js';
import { downloadsIn } from '../../support/downloads.js';
import { REQUEST } from '../../support/miniwob.js';
import { tempDir } from '../../support/temp-dir.js';

/** A file that may be executed: nothing is, before the first episode. */
function browserAt(dir: string): string {
  const path = join(dir, 'chrome');
  writeFileSync(path, '#!/bin/false\n');
  chmodSync(path, 0o755);
  return path;
}

async function opened(
  options: JsonObject,
  change: { subset?: string; request?: Partial<RequestSettings> } = {},
): Promise<Opened> {
  const dir = tempDir();
  const subset = miniwob.spec.subsets.find(({ name }) => name === (change.subset ?? 'own'));
  if (subset === undefined) throw new Error('no such subset');
  const ctx: OpenContext = {
    subset,
    request: { ...REQUEST, ...change.request },
    clock: { now: () => 0, elapsed: () => 0, sleep: async () => {} },
    signal: new AbortController().signal,
    env: { PATH: '' },
    scratch: dir,
    downloads: downloadsIn(dir),
    note() {},
  };
  const given = { browser: browserAt(dir), ...options };
  return (await miniwob.open(given, ctx)) as Opened;
}

async function complaint(
  options: JsonObject,
  change: Parameters<typeof opened>[1] = {},
): Promise<string> {
  try {
    await (await opened(options, change)).close();
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}

describe('what is opened', () => {
  it('is the eight pages, each once', async () => {
    const run = await opened({});
    expect(run.keys.map(({ id }) => id)).toEqual([
      'own-click-button.0',
      'own-covered-button.0',
      'own-drag-shape.0',
      'own-fill-form.0',
      'own-hash-link.0',
      'own-late-start.0',
      'own-partial-credit.0',
      'own-shadow-frame.0',
    ]);
    expect(run.dataset).toMatchObject({ source: 'own', rows: 8, synthetic: true });
    expect(run.notComparable).toEqual(['the pages are the built-in ones']);
    await run.close();
  });

  it('has the repetitions of a task together, and a limit counts tasks', async () => {
    const run = await opened({ repeats: 2, tasks: ['own-hash-link', 'miniwob.own-fill-form'] });
    expect(run.keys).toEqual([
      { id: 'own-fill-form.0', group: 'miniwob.own-fill-form' },
      { id: 'own-fill-form.1', group: 'miniwob.own-fill-form' },
      { id: 'own-hash-link.0', group: 'miniwob.own-hash-link' },
      { id: 'own-hash-link.1', group: 'miniwob.own-hash-link' },
    ]);
    expect(drawOrder(run.keys, { order: 'file', seed: 1, limit: 1 })).toEqual([
      'own-fill-form.0',
      'own-fill-form.1',
    ]);
    await run.close();
  });

  it('gives a task its seeds whatever else is run', async () => {
    const all = await opened({});
    const one = await opened({ tasks: ['own-drag-shape'] });
    expect(await one.load('own-drag-shape.0')).toEqual(await all.load('own-drag-shape.0'));
    // The third word of MT19937(42), and what its own generator makes of it.
    expect(await one.load('own-drag-shape.0')).toMatchObject({
      seed: 4083286876,
      mathSeed: 930919,
    });
    await all.close();
    await one.close();
  });

  test.each<[string, JsonObject, Partial<RequestSettings>, object]>([
    ['by default', {}, {}, { requests: 10, tokens: null }],
    ['with a limit on tokens', { max_steps: 4 }, { maxTokens: 500 }, { requests: 4, tokens: 2000 }],
  ])('the ceiling %s', async (_, options, request, ceiling) => {
    const run = await opened(options, { request });
    expect(run.ceiling('own-drag-shape.0')).toEqual(ceiling);
    await run.close();
  });

  test.each<[string, JsonObject, Partial<RequestSettings>, boolean]>([
    ['other tasks', { tasks: ['own-hash-link'] }, {}, true],
    ['another browser', {}, {}, true],
    ['more steps', { max_steps: 11 }, {}, false],
    ['another threshold', { success_threshold: 0.5 }, {}, false],
    ['no images', { image: false }, {}, false],
    ['another temperature', {}, { temperature: 1 }, false],
    ['other seeds', { repeats: 5 }, {}, false],
  ])('%s: may a run be continued?', async (_, options, request, same) => {
    const one = await opened({});
    const other = await opened(options, { request });
    expect(other.fingerprint.digest === one.fingerprint.digest).toBe(same);
    await one.close();
    await other.close();
  });

  test.each<[string, JsonObject, Partial<RequestSettings>, string]>([
    ['image', { image: false }, {}, 'image: false, the model gets no screenshots'],
    [
      'history',
      { history: 'last-image' },
      {},
      'history: last-image, the model gets the newest screenshot only',
    ],
    ['tasks', { tasks: ['own-hash-link', 'own-fill-form'] }, {}, 'tasks chooses 2 of 8'],
    ['steps', { max_steps: 20 }, {}, 'max_steps 20 instead of 10'],
    ['threshold', { success_threshold: 0.5 }, {}, 'success_threshold 0.5 instead of 0'],
    ['address', { url_check: 'ignore-hash' }, {}, 'url_check: ignore-hash'],
    ['repeats', { repeats: 3 }, {}, 'repeats 3 instead of 1 or 5'],
    ['temperature', {}, { temperature: 1 }, 'temperature 1 instead of 0'],
    ['max_tokens', {}, { maxTokens: 100 }, 'max_tokens 100 instead of none'],
    ['extra-body', {}, { extraBody: { top_p: 0.9, user: 'me' } }, 'extra-body sets top_p'],
  ])('not comparable: %s', async (_, options, request, reason) => {
    const run = await opened(options, { request });
    expect(run.notComparable.slice(1)).toEqual([reason]);
    await run.close();
  });
});

describe('what cannot be opened', () => {
  test.each<[string, JsonObject, Parameters<typeof opened>[1], string]>([
    [
      'an unknown task',
      { tasks: ['own-hash-lnk'] },
      {},
      'datasets.miniwob.tasks: There is no task "own-hash-lnk" in the subset own. Did you mean own-hash-link?',
    ],
    [
      'a task of the other subset',
      { tasks: ['click-test'] },
      {},
      'datasets.miniwob.tasks: There is no task "click-test" in the subset own. docs/miniwob.md lists them.',
    ],
    [
      'a browser that is none',
      { browser: '/nowhere/chrome' },
      {},
      'datasets.miniwob.browser: names `/nowhere/chrome`, which is not a program that may be run. Give the path of Chrome or Chromium itself.',
    ],
    [
      'pages for those that bring their own',
      { assets: 'x' },
      {},
      'datasets.miniwob.assets: `x` is not used: the subset own has pages of its own. Leave it out, or choose miniwob/default.',
    ],
    [
      'messages of the user',
      {},
      { request: { extraBody: { messages: [] } } },
      'extra-body: It sets messages, which are the episode itself in miniwob. Leave messages out.',
    ],
  ])('%s', async (_, options, change, message) => {
    expect(await complaint(options, change)).toBe(message);
  });

  it('no pages where it is told to look', async () => {
    const message = await complaint({ assets: '/nowhere' }, { subset: 'default' });
    expect(message).toMatch(
      /^datasets\.miniwob\.assets: `\/nowhere` holds no pages of MiniWoB\+\+/,
    );
  });
});
