import { setMaxListeners } from 'node:events';
import type { Clock } from '../model/clock.js';
import type { ChatRequest, Endpoint, Exchange, Reply } from '../model/completion.js';
import { type Attempt, attempt } from './attempt.js';
import { type Client, openClient } from './client.js';
import { type Concealment, concealmentOf, keptHeaders, replyOf, servedBy } from './conceal.js';
import { Pace, type TurnEnd } from './pace.js';
import { dispatcherFor } from './proxy.js';
import { Pulse } from './pulse.js';
import { Answers, isTooLong, RateLimitWaits } from './rate-limit.js';
import { waitUntilReady } from './ready.js';
import { asksForStream, refusesStreamOptions, withoutStreamOptions } from './request-body.js';
import { toldToWait, waitBefore, worthRetry } from './retry.js';

const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;
/** A longer timer of Node's would run out at once. */
const LONGEST_SLEEP_MS = 2_147_483_647;

export interface EndpointSettings {
  /** Without a trailing slash and without /chat/completions: `https://host/v1`. */
  readonly baseUrl: string;
  /** null: no Authorization header. */
  readonly apiKey: string | null;
  /** Sent with every request, over ours of the same name; their values count as secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** The model that requests ask for; compared with the one that answers. */
  readonly model: string;
  /** Of one attempt, from connecting to the last byte. */
  readonly requestTimeoutMs: number;
  /** Attempts after the first. */
  readonly maxRetries: number;
  /** Most requests in flight, and most in a minute (null: no limit); see Pace. */
  readonly concurrency: number;
  readonly maxRequestsPerMinute: number | null;
  /** Of one body after decompression; default 32 MiB. */
  readonly maxResponseBytes?: number;
  /** Time of `clock.now()` after which no retry is waited for. */
  readonly deadlineAt?: number;
  /** `vendor-gate/VERSION`. */
  readonly userAgent: string;
}

export interface EndpointDeps {
  readonly clock: Clock;
  /** Yields [0,1). */
  random(): number;
  /** For proxies. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * One endpoint with all its policies: retries, time limits, redaction, size limits. See the contract in
 * model/completion.ts. Throws ConfigError for a URL, key, header or proxy that cannot be used.
 */
export function openEndpoint(settings: EndpointSettings, deps: EndpointDeps): Endpoint {
  return new OpenEndpoint(settings, deps);
}

class OpenEndpoint implements Endpoint {
  private readonly settings: EndpointSettings;
  private readonly deps: EndpointDeps;
  private readonly dispatcher;
  private readonly client: Client;
  private readonly conceal: Concealment;
  private readonly pace: Pace;
  private readonly pulse = new Pulse();
  private readonly answers: Answers;
  private inFlight = 0;
  /** The endpoint has refused stream_options and answered without them; no request carries them any more. */
  private dropsStreamOptions = false;

  constructor(settings: EndpointSettings, deps: EndpointDeps) {
    this.settings = settings;
    this.deps = deps;
    this.dispatcher = dispatcherFor(deps.env);
    this.client = openClient({ ...settings, dispatcher: this.dispatcher });
    this.pace = new Pace(settings, deps.clock);
    this.answers = new Answers(deps.clock.elapsed());
    this.conceal = concealmentOf(settings.apiKey, settings.headers);
  }

