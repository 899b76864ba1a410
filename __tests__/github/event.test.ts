import { describe, expect, it, test } from '@jest/globals';
import { type EventContext, readEvent } from '../../src/github/event.js';
import { changed, payload } from './payloads.js';

const MERGE = 'a'.repeat(40);
const HEAD = 'ec26c3e57ca3a959ca5aad62de7213c562f8c821';
const env = {
  GITHUB_ACTOR: 'ada',
  GITHUB_JOB: 'gate',
  GITHUB_REPOSITORY: 'Codertocat/Hello-World',
  GITHUB_RUN_ATTEMPT: '2',
  GITHUB_RUN_ID: '9876543210',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_SHA: MERGE,
  GITHUB_WORKFLOW: 'Vendor gate',
};
const octo = { ...env, GITHUB_REPOSITORY: 'octo-org/octo-repo' };
const onBranch = { ...env, GITHUB_REF: 'refs/heads/topic/x' };
const dependabot = { ...env, GITHUB_ACTOR: 'dependabot[bot]' };
const fork = (event: string) =>
  changed(payload(event), 'pull_request.head.repo', {
    id: 77,
    fork: true,
    full_name: 'mallory/Hello-World',
    owner: { login: 'mallory' },
  });
const ofDependabot = (event: string) =>
  changed(payload(event), 'pull_request.user.login', 'dependabot[bot]');
const run = (...[path, value]: [string, unknown]) =>
  changed(payload('workflow_run', 1), `workflow_run.${path}`, value);
const own = { owner: 'Codertocat', branch: 'changes' };

