import { afterEach, beforeEach, describe, expect, it, test } from '@jest/globals';
import { formatMarker } from '../../src/github/marker.js';
import { ACTIONS_BOT, type FakeGitHub, TOKENS } from '../support/fake-github.js';
import { existing, fake, marker, ops, pass, publish, start, stop, texts } from './publishing.js';

beforeEach(() => start());
afterEach(stop);

describe('one comment', () => {
  it('is created with the marker first', async () => {
    expect(await publish()).toEqual({
      kind: 'ok',
      value: {
        did: 'created',
        commentId: 5000,
        url: 'https://github.test/octo/hello/pull/2#issuecomment-5000',
        warnings: [],
      },
    });
    expect(fake.comments(2).map(({ body }) => body)).toEqual([
      `${formatMarker(marker)}\nfail of run 100`,
    ]);
    // Nobody is asked who we are before there is anything of ours.
    expect(ops()).toEqual(['list-comments', 'create-comment']);
  });

  it('is updated in place by the next run', async () => {
    await publish();
    expect(await publish({ marker: { runId: 101, ...pass } })).toMatchObject({
      value: { did: 'updated', commentId: 5000 },
    });
    expect(fake.comments(2).map(({ id, body }) => [id, body])).toEqual([
      [5000, `${formatMarker({ ...marker, runId: 101, ...pass })}\npass of run 101`],
    ]);
    expect(ops().slice(2)).toEqual(['list-comments', 'graphql', 'update-comment']);
  });

  it('is one for each report-id', async () => {
    await publish({ marker: { reportId: 'leg a' } });
    await publish({ marker: { reportId: 'leg b' } });
    await publish({ marker: { reportId: 'leg a', runId: 101 } });
    expect(texts()).toEqual(['fail of run 101', 'fail of run 100']);
  });

  it('is found after the first hundred comments', async () => {
    for (let i = 0; i < 250; i++)
      fake.addComment({ issue: 2, body: i === 230 ? existing() : `talk ${i}` });
    expect(await publish()).toMatchObject({ value: { did: 'updated', commentId: 5230 } });
    expect(
      fake.calls.filter(({ op }) => op === 'issues/list-comments').map(({ query }) => query),
    ).toEqual([
      { per_page: '100' },
      { per_page: '100', page: '2' },
      { per_page: '100', page: '3' },
    ]);
  });

  it('is created anew when somebody deletes it meanwhile', async () => {
    fake.addComment({ issue: 2, body: existing() });
    fake.script('issues/update-comment', { status: 404, message: 'Not Found' });
    expect(await publish()).toMatchObject({ value: { did: 'created', commentId: 5001 } });
  });
});

