import type { EventContext } from './event.js';

/** A request to GitHub that did not work out: a warning with what to do, never an exception and never a verdict. */
export interface Failure {
  readonly kind: 'failed';
  /** HTTP status; null when no answer came. */
  readonly status: number | null;
  /** A whole sentence on one line: what could not be done and GitHub's own words. */
  readonly message: string;
  /** The next step, a whole sentence. */
  readonly fix: string;
}

/** What is known of a failed request. */
export interface Refusal {
  readonly status: number | null;
  /** GitHub's or the network's own words, on one line. */
  readonly words: string;
  readonly rateLimited: boolean;
}

/**
 * Words a failed request for people.
 * @param what the thing that was tried, completing "Could not ..."
 * @param restricted why the token may only read, as the event tells
 */
export function failureOf(
  what: string,
  refusal: Refusal,
  restricted: EventContext['restricted'],
): Failure {
  const { words } = refusal;
  const status = refusal.status === null ? 'no answer' : `HTTP ${refusal.status}`;
  return {
    kind: 'failed',
    status: refusal.status,
    message: `Could not ${what} (${status}${words ? `: ${words}` : ''}).`,
    fix: fixOf(refusal, restricted),
  };
}

/** A throw where no request failed: what was to be sent could not be made, or what came could not be read. */
export function faultOf(what: string, error: unknown): Failure {
  return {
    kind: 'failed',
    status: null,
    message: `Could not ${what}: ${wordsOf(error)}.`,
    fix: 'The job summary has the same report; please report this with the job log.',
  };
}

/** What an error of any kind says. */
export function wordsOf(error: unknown): string {
  const message =
    typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
  return oneLine(String(message));
}

/** GitHub's words can hold anything that passed through a proxy on the way: one line, no control characters. */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to be removed
  const clean = text.replace(/[\u0000-\u0020\u007f-\u00a0\u2028\u2029]+/g, ' ').trim();
  return clean.length > 300 ? `${clean.slice(0, 299)}…` : clean;
}

function fixOf(refusal: Refusal, restricted: EventContext['restricted']): string {
  const { status, words } = refusal;
  if (refusal.rateLimited)
    return "GitHub's rate limit is used up (a workflow's token has 1,000 requests an hour and repository): run the job again later, or give another github-token.";
  if (status === null)
    return 'Check that the runner reaches GITHUB_API_URL, and https_proxy and no_proxy where there is a proxy.';
  if (status >= 500)
    return 'GitHub has a fault, see https://www.githubstatus.com: run the job again later.';
  if (status === 401)
    return 'The github-token was rejected: leave the input out to use the token of the workflow, or renew the one given.';
  if (status === 410 || /\block(ed)?\b|disabled/i.test(words))
    return 'The conversation is locked or closed for comments: unlock it, or set `comment: never`.';
  if (status === 403 && restricted === 'fork')
    return 'The pull request comes from a fork, so the token may only read. The job summary has the same report. To comment nonetheless, post from a second workflow on workflow_run, see docs/security.md.';
  if (status === 403 && restricted === 'dependabot')
    return "Dependabot's workflows get a read-only token: add `permissions: pull-requests: write` to the job, or set `comment: never`.";
  if (status === 403)
    return 'Add `permissions: pull-requests: write` to the job (with a token of your own: the right to write to pull requests), or set `comment: never`.';
  if (status === 404)
    return 'Check that the pull request still exists and that the token may see this repository: `permissions: pull-requests: write`.';
  if (status === 422)
    return 'GitHub did not accept the content. Please report this with the job log; the job summary has the same report.';
  return 'The job summary has the same report; run the job again, and report this if it stays.';
}
