import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { dispatcherFor } from '../../src/endpoint/proxy.js';
import { systemClock } from '../../src/engine/clock.js';
import { endpointAt, KEY, STREAM_BODY } from '../support/endpoint-ask.js';
import { chunk, DONE, startHostile } from '../support/hostile-server.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A proxy that tunnels, or answers every CONNECT with `refusal`. Keeps the heads of the requests it saw. */
async function startProxy(refusal?: string) {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((_, response) => response.end('not a tunnel'));
  server.on('connect', (request, socket: Socket) => {
    heads.push(JSON.stringify([request.url, request.headers]));
    sockets.add(socket);
    if (refusal !== undefined) {
      socket.end(refusal);
      return;
    }
    const [host, port] = (request.url ?? '').split(':');
    const target = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    sockets.add(target);
    for (const one of [target, socket]) one.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heads };
}

async function through(env: Record<string, string | undefined>, scheme = 'http') {
  const server = await startHostile((response) => {
    response.end(chunk({ content: 'a' }, 'stop') + DONE);
  });
  closers.push(server.close);
  const url = server.url.replace('http', scheme);
  const endpoint = endpointAt(url, {}, systemClock, env);
  const { reply } = await endpoint.send(
    { path: '/chat/completions', body: STREAM_BODY },
    new AbortController().signal,
  );
  await endpoint.close();
  return { reply, received: server.received, port: server.port };
}

describe('the proxy of the environment', () => {
  test.each(['http_proxy', 'HTTP_PROXY'])('%s is used, and learns no key', async (name) => {
    const proxy = await startProxy();
    const { reply, received, port } = await through({ [name]: proxy.url });
    expect(reply.kind).toBe('completion');
    expect(received).toHaveLength(1);
    expect(proxy.heads).toHaveLength(1);
    expect(proxy.heads[0]).toContain(`127.0.0.1:${port}`);
    expect(proxy.heads[0]).not.toContain(KEY);
  });

  test('a proxy without a scheme', async () => {
    const proxy = await startProxy();
    const { reply } = await through({ http_proxy: proxy.url.replace('http://', '') });
    expect(reply.kind).toBe('completion');
    expect(proxy.heads).toHaveLength(1);
  });

  test.each(['127.0.0.1', '*', 'example.com, 127.0.0.1'])('no_proxy %s', async (no_proxy) => {
    const proxy = await startProxy();
    const { reply } = await through({ http_proxy: proxy.url, no_proxy });
    expect(reply.kind).toBe('completion');
    expect(proxy.heads).toHaveLength(0);
  });

  test('only the environment given counts', async () => {
    process.env['http_proxy'] = 'http://127.0.0.1:9';
    try {
      expect((await through({})).reply.kind).toBe('completion');
    } finally {
      delete process.env['http_proxy'];
    }
  });

  test.each([
    ['http', '407 Proxy Authentication Required'],
    ['https', '403 Forbidden'],
    ['https', '502 Bad Gateway'],
  ])('a proxy that refuses a %s endpoint with %s', async (scheme, status) => {
    const proxy = await startProxy(`HTTP/1.1 ${status}\r\n\r\n`);
    const { reply, received } = await through(
      { http_proxy: proxy.url, https_proxy: proxy.url },
      scheme,
    );
    expect(reply).toMatchObject({ kind: 'failed', cause: 'network', status: null });
    expect(received).toHaveLength(0);
  });

  // Left to itself undici would ask it again and again, for ever.
  test.each(['http', 'https'])(
    'a proxy that closes the connection to a %s endpoint',
    async (scheme) => {
      const proxy = await startProxy('');
      const { reply } = await through({ http_proxy: proxy.url, https_proxy: proxy.url }, scheme);
      expect(reply).toMatchObject({ kind: 'failed', cause: 'network' });
      expect(JSON.stringify(reply)).toContain('the proxy closed the connection');
      expect(proxy.heads).toHaveLength(1);
    },
  );

  test('a proxy that is not there', async () => {
    const { reply } = await through({ http_proxy: 'http://127.0.0.1:9' });
    expect(reply).toMatchObject({ kind: 'failed', cause: 'network' });
  });

  test.each(['socks5://hush:1', 'http://', 'a b'])(
    '%s is an error of the configuration',
    (value) => {
      let thrown: unknown;
      try {
        dispatcherFor({ https_proxy: value });
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toMatchObject({ name: 'ConfigError', problems: [{ where: 'https_proxy' }] });
      expect(String(thrown)).not.toContain('hush');
    },
  );
});