describe('whose comment', () => {
  const ada = TOKENS['ghp_person'] ?? ACTIONS_BOT;
  const app = TOKENS['ghs_app'] ?? ACTIONS_BOT;

  test.each<[string, string, Parameters<FakeGitHub['addComment']>[0], boolean]>([
    [
      "a person's copy of our marker",
      'ghs_write',
      { issue: 2, body: existing(), author: ada },
      false,
    ],
    [
      "another bot's copy",
      'ghs_write',
      { issue: 2, body: existing(), author: app, app: true },
      false,
    ],
    [
      'a person with a name like ours',
      'ghs_write',
      { issue: 2, body: existing(), author: { login: 'github-actions[bot]', id: 5, type: 'User' } },
      false,
    ],
    [
      "a person's token, that person's comment",
      'ghp_person',
      { issue: 2, body: existing(), author: ada },
      true,
    ],
    [
      "a person's token, the workflow's comment",
      'ghp_person',
      { issue: 2, body: existing() },
      false,
    ],
    [
      "an App's token, its comment",
      'ghs_app',
      { issue: 2, body: existing(), author: app, app: true },
      true,
    ],
  ])('%s', async (_, token, comment, ours) => {
    const { id } = fake.addComment(comment);
    expect(await publish({ token })).toMatchObject({
      value: ours ? { did: 'updated', commentId: id } : { did: 'created', commentId: id + 1 },
    });
    expect(fake.comments(2)[0]?.body === existing()).toBe(!ours);
  });

  test.each<[string, Parameters<FakeGitHub['addComment']>[0], boolean]>([
    ["the workflow's", { issue: 2, body: existing() }, true],
    ["an App's", { issue: 2, body: existing(), author: app, app: true }, true],
    ["a bot's that is no App", { issue: 2, body: existing(), author: app }, false],
    ["a person's", { issue: 2, body: existing(), author: ada }, false],
    ["a person's through an App", { issue: 2, body: existing(), author: ada, app: true }, false],
  ])('without GraphQL: %s', async (_, comment, ours) => {
    await fake.close();
    await start({ graphql: false });
    fake.addComment(comment);
    expect(await publish()).toMatchObject({ value: { did: ours ? 'updated' : 'created' } });
  });

  it('is not decided by a marker in what a vendor wrote', async () => {
    const injected = `**Fail**\n\n> ${formatMarker({ ...marker, runId: 999 })}`;
    fake.addComment({ issue: 2, body: injected });
    fake.addComment({
      issue: 2,
      body: `${formatMarker({ ...marker, reportId: 'other' })}\n${existing()}`,
    });
    expect(await publish()).toMatchObject({ value: { did: 'created', commentId: 5002 } });
    expect(fake.comments(2)[0]?.body).toBe(injected);
  });
});

describe('runs that overtake one another', () => {
  test.each([
    ['an older run', { runId: 99 }, 'stale'],
    ['an earlier attempt', { runId: 100, attempt: 1 }, 'stale'],
    ['the same attempt', { runId: 100, attempt: 2 }, 'updated'],
    ['a later attempt', { runId: 100, attempt: 3 }, 'updated'],
    ['a newer run', { runId: 101, attempt: 1 }, 'updated'],
    ['a run outside of Actions', { runId: null, attempt: 1 }, 'updated'],
  ])('%s', async (_, changes, did) => {
    fake.addComment({ issue: 2, body: existing({ runId: 100, attempt: 2 }) });
    for (const mode of ['update', 'recreate'] as const) {
      if (did !== 'stale' && mode === 'recreate') continue;
      expect(await publish({ marker: changes, mode })).toMatchObject({
        value: { did, commentId: 5000 },
      });
    }
    expect(texts()).toEqual([did === 'stale' ? 'old' : `fail of run ${changes.runId ?? 100}`]);
  });
});

describe('duplicates', () => {
  it('collapse to the oldest', async () => {
    for (const text of ['one', 'two', 'three'])
      fake.addComment({ issue: 2, body: existing({}, text) });
    fake.addComment({
      issue: 2,
      body: existing({}, "somebody's"),
      author: { login: 'ada', id: 1001, type: 'User' },
    });
    expect(await publish()).toMatchObject({
      value: { did: 'updated', commentId: 5000, warnings: [] },
    });
    expect(texts()).toEqual(['fail of run 100', "somebody's"]);
  });

  it('are left alone by a run older than any of them', async () => {
    fake.addComment({ issue: 2, body: existing({ runId: 80 }, 'one') });
    fake.addComment({ issue: 2, body: existing({ runId: 120 }, 'two') });
    expect(await publish()).toMatchObject({ value: { did: 'stale', commentId: 5001 } });
    expect(texts()).toEqual(['one', 'two']);
  });

  it('that cannot be deleted are a warning', async () => {
    for (const text of ['one', 'two', 'three'])
      fake.addComment({ issue: 2, body: existing({}, text) });
    fake.script(
      'issues/delete-comment',
      { status: 403, message: 'Forbidden' },
      { status: 404, message: 'Not Found' },
    );
    expect(await publish()).toMatchObject({
      kind: 'ok',
      value: {
        did: 'updated',
        warnings: [{ status: 403, message: expect.stringMatching(/delete an older/) }],
      },
    });
  });

  it('keep the newest text in the oldest place when nothing changed', async () => {
    fake.addComment({ issue: 2, body: existing({ runId: 90 }, 'older text') });
    fake.addComment({ issue: 2, body: existing({ runId: 95 }, 'newer text') });
    expect(await publish({ when: 'on-change' })).toMatchObject({
      value: { did: 'unchanged', commentId: 5000 },
    });
    expect(texts()).toEqual(['newer text']);
  });
});

