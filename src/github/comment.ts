import type { ActionConfig } from '../model/config.js';
import { type AnsweredComment, commentIn, commentsIn, UnusableAnswer } from './answers.js';
import { authorCheck } from './author.js';
import type { Asked, GitHub } from './client.js';
import { type Failure, faultOf } from './failure.js';
import {
  digestOfGates,
  encodeReportId,
  formatMarker,
  isNewer,
  type Marker,
  parseMarker,
  type ReadMarker,
  replaceMarker,
} from './marker.js';

/** GitHub's limit for a comment's body, in characters; more is refused with 422. */
const MAX_BODY = 65_536;

export interface CommentRequest {
  readonly repository: { readonly owner: string; readonly name: string };
  readonly pullRequest: number;
  /** What this run says about itself; `reportId` distinguishes comments of matrix legs. */
  readonly marker: Marker;
  readonly when: ActionConfig['comment'];
  readonly mode: ActionConfig['commentMode'];
  /** Whether this verdict is one that `on-failure` is for. */
  readonly failing: boolean;
  /** Renders the body, with the given marker as its first line and within GitHub's limit. */
  body(marker: string): string;
}

/**
 * What was done. `unchanged`: on-change, and verdict and failed gates are those of the comment; `stale`: a newer run
 * has written the comment; `not-needed`: on-failure without a failure; `off`: never.
 */
type Did = 'created' | 'updated' | 'recreated' | 'unchanged' | 'stale' | 'not-needed' | 'off';

export interface Published {
  readonly did: Did;
  /** The comment that stands now; null when there is none. */
  readonly commentId: number | null;
  readonly url: string | null;
  /** Duplicates that could not be deleted. */
  readonly warnings: readonly Failure[];
}

/** A comment that starts with the marker of this report-id and was written by us. */
interface Ours extends AnsweredComment {
  readonly marker: ReadMarker;
}

/**
 * Keeps the one comment of this report-id on a pull request: finds it over all pages, creates, updates or recreates it
 * as `when` and `mode` say, and deletes duplicates of it. Never touches a comment that somebody else wrote, and never
 * overwrites one that a newer run wrote.
 * @returns what was done, or a Failure: a warning, which says nothing about the verdict. Never rejects, not even when
 *   `body` throws.
 */
export async function publishComment(
  github: GitHub,
  request: CommentRequest,
): Promise<Asked<Published>> {
  try {
    return await publish(github, request);
  } catch (error) {
    return faultOf('write the pull-request comment', error);
  }
}

async function publish(github: GitHub, request: CommentRequest): Promise<Asked<Published>> {
  if (request.when === 'never') return done('off', null);
  const found = await findOurs(github, request);
  if (found.kind === 'failed') return found;
  const [oldest, ...duplicates] = found.value;
  if (!oldest)
    return request.when === 'on-failure' && !request.failing
      ? done('not-needed', null)
      : create(github, request, 'created', []);

  const newest = [...found.value].reduce((one, other) =>
    isNewer(other.marker, one.marker) ? other : one,
  );
  if (isNewer(newest.marker, request.marker)) return done('stale', newest);
  if (request.when === 'on-change' && sameOutcome(newest.marker, request.marker))
    return keep(github, request, newest.body, oldest, duplicates);
  if (request.mode === 'recreate') return create(github, request, 'recreated', found.value);
  return update(github, request, oldest, duplicates);
}

/** Comments of ours with this report-id, oldest first. */
async function findOurs(github: GitHub, request: CommentRequest): Promise<Asked<readonly Ours[]>> {
  const id = encodeReportId(request.marker.reportId);
  const marked = await github.ask('read the comments of the pull request', (octokit) =>
    octokit.paginate(
      octokit.rest.issues.listComments,
      { ...place(request), issue_number: request.pullRequest, per_page: 100 },
      ({ data }) =>
        commentsIn(data).flatMap((comment) => {
          const marker = parseMarker(comment.body);
          return marker?.id === id ? [{ ...comment, marker }] : [];
        }),
    ),
  );
  if (marked.kind === 'failed' || marked.value.length === 0) return marked;
  const isOurs = await authorCheck(github);
  return {
    kind: 'ok',
    value: marked.value.filter(isOurs).sort((one, other) => one.id - other.id),
  };
}

