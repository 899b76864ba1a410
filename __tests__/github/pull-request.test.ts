import { afterEach, beforeEach, expect, it, test } from '@jest/globals';
import { openGitHub } from '../../src/github/client.js';
import { readEvent } from '../../src/github/event.js';
import { findPullRequest } from '../../src/github/pull-request.js';
import { type FakeGitHub, startFakeGitHub } from '../support/fake-github.js';
import { changed, payload } from './payloads.js';
import { stoppedClock } from './stopped-clock.js';

const RUN = '3484a3fb816e0859fd6e1cea078d76385ff50625';
const PUSH = '6113728f27ae82c7b1a177c8d03f9e96e0adf246';
const env = { GITHUB_REPOSITORY: 'octo/hello', GITHUB_SHA: 'e'.repeat(40) };
let fake: FakeGitHub;

beforeEach(async () => {
  fake = await startFakeGitHub({
    pulls: [
      { number: 4, sha: RUN, state: 'closed', headOwner: 'mallory', branch: 'master' },
      { number: 5, sha: RUN, headOwner: 'mallory', branch: 'master' },
      { number: 6, sha: 'f'.repeat(40), headOwner: 'mallory', branch: 'master' },
      { number: 7, sha: PUSH, state: 'closed', branch: 'merged' },
      { number: 9, sha: PUSH, branch: 'change', base: 'next' },
      { number: 8, sha: PUSH, branch: 'change' },
    ],
  });
});
afterEach(() => fake.close());

async function find(event: string, body: unknown, variables: Record<string, string> = env) {
  const opened = await openGitHub({
    token: 'ghs_read',
    apiUrl: fake.url,
    userAgent: 'x',
    clock: stoppedClock(),
    restricted: null,
  });
  if (opened.kind === 'failed') throw new Error(opened.message);
  return findPullRequest(opened.value, readEvent(event, body, variables));
}
const ops = () => fake.calls.map(({ op, query }) => [op, query['head']].filter(Boolean).join(' '));
const ofFork = () =>
  changed(payload('workflow_run', 1), 'workflow_run.head_repository', {
    id: 77,
    owner: { login: 'mallory' },
  });

it('workflow_run of a fork: by owner and branch, still open and still at this commit', async () => {
  expect(await find('workflow_run', ofFork())).toMatchObject({
    kind: 'ok',
    value: {
      pullRequest: 5,
      headSha: RUN,
      fromFork: true,
      baseRef: 'main',
      restricted: null,
      lookUp: false,
    },
  });
  expect(ops()).toEqual([
    'repos/list-pull-requests-associated-with-commit',
    'pulls/list mallory:master',
  ]);
});

it('push: by commit; of several the first opened, never the merged one', async () => {
  expect(await find('push', changed(payload('push', 4), 'ref', 'refs/heads/change'))).toMatchObject(
    {
      value: { pullRequest: 8, headSha: PUSH, fromFork: false, baseRef: 'main' },
    },
  );
  expect(ops()).toEqual(['repos/list-pull-requests-associated-with-commit']);
});

it('a commit that no open pull request has', async () => {
  expect(await find('workflow_dispatch', payload('workflow_dispatch'))).toMatchObject({
    kind: 'ok',
    value: { pullRequest: null, headSha: 'e'.repeat(40) },
  });
  expect(ops()).toEqual([
    'repos/list-pull-requests-associated-with-commit',
    'pulls/list octo:main',
  ]);
});

test.each([404, 409, 422])(
  'a commit that the repository does not have (%i) is looked for by branch',
  async (status) => {
    fake.script('repos/list-pull-requests-associated-with-commit', {
      status,
      message: 'No commit found for SHA',
    });
    expect(await find('workflow_run', ofFork())).toMatchObject({ value: { pullRequest: 5 } });
  },
);

it('comment on a pull request: the head by number', async () => {
  const body = changed(
    changed(payload('issue_comment'), 'issue.pull_request', {}),
    'issue.number',
    5,
  );
  expect(await find('issue_comment', body)).toMatchObject({
    value: { pullRequest: 5, headSha: RUN, fromFork: true, baseRef: 'main' },
  });
  expect(ops()).toEqual(['pulls/get']);
});

test.each([
  ['pull_request', payload('pull_request')],
  ['merge_group', payload('merge_group')],
  ['schedule', { schedule: '0 4 * * *' }],
  ['release', payload('release')],
  ['issue_comment', payload('issue_comment')],
  ['nonsense', null],
])('%s costs no request', async (event, body) => {
  const before = readEvent(event, body, env);
  expect(await find(event, body)).toEqual({ kind: 'ok', value: before });
  expect(fake.calls).toEqual([]);
});

it('without a repository nothing is asked', async () => {
  expect(await find('push', { after: PUSH }, {})).toMatchObject({ value: { pullRequest: null } });
  expect(fake.calls).toEqual([]);
});

test.each([
  [
    'the commit',
    'push',
    () => payload('push', 4),
    'repos/list-pull-requests-associated-with-commit',
  ],
  ['the branch', 'workflow_run', ofFork, 'pulls/list'],
  [
    'the number',
    'issue_comment',
    () => changed(payload('issue_comment'), 'issue.pull_request', {}),
    'pulls/get',
  ],
])('a failure to read by %s is a value', async (_, event, body, op) => {
  fake.script(op, { status: 403, message: 'Resource not accessible by integration' });
  expect(await find(event, body())).toMatchObject({ kind: 'failed', status: 403 });
});
