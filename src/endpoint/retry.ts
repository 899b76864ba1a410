import type { Cause } from '../model/completion.js';
import type { Finding } from './finding.js';

/**
 * Which failures are worth asking again. Asking again takes a new sample from the model, so it is fair only where
 * no answer was completed; a refusal (400, 413, 422) and a completion are never asked again.
 */
const RETRIED: Readonly<Record<Cause, boolean>> = {
  rate_limited: true, // wait as told
  server_error: true, // an overloaded or restarting server
  timeout: true, // nothing complete arrived
  network: true, // refused, reset or cut before the finish_reason
  malformed: true, // a maintenance page or half a body with status 200
  stream_error: true, // except where the error names a client's mistake
  server_aborted: true, // the server itself gave the answer up
  no_finish_reason: true, // only where the stream just stopped; not where the server closed it in good order
  http_status: true, // only 408, 409 and 425
  unauthorized: false,
  forbidden: false,
  quota: false,
  model_not_found: false,
  not_found: false,
  no_completions: false,
  history_rejected: false, // the same history fails the same way
  reasoning_required: false, // likewise
  no_images: false,
  too_many_images: false,
  tls: false,
  redirect: false,
  too_large: false, // each attempt could cost as much again
};

/** The first wait is drawn from up to this, each following one from up to twice as much. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/** Whether another attempt makes sense after this one. */
export function worthRetry(finding: Finding): boolean {
  return finding.kind === 'failed' && !finding.final && RETRIED[finding.cause];
}

/**
 * Milliseconds to wait before retry number `retry` (0 for the first). What the endpoint asks for is honoured and a
 * little is added, so that requests which were refused together do not come back together; otherwise exponential
 * back-off with full jitter. `random` yields [0,1).
 */
export function waitBefore(retry: number, told: number | null, random: () => number): number {
  const ceiling = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** retry);
  return told === null ? random() * ceiling : told + random() * Math.min(ceiling, 1000);
}

/**
 * Milliseconds that the response headers ask to wait, or null. `now` is the wall-clock time in milliseconds.
 * Retry-After (seconds or an HTTP date) and OpenAI's retry-after-ms come first; the rate-limit headers count only
 * with status 429 and, where they say which budget is used up, only for that one.
 */
export function toldToWait(
  headers: ReadonlyMap<string, string>,
  status: number,
  now: number,
): number | null {
  const told =
    milliseconds(headers.get('retry-after-ms')) ?? retryAfter(headers.get('retry-after'), now);
  if (told !== null || status !== 429) return told;
  const resets: number[] = [];
  for (const budget of ['-requests', '-tokens', '']) {
    for (const prefix of ['x-ratelimit', 'ratelimit']) {
      const reset = resetIn(headers.get(`${prefix}-reset${budget}`), now);
      const remaining = headers.get(`${prefix}-remaining${budget}`);
      const isUsedUp = remaining === undefined || Number(remaining) <= 0;
      if (reset !== null && isUsedUp) resets.push(reset);
    }
  }
  return resets.length === 0 ? null : Math.max(...resets);
}

function milliseconds(value: string | undefined): number | null {
  return value !== undefined && /^\d{1,15}(?:\.\d+)?$/.test(value) ? Number(value) : null;
}

function retryAfter(value: string | undefined, now: number): number | null {
  const seconds = milliseconds(value);
  if (seconds !== null) return seconds * 1000;
  // An HTTP date always holds a month's name; Date.parse alone would take "-1" for a year.
  const at = value !== undefined && /[A-Za-z]{3}/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** A span ("1m30.5s", "20ms"), seconds, or a point in time as Unix seconds or milliseconds (OpenRouter). */
function resetIn(value: string | undefined, now: number): number | null {
  const number = milliseconds(value);
  if (number !== null) {
    if (number > 1e12) return Math.max(0, number - now);
    return number > 1e9 ? Math.max(0, number * 1000 - now) : number * 1000;
  }
  const span = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:([\d.]+)s)?(?:([\d.]+)ms)?$/.exec(
    value ?? '',
  );
  if (span === null || value === '' || value === undefined) return null;
  const [d, h, m, s, ms] = span.slice(1).map((part) => Number(part ?? 0));
  const total = ((((d ?? 0) * 24 + (h ?? 0)) * 60 + (m ?? 0)) * 60 + (s ?? 0)) * 1000 + (ms ?? 0);
  return Number.isFinite(total) ? total : null;
}
