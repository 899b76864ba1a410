import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type Dispatcher, request } from 'undici';
import { classifyFailure } from '../endpoint/failure.js';
import { dispatcherFor } from '../endpoint/proxy.js';
import { ConfigError } from '../model/errors.js';
import { publicUrl } from '../text/public-url.js';

export interface DownloadContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly where: string;
  readonly maxBytes: number;
  readonly retryDelaysMs?: readonly number[];
}

const MAX_REDIRECTS = 5;
/** Without a byte for so long a server counts as gone. */
const SILENCE_MS = 60_000;
const RETRY_DELAYS_MS = [1_000, 4_000];

/**
 * Saves the body of `url` to the file `to`, byte for byte, as it arrives. Follows redirects to https only and sends no
 * credentials. Tries again after a failed connection, 429 or 5xx.
 * @throws ConfigError saying what the server answered. Rejects with the signal's reason when aborted.
 */
export async function download(url: URL, to: string, ctx: DownloadContext): Promise<void> {
  checkScheme(url, ctx.where);
  const delays = ctx.retryDelaysMs ?? RETRY_DELAYS_MS;
  const dispatcher = dispatcherFor(ctx.env);
  try {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await attemptOnce(url, to, dispatcher, ctx);
      } catch (error) {
        ctx.signal.throwIfAborted();
        const wait = delays[attempt];
        if (!(error instanceof Passing)) throw error;
        if (wait === undefined) {
          const what = `${publicUrl(url)} cannot be downloaded: ${error.message}.`;
          const fix =
            'Try again later, or download it and give its path. Check the proxy settings.';
          throw problem(ctx.where, what, fix);
        }
        await delay(wait, undefined, { signal: ctx.signal });
      }
    }
  } finally {
    await dispatcher.destroy();
  }
}

/** A failure that may be gone at the next attempt. */
class Passing extends Error {}

async function attemptOnce(
  start: URL,
  to: string,
  dispatcher: Dispatcher,
  ctx: DownloadContext,
): Promise<void> {
  let url = start;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const answer = await send(url, dispatcher, ctx);
    const { statusCode: status, headers } = answer;
    if (status === 200) {
      await save(answer.body, to, url, ctx);
      return;
    }
    answer.body.on('error', () => {}).destroy();
    const location = [headers['location']].flat()[0];
    if (status >= 300 && status < 400 && location !== undefined) {
      url = redirectTarget(location, url, ctx.where);
    } else {
      throw statusProblem(status, url, ctx.where);
    }
  }
  throw problem(
    ctx.where,
    `${publicUrl(start)} redirects more than ${MAX_REDIRECTS} times.`,
    'Open the address in a browser and give the final one.',
  );
}

async function send(
  url: URL,
  dispatcher: Dispatcher,
  { signal, where }: DownloadContext,
): Promise<Dispatcher.ResponseData> {
  try {
    return await request(url, {
      dispatcher,
      signal,
      headersTimeout: SILENCE_MS,
      bodyTimeout: SILENCE_MS,
      headers: { 'accept-encoding': 'identity', 'user-agent': 'vendor-gate' },
    });
  } catch (error) {
    signal.throwIfAborted();
    const { cause, detail } = classifyFailure(error);
    if (cause === 'tls') {
      throw problem(
        where,
        `the TLS certificate of ${publicUrl(url)} is not accepted: ${detail}.`,
        'Check its host name and date; for a private authority set NODE_EXTRA_CA_CERTS to its file.',
      );
    }
    throw new Passing(detail);
  }
}

async function save(
  body: Dispatcher.ResponseData['body'],
  to: string,
  url: URL,
  { maxBytes, signal, where }: DownloadContext,
): Promise<void> {
  let size = 0;
  const bound = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      const what = `${publicUrl(url)} has more than ${maxBytes} bytes.`;
      const fix = 'If that is right, download it yourself and give its path.';
      done(size > maxBytes ? problem(where, what, fix) : null, chunk);
    },
  });
  try {
    await pipeline(body, bound, createWriteStream(to), { signal });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ConfigError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EACCES') {
      throw problem(where, `the download cannot be stored: ${message}.`, 'Check the disk.');
    }
    throw new Passing(message);
  }
}

function checkScheme(url: URL, where: string): void {
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

function redirectTarget(location: string, from: URL, where: string): URL {
  const target = URL.canParse(location, from.href) ? new URL(location, from.href) : null;
  // From this machine to this machine is for tests; nobody else may point the download there or back to http.
  const safe =
    target?.protocol === 'https:' ||
    (target?.protocol === 'http:' && isThisMachine(target) && from.protocol === 'http:');
  if (target === null || !safe) {
    const to = target === null ? 'an invalid address' : publicUrl(target);
    throw problem(
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
    return problem(where, `there is nothing at ${label} (${status}).`, 'Check the address.');
  }
  if (status === 401 || status === 403) {
    return problem(
      where,
      `${label} needs a login or refuses this machine (${status}).`,
      'Download the file in an earlier step, with the credentials it needs, and give its path.',
    );
  }
  return problem(where, `${label} answered ${status}.`, 'Check the address.');
}

function problem(where: string, what: string, fix: string): ConfigError {
  return new ConfigError([{ where, what, fix }]);
}
