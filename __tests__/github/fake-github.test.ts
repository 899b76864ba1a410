import { describe, expect, it, test } from '@jest/globals';
import { type FakeOptions, startFakeGitHub } from '../support/fake-github.js';
import { OpenApi } from '../support/openapi.js';

const pulls = [{ number: 2, sha: 'c'.repeat(40) }];

async function send(
  method: string,
  path: string,
  body?: unknown,
  options: FakeOptions = { pulls },
  token = 'ghs_write',
) {
  const fake = await startFakeGitHub(options);
  const response = await fetch(`${fake.url}${path}`, {
    method,
    headers: { authorization: `token ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const closed = await fake.close().then(
    () => null,
    (error: Error) => error.message,
  );
  return {
    status: response.status,
    headers: response.headers,
    body: text ? JSON.parse(text) : null,
    closed,
  };
}
const COMMENTS = '/repos/octo/hello/issues/2/comments';

describe('refuses what GitHub does not describe, and says so at the end', () => {
  test.each([
    ['a path', 'GET', '/repos/octo/hello/unknown', undefined, 404, /is not described/],
    ['a method', 'PUT', COMMENTS, undefined, 404, /is not described/],
    [
      'a query key',
      'GET',
      `${COMMENTS}?perpage=100`,
      undefined,
      422,
      /query must NOT have additional properties.*perpage/,
    ],
    [
      'a query value',
      'GET',
      `${COMMENTS}?per_page=many`,
      undefined,
      422,
      /query\/per_page must be integer/,
    ],
    [
      'a path value',
      'GET',
      '/repos/octo/hello/issues/two/comments',
      undefined,
      422,
      /path\/issue_number must be integer/,
    ],
    [
      'a body key',
      'POST',
      COMMENTS,
      { body: 'x', draft: true },
      422,
      /body must NOT have additional properties.*draft/,
    ],
    ['a body value', 'POST', COMMENTS, { body: 5 }, 422, /body must be string/],
    ['a missing key', 'POST', COMMENTS, {}, 422, /required property 'body'/],
    ['no body', 'POST', COMMENTS, undefined, 422, /no body/],
    [
      'a nested body key',
      'POST',
      '/repos/octo/hello/check-runs',
      { name: 'x', head_sha: 'y', output: { title: 't', summary: 's', colour: 'red' } },
      422,
      /output must NOT have additional properties.*colour/,
    ],
    [
      'an operation it cannot answer',
      'GET',
      '/repos/octo/hello',
      undefined,
      501,
      /does not answer it/,
    ],
  ])('%s', async (_, method, path, body, status, complaint) => {
    expect(await send(method, path, body)).toMatchObject({
      status,
      closed: expect.stringMatching(complaint),
    });
  });
});

it('takes what GitHub describes', async () => {
  expect(await send('POST', COMMENTS, { body: 'x' })).toMatchObject({
    status: 201,
    body: { id: 5000, body: 'x', user: { login: 'github-actions[bot]', type: 'Bot' } },
    closed: null,
  });
});

test.each([
  ['ghs_read', 403, 'Resource not accessible by integration'],
  ['unknown', 401, 'Bad credentials'],
])('token %s may not write', async (token, status, message) => {
  expect(await send('POST', COMMENTS, { body: 'x' }, { pulls }, token)).toMatchObject({
    status,
    body: { message },
    closed: null,
  });
});

it('refuses a body above the limit as GitHub does', async () => {
  expect(await send('POST', COMMENTS, { body: 'x'.repeat(65_536) })).toMatchObject({ status: 201 });
  expect(await send('POST', COMMENTS, { body: 'x'.repeat(65_537) })).toMatchObject({
    status: 422,
    closed: null,
  });
});

it('pages with links', async () => {
  const comments = Array.from({ length: 5 }, (_, i) => ({ issue: 2, body: `c${i}` }));
  const options = { pulls, comments, basePath: '/api/v3' };
  const first = await send('GET', `${COMMENTS}?per_page=2`, undefined, options);
  expect(first.body).toHaveLength(2);
  expect(first.headers.get('link')).toMatch(
    /^<http:\/\/127\.0\.0\.1:\d+\/api\/v3\/repos\/octo\/hello\/issues\/2\/comments\?per_page=2&page=2>; rel="next", <.*page=3>; rel="last"$/,
  );
  const last = await send('GET', `${COMMENTS}?per_page=2&page=3`, undefined, options);
  expect([last.body.length, last.headers.get('link')]).toEqual([1, null]);
});

describe('its own replies', () => {
  const api = new OpenApi(
    new URL('../fixtures/github-openapi-subset.json', import.meta.url).pathname,
  );
  const create = api.match('POST', COMMENTS)?.operation;
  const remove = api.match('DELETE', '/repos/octo/hello/issues/comments/1')?.operation;
  if (!create || !remove) throw new Error('not in the description');

  test.each([
    ['whole', create, 201, api.sample('issue-comment', { id: 1 }), []],
    [
      'incomplete',
      create,
      201,
      { id: 1 },
      expect.arrayContaining([expect.stringMatching(/required property 'node_id'/)]),
    ],
    [
      'a wrong type',
      create,
      201,
      api.sample('issue-comment', { id: '1' }),
      [expect.stringMatching(/\/id must be integer/)],
    ],
    ['a status that is not described', create, 202, {}, ['status 202 is not described']],
    ['an error that is not described', create, 500, { message: 'x' }, []],
    [
      'an error of another form',
      create,
      500,
      { message: 5 },
      [expect.stringMatching(/message must be string/)],
    ],
    ['a body where none belongs', remove, 204, {}, ['status 204 has no body']],
    ['none where none belongs', remove, 204, undefined, []],
  ])('%s', (_, operation, status, body, problems) => {
    expect(api.checkReply(operation, status, body)).toEqual(problems);
  });

  it('that are broken fail the test that uses it', async () => {
    const broken = await send('GET', COMMENTS, undefined, {
      pulls,
      comments: [{ issue: 2, body: 'x', id: 1.5 }],
    });
    expect(broken.closed).toMatch(/own reply: issues\/list-comments 200\/0\/id must be integer/);
  });
});
