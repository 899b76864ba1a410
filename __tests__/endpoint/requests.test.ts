import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { systemClock } from '../../src/engine/clock.js';
import { reveal } from '../../src/text/untrusted.js';
import {
  ask,
  endpointAt,
  hastyClock,
  KEY,
  PLAIN_BODY,
  STREAM_BODY,
} from '../support/endpoint-ask.js';
import { ANSWER, causeOf, serversOfEachTest } from '../support/endpoint-servers.js';
import { startHostile } from '../support/hostile-server.js';

const { hostile, raw } = serversOfEachTest();

describe('what is sent, and to whom', () => {
  const ok =
    'data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

  test('the body byte for byte, our headers and no others', async () => {
    const server = await hostile((response) => void response.end(ok));
    const body =
      '{ "model":"kimi-k2", "n":1.0, "2":1, "1":2, "big":12345678901234567890, "u":"é\\u00e9" }';
    const headers = { 'X-Team': 'platform', 'User-Agent': 'mine/1' };
    process.env['OPENAI_CUSTOM_HEADERS'] = 'x-other: secret\nauthorization: Bearer other';
    process.env['OPENAI_ORG_ID'] = 'org-other';
    try {
      await ask(server.url, body, { headers });
    } finally {
      delete process.env['OPENAI_CUSTOM_HEADERS'];
      delete process.env['OPENAI_ORG_ID'];
    }
    expect(server.received).toHaveLength(1);
    const [received] = server.received;
    expect(received?.path).toBe('/v1/chat/completions');
    expect(received?.method).toBe('POST');
    expect(received?.body).toBe(body);
    expect(received?.headers).toEqual({
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${KEY}`,
      connection: 'keep-alive',
      'content-length': String(Buffer.byteLength(body)),
      'content-type': 'application/json',
      host: `127.0.0.1:${server.port}`,
      'user-agent': 'mine/1',
      'x-team': 'platform',
    });
  });

  test('without a key no Authorization header', async () => {
    const server = await hostile((response) => void response.end(ok));
    const { reply } = await ask(server.url, STREAM_BODY, { apiKey: null });
    expect(reply.kind).toBe('completion');
    expect(server.received[0]?.headers['authorization']).toBeUndefined();
    expect(server.received[0]?.headers['user-agent']).toBe('vendor-gate/0.0.0');
  });

  test('a query of the base URL goes with every request', async () => {
    const server = await hostile((response) => void response.end(ok));
    await ask(`${server.url}?api-version=2026-01-01`, STREAM_BODY);
    expect(server.received[0]?.path).toBe('/v1/chat/completions?api-version=2026-01-01');
  });

  test.each([301, 302, 303, 307, 308])('a redirect with %i is not followed', async (status) => {
    const other = await hostile((response) => void response.end(ok));
    const server = await hostile((response) => {
      response.writeHead(status, { location: `${other.url}/chat/completions` });
      response.end();
    });
    const { reply, exchange } = await ask(server.url, STREAM_BODY, { maxRetries: 2 });
    expect(reply).toMatchObject({ kind: 'failed', cause: 'redirect', status });
    expect(exchange.attempts).toBe(1);
    expect(other.received).toHaveLength(0);
  });

  test.each([
    ['no URL', { baseUrl: 'host/v1' }, 'endpoint'],
    ['a scheme that is not HTTP', { baseUrl: 'ftp://host/v1' }, 'endpoint'],
    ['a URL with a password', { baseUrl: 'https://me:hush-hush@host/v1' }, 'endpoint'],
    ['a key with a line break', { apiKey: 'sk-hush\nhush' }, 'api-key'],
    ['a header with a line break', { headers: { 'x-a': 'hush\r\nhush' } }, 'headers'],
    ['a header with a bad name', { headers: { 'x a': 'b' } }, 'headers'],
  ])('%s is an error of the configuration that shows no value', (_, settings, where) => {
    let thrown: unknown;
    try {
      endpointAt('http://127.0.0.1:9/v1', settings);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ name: 'ConfigError', problems: [{ where }] });
    expect(String(thrown)).not.toContain('hush');
  });
});

describe('a connection that fails', () => {
  test('nobody listens', async () => {
    const server = await startHostile(() => undefined);
    await server.close();
    const { reply, exchange } = await ask(server.url, STREAM_BODY);
    if (reply.kind !== 'failed') throw new Error(reply.kind);
    expect(reply).toMatchObject({ cause: 'network', status: null });
    expect(reveal(reply.detail)).toMatch(/ECONNREFUSED/);
    expect(exchange.status).toBeNull();
  });

  test('no such host', async () => {
    const { reply } = await ask('http://no-such-host.invalid/v1', STREAM_BODY);
    if (reply.kind !== 'failed') throw new Error(reply.kind);
    expect(reply.cause).toBe('network');
    expect(reveal(reply.detail)).toMatch(/ENOTFOUND|EAI_AGAIN/);
  });

  test('a certificate that nobody vouches for is not accepted and not asked again', async () => {
    const read = (name: string) =>
      readFileSync(new URL(`../fixtures/endpoint-tls/${name}`, import.meta.url));
    let requests = 0;
    const server = createTlsServer(
      { key: read('key.pem'), cert: read('certificate.pem') },
      (_, response) => {
        requests += 1;
        response.end('{}');
      },
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const url = `https://127.0.0.1:${port}/v1`;
    const { reply, exchange } = await ask(url, STREAM_BODY, { maxRetries: 2 });
    await new Promise((resolve) => server.close(resolve));
    if (reply.kind !== 'failed') throw new Error(reply.kind);
    expect(reply.cause).toBe('tls');
    expect(reveal(reply.detail)).toMatch(/SELF_SIGNED/);
    expect(exchange.attempts).toBe(1);
    expect(requests).toBe(0);
  });

  test('TLS spoken to a server without it', async () => {
    const server = await hostile((response) => void response.end());
    const { reply } = await ask(server.url.replace('http:', 'https:'), STREAM_BODY);
    expect(causeOf(reply)).toBe('tls');
  });

  test('a TLS handshake that never ends is over with the time limit', async () => {
    const server = await raw(() => undefined);
    const { reply, exchange } = await ask(server.url.replace('http:', 'https:'), STREAM_BODY, {
      requestTimeoutMs: 100,
    });
    expect(causeOf(reply)).toBe('timeout');
    expect(exchange.totalMs).toBeLessThan(1500);
  });

  test.each([
    ['something that is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', 'malformed'],
    ['an empty reply', '', 'network'],
    ['a header that undici trips over', 'HTTP/1.1 200 OK\r\nconstructor: x\r\n\r\n', 'network'],
    [
      'a body said to be gzip that is not',
      'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\nnot gzip at all',
      'malformed',
    ],
  ])('%s', async (_, bytes, cause) => {
    const server = await raw((socket) => void socket.end(bytes));
    expect(causeOf((await ask(server.url, STREAM_BODY)).reply)).toBe(cause);
  });

  test('a header in UTF-8 and a __proto__ header are no trouble', async () => {
    const server = await raw(
      (socket) =>
        void socket.end(
          `HTTP/1.1 200 OK\r\nserver: \u6771\u4eac\r\n__proto__: x\r\n\r\n${ANSWER.join('')}`,
        ),
    );
    const { reply, exchange } = await ask(server.url, STREAM_BODY);
    expect(['completion', 'network']).toContain(causeOf(reply));
    expect(Object.keys(exchange.headers).length).toBeLessThanOrEqual(1);
  });
});

describe('ending early', () => {
  test('an aborted signal rejects with its reason, before and during a request', async () => {
    const server = await hostile(() => undefined);
    const endpoint = endpointAt(server.url);
    const request = { path: '/chat/completions', body: STREAM_BODY } as const;
    await expect(endpoint.send(request, AbortSignal.abort(new Error('stop')))).rejects.toThrow(
      'stop',
    );
    const abort = new AbortController();
    const sent = endpoint.send(request, abort.signal);
    setTimeout(() => abort.abort(new Error('interrupted')), 30);
    await expect(sent).rejects.toThrow('interrupted');
    await endpoint.close();
  });

  test('aborting while waiting for a retry', async () => {
    const server = await hostile((response) => {
      response.writeHead(429, { 'retry-after': '60' });
      response.end();
    });
    const endpoint = endpointAt(server.url, { maxRetries: 1 });
    const abort = new AbortController();
    const sent = endpoint.send({ path: '/chat/completions', body: STREAM_BODY }, abort.signal);
    setTimeout(() => abort.abort(new Error('interrupted')), 50);
    await expect(sent).rejects.toThrow('interrupted');
    expect(server.received).toHaveLength(1);
    await endpoint.close();
  });

  test('one connection serves many requests', async () => {
    const server = await raw((socket) => {
      const text = ANSWER.join('');
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    });
    const endpoint = endpointAt(server.url);
    for (let n = 0; n < 5; n++) {
      const signal = new AbortController().signal;
      const { reply } = await endpoint.send(
        { path: '/chat/completions', body: STREAM_BODY },
        signal,
      );
      expect(reply.kind).toBe('completion');
    }
    expect(server.connections()).toBeLessThanOrEqual(2); // undici opens one in reserve
    await endpoint.close();
  });
});

describe('the record of an exchange', () => {
  test('times, usage, headers, who served, how many in flight', async () => {
    const server = await hostile(async (response) => {
      response.writeHead(200, {
        server: `uvicorn ${KEY} ${'x'.repeat(300)}`,
        'x-request-id': 'req-1',
        'set-cookie': 'a=b',
        'x-ratelimit-remaining-tokens': '9',
        'x-ratelimit-surprise': 'no',
      });
      response.write(': hello\n\n');
      await systemClock.sleep(40);
      for (const piece of ANSWER) response.write(piece);
      await systemClock.sleep(40);
      response.end();
    });
    const endpoint = endpointAt(server.url);
    const signal = new AbortController().signal;
    const send = () => endpoint.send({ path: '/chat/completions', body: STREAM_BODY }, signal);
    const results = await Promise.all([send(), send(), send()]);
    await endpoint.close();
    expect(results.map((one) => one.exchange.inFlight)).toEqual([1, 2, 3]);
    const exchange = results[0]?.exchange;
    expect(exchange).toMatchObject({
      status: 200,
      attempts: 1,
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
      warnings: [],
      served: 'kimi-k2',
    });
    expect(exchange?.firstTokenMs).toBeGreaterThanOrEqual(35);
    expect(exchange?.totalMs).toBeGreaterThanOrEqual(exchange?.firstTokenMs ?? Infinity);
    expect(exchange?.headers).toEqual({
      server: `uvicorn *** ${'x'.repeat(187)}…`,
      'x-request-id': 'req-1',
      'x-ratelimit-remaining-tokens': '9',
    });
  });

  test('no first token without a stream', async () => {
    const server = await hostile(
      (response) =>
        void response.end('{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}]}'),
    );
    const { exchange } = await ask(server.url, PLAIN_BODY, {}, hastyClock(2000));
    expect(exchange).toMatchObject({ firstTokenMs: null, totalMs: 0, served: null });
  });
});
