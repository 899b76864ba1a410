import { afterEach, describe, expect, test } from '@jest/globals';
import { endpointAt, hastyClock } from '../support/endpoint-ask.js';
import { type Answer, startHostile } from '../support/hostile-server.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const never = new AbortController().signal;

async function inTurn(...statuses: number[]) {
  const answer: Answer = (response, _, number) => {
    response.writeHead(statuses[Math.min(number, statuses.length) - 1] ?? 200);
    response.end('{}');
  };
  const server = await startHostile(answer);
  closers.push(server.close);
  return server;
}

describe('waitUntilReady', () => {
  test.each([200, 401, 404, 429])('%i comes from a server that is up', async (status) => {
    const server = await inTurn(503, 502, status);
    const clock = hastyClock(5001);
    const endpoint = endpointAt(server.url, {}, clock);
    await expect(endpoint.waitUntilReady(60_000, never)).resolves.toBe(true);
    await endpoint.close();
    expect(clock.waits).toEqual([500, 1000]);
    expect(server.received.map((one) => `${one.method} ${one.path}`)).toEqual(
      Array(3).fill('GET /v1/models'),
    );
  });

  test('false when the time is over, having waited no longer than that', async () => {
    const server = await inTurn(503);
    const clock = hastyClock(5001);
    const endpoint = endpointAt(server.url, {}, clock);
    // the waits double; the request itself may take up to what is left, which this clock never lets pass
    await expect(endpoint.waitUntilReady(12_000, never)).resolves.toBe(false);
    await endpoint.close();
    expect(clock.elapsed()).toBe(12_000);
  });

  test('nobody listens: false', async () => {
    const server = await startHostile(() => undefined);
    await server.close();
    const endpoint = endpointAt(server.url);
    await expect(endpoint.waitUntilReady(60, never)).resolves.toBe(false);
    await endpoint.close();
  });

  test('a server that accepts and says nothing: false', async () => {
    const server = await startHostile(() => undefined);
    closers.push(server.close);
    const endpoint = endpointAt(server.url);
    await expect(endpoint.waitUntilReady(60, never)).resolves.toBe(false);
    await endpoint.close();
  });

  test('rejects with the reason of the signal', async () => {
    const server = await startHostile(() => undefined);
    closers.push(server.close);
    const endpoint = endpointAt(server.url);
    const abort = new AbortController();
    const waiting = endpoint.waitUntilReady(5000, abort.signal);
    setTimeout(() => abort.abort(new Error('interrupted')), 30);
    await expect(waiting).rejects.toThrow('interrupted');
    await endpoint.close();
  });
});
