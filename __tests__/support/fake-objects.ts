import type { Json, OpenApi } from './openapi.js';

/** Whose token it is, as GitHub shows the author of a comment. */
export interface Identity {
  readonly login: string;
  readonly id: number;
  readonly type: 'Bot' | 'User';
  /** false: every request that writes is refused, as with the token of a fork's pull request. */
  readonly write: boolean;
}

export interface FakeComment {
  readonly id: number;
  readonly issue: number;
  body: string;
  readonly author: Omit<Identity, 'write'>;
  /** Written through a GitHub App. */
  readonly app: boolean;
}

export interface FakePull {
  readonly number: number;
  readonly sha: string;
  readonly state?: 'open' | 'closed';
  readonly branch?: string;
  readonly base?: string;
  /** Owner of the head's repository; the repository's own when left out. */
  readonly headOwner?: string;
  readonly locked?: boolean;
}

/** A comment as the API shows it. */
export function commentOf(api: OpenApi, repository: string, comment: FakeComment): Json {
  const { id, issue, body, author, app } = comment;
  const { pathname } = new URL(repository);
  return api.sample('issue-comment', {
    id,
    body,
    html_url: `https://github.test${pathname.slice(pathname.indexOf('/repos/') + 6)}/pull/${issue}#issuecomment-${id}`,
    issue_url: `${repository}/issues/${issue}`,
    user: api.sample('simple-user', { login: author.login, id: author.id, type: author.type }),
    performed_via_github_app: app ? api.sample('nullable-integration', { id: 7 }) : null,
  });
}

/** A pull request as the API shows it, alone or in a list. */
export function pullOf(
  api: OpenApi,
  schema: 'pull-request' | 'pull-request-simple',
  { owner, repo }: { readonly owner: string; readonly repo: string },
  pull: FakePull,
): Json {
  const from = pull.headOwner ?? owner;
  const side = (login: string, id: number, ref: string, sha: string) => ({
    ref,
    sha,
    label: `${login}:${ref}`,
    user: api.sample('simple-user', { login }),
    repo: api.sample('repository', {
      id,
      full_name: `${login}/${repo}`,
      owner: api.sample('simple-user', { login }),
    }),
  });
  return api.sample(schema, {
    number: pull.number,
    state: pull.state ?? 'open',
    locked: pull.locked ?? false,
    head: side(from, from === owner ? 1 : 2, pull.branch ?? 'change', pull.sha),
    base: side(owner, 1, pull.base ?? 'main', `${'0'.repeat(39)}1`),
  });
}
