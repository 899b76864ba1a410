import type { Clock } from '../model/clock.js';
import { UnusableAnswer } from './answers.js';
import type { EventContext } from './event.js';
import { type Failure, failureOf, type Refusal, wordsOf } from './failure.js';

type Octokit = ReturnType<typeof import('@actions/github').getOctokit>;

/** What a request to GitHub came to. */
export type Asked<T> = { readonly kind: 'ok'; readonly value: T } | Failure;

/** GitHub's API with retries, time limits and failures as values. */
export interface GitHub {
  /**
   * Runs one or more requests; resolves to their value or to a Failure, never rejects.
   * @param what completes "Could not ..." for people: 'post the pull-request comment'
   */
  ask<T>(what: string, send: (octokit: Octokit) => Promise<T>): Promise<Asked<T>>;
}

export interface GitHubSettings {
  readonly token: string | null;
  /** GITHUB_API_URL; null: https://api.github.com. Names the host of a GitHub Enterprise Server. */
  readonly apiUrl: string | null;
  readonly userAgent: string;
  readonly clock: Clock;
  /** Why the token may only read, for the advice in failures. */
  readonly restricted: EventContext['restricted'];
  /** Of one attempt, in milliseconds; default 20 s. */
  readonly requestTimeoutMs?: number;
  /** Retries of one request; default 3. */
  readonly maxRetries?: number;
  /** The most that this client waits between attempts in its whole life; default 120 s. */
  readonly maxWaitMs?: number;
  /** Ends requests and waits, as on SIGINT. */
  readonly signal?: AbortSignal;
}

/** GitHub asks for at least a minute after a secondary rate limit that names no time ("Rate limits for the REST API"). */
const SECONDARY_LIMIT_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 1_000;

/**
 * Opens GitHub's API. Without a token it resolves to a Failure.
 *
 * @actions/github is loaded here and not at the top: on import it reads the environment and parses the event file,
 * and throws when that file is damaged. It honours https_proxy and no_proxy by itself.
 */
export async function openGitHub(settings: GitHubSettings): Promise<Asked<GitHub>> {
  const { restricted } = settings;
  const token = settings.token?.trim();
  if (!token)
    return {
      kind: 'failed',
      status: null,
      message: 'There is no github-token, so nothing can be asked of GitHub.',
      fix: 'Leave the input github-token out (its default is the token of the workflow), or set `comment: never`.',
    };
  // Refused here, because fetch would quote the whole header in its error.
  if (!/^[\x21-\x7e]+$/.test(token))
    return {
      kind: 'failed',
      status: null,
      message: 'The github-token holds white space or characters that no token has.',
      fix: 'Check the secret that the input github-token is taken from.',
    };
  try {
    const { getOctokit } = await import('@actions/github');
    const octokit = getOctokit(token, {
      ...(settings.apiUrl ? { baseUrl: settings.apiUrl.replace(/\/+$/, '') } : {}),
      userAgent: settings.userAgent,
      log: SILENT,
    });
    addPolicies(octokit, settings);
    return { kind: 'ok', value: { ask: (what, send) => ask(octokit, what, send, restricted) } };
  } catch (error) {
    return {
      ...failureOf('open the GitHub API', refusalOf(error), restricted),
      fix: 'Check that GITHUB_EVENT_PATH names a whole JSON file, and that https_proxy is a URL where it is set.',
    };
  }
}

/** Octokit's own log goes to the console, where it would mix with the job log. */
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

async function ask<T>(
  octokit: Octokit,
  what: string,
  send: (octokit: Octokit) => Promise<T>,
  restricted: EventContext['restricted'],
): Promise<Asked<T>> {
  try {
    return { kind: 'ok', value: await send(octokit) };
  } catch (error) {
    return failureOf(what, refusalOf(error), restricted);
  }
}

