import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  commentOf,
  type FakeComment,
  type FakePull,
  type Identity,
  pullOf,
} from './fake-objects.js';
import { play, type Reply, refusal, type Step, send, TOO_LONG } from './fake-replies.js';
import { type Json, OpenApi, type Operation } from './openapi.js';

export interface Call {
  readonly op: string;
  readonly method: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly token: string;
}

export interface FakeOptions {
  readonly owner?: string;
  readonly repo?: string;
  /** '' for github.com, '/api/v3' for a GitHub Enterprise Server. */
  readonly basePath?: string;
  /** By token; default TOKENS. */
  readonly tokens?: Readonly<Record<string, Identity>>;
  /** Whether POST /graphql answers `viewer`; default true. */
  readonly graphql?: boolean;
  readonly pulls?: readonly FakePull[];
  readonly comments?: readonly (Partial<FakeComment> & Pick<FakeComment, 'issue' | 'body'>)[];
}

export interface FakeGitHub {
  /** For GITHUB_API_URL. */
  readonly url: string;
  /** Requests that were described, in order. */
  readonly calls: readonly Call[];
  /** By pull request, in the order they were written. */
  comments(issue: number): readonly FakeComment[];
  addComment(comment: Partial<FakeComment> & Pick<FakeComment, 'issue' | 'body'>): FakeComment;
  /** The next requests of this operation get these, one each; `null`: the usual answer. */
  script(op: string, ...steps: readonly (Step | null)[]): void;
  /** Stops; rejects when a request or a reply broke GitHub's description. */
  close(): Promise<void>;
}

export const ACTIONS_BOT: Identity = {
  login: 'github-actions[bot]',
  id: 41898282,
  type: 'Bot',
  write: true,
};
export const TOKENS: Readonly<Record<string, Identity>> = {
  ghs_write: ACTIONS_BOT,
  ghs_read: { ...ACTIONS_BOT, write: false },
  ghp_person: { login: 'ada', id: 1001, type: 'User', write: true },
  ghs_app: { login: 'gatekeeper[bot]', id: 2002, type: 'Bot', write: true },
};

const api = new OpenApi(
  new URL('../fixtures/github-openapi-subset.json', import.meta.url).pathname,
);

/**
 * Starts a GitHub that keeps comments, and checks each request and each of its own replies against GitHub's OpenAPI
 * description. GraphQL is not part of that: only the one query for `viewer` is answered.
 */
