/**
 * An answer that came but is not what GitHub documents, whatever its status: a proxy's page, a body that was cut,
 * another server's JSON.
 */
export class UnusableAnswer extends Error {}

/** A comment as the list of them holds it; whatever is not checked here is not used. */
export interface AnsweredComment {
  readonly id: number;
  readonly url: string;
  readonly body: string;
  /** Who wrote it; of unknown shape, null where the account is gone. */
  readonly user: unknown;
  readonly app: unknown;
}

/** The parts of a pull request that tell which one is meant; `whole` is all of it. */
export interface AnsweredPull {
  readonly number: number;
  readonly state: string;
  readonly headSha: string;
  /** `owner/name` of the repository that it goes into. */
  readonly into: string;
  readonly whole: unknown;
}

/** @throws UnusableAnswer when it is no list, or holds something that is no comment. */
export function commentsIn(answer: unknown): readonly AnsweredComment[] {
  return listIn(answer, 'comments').map(commentIn);
}

/** @throws UnusableAnswer when it is no comment. */
export function commentIn(answer: unknown): AnsweredComment {
  const { id, html_url: url, body, user, performed_via_github_app: app } = fieldsOf(answer);
  const text = body ?? '';
  if (!isNumber(id) || typeof url !== 'string' || typeof text !== 'string') {
    throw new UnusableAnswer('the answer is not a comment');
  }
  return { id, url, body: text, user, app };
}

/** @throws UnusableAnswer when it is no list, or holds something that is no pull request. */
export function pullsIn(answer: unknown): readonly AnsweredPull[] {
  return listIn(answer, 'pull requests').map(pullIn);
}

/** @throws UnusableAnswer when it is no pull request. */
export function pullIn(answer: unknown): AnsweredPull {
  const { number, state, head, base } = fieldsOf(answer);
  const { sha: headSha } = fieldsOf(head);
  const { full_name: into } = fieldsOf(fieldsOf(base)['repo']);
  if (
    !isNumber(number) ||
    typeof state !== 'string' ||
    typeof headSha !== 'string' ||
    typeof into !== 'string'
  ) {
    throw new UnusableAnswer('the answer is not a pull request');
  }
  return { number, state, headSha, into, whole: answer };
}

/** The fields of an object; none of anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

/** Whether it is a number that GitHub gives things: an id, the number of a pull request. */
export function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function listIn(answer: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(answer)) throw new UnusableAnswer(`the answer is not a list of ${what}`);
  return answer;
}
