import { type Untrusted, untrusted } from '../text/untrusted.js';

/** What the workflow's event says about where the verdict belongs. Built without any request. */
export interface EventContext {
  /** The runner's name of the event: `pull_request`; `unknown` when there is none. */
  readonly name: string;
  readonly repository: { readonly owner: string; readonly name: string } | null;
  /** Where the comment goes; null: nowhere, or findPullRequest may still find it (`lookUp`). */
  readonly pullRequest: number | null;
  /** The commit that was pushed, never the merge commit that GITHUB_SHA holds on pull requests. */
  readonly headSha: string | null;
  /** Owner and branch of the head; from a fork both are somebody else's words. */
  readonly head: { readonly owner: Untrusted; readonly branch: Untrusted } | null;
  /** Branch the change goes to, without `refs/heads/`. */
  readonly baseRef: Untrusted | null;
  readonly fromFork: boolean;
  /** Why secrets are empty and the token may only read; null when neither holds. */
  readonly restricted: 'fork' | 'dependabot' | null;
  /** Whether an open pull request with this head SHA is where the comment belongs. */
  readonly lookUp: boolean;
  /** For the log: what is dangerous about this event; null for the others. */
  readonly danger: string | null;
  readonly actor: string | null;
  readonly runId: number | null;
  /** From 1. */
  readonly attempt: number;
  /** Page of this attempt of this run. */
  readonly runUrl: string | null;
  readonly serverUrl: string;
  readonly workflow: Untrusted | null;
  readonly job: string | null;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Without secrets and with a read-only token when the head is a fork: GitHub's "Events that trigger workflows". */
const FORK_RESTRICTED = new Set([
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
]);

const DEPENDABOT = 'dependabot[bot]';

/**
 * The same when Dependabot is the actor, also when somebody else runs the job again; pull_request_target only for its
 * own pull requests: GitHub's "Troubleshooting Dependabot on GitHub Actions".
 */
const DEPENDABOT_RESTRICTED = new Set([
  ...FORK_RESTRICTED,
  'push',
  'create',
  'deployment',
  'deployment_status',
]);

/**
 * Events whose commit may be the head of an open pull request. Not `schedule`, `release` and `merge_group`: they
 * speak of the base branch or of several pull requests at once.
 */
const LOOK_UP = new Set([
  'push',
  'create',
  'workflow_dispatch',
  'repository_dispatch',
  'workflow_run',
  'check_run',
  'check_suite',
  'status',
  'deployment',
  'deployment_status',
]);

const DANGERS: Readonly<Record<string, string>> = {
  pull_request_target:
    "pull_request_target runs with this repository's secrets on behalf of somebody else's pull request. Take endpoint and config from the base branch: with those of the pull request, its author decides where the key is sent.",
  workflow_run:
    "workflow_run runs with this repository's secrets after a workflow that a fork may have started. Take endpoint and config from the base branch, never from that run's artifacts or its checkout.",
  issue_comment:
    "issue_comment runs with this repository's secrets for anybody who may comment. Take endpoint and config from the base branch, never from the comment or the pull request.",
};

/**
 * Reads the event that started the workflow. Pure; never throws, whatever the payload is: what cannot be read is null.
 * @param name GITHUB_EVENT_NAME
 * @param payload parsed JSON of GITHUB_EVENT_PATH, or null
 * @param env the runner's variables (GITHUB_REPOSITORY, GITHUB_SHA, GITHUB_RUN_ID and so on)
 */
export function readEvent(name: string, payload: unknown, env: Env): EventContext {
  const event = name || 'unknown';
  const repository = repositoryOf(payload, env);
  const subject = subjectOf(event, payload, env, repository);
  const actor = env['GITHUB_ACTOR'] || word(at(payload, 'sender', 'login'));
  const serverUrl = (env['GITHUB_SERVER_URL'] || 'https://github.com').replace(/\/+$/, '');
  const runId = whole(env['GITHUB_RUN_ID']);
  const attempt = whole(env['GITHUB_RUN_ATTEMPT']) ?? 1;
  const workflow = env['GITHUB_WORKFLOW'];
  return {
    name: event,
    repository,
    ...subject,
    restricted: restriction(event, subject.fromFork, actor, payload),
    lookUp: LOOK_UP.has(event) && subject.pullRequest === null && subject.headSha !== null,
    danger: event === 'issue_comment' && !subject.pullRequest ? null : (DANGERS[event] ?? null),
    actor,
    runId,
    attempt,
    runUrl:
      repository && runId
        ? `${serverUrl}/${repository.owner}/${repository.name}/actions/runs/${runId}/attempts/${attempt}`
        : null,
    serverUrl,
    workflow: workflow ? untrusted(workflow) : null,
    job: env['GITHUB_JOB'] || null,
  };
}

type Repository = EventContext['repository'];
type Subject = Pick<EventContext, 'pullRequest' | 'headSha' | 'head' | 'baseRef' | 'fromFork'>;

function subjectOf(event: string, payload: unknown, env: Env, repository: Repository): Subject {
  const pull = at(payload, 'pull_request');
  if (whole(at(pull, 'number'))) return ofPullRequest(pull);
  const none: Subject = {
    pullRequest: null,
    headSha: sha(env['GITHUB_SHA']),
    head: branchOf(word(at(payload, 'ref')) ?? env['GITHUB_REF'], repository),
    baseRef: null,
    fromFork: false,
  };
  switch (event) {
    case 'workflow_run':
    case 'check_run':
    case 'check_suite':
      return ofRun(at(payload, event), at(payload, 'repository'), none);
    case 'push':
      // `after` of an annotated tag is the tag object; head_commit is the commit in every case.
      return {
        ...none,
        headSha:
          at(payload, 'deleted') === true
            ? null
            : (sha(at(payload, 'head_commit', 'id')) ?? sha(at(payload, 'after')) ?? none.headSha),
      };
    case 'merge_group':
      return {
        ...none,
        headSha: sha(at(payload, 'merge_group', 'head_sha')) ?? none.headSha,
        head: null,
        baseRef: branch(at(payload, 'merge_group', 'base_ref')),
      };
    case 'issue_comment':
      // The payload names no commit, and GITHUB_SHA is the default branch's: findPullRequest asks.
      return at(payload, 'issue', 'pull_request')
        ? { ...none, pullRequest: whole(at(payload, 'issue', 'number')), headSha: null, head: null }
        : none;
    case 'status':
      return { ...none, headSha: sha(at(payload, 'sha')) ?? none.headSha, head: null };
    case 'deployment':
    case 'deployment_status':
      return { ...none, headSha: sha(at(payload, 'deployment', 'sha')) ?? none.headSha };
    default:
      return none;
  }
}

/**
 * The parts of a pull request, as an event or as the API describes it, that decide where things go.
 * @param pull an object with `number`, `head` and `base`
 */
export function ofPullRequest(pull: unknown): Subject {
  const owner =
    word(at(pull, 'head', 'repo', 'owner', 'login')) ?? word(at(pull, 'head', 'user', 'login'));
  const ref = word(at(pull, 'head', 'ref'));
  return {
    pullRequest: whole(at(pull, 'number')),
    headSha: sha(at(pull, 'head', 'sha')),
    head: owner && ref ? { owner: untrusted(owner), branch: untrusted(ref) } : null,
    baseRef: branch(at(pull, 'base', 'ref')),
    // Not `head.repo.fork`: that is also true for a branch of a repository that is itself a fork. A fork that was
    // deleted since is null.
    fromFork: !sameRepository(at(pull, 'head', 'repo'), at(pull, 'base', 'repo')),
  };
}

/** workflow_run, check_run, check_suite: they list pull requests of this repository, never those of forks. */
function ofRun(run: unknown, repository: unknown, none: Subject): Subject {
  const headSha = sha(at(run, 'head_sha')) ?? none.headSha;
  const listed = at(run, 'pull_requests');
  const own = (Array.isArray(listed) ? listed : []).find(
    (pull) =>
      sha(at(pull, 'head', 'sha')) === headSha &&
      at(pull, 'base', 'repo', 'id') === at(repository, 'id'),
  );
  const from = at(run, 'head_repository');
  const ref = word(at(run, 'head_branch')) ?? word(at(run, 'check_suite', 'head_branch'));
  const owner = word(at(from ?? repository, 'owner', 'login'));
  return {
    pullRequest: whole(at(own, 'number')),
    headSha,
    head: ref && owner ? { owner: untrusted(owner), branch: untrusted(ref) } : null,
    baseRef: branch(at(own, 'base', 'ref')),
    fromFork: from ? !sameRepository(from, repository) : false,
  };
}

function restriction(event: string, fromFork: boolean, actor: string | null, payload: unknown) {
  if (fromFork && FORK_RESTRICTED.has(event)) return 'fork';
  if (actor !== DEPENDABOT) return null;
  const itsOwn = at(payload, 'pull_request', 'user', 'login') === DEPENDABOT;
  const restricted = event === 'pull_request_target' ? itsOwn : DEPENDABOT_RESTRICTED.has(event);
  return restricted ? 'dependabot' : null;
}

function repositoryOf(payload: unknown, env: Env): Repository {
  const full = env['GITHUB_REPOSITORY'] || word(at(payload, 'repository', 'full_name')) || '';
  const [, owner, name] = /^([^/\s]+)\/([^/\s]+)$/.exec(full) ?? [];
  return owner && name ? { owner, name } : null;
}

function sameRepository(one: unknown, other: unknown): boolean {
  const id = whole(at(one, 'id'));
  return id !== null && id === whole(at(other, 'id'));
}

function branchOf(ref: string | undefined, repository: Repository): Subject['head'] {
  if (!repository || !ref?.startsWith('refs/heads/')) return null;
  return {
    owner: untrusted(repository.owner),
    branch: untrusted(ref.slice('refs/heads/'.length)),
  };
}

function branch(ref: unknown): Untrusted | null {
  const name = word(ref)?.replace(/^refs\/heads\//, '');
  return name ? untrusted(name) : null;
}

function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (now, key) =>
      typeof now === 'object' && now !== null && Object.hasOwn(now, key)
        ? (now as Record<string, unknown>)[key]
        : undefined,
    value,
  );
}

function word(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Of a deleted branch GitHub sends forty zeros. */
function sha(value: unknown): string | null {
  return typeof value === 'string' && /^(?!0+$)[0-9a-f]{40,64}$/i.test(value) ? value : null;
}

function whole(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : null;
}