export async function startFakeGitHub(options: FakeOptions = {}): Promise<FakeGitHub> {
  const { owner = 'octo', repo = 'hello', basePath = '', graphql = true } = options;
  const tokens = options.tokens ?? TOKENS;
  const pulls = new Map((options.pulls ?? []).map((pull) => [pull.number, pull]));
  const comments: FakeComment[] = [];
  let nextId = 5000;
  const calls: Call[] = [];
  const violations: string[] = [];
  const scripts = new Map<string, (Step | null)[]>();
  let url = '';

  const addComment: FakeGitHub['addComment'] = (comment) => {
    const made = {
      id: nextId++,
      author: ACTIONS_BOT,
      app: false,
      ...comment,
    };
    comments.push(made);
    return made;
  };
  for (const comment of options.comments ?? []) addComment(comment);

  const commentObject = (comment: FakeComment): Json =>
    commentOf(api, `${url}/repos/${owner}/${repo}`, comment);
  const pullObject = (schema: 'pull-request' | 'pull-request-simple', pull: FakePull): Json =>
    pullOf(api, schema, { owner, repo }, pull);

  const listOf = (call: Call, all: readonly Json[]): Reply => {
    const size = Number(call.query['per_page'] ?? 30);
    const page = Number(call.query['page'] ?? 1);
    const last = Math.max(1, Math.ceil(all.length / size));
    const link = (to: number, rel: string): string => {
      const query = new URLSearchParams({ ...call.query, page: String(to) });
      return `<${url}${call.path}?${query}>; rel="${rel}"`;
    };
    const links = page < last ? [link(page + 1, 'next'), link(last, 'last')] : [];
    return {
      status: 200,
      body: all.slice((page - 1) * size, page * size),
      ...(links.length ? { headers: { link: links.join(', ') } } : {}),
    };
  };

  const answer = (call: Call, as: Identity): Reply => {
    const { params, query } = call;
    if (params['owner'] !== owner || params['repo'] !== repo) return refusal(404, 'Not Found');
    if (call.method !== 'GET' && !as.write)
      return refusal(403, 'Resource not accessible by integration');
    const text = (call.body as { body?: string } | undefined)?.body ?? '';
    const issue = Number(params['issue_number'] ?? params['pull_number']);
    const at = comments.findIndex(({ id }) => id === Number(params['comment_id']));
    const comment = comments[at];
    const all = [...pulls.values()];
    switch (call.op) {
      case 'issues/list-comments':
        if (!pulls.has(issue)) return refusal(404, 'Not Found');
        return listOf(call, comments.filter((c) => c.issue === issue).map(commentObject));
      case 'issues/create-comment':
        if (!pulls.has(issue)) return refusal(404, 'Not Found');
        if (pulls.get(issue)?.locked)
          return refusal(403, 'Unable to create comment because issue is locked.');
        if (text.length > 65536) return TOO_LONG;
        return { status: 201, body: commentObject(addComment({ issue, body: text, author: as })) };
      case 'issues/get-comment':
        return comment ? { status: 200, body: commentObject(comment) } : refusal(404, 'Not Found');
      case 'issues/update-comment':
        if (!comment) return refusal(404, 'Not Found');
        if (text.length > 65536) return TOO_LONG;
        comment.body = text;
        return { status: 200, body: commentObject(comment) };
      case 'issues/delete-comment':
        if (!comment) return refusal(404, 'Not Found');
        comments.splice(at, 1);
        return { status: 204 };
      case 'pulls/get': {
        const pull = pulls.get(issue);
        return pull
          ? { status: 200, body: pullObject('pull-request', pull) }
          : refusal(404, 'Not Found');
      }
      case 'pulls/list':
        return listOf(
          call,
          all
            .filter(
              (p) =>
                (query['state'] ?? 'open') === 'all' ||
                (p.state ?? 'open') === (query['state'] ?? 'open'),
            )
            .filter(
              (p) =>
                !query['head'] ||
                query['head'] === `${p.headOwner ?? owner}:${p.branch ?? 'change'}`,
            )
            .map((p) => pullObject('pull-request-simple', p)),
        );
      case 'repos/list-pull-requests-associated-with-commit':
        // As GitHub does it: the commits of forks are not this repository's.
        return listOf(
          call,
          all
            .filter((p) => p.sha === params['commit_sha'] && (p.headOwner ?? owner) === owner)
            .map((p) => pullObject('pull-request-simple', p)),
        );
      default:
        violations.push(`${call.op} is described, but this fake does not answer it`);
        return refusal(501, 'Not Implemented');
    }
  };

  const checked = (operation: Operation, reply: Reply): Reply => {
    for (const problem of api.checkReply(operation, reply.status, reply.body))
      violations.push(`own reply: ${problem}`);
    return reply;
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks).toString('utf8');
    const target = new URL(request.url ?? '/', 'http://fake');
    const method = request.method ?? '';
    const token = /^token (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const as = tokens[token];

    if (method === 'POST' && target.pathname === `${basePath.replace(/\/v3$/, '')}/graphql`) {
      calls.push({
        op: 'graphql',
        method,
        path: target.pathname,
        params: {},
        query: {},
        body: JSON.parse(raw),
        token,
      });
      const viewer = as && graphql ? { login: as.login, databaseId: as.id } : null;
      const step = scripts.get('graphql')?.shift();
      if (step) return play(response, step, () => ({ status: 200 }));
      return send(
        response,
        viewer ? { status: 200, body: { data: { viewer } } } : refusal(404, 'Not Found'),
      );
    }
    const path = target.pathname.startsWith(basePath) ? target.pathname.slice(basePath.length) : '';
    const found = api.match(method, path);
    if (!found) {
      violations.push(`${method} ${target.pathname} is not described`);
      return send(response, refusal(404, 'Not Found'));
    }
    const { operation, params } = found;
    const query = Object.fromEntries(target.searchParams);
    const body: unknown = raw ? JSON.parse(raw) : undefined;
    const problems = api.checkRequest(operation, params, query, body);
    if (problems.length > 0) {
      violations.push(...problems);
      return send(response, refusal(422, problems.join('; ')));
    }
    const call: Call = { op: operation.id, method, path, params, query, body, token };
    calls.push(call);
    const usual = (): Reply =>
      checked(operation, as ? answer(call, as) : refusal(401, 'Bad credentials'));
    const step = scripts.get(operation.id)?.shift();
    if (step && 'status' in step) checked(operation, refusal(step.status, step.message));
    return step ? play(response, step, usual) : send(response, usual());
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      violations.push(`the fake failed: ${String(error)}`);
      send(response, refusal(500, 'the fake failed'));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${basePath}`;

  return {
    url,
    calls,
    comments: (issue) => comments.filter((comment) => comment.issue === issue),
    addComment,
    script: (op, ...steps) => void scripts.set(op, [...(scripts.get(op) ?? []), ...steps]),
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      if (violations.length > 0) throw new Error(`fake GitHub:\n${violations.join('\n')}`);
    },
  };
}
