import { reveal } from '../text/untrusted.js';
import { type AnsweredPull, pullIn, pullsIn, UnusableAnswer } from './answers.js';
import type { Asked, GitHub } from './client.js';
import { type EventContext, ofPullRequest } from './event.js';

type Repository = NonNullable<EventContext['repository']>;

/**
 * Completes an event that names only half of its pull request: by head SHA for pushes, dispatches and workflow_run
 * (whose list is empty for forks), by number for comments on a pull request. Events that need nothing cost no request.
 * @returns the event, with `pullRequest` still null when no open pull request has this head; or a Failure
 */
export async function findPullRequest(
  github: GitHub,
  event: EventContext,
): Promise<Asked<EventContext>> {
  const { repository, pullRequest, headSha } = event;
  if (!repository) return { kind: 'ok', value: event };
  if (pullRequest !== null && headSha === null)
    return byNumber(github, event, repository, pullRequest);
  if (event.lookUp && headSha !== null) return bySha(github, event, repository, headSha);
  return { kind: 'ok', value: event };
}

async function byNumber(
  github: GitHub,
  event: EventContext,
  { owner, name: repo }: Repository,
  pull_number: number,
): Promise<Asked<EventContext>> {
  const asked = await github.ask(`read pull request ${pull_number}`, async (octokit) => {
    const { data } = await octokit.rest.pulls.get({ owner, repo, pull_number });
    if (pullIn(data).number !== pull_number)
      throw new UnusableAnswer('the answer is not this pull request');
    return data as unknown;
  });
  if (asked.kind === 'failed') return asked;
  return {
    kind: 'ok',
    value: { ...event, ...ofPullRequest(asked.value), pullRequest: pull_number },
  };
}

async function bySha(
  github: GitHub,
  event: EventContext,
  repository: Repository,
  headSha: string,
): Promise<Asked<EventContext>> {
  const { owner, name: repo } = repository;
  const what = 'find the pull request of this commit';
  const page = { owner, repo, per_page: 100 };
  const ofCommit = await github.ask(what, (octokit) =>
    octokit.paginate(
      octokit.rest.repos.listPullRequestsAssociatedWithCommit,
      { ...page, commit_sha: headSha },
      ({ data }) => [...pullsIn(data)],
    ),
  );
  // 404, 409 and 422: this repository does not have the commit (a fork's, or an empty repository).
  if (ofCommit.kind === 'failed' && ![404, 409, 422].includes(ofCommit.status ?? 0))
    return ofCommit;
  const found = choose(ofCommit.kind === 'ok' ? ofCommit.value : [], repository, headSha);
  if (found || !event.head) return { kind: 'ok', value: found ? { ...event, ...found } : event };

  // For the head of a fork the list above is often empty; by owner and branch it is found.
  const head = `${reveal(event.head.owner)}:${reveal(event.head.branch)}`;
  const ofBranch = await github.ask(what, (octokit) =>
    octokit.paginate(octokit.rest.pulls.list, { ...page, state: 'open', head }, ({ data }) => [
      ...pullsIn(data),
    ]),
  );
  if (ofBranch.kind === 'failed') return ofBranch;
  return { kind: 'ok', value: { ...event, ...choose(ofBranch.value, repository, headSha) } };
}

/**
 * Open, into this repository, and still at this commit: a merged one would get a comment nobody expects, and one that
 * moved on gets its own run. Of several the first opened.
 */
function choose(pulls: readonly AnsweredPull[], { owner, name }: Repository, headSha: string) {
  const [first] = pulls
    .filter(
      (pull) =>
        pull.state === 'open' &&
        pull.headSha === headSha &&
        pull.into.toLowerCase() === `${owner}/${name}`.toLowerCase(),
    )
    .sort((one, other) => one.number - other.number);
  return first ? { ...ofPullRequest(first.whole), lookUp: false } : null;
}
