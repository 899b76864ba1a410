import { describe, expect, test } from '@jest/globals';
import { Pace, type PaceSettings, type Turn } from '../../src/endpoint/pace.js';
import type { Clock } from '../../src/model/clock.js';
import { endpointAt, STREAM_BODY } from '../support/endpoint-ask.js';
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

const ANSWERED = { kind: 'answered' } as const;
const throttled = (waitMs: number | null) => ({ kind: 'throttled', waitMs }) as const;

describe('how many go at once', () => {
  test('as many as the concurrency says, the rest in order', async () => {
    const { turns, ask, end } = queue({});
    await ask(20);
    expect(turns).toHaveLength(8);
    await end(3, ANSWERED);
    expect(turns).toHaveLength(8);
    await end(8, { kind: 'other' });
    expect(turns).toHaveLength(8);
  });

  test('a wave that is throttled together halves the number once', async () => {
    const { pace, ask, end, clock } = queue({});
    await ask(8);
    await clock.pass(10);
    await end(8, throttled(0));
    expect(pace.allowed).toBe(4);
    await ask(8);
    await clock.pass(10);
    await end(4, throttled(0));
    expect(pace.allowed).toBe(2);
  });

  test('never below one, and each round of answers lets one more go, up to the concurrency', async () => {
    const { pace, ask, end, clock } = queue({ concurrency: 3 });
    for (const expected of [1, 1]) {
      await ask(1);
      await clock.pass(10);
      await end(1, throttled(0));
      expect(pace.allowed).toBe(expected);
    }
    const grown: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      await ask(1);
      await end(1, ANSWERED);
      grown.push(pace.allowed);
    }
    // 1 + 1/1 = 2, + 1/2 = 2.5, + 1/2.5 = 2.9, + 1/2.9 = 3.2, at most 3
    expect(grown).toEqual([2, 2, 2, 3, 3, 3, 3, 3]);
  });
});

describe('when nobody goes', () => {
  test.each([
    ['as long as the endpoint asks', 5000, 5000],
    ['a second when it does not say', null, 1000],
  ])('%s', async (_, told, wait) => {
    const { turns, ask, end, clock } = queue({});
    await ask(1);
    await end(1, throttled(told));
    await ask(2);
    await clock.pass(wait - 1);
    expect(turns).toHaveLength(0);
    await clock.pass(1);
    expect(turns).toHaveLength(2);
  });

  test('the longest wait asked for holds', async () => {
    const { turns, ask, end, clock } = queue({});
    await ask(2);
    await end(1, throttled(5000));
    await end(1, throttled(100));
    await ask(1);
    await clock.pass(4999);
    expect(turns).toHaveLength(0);
  });

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

test('one who is aborted leaves the line, and nobody behind waits for it', async () => {
  const pace = new Pace({ concurrency: 1, maxRequestsPerMinute: null }, handClock());
  const { signal } = new AbortController();
  const first = await pace.turn(signal);
  const leaving = new AbortController();
  const second = pace.turn(leaving.signal);
  const third = pace.turn(signal);
  leaving.abort(new Error('cut'));
  await expect(second).rejects.toThrow('cut');
  pace.end(first, ANSWERED);
  await expect(third).resolves.toMatchObject({ at: 0 });
});

describe('on a real socket', () => {
  const { hostile } = serversOfEachTest();

  test('a vendor that serves two at a time answers all of thirty, however often it says 429', async () => {
    let inside = 0;
    let refused = 0;
    const server = await hostile(async (response) => {
      if (inside >= 2) {
        refused += 1;
        response.writeHead(429, { 'retry-after-ms': '5' });
        response.end('{"error":{"message":"slow down"}}');
        return;
      }
      inside += 1;
      await new Promise((resolve) => setTimeout(resolve, 10));
      inside -= 1;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(ANSWER.join(''));
    });
    const endpoint = endpointAt(server.url, { concurrency: 16, maxRetries: 1 });
    try {
      const { signal } = new AbortController();
      const sent = Array.from({ length: 30 }, () =>
        endpoint.send({ path: '/chat/completions', body: STREAM_BODY }, signal),
      );
      const kinds = (await Promise.all(sent)).map(({ reply }) => reply.kind);
      expect(kinds).toEqual(Array.from({ length: 30 }, () => 'completion'));
      expect(refused).toBeGreaterThan(0);
    } finally {
      await endpoint.close();
    }
  });

  test('one that always says 429 is given up after the retries', async () => {
    const server = await hostile((response) => {
      response.writeHead(429, { 'retry-after-ms': '1' });
      response.end('{}');
    });
    const endpoint = endpointAt(server.url, { maxRetries: 2 });
    try {
      const { reply, exchange } = await endpoint.send(
        { path: '/chat/completions', body: STREAM_BODY },
        new AbortController().signal,
      );
      expect(reply).toMatchObject({ kind: 'failed', cause: 'rate_limited' });
      expect(exchange.attempts).toBe(3);
    } finally {
      await endpoint.close();
    }
  });
});
