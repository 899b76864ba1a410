import { afterEach, beforeEach, describe, expect, it, test } from '@jest/globals';
import { type GitHub, type GitHubSettings, openGitHub } from '../../src/github/client.js';
import { type FakeGitHub, startFakeGitHub } from '../support/fake-github.js';
import type { Step } from '../support/fake-replies.js';
import { stoppedClock } from './stopped-clock.js';

const START = Date.UTC(2026, 0, 1);
let fake: FakeGitHub;
let clock: ReturnType<typeof stoppedClock>;

beforeEach(async () => {
  clock = stoppedClock(START);
  fake = await startFakeGitHub({ pulls: [{ number: 2, sha: 'c'.repeat(40) }] });
});
afterEach(() => fake.close());

async function open(settings: Partial<GitHubSettings> = {}): Promise<GitHub> {
  const opened = await openGitHub({
    token: 'ghs_write',
    apiUrl: fake.url,
    userAgent: 'vendor-gate/test',
    clock,
    restricted: null,
    ...settings,
  });
  if (opened.kind === 'failed') throw new Error(opened.message);
  return opened.value;
}

const repository = { owner: 'octo', repo: 'hello' };
const read = (github: GitHub) =>
  github.ask('read pull request 2', async (octokit) => {
    const { data } = await octokit.rest.pulls.get({ ...repository, pull_number: 2 });
    return data.number;
  });
const post = (github: GitHub) =>
  github.ask('post the comment', async (octokit) => {
    const { data } = await octokit.rest.issues.createComment({
      ...repository,
      issue_number: 2,
      body: 'x',
    });
    return data.body;
  });
const fault = (
  status: number,
  headers: Record<string, string> = {},
  message = 'Server Error',
): Step => ({ status, message, headers });
const secondary =
  'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.';
const reset = String(START / 1000 + 30);

