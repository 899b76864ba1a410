import OpenAI from 'openai';
import { type Dispatcher, fetch as undiciFetch } from 'undici';
import { ConfigError } from '../model/errors.js';

/** Longer than any request may take: the time limit is ours, for headers and body together. */
const NO_TIMEOUT = 2_147_483_647;

export interface ClientSettings {
  readonly baseUrl: string;
  /** null: no Authorization header. */
  readonly apiKey: string | null;
  /** Sent with every request; a header of the same name as one of ours wins. */
  readonly headers: Readonly<Record<string, string>>;
  readonly userAgent: string;
  readonly dispatcher: Dispatcher;
}

/** Sends single requests: no retries, no redirects, no time limit, no look at the answer. */
export interface Client {
  /** Resolves with whatever status came, the body unread. Rejects when the connection fails or `signal` is aborted. */
  post(path: string, body: string, signal: AbortSignal): Promise<Response>;
  get(path: string, signal: AbortSignal): Promise<Response>;
}

/** A request that did not get as far as response headers; `cause` says why. */
class ConnectionFailed extends Error {
  // No `cause` yet: the openai client reads "timed out" in it and then throws an error that has lost it.
  readonly reason: unknown;
  constructor(reason: unknown) {
    super('no response');
    this.reason = reason;
  }
}

/**
 * The openai package's low-level client, told to do as little as possible. What it would add by itself is kept
 * from the wire: its x-stainless-* headers describe the machine, and OPENAI_* variables of the environment are
 * meant for another endpoint.
 *
 * Throws ConfigError for a URL or header that cannot be sent, without naming values, which may be secret.
 */
export function openClient(settings: ClientSettings): Client {
  const url = checkedUrl(settings.baseUrl);
  const headers = checkedHeaders(settings);
  const openai = new OpenAI({
    baseURL: `${url.origin}${url.pathname.replace(/\/+$/, '')}`,
    defaultQuery: Object.fromEntries(url.searchParams),
    apiKey: settings.apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: NO_TIMEOUT,
    logLevel: 'off',
    fetch: (target, init) => send(target, init, headers, settings.dispatcher),
  });
  return {
    post: (path, body, signal) =>
      response(
        openai.post(path, { body, headers: { 'content-type': 'application/json' }, signal }),
      ),
    get: (path, signal) => response(openai.get(path, { signal })),
  };
}

async function send(
  target: string | URL | Request,
  init: RequestInit | undefined,
  headers: Readonly<Record<string, string>>,
  dispatcher: Dispatcher,
): Promise<Response> {
  const { method = 'GET', body = null, signal = null } = init ?? {};
  let answer: Response;
  try {
    // undici's fetch, not Node's: a dispatcher fits the fetch of its own version only. The types differ in name.
    answer = (await undiciFetch(String(target), {
      method,
      body: body as string | null,
      signal,
      headers,
      dispatcher,
      redirect: 'manual',
    })) as unknown as Response;
  } catch (reason) {
    throw new ConnectionFailed(reason);
  }
  // Of an answer that is not "ok" the client would read the whole body, however large, before we see it.
  Object.defineProperty(answer, 'ok', { value: true });
  return answer;
}

async function response(request: { asResponse(): Promise<Response> }): Promise<Response> {
  try {
    return await request.asResponse();
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    throw cause instanceof ConnectionFailed ? cause.reason : error;
  }
}

function checkedUrl(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '')
    return url;
  throw new ConfigError([
    {
      where: 'endpoint',
      what: 'It is not an http or https URL without user name and password.',
      fix: 'Give the base URL, such as https://host/v1, and the key as api-key.',
    },
  ]);
}

/** The headers of every request, by lower-case name. */
function checkedHeaders(settings: ClientSettings): Readonly<Record<string, string>> {
  const { apiKey } = settings;
  const ours: [string, string][] = [
    ['accept', 'application/json, text/event-stream'],
    ['content-type', 'application/json'],
    ['user-agent', settings.userAgent],
  ];
  if (apiKey !== null) ours.push(['authorization', `Bearer ${apiKey}`]);
  const theirs = Object.entries(settings.headers);
  const headers = new Headers();
  for (const [name, value] of [...ours, ...theirs]) {
    try {
      headers.set(name, value);
    } catch {
      const isKey = name === 'authorization' && value === `Bearer ${apiKey}`;
      throw new ConfigError([
        {
          where: isKey ? 'api-key' : 'headers',
          what: isKey
            ? 'The key holds a character that no HTTP header can carry.'
            : `The header ${JSON.stringify(name)} cannot be sent: its name or value holds a character that no HTTP header can carry.`,
          fix: 'Look for line breaks and stray characters, often picked up when a secret is pasted.',
        },
      ]);
    }
  }
  return Object.fromEntries(headers);
}
