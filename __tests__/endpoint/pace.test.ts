import type { ServerResponse } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { Pace, type PaceSettings, type Turn } from '../../src/endpoint/pace.js';
import type { Clock } from '../../src/model/clock.js';
import { endpointAt, hastyClock, STREAM_BODY } from '../support/endpoint-ask.js';
import { ANSWER, serversOfEachTest } from '../support/endpoint-servers.js';

/** A clock moved by hand. */
function handClock(): Clock & { pass(ms: number): Promise<void> } {
  let now = 0;
  const sleepers = new Set<{ until: number; wake: () => void }>();
  return {
    now: () => now,
    elapsed: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { until: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      }),
    async pass(ms) {
      now += ms;
      for (const sleeper of [...sleepers]) {
        if (sleeper.until > now) continue;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
      await settle();
    },
  };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Asks for `n` turns; those handed out so far are in `turns`. */
function queue(settings: Partial<PaceSettings>) {
  const clock = handClock();
  const pace = new Pace({ concurrency: 8, maxRequestsPerMinute: null, ...settings }, clock);
  const { signal } = new AbortController();
  const turns: Turn[] = [];
  const ask = async (n: number): Promise<void> => {
    for (let i = 0; i < n; i += 1) void pace.turn(signal).then((turn) => turns.push(turn));
    await settle();
  };
  const end = async (n: number, how: Parameters<Pace['end']>[1]): Promise<void> => {
    for (const turn of turns.splice(0, n)) pace.end(turn, how);
    await settle();
  };
  return { clock, pace, turns, ask, end };
}

describe('how many go at once', () => {
  test('as many as the concurrency says, the rest in order', async () => {
    const { turns, ask, end } = queue({});
    await ask(20);
    expect(turns).toHaveLength(8);
    await end(3, 'answered');
    expect(turns).toHaveLength(8);
    await end(8, 'other');
    expect(turns).toHaveLength(8);
  });

  test('a wave that is throttled together halves the number once', async () => {
    const { pace, ask, end, clock } = queue({});
    await ask(8);
    await clock.pass(10);
    await end(8, 'throttled');
    expect(pace.allowed).toBe(4);
    await ask(8);
    await clock.pass(10);
    await end(4, 'throttled');
    expect(pace.allowed).toBe(2);
  });

  test('never below one, and each round of answers lets one more go, up to the concurrency', async () => {
    const { pace, ask, end, clock } = queue({ concurrency: 3 });
    for (const expected of [1, 1]) {
      await ask(1);
      await clock.pass(10);
      await end(1, 'throttled');
      expect(pace.allowed).toBe(expected);
    }
    const grown: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      await ask(1);
      await end(1, 'answered');
      grown.push(pace.allowed);
    }
    // 1 + 1/1 = 2, + 1/2 = 2.5, + 1/2.5 = 2.9, + 1/2.9 = 3.2, at most 3
    expect(grown).toEqual([2, 2, 2, 3, 3, 3, 3, 3]);
  });
});

describe('requests a minute', () => {
  test('120 requests a minute are one every half second', async () => {
    const { turns, ask, clock } = queue({ maxRequestsPerMinute: 120 });
    await ask(5);
    const seen: number[] = [turns.length];
    for (let i = 0; i < 4; i += 1) {
      await clock.pass(500);
      seen.push(turns.length);
    }
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });
});

test('a clock that moves on while one looks wakes those in line all the same', async () => {
  const clock = handClock();
  const moving: Clock = {
    ...clock,
    elapsed: () => {
      void clock.pass(1);
      return clock.elapsed();
    },
  };
  const pace = new Pace({ concurrency: 1, maxRequestsPerMinute: 60_000 }, moving);
  const { signal } = new AbortController();
  for (let request = 0; request < 200; request += 1) {
    const turn = pace.turn(signal);
    await settle();
    await clock.pass(1);
    pace.end(await turn, 'answered');
  }
  expect(pace.allowed).toBe(1);
});

test('one who is aborted leaves the line, and nobody behind waits for it', async () => {
  const pace = new Pace({ concurrency: 1, maxRequestsPerMinute: null }, handClock());
  const { signal } = new AbortController();
  const first = await pace.turn(signal);
  const leaving = new AbortController();
  const second = pace.turn(leaving.signal);
  const third = pace.turn(signal);
  leaving.abort(new Error('cut'));
  await expect(second).rejects.toThrow('cut');
  pace.end(first, 'answered');
  await expect(third).resolves.toMatchObject({ at: 0 });
});