describe('what can go wrong is a warning with a way out', () => {
  it('a fork: the token may only read', async () => {
    expect(await publish({ token: 'ghs_read', restricted: 'fork' })).toEqual({
      kind: 'failed',
      status: 403,
      message:
        'Could not post the pull-request comment (HTTP 403: Resource not accessible by integration - https://docs.github.com/rest).',
      fix: expect.stringMatching(/comes from a fork/),
    });
  });

  it('no permission to write', async () => {
    fake.addComment({ issue: 2, body: existing() });
    expect(await publish({ token: 'ghs_read' })).toMatchObject({
      status: 403,
      message: expect.stringMatching(/^Could not update the pull-request comment/),
      fix: expect.stringMatching(/permissions: pull-requests: write/),
    });
  });

  it('a locked conversation', async () => {
    expect(await publish({ pullRequest: 3 })).toMatchObject({
      status: 403,
      fix: expect.stringMatching(/unlock it/),
    });
  });

  it('a pull request that is gone', async () => {
    expect(await publish({ pullRequest: 9 })).toMatchObject({
      status: 404,
      message: expect.stringMatching(/read the comments/),
    });
  });

  it('issues turned off', async () => {
    fake.script('issues/create-comment', {
      status: 410,
      message: 'Issues are disabled for this repo',
    });
    expect(await publish()).toMatchObject({ status: 410 });
  });

  it('content that GitHub does not take', async () => {
    fake.script('issues/create-comment', { status: 422, message: 'Validation Failed' });
    expect(await publish()).toMatchObject({ status: 422 });
  });

  it('a creation whose answer was lost is not repeated when it was done', async () => {
    for (const lost of [{ doneThen: 502 }, { cut: 'within' }] as const) {
      fake.script('issues/create-comment', lost);
      expect(await publish({ marker: { reportId: JSON.stringify(lost) } })).toMatchObject({
        value: { did: 'created' },
      });
    }
    expect(texts()).toEqual(['fail of run 100', 'fail of run 100']);
    expect(ops().filter((op) => op === 'create-comment')).toHaveLength(2);
  });

  it('a creation whose answer was lost is repeated once when it was not done', async () => {
    fake.script('issues/create-comment', { status: 502, message: 'Bad Gateway' });
    expect(await publish()).toMatchObject({ value: { did: 'created' } });
    fake.script('issues/create-comment', { cut: 'before' }, { cut: 'before' });
    expect(await publish({ marker: { reportId: 'again' } })).toMatchObject({
      kind: 'failed',
      status: null,
    });
    expect(texts()).toEqual(['fail of run 100']);
  });

  it('a list cut in its middle does not pass for an empty one', async () => {
    fake.addComment({ issue: 2, body: existing() });
    fake.script('issues/list-comments', { cut: 'within' });
    expect(await publish()).toMatchObject({ value: { did: 'updated' } });
  });
});

describe('slips of the renderer', () => {
  it('the marker is put first when it is not', async () => {
    await publish({ body: (line) => `text\n${line}` });
    expect(await publish()).toMatchObject({ value: { did: 'updated' } });
  });

  it('a body too long is cut, the marker and whole characters kept', async () => {
    await publish({ body: (line) => `${line}\n${'😀'.repeat(40_000)}` });
    const body = fake.comments(2)[0]?.body ?? '';
    expect(body.length).toBeLessThanOrEqual(65_536);
    expect(body.length).toBeGreaterThan(65_500);
    expect(body).toMatch(/😀\n\n_Cut here: the whole report is in the job summary\._\n$/u);
    expect(body.startsWith(formatMarker(marker))).toBe(true);
  });
});