/** Puts time limit, retries and a check of the answer round every request, pages and GraphQL included. */
function addPolicies(octokit: Octokit, settings: GitHubSettings): void {
  const { clock, signal, requestTimeoutMs = 20_000, maxRetries = 3 } = settings;
  let waitLeft = settings.maxWaitMs ?? 120_000;
  octokit.hook.wrap('request', async (request, options) => {
    for (let retry = 0; ; retry++) {
      signal?.throwIfAborted();
      const limit = AbortSignal.timeout(requestTimeoutMs);
      try {
        // In place: before-after-hook calls the inner hooks (authentication) with this very object and drops another.
        options.request = {
          ...options.request,
          signal: signal ? AbortSignal.any([signal, limit]) : limit,
        };
        const response = await request(options);
        if (response.status < 204) checkBody(response.data);
        return response;
      } catch (error) {
        const wait = waitBefore(error, options, retry, clock.now());
        if (wait === null || retry >= maxRetries || wait > waitLeft || signal?.aborted)
          throw limit.aborted
            ? new UnusableAnswer(`no answer within ${requestTimeoutMs} ms`)
            : error;
        waitLeft -= wait;
        await clock.sleep(wait, signal);
      }
    }
  });
}

/**
 * Octokit turns a body that was cut into '', passes a proxy's HTML page on as text, and paginate takes '' and null for
 * an empty page. None may pass for "there are no comments".
 */
function checkBody(data: unknown): void {
  if (data === '') throw new UnusableAnswer('the answer was cut');
  if (typeof data === 'string') throw new UnusableAnswer('the answer is not JSON');
  if (typeof data !== 'object' || data === null)
    throw new UnusableAnswer('the answer is neither an object nor a list');
}

/**
 * Milliseconds to wait before the same request may be sent again; null: never.
 * A request that creates something is repeated only when GitHub refused it for its rate limit: after a lost answer the
 * thing may exist.
 */
function waitBefore(
  error: unknown,
  options: { readonly method: string; readonly url: string },
  retry: number,
  now: number,
): number | null {
  const { status, rateLimited } = refusalOf(error);
  const headers = headersOf(error);
  if (rateLimited)
    return retryAfter(headers, now) ?? untilReset(headers, now) ?? SECONDARY_LIMIT_WAIT_MS;
  if (status !== null && status < 500) return null;
  if (options.method === 'POST' && !options.url.endsWith('/graphql')) return null;
  return retryAfter(headers, now) ?? FIRST_WAIT_MS * 2 ** retry;
}

type Headers = Readonly<Record<string, unknown>>;

/** retry-after: seconds, or a date (RFC 9110, 10.2.3). */
function retryAfter(headers: Headers, now: number): number | null {
  const value = headers['retry-after'];
  if (value === undefined) return null;
  const seconds = Number(value);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(String(value)) - now;
  return Number.isFinite(wait) ? Math.max(0, wait) : null;
}

/** x-ratelimit-reset: seconds since the epoch, and one more because it is rounded down. */
function untilReset(headers: Headers, now: number): number | null {
  if (Number(headers['x-ratelimit-remaining'] ?? 1) !== 0) return null;
  const reset = Number(headers['x-ratelimit-reset']);
  return reset > 0 ? Math.max(0, (reset + 1) * 1000 - now) : null;
}

/** Octokit's errors: with `response` when GitHub answered; status 500 of its own making when it did not. */
function refusalOf(error: unknown): Refusal {
  const words = wordsOf(error);
  const response = responseOf(error);
  const status = typeof response?.['status'] === 'number' ? response['status'] : null;
  const headers = headersOf(error);
  return {
    status,
    words,
    rateLimited:
      status === 429 ||
      (status === 403 &&
        ('retry-after' in headers ||
          Number(headers['x-ratelimit-remaining'] ?? 1) === 0 ||
          /rate limit/i.test(words))),
  };
}

function headersOf(error: unknown): Headers {
  const headers = responseOf(error)?.['headers'];
  return typeof headers === 'object' && headers !== null ? (headers as Headers) : {};
}

function responseOf(error: unknown): Readonly<Record<string, unknown>> | null {
  const response =
    typeof error === 'object' && error !== null && 'response' in error ? error.response : null;
  return typeof response === 'object' && response !== null
    ? (response as Record<string, unknown>)
    : null;
}