describe('retries', () => {
  test.each<[string, Step[], number[]]>([
    ['a fault', [fault(502)], [1000]],
    [
      'faults, waiting twice as long each time',
      [fault(500), fault(503), fault(502)],
      [1000, 2000, 4000],
    ],
    ['a fault that says when', [fault(503, { 'retry-after': '7' })], [7000]],
    [
      'a fault that says when as a date',
      [fault(503, { 'retry-after': 'Thu, 01 Jan 2026 00:00:09 GMT' })],
      [9000],
    ],
    [
      'the secondary limit with retry-after',
      [fault(403, { 'retry-after': '12' }, secondary)],
      [12_000],
    ],
    ['the secondary limit as 429', [fault(429, { 'retry-after': '3' }, secondary)], [3000]],
    ['the secondary limit that names no time: a minute', [fault(403, {}, secondary)], [60_000]],
    [
      'the hourly limit, until its reset and a second more',
      [
        fault(
          403,
          { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset },
          'API rate limit exceeded',
        ),
      ],
      [31_000],
    ],
    [
      'a reset that has passed',
      [
        fault(
          429,
          { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1000' },
          'API rate limit exceeded',
        ),
      ],
      [0],
    ],
    ['a cut connection', [{ cut: 'before' }], [1000]],
    ['an answer cut in its middle', [{ cut: 'within' }], [1000]],
    ["a proxy's page with status 200", [{ html: '<h1>Please log in</h1>' }], [1000]],
  ])('%s', async (_, steps, waits) => {
    fake.script('pulls/get', ...steps);
    expect(await read(await open())).toEqual({ kind: 'ok', value: 2 });
    expect(clock.slept).toEqual(waits);
    expect(fake.calls).toHaveLength(steps.length + 1);
  });

  it('gives up after the retries it may make', async () => {
    fake.script('pulls/get', fault(500), fault(500), fault(500));
    expect(await read(await open({ maxRetries: 2 }))).toMatchObject({
      kind: 'failed',
      status: 500,
    });
    expect(clock.slept).toEqual([1000, 2000]);
  });

  it('does not wait an hour for the limit', async () => {
    fake.script(
      'pulls/get',
      fault(
        403,
        { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(START / 1000 + 3600) },
        'API rate limit exceeded for installation',
      ),
    );
    const asked = await read(await open());
    expect(asked).toMatchObject({
      kind: 'failed',
      status: 403,
      fix: expect.stringMatching(/rate limit is used up/),
    });
    expect(clock.slept).toEqual([]);
  });

  it('bounds all waits together', async () => {
    const github = await open({ maxWaitMs: 15_000 });
    fake.script(
      'pulls/get',
      fault(503, { 'retry-after': '10' }),
      null,
      fault(503, { 'retry-after': '10' }),
    );
    expect(await read(github)).toEqual({ kind: 'ok', value: 2 });
    expect(await read(github)).toMatchObject({ kind: 'failed', status: 503 });
    expect(clock.slept).toEqual([10_000]);
  });

  it('never repeats a creation whose answer was lost, but one refused for the rate limit', async () => {
    const github = await open();
    fake.script('issues/create-comment', { doneThen: 502 });
    expect(await post(github)).toMatchObject({ kind: 'failed', status: 502 });
    expect(fake.comments(2)).toHaveLength(1);
    fake.script('issues/create-comment', fault(403, { 'retry-after': '5' }, secondary));
    expect(await post(github)).toEqual({ kind: 'ok', value: 'x' });
    expect(clock.slept).toEqual([5000]);
  });

  it('ends a request that gets no answer', async () => {
    fake.script('pulls/get', { hang: true }, { hang: true });
    expect(await read(await open({ requestTimeoutMs: 40, maxRetries: 1 }))).toEqual({
      kind: 'failed',
      status: null,
      message: 'Could not read pull request 2 (no answer: no answer within 40 ms).',
      fix: expect.stringMatching(/runner reaches GITHUB_API_URL/),
    });
    expect(clock.slept).toEqual([1000]);
  });

  it('ends at once when the run is interrupted', async () => {
    const interrupt = new AbortController();
    fake.script('pulls/get', { hang: true });
    const asked = open({ signal: interrupt.signal }).then(read);
    setTimeout(() => interrupt.abort(new Error('interrupted')), 20);
    expect(await asked).toMatchObject({ kind: 'failed', status: null });
    expect(clock.slept).toEqual([]);
  });
});

describe('failures are values with a way out', () => {
  test.each<[string, number, string, GitHubSettings['restricted'], string, RegExp]>([
    [
      'no permission',
      403,
      'Resource not accessible by integration',
      null,
      'ghs_write',
      /permissions: pull-requests: write/,
    ],
    [
      'a fork',
      403,
      'Resource not accessible by integration',
      'fork',
      'ghs_write',
      /comes from a fork.*workflow_run/,
    ],
    [
      'Dependabot',
      403,
      'Resource not accessible by integration',
      'dependabot',
      'ghs_write',
      /Dependabot.*permissions: pull-requests: write/,
    ],
    [
      'locked',
      403,
      'Unable to create comment because issue is locked.',
      null,
      'ghs_write',
      /locked.*comment: never/,
    ],
    ['not found', 404, 'Not Found', null, 'ghs_write', /still exists/],
    ['gone', 410, 'Issues are disabled for this repo', null, 'ghs_write', /closed for comments/],
    ['not acceptable', 422, 'Validation Failed', null, 'ghs_write', /did not accept/],
  ])('%s', async (_, status, words, restricted, token, fix) => {
    fake.script('issues/create-comment', { status, message: words });
    expect(await post(await open({ restricted, token }))).toEqual({
      kind: 'failed',
      status,
      message: `Could not post the comment (HTTP ${status}: ${words} - https://docs.github.com/rest).`,
      fix: expect.stringMatching(fix),
    });
  });

  it('a token that is wrong', async () => {
    expect(await read(await open({ token: 'ghs_old' }))).toMatchObject({
      status: 401,
      message: expect.stringMatching(/Bad credentials/),
      fix: expect.stringMatching(/github-token was rejected/),
    });
  });

  it('a fault of GitHub', async () => {
    fake.script('pulls/get', fault(500));
    expect(await read(await open({ maxRetries: 0 }))).toMatchObject({
      fix: expect.stringMatching(/githubstatus/),
    });
  });

  it('no token', async () => {
    for (const token of [null, ''])
      expect(
        await openGitHub({ token, apiUrl: null, userAgent: 'x', clock, restricted: null }),
      ).toEqual({
        kind: 'failed',
        status: null,
        message: 'There is no github-token, so nothing can be asked of GitHub.',
        fix: expect.stringMatching(/github-token/),
      });
  });

  it('a token that no header can hold is not quoted', async () => {
    const asked = await openGitHub({
      token: 'ghs_abc\ndef',
      apiUrl: null,
      userAgent: 'x',
      clock,
      restricted: null,
    });
    expect(asked).toMatchObject({ kind: 'failed', message: expect.stringMatching(/white space/) });
    expect(JSON.stringify(asked)).not.toMatch(/abc|def/);
    expect(await read(await open({ token: ' ghs_write\n' }))).toEqual({ kind: 'ok', value: 2 });
  });

  it('keeps hostile words on one line and short, and the token out', async () => {
    fake.script('issues/create-comment', {
      status: 404,
      message: `a\r\n::error::b\u2028\u001b[31m${'x'.repeat(500)}`,
    });
    const asked = await post(await open());
    expect(asked).toMatchObject({
      message: expect.stringMatching(
        /^Could not post the comment \(HTTP 404: a ::error::b \[31mx+…\)\.$/,
      ),
    });
    expect(JSON.stringify(asked)).not.toContain('ghs_write');
  });
});

it('speaks to a GitHub Enterprise Server, GraphQL included', async () => {
  const enterprise = await startFakeGitHub({
    basePath: '/api/v3',
    pulls: [{ number: 2, sha: 'c'.repeat(40) }],
  });
  const github = await open({ apiUrl: `${enterprise.url}/` });
  expect(await read(github)).toEqual({ kind: 'ok', value: 2 });
  const viewer = await github.ask('ask', (octokit) =>
    octokit.graphql('query { viewer { login databaseId } }'),
  );
  expect(viewer).toEqual({
    kind: 'ok',
    value: { viewer: { login: 'github-actions[bot]', databaseId: 41898282 } },
  });
  expect(enterprise.calls.map(({ path }) => path)).toEqual([
    '/repos/octo/hello/pulls/2',
    '/api/graphql',
  ]);
  await enterprise.close();
});