  async send(
    request: ChatRequest,
    signal: AbortSignal,
  ): Promise<{ reply: Reply; exchange: Exchange }> {
    const { clock, random } = this.deps;
    // One signal for the whole run is listened to by every request in flight; Node warns from the eleventh on.
    setMaxListeners(0, signal);
    let body = request.body;
    let isStripped = false;
    // Sent once more without its stream_options; whether they were the trouble shows in what comes of that.
    let onTrial = 0;
    const limited = new RateLimitWaits();
    for (let retries = 0; ; ) {
      if (this.dropsStreamOptions && !isStripped) {
        body = withoutStreamOptions(body) ?? body;
        isStripped = body !== request.body;
      }
      const wantsStream = request.stream ?? asksForStream(body);
      const { result, inFlight } = await this.once(
        { ...request, body, wantsStream },
        limited.count === 0,
        signal,
      );
      if (!isStripped && refusesStreamOptions(result.finding)) {
        const stripped = withoutStreamOptions(body);
        if (stripped !== null) {
          body = stripped;
          isStripped = true;
          onTrial = 1;
          continue;
        }
      }
      if (onTrial > 0 && result.finding.kind === 'completion') this.dropsStreamOptions = true;
      const told = toldToWait(result.headers, result.status ?? 0, clock.now());
      // While the endpoint answers others, one that throttles this request only asks for patience.
      const patient =
        this.settings.maxRetries > 0 &&
        isThrottled(result) &&
        this.answers.areRecent(clock.elapsed())
          ? limited.next(told, random)
          : null;
      const wait = patient ?? waitBefore(retries, told, random);
      const goesOn =
        worthRetry(result.finding) &&
        !(isThrottled(result) && isTooLong(told)) &&
        !this.pulse.isGone(clock.elapsed()) &&
        (patient !== null || retries < this.settings.maxRetries) &&
        wait <= LONGEST_SLEEP_MS &&
        clock.now() + wait <= (this.settings.deadlineAt ?? Number.POSITIVE_INFINITY);
      if (!goesOn) {
        // A wait that was asked for and not made is none.
        const waited = limited.count - (patient === null ? 0 : 1);
        return this.report(result, retries + waited + onTrial + 1, inFlight, isStripped);
      }
      if (patient === null) retries += 1;
      await clock.sleep(wait, signal);
    }
  }

  waitUntilReady(timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    return waitUntilReady(this.client, timeoutMs, this.deps.clock, signal);
  }

  async close(): Promise<void> {
    this.pace.close();
    await this.dispatcher.destroy();
  }

  private async once(
    request: Parameters<typeof attempt>[1],
    isFirst: boolean,
    signal: AbortSignal,
  ): Promise<{ result: Attempt; inFlight: number }> {
    const { settings, deps } = this;
    const turn = await this.pace.turn(signal);
    let end: TurnEnd = 'other';
    let isAnswering = false;
    const client: Client = {
      ...this.client,
      post: async (...given) => {
        const answer = await this.client.post(...given);
        isAnswering = answer.status < 500;
        if (isAnswering) this.pulse.begins();
        return answer;
      },
    };
    this.inFlight += 1;
    const { inFlight } = this;
    const maxResponseBytes = settings.maxResponseBytes ?? MAX_RESPONSE_BYTES;
    try {
      const limits = { ...settings, maxResponseBytes };
      const result = await attempt(client, request, limits, deps.clock, signal);
      const now = deps.clock.elapsed();
      this.pulse.after(result.finding, now);
      if (result.finding.kind !== 'failed') {
        this.answers.came(now);
        end = 'answered';
      } else if (isFirst && isThrottled(result)) end = 'throttled';
      return { result, inFlight };
    } finally {
      this.inFlight -= 1;
      if (isAnswering) this.pulse.ends();
      this.pace.end(turn, end);
    }
  }

  private report(
    result: Attempt,
    attempts: number,
    inFlight: number,
    isStripped: boolean,
  ): { reply: Reply; exchange: Exchange } {
    const warnings: string[] = [...result.warnings];
    if (isStripped && this.dropsStreamOptions) warnings.push('stream_options_dropped');
    return {
      reply: replyOf(result.finding, this.conceal),
      exchange: {
        status: result.status,
        attempts,
        firstTokenMs: result.firstTokenMs,
        totalMs: result.totalMs,
        usage: result.draft.usage,
        warnings,
        headers: keptHeaders(result.headers, this.conceal.text),
        served: servedBy(result.draft, this.conceal.answer),
        inFlight,
      },
    };
  }
}

/** A 429 for an empty account is no rate limit: waiting does not help. */
function isThrottled({ finding, status }: Attempt): boolean {
  return status === 429 && finding.kind === 'failed' && finding.cause === 'rate_limited';
}
