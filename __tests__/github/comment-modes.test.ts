import { afterEach, beforeEach, describe, expect, it, test } from '@jest/globals';
import type { CommentRequest } from '../../src/github/comment.js';
import { existing, fake, ops, pass, publish, start, stop, texts } from './publishing.js';

beforeEach(() => start());
afterEach(stop);

describe('when to comment', () => {
  const passed = existing({ ...pass });
  test.each<
    [CommentRequest['when'], 'failing' | 'passing', string, string | null, string, string[]]
  >([
    ['always', 'failing', 'no comment', null, 'created', ['fail of run 100']],
    ['always', 'passing', 'no comment', null, 'created', ['pass of run 100']],
    ['always', 'failing', 'the same in it', existing(), 'updated', ['fail of run 100']],
    ['on-change', 'failing', 'no comment', null, 'created', ['fail of run 100']],
    ['on-change', 'passing', 'no comment', null, 'created', ['pass of run 100']],
    ['on-change', 'failing', 'the same in it', existing(), 'unchanged', ['old']],
    ['on-change', 'passing', 'the same in it', passed, 'unchanged', ['old']],
    ['on-change', 'passing', 'another verdict', existing(), 'updated', ['pass of run 100']],
    [
      'on-change',
      'failing',
      'other failed gates',
      existing({ failedGates: ['a > 1'] }),
      'updated',
      ['fail of run 100'],
    ],
    ['on-failure', 'failing', 'no comment', null, 'created', ['fail of run 100']],
    ['on-failure', 'passing', 'no comment', null, 'not-needed', []],
    ['on-failure', 'passing', 'a failure: recovered', existing(), 'updated', ['pass of run 100']],
    ['on-failure', 'failing', 'a recovery', passed, 'updated', ['fail of run 100']],
    ['never', 'failing', 'a failure', existing(), 'off', ['old']],
  ])('%s, %s, %s', async (when, how, _, before, did, after) => {
    if (before) fake.addComment({ issue: 2, body: before });
    const failing = how === 'failing';
    const result = await publish({ when, failing, marker: failing ? {} : pass });
    const stands = after.length > 0 && when !== 'never';
    expect(result).toMatchObject({
      kind: 'ok',
      value: { did, commentId: stands ? 5000 : null, warnings: [] },
    });
    expect(texts()).toEqual(
      after.map((text) => (failing ? text : text.replace('fail of', 'pass of'))),
    );
    if (when === 'never') expect(fake.calls).toEqual([]);
  });

  it('on-change: a run between the two that finishes late is still older', async () => {
    await publish({ when: 'on-change' });
    await publish({ when: 'on-change', marker: { runId: 102 } });
    expect(texts()).toEqual(['fail of run 100']);
    expect(await publish({ when: 'on-change', marker: { runId: 101, ...pass } })).toMatchObject({
      value: { did: 'stale' },
    });
    expect(texts()).toEqual(['fail of run 100']);
  });
});

describe('recreate', () => {
  it('posts a new comment, then deletes the old ones', async () => {
    fake.addComment({ issue: 2, body: existing() });
    fake.addComment({ issue: 2, body: existing() });
    expect(await publish({ mode: 'recreate' })).toMatchObject({
      value: { did: 'recreated', commentId: 5002 },
    });
    expect(texts()).toEqual(['fail of run 100']);
    expect(ops()).toEqual([
      'list-comments',
      'graphql',
      'create-comment',
      'delete-comment',
      'delete-comment',
    ]);
  });

  it('keeps the old comment when the new one is refused', async () => {
    fake.addComment({ issue: 2, body: existing() });
    fake.script('issues/create-comment', {
      status: 403,
      message: 'Resource not accessible by integration',
    });
    expect(await publish({ mode: 'recreate' })).toMatchObject({ kind: 'failed', status: 403 });
    expect(texts()).toEqual(['old']);
  });

  it('leaves an unchanged comment where it is', async () => {
    fake.addComment({ issue: 2, body: existing() });
    expect(await publish({ mode: 'recreate', when: 'on-change' })).toMatchObject({
      value: { did: 'unchanged', commentId: 5000 },
    });
  });
});