type Row = [
  string,
  string,
  unknown,
  Record<string, string>,
  Partial<EventContext> | Record<string, unknown>,
];
const rows: Row[] = [
  [
    'pull request',
    'pull_request',
    payload('pull_request'),
    env,
    {
      pullRequest: 2,
      headSha: HEAD,
      head: own,
      baseRef: 'master',
      fromFork: false,
      restricted: null,
      lookUp: false,
      danger: null,
    },
  ],
  [
    'pull request, every later push',
    'pull_request',
    payload('pull_request', 22),
    env,
    { pullRequest: 2, headSha: HEAD },
  ],
  [
    'pull request in a repository that is itself a fork',
    'pull_request',
    changed(payload('pull_request'), 'pull_request.head.repo.fork', true),
    env,
    { fromFork: false, restricted: null },
  ],
  [
    'pull request from a fork',
    'pull_request',
    fork('pull_request'),
    env,
    {
      pullRequest: 2,
      headSha: HEAD,
      head: { owner: 'mallory', branch: 'changes' },
      fromFork: true,
      restricted: 'fork',
    },
  ],
  [
    'pull request from a fork that was deleted',
    'pull_request',
    changed(payload('pull_request'), 'pull_request.head.repo', null),
    env,
    { pullRequest: 2, head: own, fromFork: true, restricted: 'fork' },
  ],
  [
    "Dependabot's pull request",
    'pull_request',
    payload('pull_request'),
    dependabot,
    { fromFork: false, restricted: 'dependabot' },
  ],
  [
    'pull_request_target from a fork',
    'pull_request_target',
    fork('pull_request'),
    env,
    {
      pullRequest: 2,
      headSha: HEAD,
      fromFork: true,
      restricted: null,
      danger: expect.stringMatching(/secrets.*base branch/),
    },
  ],
  [
    "pull_request_target of Dependabot's pull request",
    'pull_request_target',
    ofDependabot('pull_request'),
    dependabot,
    { restricted: 'dependabot' },
  ],
  [
    "pull_request_target labelled by Dependabot on a person's",
    'pull_request_target',
    payload('pull_request'),
    dependabot,
    { restricted: null },
  ],
  [
    'review',
    'pull_request_review',
    payload('pull_request_review'),
    env,
    { pullRequest: 2, headSha: HEAD, restricted: null },
  ],
  [
    'review comment on a fork',
    'pull_request_review_comment',
    fork('pull_request_review_comment'),
    env,
    { pullRequest: 2, headSha: HEAD, restricted: 'fork' },
  ],
  [
    'comment on an issue',
    'issue_comment',
    payload('issue_comment'),
    env,
    { pullRequest: null, headSha: MERGE, lookUp: false, danger: null },
  ],
  [
    'comment on a pull request',
    'issue_comment',
    changed(payload('issue_comment'), 'issue.pull_request', { url: 'x' }),
    env,
    {
      pullRequest: 1,
      headSha: null,
      lookUp: false,
      danger: expect.stringMatching(/anybody who may comment/),
    },
  ],
  [
    'workflow_run of a fork: the list is empty',
    'workflow_run',
    run('head_repository', { id: 77, owner: { login: 'mallory' } }),
    octo,
    {
      pullRequest: null,
      headSha: '3484a3fb816e0859fd6e1cea078d76385ff50625',
      head: { owner: 'mallory', branch: 'master' },
      fromFork: true,
      restricted: null,
      lookUp: true,
      danger: expect.stringMatching(/workflow_run.*artifacts/),
    },
  ],
  [
    'workflow_run that lists a pull request of this repository',
    'workflow_run',
    run('pull_requests', [
      {
        number: 8,
        head: { sha: '3484a3fb816e0859fd6e1cea078d76385ff50625' },
        base: { ref: 'main', repo: { id: 300029405 } },
      },
    ]),
    octo,
    { pullRequest: 8, baseRef: 'main', fromFork: false, lookUp: false },
  ],
  [
    "workflow_run that lists another repository's pull request",
    'workflow_run',
    payload('workflow_run', 2),
    octo,
    { pullRequest: null, headSha: '3484a3fb816e0859fd6e1cea078d76385ff50625', lookUp: true },
  ],
  [
    'check_run with its pull request',
    'check_run',
    payload('check_run', 6),
    { ...env, GITHUB_REPOSITORY: 'electron/electron' },
    {
      pullRequest: 26764,
      headSha: '5bd5f196a46b8222fb7484f05faba41a73cf34bd',
      head: { owner: 'electron', branch: 'miniak/event-process-id' },
      baseRef: 'master',
    },
  ],
  [
    'check_suite without one',
    'check_suite',
    payload('check_suite', 1),
    env,
    {
      pullRequest: null,
      headSha: HEAD,
      head: { owner: 'Codertocat', branch: 'main' },
      lookUp: true,
    },
  ],
  [
    'push to a branch',
    'push',
    payload('push', 4),
    env,
    {
      pullRequest: null,
      headSha: '6113728f27ae82c7b1a177c8d03f9e96e0adf246',
      head: { owner: 'Codertocat', branch: 'master' },
      baseRef: null,
      lookUp: true,
    },
  ],
  [
    'push of an annotated tag: the commit, not the tag object',
    'push',
    changed(payload('push', 0), 'after', 'b'.repeat(40)),
    env,
    { headSha: '6113728f27ae82c7b1a177c8d03f9e96e0adf246', head: null },
  ],
  [
    'push that deletes',
    'push',
    payload('push', 1),
    env,
    { pullRequest: null, headSha: null, lookUp: false },
  ],
  ["Dependabot's push", 'push', payload('push', 4), dependabot, { restricted: 'dependabot' }],
  [
    'merge queue',
    'merge_group',
    payload('merge_group'),
    octo,
    {
      pullRequest: null,
      headSha: '2ffea6db159f6b6c47a24e778fb9ef40cf6b1c7d',
      head: null,
      baseRef: 'main',
      restricted: null,
      lookUp: false,
    },
  ],
  [
    'schedule: the payload is only the cron',
    'schedule',
    { schedule: '30 5 * * *' },
    env,
    {
      repository: { owner: 'Codertocat', name: 'Hello-World' },
      pullRequest: null,
      headSha: MERGE,
      restricted: null,
      lookUp: false,
      danger: null,
    },
  ],
  [
    'schedule, Dependabot the last committer',
    'schedule',
    { schedule: '30 5 * * *' },
    dependabot,
    { restricted: null },
  ],
  [
    'workflow_dispatch',
    'workflow_dispatch',
    payload('workflow_dispatch'),
    octo,
    {
      pullRequest: null,
      headSha: MERGE,
      head: { owner: 'octo-org', branch: 'main' },
      lookUp: true,
    },
  ],
  [
    'repository_dispatch',
    'repository_dispatch',
    payload('repository_dispatch'),
    { ...octo, GITHUB_REF: 'refs/heads/master' },
    {
      pullRequest: null,
      headSha: MERGE,
      head: { owner: 'octo-org', branch: 'master' },
      lookUp: true,
    },
  ],
  [
    'release',
    'release',
    payload('release'),
    env,
    { pullRequest: null, headSha: MERGE, head: null, lookUp: false },
  ],
  [
    'deployment_status',
    'deployment_status',
    payload('deployment_status'),
    env,
    { headSha: 'f95f852bd8fca8fcc58a9a2d6c842781e32a215e', lookUp: true },
  ],
  [
    'status',
    'status',
    payload('status'),
    env,
    { headSha: '6113728f27ae82c7b1a177c8d03f9e96e0adf246', lookUp: true },
  ],
  [
    'an event of next year',
    'pull_request_queue',
    { repository: { full_name: 'x/y' } },
    onBranch,
    {
      name: 'pull_request_queue',
      pullRequest: null,
      headSha: MERGE,
      head: { owner: 'Codertocat', branch: 'topic/x' },
      lookUp: false,
      danger: null,
    },
  ],
];

describe('what an event says', () => {
  test.each(rows)('%s', (_, event, body, variables, expected) => {
    expect(readEvent(event, body, variables)).toMatchObject(expected);
  });

  it('reads run, attempt, job and page from the runner', () => {
    expect(
      readEvent('push', payload('push', 4), { ...env, GITHUB_SERVER_URL: 'https://ghe.test/' }),
    ).toMatchObject({
      actor: 'ada',
      runId: 9876543210,
      attempt: 2,
      runUrl: 'https://ghe.test/Codertocat/Hello-World/actions/runs/9876543210/attempts/2',
      serverUrl: 'https://ghe.test',
      workflow: 'Vendor gate',
      job: 'gate',
    });
  });

  it('takes the repository of the payload when the runner names none', () => {
    expect(readEvent('push', payload('push', 4), {}).repository).toEqual({
      owner: 'Codertocat',
      name: 'Hello-World',
    });
  });
});
