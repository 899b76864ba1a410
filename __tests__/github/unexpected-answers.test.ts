import { afterEach, describe, expect, it, test } from '@jest/globals';
import { openGitHub } from '../../src/github/client.js';
import { readEvent } from '../../src/github/event.js';
import { findPullRequest } from '../../src/github/pull-request.js';
import type { Step } from '../support/fake-replies.js';
import { existing, fake, ops, publish, start, stop, texts } from './publishing.js';
import { stoppedClock } from './stopped-clock.js';

afterEach(stop);

/** What stands there in place of an object, with status 200. */
const NO_OBJECT: readonly [string, Step][] = [
  ['{}', { json: {} }],
  ['null', { json: null }],
  ['[]', { json: [] }],
  ['a number', { json: 5 }],
  ['false', { json: false }],
  ['a text', { json: 'well' }],
  ['HTML', { html: '<html>Sign in</html>' }],
  ['wrong types', { json: { id: '5', number: '2', html_url: 7, body: 9, head: 1, base: null } }],
  ['an error in data', { json: { message: 'Server Error' } }],
];
/** The same for a list; an empty one is a list. */
const NO_LIST: readonly [string, Step][] = [
  ...NO_OBJECT.filter(([name]) => name !== '[]'),
  ['[null]', { json: [null] }],
  ['[{}]', { json: [{}] }],
  ['[5]', { json: [5] }],
  ['wrong types in a list', { json: [{ id: 1, html_url: 'x', body: 9, number: 2, head: null }] }],
];
/** As often as a request may be sent. */
const always = (step: Step): Step[] => [step, step, step, step, step, step, step, step];

describe('the comments of the pull request', () => {
  test.each(NO_LIST)('%s: nothing is posted, since one may be there', async (_, answer) => {
    await start({ comments: [{ issue: 2, body: existing() }] });
    fake.script('issues/list-comments', ...always(answer));
    expect(await publish()).toEqual({
      kind: 'failed',
      status: null,
      message: expect.stringMatching(
        /^Could not read the comments of the pull request \(no answer: the answer is (not|neither) /,
      ),
      fix: expect.stringContaining('GITHUB_API_URL'),
    });
    expect(texts()).toEqual(['old']);
  });
});

describe('whose token it is', () => {
  test.each([
    ...NO_OBJECT,
    ['data null', { json: { data: null } }],
    ['viewer null', { json: { data: { viewer: null } } }],
    ['viewer a list', { json: { data: { viewer: [] } } }],
    ['wrong types', { json: { data: { viewer: { login: 5, databaseId: '41898282' } } } }],
    ['errors', { json: { errors: [{ message: 'no' }] } }],
    ['errors of no shape', { json: { errors: 5 } }],
  ] as [string, Step][])("%s: a bot's comment counts", async (_, answer) => {
    await start({ comments: [{ issue: 2, body: existing() }] });
    fake.script('graphql', ...always(answer));
    expect(await publish()).toMatchObject({ kind: 'ok', value: { did: 'updated' } });
    expect(texts()).toEqual(['fail of run 100']);
  });
});

describe('a new comment', () => {
  test.each(NO_OBJECT)('%s', async (_, answer) => {
    await start();
    fake.script('issues/create-comment', ...always(answer));
    expect(await publish()).toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(/^Could not post the pull-request comment \(no answer: the /),
    });
  });
});

describe('a changed comment', () => {
  test.each([...NO_OBJECT, ['another comment', { json: { id: 9, html_url: 'x' } }]] as [
    string,
    Step,
  ][])('%s', async (_, answer) => {
    await start({ comments: [{ issue: 2, body: existing() }] });
    fake.script('issues/update-comment', ...always(answer));
    expect(await publish()).toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(
        /^Could not update the pull-request comment \(no answer: the /,
      ),
    });
  });
});

describe('a deleted comment', () => {
  test.each(NO_OBJECT)('%s', async (_, answer) => {
    await start({ comments: [1, 2].map(() => ({ issue: 2, body: existing() })) });
    fake.script('issues/delete-comment', ...always(answer));
    const warning = expect.stringMatching(/^Could not delete an older pull-request comment \(no /);
    expect(await publish()).toMatchObject({
      value: { did: 'updated', warnings: [{ message: warning }] },
    });
  });
});

it('a body that cannot be rendered is a warning too, before and after one is there', async () => {
  await start();
  const body = () => {
    throw new TypeError('no such section');
  };
  expect(await publish({ body })).toMatchObject({
    kind: 'failed',
    message: expect.stringContaining('no such section'),
  });
  fake.addComment({ issue: 2, body: existing() });
  expect(await publish({ body })).toEqual({
    kind: 'failed',
    status: null,
    message: 'Could not write the pull-request comment: no such section.',
    fix: 'The job summary has the same report; please report this with the job log.',
  });
  expect(ops().filter((op) => op === 'create-comment')).toEqual([]);
});

describe('the pull request of an event', () => {
  async function find(event: string, payload: unknown) {
    const opened = await openGitHub({
      token: 'ghs_read',
      apiUrl: fake.url,
      userAgent: 'x',
      clock: stoppedClock(),
      restricted: null,
    });
    if (opened.kind === 'failed') throw new Error(opened.message);
    const env = { GITHUB_REPOSITORY: 'octo/hello', GITHUB_SHA: 'e'.repeat(40) };
    return findPullRequest(opened.value, readEvent(event, payload, env));
  }

  test.each(NO_OBJECT)('by number: %s', async (_, answer) => {
    await start();
    fake.script('pulls/get', ...always(answer));
    expect(await find('issue_comment', { issue: { number: 2, pull_request: {} } })).toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(/^Could not read pull request 2 \(no answer: the answer is /),
    });
  });

  test.each(NO_LIST)('by commit: %s', async (_, answer) => {
    await start();
    fake.script('repos/list-pull-requests-associated-with-commit', ...always(answer));
    expect(await find('push', { after: 'e'.repeat(40), ref: 'refs/heads/x' })).toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(/^Could not find the pull request of this commit \(no answer/),
    });
  });

  test.each(NO_LIST)('by branch: %s', async (_, answer) => {
    await start();
    fake.script('pulls/list', ...always(answer));
    expect(await find('push', { after: 'e'.repeat(40), ref: 'refs/heads/x' })).toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(/^Could not find the pull request of this commit \(no answer/),
    });
  });
});
