import { type Dispatcher, request } from 'undici';
import { classifyFailure } from '../endpoint/failure.js';
import { unlessAborted } from '../endpoint/unless-aborted.js';
import { publicUrl } from '../text/public-url.js';
import { problem } from './problem.js';
import { Passing, unreachable } from './unreachable.js';

export interface GetContext {
  readonly signal: AbortSignal;
  /** The option that names the source, for errors. */
  readonly where: string;
  /** Without a byte for so long a server counts as gone. Default 60 s. */
  readonly silenceMs?: number;
}

/** What a server answered that is not an error. */
export interface Answer {
  readonly status: 200 | 206 | 304 | 416;
  header(name: string): string | null;
  readonly body: Dispatcher.ResponseData['body'];
}

const MAX_REDIRECTS = 5;
const SILENCE_MS = 60_000;
const ELSEWHERE = 'Try again later, or download it and give its path. Check the proxy settings.';

/**
 * Asks for `url` and follows redirects, to https only; sends no credentials. Of what is good only for certain requests
 * 206 and 416 come back when `headers` ask for a range, and 304 when they ask for changes.
 * @throws Passing after a failed connection, 429 or 5xx; SourceUnreachable saying what else the server answered.
 *   Rejects with the signal's reason when aborted.
 */
export async function get(
  start: URL,
  headers: Readonly<Record<string, string>>,
  dispatcher: Dispatcher,
  ctx: GetContext,
): Promise<Answer> {
  let url = start;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const { statusCode: status, headers: got, body } = await send(url, headers, dispatcher, ctx);
    const header = (name: string): string | null => [got[name]].flat()[0] ?? null;
    if (isWanted(status, headers)) return { status, header, body };
    body.destroy();
    const location = header('location');
    if (status < 300 || status >= 400 || location === null) {
      throw statusProblem(status, url, ctx.where);
    }
    url = redirectTarget(location, url, ctx.where);
  }
  throw unreachable(
    ctx.where,
    `${publicUrl(start)} redirects more than ${MAX_REDIRECTS} times.`,
    'Open the address in a browser and give the final one.',
  );
}

export function cannotBeDownloaded(url: URL, reason: string, where: string): Error {
  return unreachable(where, `${publicUrl(url)} cannot be downloaded: ${reason}.`, ELSEWHERE);
}

/** @throws ConfigError for addresses that would send data or passwords in the open. */
export function checkAddress(url: URL, where: string): void {
  if (url.username !== '' || url.password !== '') {
    throw problem(
      where,
      'holds a user name or password, which would end up in logs.',
      'Download the file in an earlier step and give its path.',
    );
  }
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url))) return;
  throw problem(
    where,
    `${publicUrl(url)} does not use https.`,
    'Use an https URL, or download the file and give its path.',
  );
}

function isWanted(
  status: number,
  headers: Readonly<Record<string, string>>,
): status is Answer['status'] {
  if (status === 206 || status === 416) return 'range' in headers;
  if (status === 304) return 'if-none-match' in headers || 'if-modified-since' in headers;
  return status === 200;
}

async function send(
  url: URL,
  headers: Readonly<Record<string, string>>,
  dispatcher: Dispatcher,
  { signal, where, silenceMs = SILENCE_MS }: GetContext,
): Promise<Dispatcher.ResponseData> {
  // The dispatcher's own limit does not run while a connection or a proxy's tunnel is being made.
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), silenceMs);
  try {
    const either = AbortSignal.any([signal, silence.signal]);
    const sent = request(url, {
      dispatcher,
      signal: either,
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
      headers: { 'accept-encoding': 'identity', 'user-agent': 'vendor-gate', ...headers },
    });
    // It may break off before anybody reads it; whoever does gets the error then.
    sent.then(
      ({ body }) => body.on('error', () => {}),
      () => {},
    );
    return await unlessAborted(sent, either);
  } catch (error) {
    signal.throwIfAborted();
    if (silence.signal.aborted) throw new Passing(`no answer came in ${silenceMs / 1000} s`);
    const { cause, detail } = classifyFailure(error);
    if (cause === 'tls') {
      throw unreachable(
        where,
        `the TLS certificate of ${publicUrl(url)} is not accepted: ${detail}.`,
        'Check its host name and date; for a private authority set NODE_EXTRA_CA_CERTS to its file.',
      );
    }
    throw new Passing(detail);
  } finally {
    clearTimeout(timer);
  }
}

function redirectTarget(location: string, from: URL, where: string): URL {
  const target = URL.canParse(location, from.href) ? new URL(location, from.href) : null;
  // From this machine to this machine is for tests; nobody else may point the download there or back to http.
  const safe =
    target?.protocol === 'https:' ||
    (target?.protocol === 'http:' && isThisMachine(target) && from.protocol === 'http:');
  if (target === null || !safe) {
    const to = target === null ? 'an invalid address' : publicUrl(target);
    throw unreachable(
      where,
      `${publicUrl(from)} redirects to ${to}, which is not https.`,
      'Give the final https address.',
    );
  }
  return target;
}

function isThisMachine({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

function statusProblem(status: number, url: URL, where: string): Error {
  const label = publicUrl(url);
  if (status === 429 || status >= 500) return new Passing(`the server answered ${status}`);
  if (status === 404 || status === 410) {
    return unreachable(where, `there is nothing at ${label} (${status}).`, 'Check the address.');
  }
  if (status === 401 || status === 403) {
    return unreachable(
      where,
      `${label} needs a login or refuses this machine (${status}).`,
      'Download the file in an earlier step, with the credentials it needs, and give its path.',
    );
  }
  return unreachable(where, `${label} answered ${status}.`, 'Check the address.');
}
