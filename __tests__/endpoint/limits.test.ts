import type { Socket } from 'node:net';
import { createGzip, gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { reveal } from '../../src/text/untrusted.js';
import { ask, endpointAt, PLAIN_BODY, STREAM_BODY } from '../support/endpoint-ask.js';
import { ANSWER, causeOf, serversOfEachTest } from '../support/endpoint-servers.js';
import { calls, chunk, DONE } from '../support/hostile-server.js';

const { hostile, raw } = serversOfEachTest();

describe('an answer that is too large', () => {
  test.each([
    ['a stream without end', 'data: ', `${'x'.repeat(4096)}`],
    ['one JSON body without end', '{"choices":"', 'x'.repeat(4096)],
    ['white space without end', ' ', ' '.repeat(4096)],
    ['events without end', ': x\n\n', `${chunk({ content: 'y'.repeat(400) })}`],
  ])('%s', async (_, head, piece) => {
    let sent = 0;
    const server = await hostile((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(head);
      const more = () => {
        while (!response.destroyed && sent < 64 * 1024 * 1024) {
          sent += piece.length;
          if (!response.write(piece)) return void response.once('drain', more);
        }
      };
      more();
    });
    const { reply, exchange } = await ask(server.url, STREAM_BODY, {
      maxResponseBytes: 1024 * 1024,
      maxRetries: 2,
    });
    expect(reply).toMatchObject({ kind: 'failed', cause: 'too_large', status: 200 });
    expect(exchange.attempts).toBe(1);
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });

  test('a compressed body that expands without end is given up at the limit', async () => {
    const server = await hostile((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      const gzip = createGzip();
      gzip.pipe(response);
      gzip.end(Buffer.alloc(48 * 1024 * 1024, ' '));
    });
    const before = process.memoryUsage().rss;
    const { reply } = await ask(server.url, PLAIN_BODY, { maxResponseBytes: 512 * 1024 });
    expect(causeOf(reply)).toBe('too_large');
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  });

  test('a bomb in the body of an error leaves the status in force', async () => {
    const server = await hostile((response) => {
      response.writeHead(503, { 'content-encoding': 'gzip' });
      response.end(gzipSync(Buffer.alloc(24 * 1024 * 1024, 'a')));
    });
    const { reply } = await ask(server.url, PLAIN_BODY);
    if (reply.kind !== 'failed') throw new Error(reply.kind);
    expect(reply).toMatchObject({ cause: 'server_error', status: 503 });
    expect(reveal(reply.detail)).toHaveLength(2000);
  });

  test('more tool calls than anyone makes', async () => {
    const flood = Array.from({ length: 1001 }, (_, index) => ({ index, function: { name: 'f' } }));
    const server = await hostile((response) => {
      response.writeHead(200);
      response.end([calls(...flood), chunk({}, 'tool_calls'), DONE].join(''));
    });
    expect(causeOf((await ask(server.url, STREAM_BODY)).reply)).toBe('too_large');
  });

  test('a flood of headers', async () => {
    const server = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      socket.write(`x-flood: ${'y'.repeat(1000)}\r\n`.repeat(1000));
    });
    expect(causeOf((await ask(server.url, STREAM_BODY)).reply)).toBe('too_large');
  });
});

