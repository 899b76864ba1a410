import { afterEach, beforeEach, describe, expect, it, test } from '@jest/globals';
import { openGitHub } from '../../src/github/client.js';
import { type CommentRequest, publishComment } from '../../src/github/comment.js';
import { formatMarker, type Marker } from '../../src/github/marker.js';
import { ACTIONS_BOT, type FakeGitHub, startFakeGitHub, TOKENS } from '../support/fake-github.js';
import { stoppedClock } from './stopped-clock.js';

const SHA = 'c'.repeat(40);
const PULLS = [
  { number: 2, sha: SHA },
  { number: 3, sha: 'd'.repeat(40), locked: true },
];
let fake: FakeGitHub;

beforeEach(async () => {
  fake = await startFakeGitHub({ pulls: PULLS });
});
afterEach(() => fake.close());

const marker: Marker = {
  reportId: 'gate',
  runId: 100,
  attempt: 1,
  headSha: SHA,
  verdict: 'fail',
  failedGates: ['f1 >= 0.73'],
};
type Changes = Partial<Omit<CommentRequest, 'marker'>> & {
  marker?: Partial<Marker>;
  token?: string;
  restricted?: 'fork';
};

async function publish({
  marker: changes,
  token = 'ghs_write',
  restricted,
  ...rest
}: Changes = {}) {
  const opened = await openGitHub({
    token,
    apiUrl: fake.url,
    userAgent: 'vendor-gate/test',
    clock: stoppedClock(),
    restricted: restricted ?? null,
  });
  if (opened.kind === 'failed') throw new Error(opened.message);
  return publishComment(opened.value, {
    repository: { owner: 'octo', name: 'hello' },
    pullRequest: 2,
    marker: { ...marker, ...changes },
    when: 'always',
    mode: 'update',
    failing: true,
    body: (line) => `${line}\n${changes?.verdict ?? 'fail'} of run ${changes?.runId ?? 100}`,
    ...rest,
  });
}

const existing = (changes: Partial<Marker> = {}, text = 'old'): string =>
  `${formatMarker({ ...marker, runId: 90, ...changes })}\n${text}`;
const texts = (): string[] =>
  fake.comments(2).map(({ body }) => body.split('\n').slice(1).join('\n'));
const ops = (): string[] => fake.calls.map(({ op }) => op.replace('issues/', ''));
const pass = { verdict: 'pass', failedGates: [] } as const;

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
    fake = await startFakeGitHub({ pulls: PULLS, graphql: false });
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