async function create(
  github: GitHub,
  request: CommentRequest,
  did: 'created' | 'recreated',
  replaced: readonly Ours[],
): Promise<Asked<Published>> {
  let created: Asked<AnsweredComment> = await post(github, request);
  if (created.kind === 'failed' && (created.status === null || created.status >= 500)) {
    // The answer was lost: the comment may exist or not, and must not be posted twice.
    const found = await findOurs(github, request);
    if (found.kind === 'failed') return created;
    const made = found.value.find(
      ({ id, marker }) =>
        marker.runId === request.marker.runId &&
        marker.attempt === request.marker.attempt &&
        !replaced.some((old) => old.id === id),
    );
    created = made ? { kind: 'ok', value: made } : await post(github, request);
  }
  if (created.kind === 'failed') return created;
  // Only now: had the new one been refused, the old one would be gone.
  return done(did, created.value, await remove(github, request, replaced));
}

function post(github: GitHub, request: CommentRequest) {
  return github.ask('post the pull-request comment', async (octokit) => {
    const { data } = await octokit.rest.issues.createComment({
      ...place(request),
      issue_number: request.pullRequest,
      body: bodyOf(request),
    });
    // A redirect (the repository was renamed meanwhile) turns the POST into a GET of the list.
    return commentIn(data);
  });
}

async function update(
  github: GitHub,
  request: CommentRequest,
  comment: Ours,
  duplicates: readonly Ours[],
): Promise<Asked<Published>> {
  const updated = await edit(github, request, comment.id, bodyOf(request));
  if (updated.kind === 'failed')
    // Somebody deleted it since it was listed.
    return updated.status === 404 || updated.status === 410
      ? create(github, request, 'created', duplicates)
      : updated;
  return done('updated', comment, await remove(github, request, duplicates));
}

/**
 * Leaves what readers see. The marker moves on to this run, so that a run between the two that finishes late is still
 * known to be older.
 */
async function keep(
  github: GitHub,
  request: CommentRequest,
  newestBody: string,
  comment: Ours,
  duplicates: readonly Ours[],
): Promise<Asked<Published>> {
  const body = replaceMarker(newestBody, formatMarker(request.marker));
  if (body !== comment.body) {
    const moved = await edit(github, request, comment.id, body);
    if (moved.kind === 'failed') return moved;
  }
  return done('unchanged', comment, await remove(github, request, duplicates));
}

function edit(github: GitHub, request: CommentRequest, comment_id: number, body: string) {
  return github.ask('update the pull-request comment', async (octokit) => {
    const { data } = await octokit.rest.issues.updateComment({
      ...place(request),
      comment_id,
      body,
    });
    if (commentIn(data).id !== comment_id)
      throw new UnusableAnswer('the answer is not this comment');
  });
}

/** Deletes comments of ours; those already gone are fine. */
async function remove(
  github: GitHub,
  request: CommentRequest,
  comments: readonly Ours[],
): Promise<readonly Failure[]> {
  const failures: Failure[] = [];
  for (const { id } of comments) {
    const deleted = await github.ask('delete an older pull-request comment', async (octokit) => {
      const answer = await octokit.rest.issues.deleteComment({ ...place(request), comment_id: id });
      const status: number = answer.status;
      if (status !== 204) throw new UnusableAnswer(`status ${status} is not that of a deletion`);
    });
    if (deleted.kind === 'failed' && deleted.status !== 404) failures.push(deleted);
  }
  return failures;
}

function sameOutcome(old: ReadMarker, now: Marker): boolean {
  return old.verdict === now.verdict && old.gates === digestOfGates(now.failedGates);
}

/**
 * The rendered body. Marker first and size are the renderer's to keep; a slip there must not cost the comment: without
 * the marker the next run would post a second one, and a body too long would be refused.
 */
function bodyOf(request: CommentRequest): string {
  const marker = formatMarker(request.marker);
  const rendered = request.body(marker);
  const body = rendered.startsWith(marker) ? rendered : `${marker}\n${rendered}`;
  if (body.length <= MAX_BODY) return body;
  const note = '\n\n_Cut here: the whole report is in the job summary._\n';
  return body.slice(0, MAX_BODY - note.length).replace(/[\ud800-\udbff]$/, '') + note;
}

function place({ repository: { owner, name: repo } }: CommentRequest) {
  return { owner, repo };
}

function done(
  did: Did,
  comment: { readonly id: number; readonly url: string } | null,
  warnings: readonly Failure[] = [],
): Asked<Published> {
  return {
    kind: 'ok',
    value: { did, commentId: comment?.id ?? null, url: comment?.url ?? null, warnings },
  };
}