describe('the time limit of one attempt', () => {
  test.each([
    ['no headers ever', () => undefined],
    [
      'headers, then nothing',
      (socket: Socket) =>
        void socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n'),
    ],
    [
      'a comment every few milliseconds',
      (socket: Socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n');
        const timer = setInterval(() => socket.write(': still here\n\n'), 10);
        socket.on('close', () => clearInterval(timer));
      },
    ],
    [
      'half an answer, then silence',
      (socket: Socket) =>
        void socket.write(
          `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n${ANSWER[0] ?? ''}`,
        ),
    ],
  ])('%s', async (_, talk) => {
    const server = await raw(talk);
    const { reply, exchange } = await ask(server.url, STREAM_BODY, { requestTimeoutMs: 120 });
    expect(reply).toMatchObject({ kind: 'failed', cause: 'timeout' });
    expect(exchange.totalMs).toBeGreaterThanOrEqual(110);
    expect(exchange.totalMs).toBeLessThan(1500);
  });

  test('a complete answer whose connection stays open counts when the time is over', async () => {
    const server = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n');
      socket.write(ANSWER.slice(0, 3).join(''));
    });
    const { reply, exchange } = await ask(server.url, STREAM_BODY, { requestTimeoutMs: 120 });
    expect(causeOf(reply)).toBe('completion');
    expect(exchange.warnings).toEqual(['no_done_marker']);
  });

  test('[DONE] is the end although the connection stays open', async () => {
    const server = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n');
      socket.write(ANSWER.join(''));
    });
    const { reply, exchange } = await ask(server.url, STREAM_BODY);
    expect(causeOf(reply)).toBe('completion');
    expect(exchange.totalMs).toBeLessThan(1000);
  });

  test('the body of an error that never ends leaves the status in force', async () => {
    const server = await raw((socket) => {
      socket.write('HTTP/1.1 401 Unauthorized\r\n\r\nwrong key');
    });
    const { reply } = await ask(server.url, STREAM_BODY, { requestTimeoutMs: 100 });
    expect(reply).toMatchObject({ kind: 'failed', cause: 'unauthorized', status: 401 });
  });
});

describe('a connection cut at any byte', () => {
  const call =
    '{"index":0,"id":"functions.f:0","function":{"name":"f","arguments":"{\\"a\\":\\"é"}}';
  const stream = Buffer.from(
    [
      `data: {"choices":[{"delta":{"tool_calls":[${call}]}}]}`,
      'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\\"}"}}]}}]}',
      'data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}',
      'data: [DONE]\n\n',
    ].join('\n\n'),
  );
  const pieces = [stream.subarray(0, 100), stream.subarray(100, 233), stream.subarray(233)];
  const framed = Buffer.concat([
    ...pieces.flatMap((piece) => [
      Buffer.from(`${piece.length.toString(16)}\r\n`),
      piece,
      Buffer.from('\r\n'),
    ]),
    Buffer.from('0\r\n\r\n'),
  ]);
  const json = Buffer.from(
    '{"choices":[{"index":0,"message":{"content":"é","tool_calls":null},"finish_reason":"stop"}]}',
  );
  const head = (more: string) => Buffer.from(`HTTP/1.1 200 OK\r\n${more}\r\n\r\n`);
  const kinds: readonly [string, Buffer, string][] = [
    [
      'a chunked stream',
      Buffer.concat([
        head('Content-Type: text/event-stream\r\nTransfer-Encoding: chunked'),
        framed,
      ]),
      STREAM_BODY,
    ],
    [
      'a body with a length',
      Buffer.concat([head(`Content-Length: ${json.length}`), json]),
      PLAIN_BODY,
    ],
    ['a body that ends with the connection', Buffer.concat([head('X-A: b'), json]), PLAIN_BODY],
  ];

  test.each(kinds)(
    '%s: never a throw, never another answer',
    async (_, bytes, body) => {
      const server = await raw((socket, request) => {
        const cut = Number(/"cut":(\d+)/.exec(request)?.[1]);
        socket.end(bytes.subarray(0, cut));
      });
      const endpoint = endpointAt(server.url);
      const signal = new AbortController().signal;
      const at = async (cut: number) => {
        const marked = body.replace('"messages":[]', `"messages":[],"cut":${cut}`);
        const { reply } = await endpoint.send({ path: '/chat/completions', body: marked }, signal);
        return reply;
      };
      const whole = await at(bytes.length);
      if (whole.kind !== 'completion') throw new Error(JSON.stringify(whole));
      const seen = new Map<string, number>();
      let next = 0;
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          while (next < bytes.length) {
            const cut = next++;
            const reply = await at(cut);
            const cause = causeOf(reply);
            seen.set(cause, (seen.get(cause) ?? 0) + 1);
            if (reply.kind === 'completion') {
              expect(reply.completion).toEqual(whole.completion);
            } else {
              expect(['network', 'malformed', 'no_finish_reason']).toContain(cause);
            }
          }
        }),
      );
      expect(seen.get('network') ?? 0).toBeGreaterThan(0);
      await endpoint.close();
    },
    20_000,
  );
});
