import { type EndpointSettings, openEndpoint } from '../../src/endpoint/open.js';
import { systemClock } from '../../src/engine/clock.js';
import type { Clock } from '../../src/model/clock.js';
import type { Endpoint, Exchange, Reply } from '../../src/model/completion.js';

export const KEY = 'sk-very-secret-0123456789';

export const STREAM_BODY =
  '{"model":"kimi-k2","messages":[],"stream":true,"stream_options":{"include_usage":true}}';
export const PLAIN_BODY = '{"model":"kimi-k2","messages":[]}';

/** An endpoint with settings fit for tests: no retries, no proxy, the key KEY. */
export function endpointAt(
  baseUrl: string,
  settings: Partial<EndpointSettings> = {},
  clock: Clock = systemClock,
  env: Record<string, string | undefined> = {},
): Endpoint {
  return openEndpoint(
    {
      baseUrl,
      apiKey: KEY,
      headers: {},
      model: 'kimi-k2',
      requestTimeoutMs: 5000,
      maxRetries: 0,
      concurrency: 64,
      maxRequestsPerMinute: null,
      userAgent: 'vendor-gate/0.0.0',
      ...settings,
    },
    { clock, random: () => 0.5, env },
  );
}

/** Sends one body and closes the endpoint. */
export async function ask(
  baseUrl: string,
  body: string,
  settings: Partial<EndpointSettings> = {},
  clock: Clock = systemClock,
): Promise<{ reply: Reply; exchange: Exchange }> {
  const endpoint = endpointAt(baseUrl, settings, clock);
  try {
    return await endpoint.send({ path: '/chat/completions', body }, new AbortController().signal);
  } finally {
    await endpoint.close();
  }
}

/**
 * A clock whose waits pass at once and move it on, except those of at least `realFrom` milliseconds (time limits of
 * requests), which never pass. `waits` records what was waited for.
 */
export function hastyClock(realFrom: number): Clock & { readonly waits: number[] } {
  const start = Date.UTC(2026, 0, 1);
  const waits: number[] = [];
  let passed = 0;
  return {
    waits,
    now: () => start + passed,
    elapsed: () => passed,
    sleep: (ms, signal) => {
      if (ms >= realFrom) {
        return new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        });
      }
      waits.push(ms);
      passed += ms;
      return signal?.aborted ? Promise.reject(signal.reason) : Promise.resolve();
    },
  };
}