describe('on a real socket', () => {
  const { hostile } = serversOfEachTest();
  const request = { path: '/chat/completions', body: STREAM_BODY } as const;
  const answer = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(ANSWER.join(''));
  };
  const slowDown = (response: ServerResponse, headers: Record<string, string> = {}): void => {
    response.writeHead(429, headers);
    response.end('{"error":{"message":"slow down"}}');
  };

  test('a vendor that serves two at a time answers all of thirty, however often it says 429', async () => {
    let inside = 0;
    let refused = 0;
    const server = await hostile(async (response) => {
      if (inside >= 2) {
        refused += 1;
        slowDown(response, { 'retry-after-ms': '5' });
        return;
      }
      inside += 1;
      await new Promise((resolve) => setTimeout(resolve, 10));
      inside -= 1;
      answer(response);
    });
    const endpoint = endpointAt(server.url, { concurrency: 16, maxRetries: 1 });
    try {
      const { signal } = new AbortController();
      const sent = Array.from({ length: 30 }, () => endpoint.send(request, signal));
      const kinds = (await Promise.all(sent)).map(({ reply }) => reply.kind);
      expect(kinds).toEqual(Array.from({ length: 30 }, () => 'completion'));
      expect(refused).toBeGreaterThan(0);
    } finally {
      await endpoint.close();
    }
  });

  test('a window of ten seconds without a word about it is got through at concurrency 1', async () => {
    const clock = hastyClock(60_001);
    let window = 0;
    let served = 0;
    const server = await hostile((response) => {
      const now = Math.floor(clock.elapsed() / 10_000);
      if (now !== window) [window, served] = [now, 0];
      served += 1;
      if (served > 5) slowDown(response);
      else answer(response);
    });
    const settings = { concurrency: 1, maxRetries: 1, requestTimeoutMs: 60_001 };
    const endpoint = endpointAt(server.url, settings, clock);
    try {
      const { signal } = new AbortController();
      for (let sample = 0; sample < 24; sample += 1) {
        const { reply } = await endpoint.send(request, signal);
        expect([sample, reply.kind]).toEqual([sample, 'completion']);
      }
    } finally {
      await endpoint.close();
    }
  });

  test('one prompt that is always refused so does not hold up the others', async () => {
    const clock = hastyClock(600_001);
    const server = await hostile((response, { body }) => {
      if (String(body).includes('"poison"')) slowDown(response, { 'retry-after': '60' });
      else answer(response);
    });
    const settings = { concurrency: 8, maxRetries: 1, requestTimeoutMs: 600_001 };
    const endpoint = endpointAt(server.url, settings, clock);
    try {
      const { signal } = new AbortController();
      await endpoint.send(request, signal);
      const poison = endpoint.send({ ...request, body: '{"stream":true,"user":"poison"}' }, signal);
      const others = Array.from({ length: 40 }, () => endpoint.send(request, signal));
      const kinds = (await Promise.all(others)).map(({ reply }) => reply.kind);
      expect(new Set(kinds)).toEqual(new Set(['completion']));
      const { reply, exchange } = await poison;
      expect(reply).toMatchObject({ kind: 'failed', cause: 'rate_limited' });
      // Waits of 60 s and a little within ten minutes, one retry, and the first.
      expect(exchange.attempts).toBeLessThanOrEqual(12);
    } finally {
      await endpoint.close();
    }
  });

  test('one that always says 429 is given up when a minute and the retries are over', async () => {
    const clock = hastyClock(600_001);
    const server = await hostile((response) => slowDown(response));
    const settings = { maxRetries: 2, requestTimeoutMs: 600_001 };
    const endpoint = endpointAt(server.url, settings, clock);
    try {
      const { reply, exchange } = await endpoint.send(request, new AbortController().signal);
      expect(reply).toMatchObject({ kind: 'failed', cause: 'rate_limited' });
      // 1.25, 2.5, 5, 10, 20 and 40 s (random is 0.5) take it beyond a minute; then two retries.
      expect(exchange.attempts).toBe(1 + 6 + 2);
    } finally {
      await endpoint.close();
    }
  });

  test('one that asks for an hour is not waited for', async () => {
    const server = await hostile((response) => slowDown(response, { 'retry-after': '3600' }));
    const endpoint = endpointAt(server.url, { maxRetries: 3 });
    try {
      const { exchange } = await endpoint.send(request, new AbortController().signal);
      expect(exchange.attempts).toBe(1);
    } finally {
      await endpoint.close();
    }
  });

  test('without retries every request is sent once', async () => {
    const server = await hostile((response) => slowDown(response));
    const endpoint = endpointAt(server.url, { maxRetries: 0 });
    try {
      const { exchange } = await endpoint.send(request, new AbortController().signal);
      expect(exchange.attempts).toBe(1);
    } finally {
      await endpoint.close();
    }
  });
});
