import { afterEach, describe, expect, test } from '@jest/globals';
import { failed } from '../../src/endpoint/finding.js';
import { toldToWait, waitBefore, worthRetry } from '../../src/endpoint/retry.js';
import { CAUSES, type Cause } from '../../src/model/completion.js';
import { ask, endpointAt, hastyClock, PLAIN_BODY, STREAM_BODY } from '../support/endpoint-ask.js';
import type { Answer } from '../support/hostile-server.js';
import { chunk, DONE, startHostile } from '../support/hostile-server.js';

const NOW = Date.UTC(2026, 0, 1); // where hastyClock starts

describe('toldToWait', () => {
  test.each<[string, Record<string, string>, number, number | null]>([
    ['nothing', {}, 429, null],
    ['seconds', { 'retry-after': '7' }, 429, 7000],
    ['seconds with a fraction', { 'retry-after': '0.25' }, 503, 250],
    ['zero', { 'retry-after': '0' }, 429, 0],
    ['an HTTP date', { 'retry-after': 'Thu, 01 Jan 2026 00:01:30 GMT' }, 429, 90_000],
    ['an HTTP date that is past', { 'retry-after': 'Wed, 31 Dec 2025 23:59:00 GMT' }, 429, 0],
    ['nonsense', { 'retry-after': 'soon' }, 429, null],
    ['a negative number', { 'retry-after': '-1' }, 429, null],
    ['more digits than make sense', { 'retry-after': '9'.repeat(40) }, 429, null],
    ['milliseconds come first', { 'retry-after-ms': '1500', 'retry-after': '9' }, 429, 1500],
    [
      'the budget that is used up',
      {
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '2m59.56s',
        'x-ratelimit-remaining-tokens': '17000',
        'x-ratelimit-reset-tokens': '1h',
      },
      429,
      179_560,
    ],
    [
      'both budgets, nothing said of what remains',
      {
        'x-ratelimit-reset-requests': '20ms',
        'x-ratelimit-reset-tokens': '6m0s',
      },
      429,
      360_000,
    ],
    ['Unix milliseconds', { 'x-ratelimit-reset': String(NOW + 5000) }, 429, 5000],
    ['Unix seconds', { 'x-ratelimit-reset': String(NOW / 1000 + 5) }, 429, 5000],
    ['seconds of the draft', { 'ratelimit-reset': '12', 'ratelimit-remaining': '0' }, 429, 12_000],
    ['a budget that is left', { 'ratelimit-reset': '12', 'ratelimit-remaining': '3' }, 429, null],
    ['limits beside another status', { 'x-ratelimit-reset-requests': '9s' }, 500, null],
    ['an empty span', { 'x-ratelimit-reset-requests': '' }, 429, null],
    ['a broken span', { 'x-ratelimit-reset-requests': '1.2.3s' }, 429, null],
  ])('%s', (_, headers, status, expected) => {
    const told = toldToWait(new Map(Object.entries(headers)), status, NOW);
    if (expected === null) expect(told).toBeNull();
    else expect(told).toBeCloseTo(expected, 6);
  });
});

describe('waitBefore', () => {
  test.each([
    [0, null, 0.5, 250],
    [1, null, 0.5, 500],
    [3, null, 0.999, 3996],
    [4, null, 0, 0],
    [20, null, 1, 30_000],
    [0, 7000, 0.5, 7250],
    [9, 7000, 1, 8000],
    [0, 0, 0, 0],
  ])('retry %i, told %s, random %d: %d ms', (retry, told, random, expected) => {
    expect(waitBefore(retry, told, () => random)).toBeCloseTo(expected, 6);
  });
});

test('which failures are asked again', () => {
  const causes = Object.keys(CAUSES) as Cause[];
  const asked = causes.filter((cause) => worthRetry(failed(cause, null, '')));
  expect(asked.sort()).toEqual([
    'http_status',
    'malformed',
    'network',
    'no_finish_reason',
    'rate_limited',
    'server_aborted',
    'server_error',
    'stream_error',
    'timeout',
  ]);
  expect(causes.some((cause) => worthRetry(failed(cause, null, '', true)))).toBe(false);
  expect(worthRetry({ kind: 'refused', status: 400, body: '' })).toBe(false);
});

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A server that gives the n-th request the n-th answer, and every later one the last. */
async function inTurn(...answers: Answer[]) {
  const server = await startHostile((response, request, number) =>
    answers[Math.min(number, answers.length) - 1]?.(response, request, number),
  );
  closers.push(server.close);
  return server;
}

function status(code: number, headers: Record<string, string> = {}, body = ''): Answer {
  return (response) => {
    response.writeHead(code, headers);
    response.end(body);
  };
}

const says = (text: string) => status(200, {}, text);
/** As llama.cpp says it, in a stream and as a status. */
const UNREADABLE_BODY =
  '{"error":{"code":500,"message":"The model produced output that does not match the expected peg-native format"}}';
const good = says([chunk({ content: 'a' }), chunk({}, 'stop'), DONE].join(''));

describe('asking again', () => {
  test('waits as told, then backs off, then answers', async () => {
    const server = await inTurn(
      status(429, { 'retry-after': '3' }),
      status(503),
      status(500),
      good,
    );
    const clock = hastyClock(5000);
    const { reply, exchange } = await ask(server.url, STREAM_BODY, { maxRetries: 3 }, clock);
    expect(reply.kind).toBe('completion');
    expect(exchange).toMatchObject({ attempts: 4, status: 200 });
    // As told and a little, which uses up no retry; then half of 500 and of 1000.
    expect(clock.waits).toEqual([3500, 250, 500]);
    expect(new Set(server.received.map((one) => one.body))).toEqual(new Set([STREAM_BODY]));
  });

  test('gives up after maxRetries with the last failure', async () => {
    const server = await inTurn(status(502), status(429), status(503, {}, 'busy'));
    const { reply, exchange } = await ask(
      server.url,
      STREAM_BODY,
      { maxRetries: 2 },
      hastyClock(5000),
    );
    expect(reply).toEqual({ kind: 'failed', cause: 'server_error', status: 503, detail: 'busy' });
    // 502, 429 (waited for), 503, 503
    expect(exchange.attempts).toBe(4);
  });

  test('never waits past the deadline', async () => {
    const server = await inTurn(status(429, { 'retry-after': '4' }));
    const clock = hastyClock(5000);
    const settings = { maxRetries: 9, deadlineAt: NOW + 10_000 };
    const { reply, exchange } = await ask(server.url, STREAM_BODY, settings, clock);
    expect(reply).toMatchObject({ kind: 'failed', cause: 'rate_limited', status: 429 });
    // Twice 4000 + 500; the third would end after ten seconds.
    expect(clock.waits).toEqual([4500, 4500]);
    expect(exchange.attempts).toBe(3);
  });

  const half = chunk({ content: 'a' });
  test.each<[string, Answer, boolean]>([
    ['408', status(408), true],
    ['409', status(409), true],
    ['425', status(425), true],
    ['429', status(429), true],
    ['429 without quota', status(429, {}, '{"error":{"code":"insufficient_quota"}}'), false],
    ['500', status(500), true],
    ['500 about history', status(500, {}, 'Failed to parse tool call arguments as JSON'), false],
    ['529', status(529), true],
    ['400', status(400), false],
    ['413', status(413), false],
    ['422', status(422), false],
    ['401', status(401), false],
    ['402', status(402), false],
    ['403', status(403), false],
    ['404', status(404), false],
    ['405', status(405), false],
    ['418', status(418), false],
    ['a stream that just stops', says(half), true],
    ['[DONE] without a finish_reason', says(half + DONE), false],
    ['a body without a finish_reason', says('{"choices":[{"message":{"content":"a"}}]}'), false],
    ['an error in the stream', says(`${half}data: {"error":{"message":"x","code":500}}\n\n`), true],
    [
      'a lasting error in the stream',
      says('data: {"error":{"message":"x","code":401}}\n\n'),
      false,
    ],
    [
      'a call that the server cannot read, in the stream',
      says(`${half}data: ${UNREADABLE_BODY}\n\n`),
      false,
    ],
    ['a call that the server cannot read, as a status', status(500, {}, UNREADABLE_BODY), false],
    ['a rate limit in the stream', says('data: {"error":{"message":"x","code":"429"}}\n\n'), true],
    ['an aborted answer', says(half + chunk({}, 'abort') + DONE), true],
    ['a page with status 200', says('<html>maintenance</html>'), true],
    ['an empty body', says(''), true],
    ['a redirect', status(302, { location: '/' }), false],
    ['a connection cut', (response) => void response.destroy(), true],
    ['a complete answer that nobody likes', says(chunk({ content: '' }, 'length') + DONE), false],
    [
      'an error after the complete answer',
      says(`${chunk({}, 'stop')}data: {"error":"x"}\n\n`),
      false,
    ],
  ])('%s: again %#', async (_, answer, again) => {
    const server = await inTurn(answer, good);
    const { exchange } = await ask(server.url, STREAM_BODY, { maxRetries: 1 }, hastyClock(5000));
    expect(exchange.attempts).toBe(again ? 2 : 1);
    expect(server.received).toHaveLength(again ? 2 : 1);
  });

  test('a time limit that passed', async () => {
    const server = await inTurn(() => undefined, good);
    const { reply, exchange } = await ask(server.url, STREAM_BODY, {
      maxRetries: 1,
      requestTimeoutMs: 80,
    });
    expect(reply.kind).toBe('completion');
    expect(exchange.attempts).toBe(2);
  });
});

describe('row 41: stream_options refused', () => {
  const refusal = status(422, {}, '{"detail":[{"loc":["body","stream_options"],"msg":"extra"}]}');
  const WITHOUT = STREAM_BODY.replace(',"stream_options":{"include_usage":true}', '');
  const request = { path: '/chat/completions', body: STREAM_BODY } as const;
  const { signal } = new AbortController();
  const hasOptions = (body: string) => body.includes('"stream_options"');

  test.each([400, 422])('%i: dropped once, remembered, no retry', async (code) => {
    const answer: Answer = (response, { body }) => {
      if (hasOptions(body)) {
        response.writeHead(code);
        response.end('Unrecognized request argument supplied: stream_options');
      } else void good(response, { body } as never, 0);
    };
    const server = await inTurn(answer);
    const endpoint = endpointAt(server.url);
    for (const [sent, attempts] of [
      [2, 2],
      [3, 1],
    ]) {
      const { reply, exchange } = await endpoint.send(request, signal);
      expect(reply.kind).toBe('completion');
      expect(exchange).toMatchObject({ attempts, warnings: ['stream_options_dropped'] });
      expect(server.received).toHaveLength(sent ?? 0);
      expect(server.received.at(-1)?.body).toBe(WITHOUT);
    }
    await endpoint.close();
  });

  test('a retry after it counts as well', async () => {
    const server = await inTurn(refusal, status(503), good, good);
    const endpoint = endpointAt(server.url, { maxRetries: 1 }, hastyClock(5000));
    const { reply, exchange } = await endpoint.send(request, signal);
    expect(reply.kind).toBe('completion');
    expect(exchange).toMatchObject({ attempts: 3, warnings: ['stream_options_dropped'] });
    await endpoint.send(request, signal);
    expect(server.received.map(({ body }) => hasOptions(body))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    await endpoint.close();
  });

  test('what refuses the request without them as well was not about them: they stay', async () => {
    const server = await inTurn(refusal, refusal, good);
    const endpoint = endpointAt(server.url);
    const first = await endpoint.send(request, signal);
    expect(first.reply).toMatchObject({ kind: 'refused', status: 422 });
    expect(first.exchange).toMatchObject({ attempts: 2, warnings: [] });
    const second = await endpoint.send(request, signal);
    expect(second.exchange).toMatchObject({ attempts: 1, warnings: [] });
    expect(server.received.map(({ body }) => hasOptions(body))).toEqual([true, false, true]);
    await endpoint.close();
  });

  test('a refusal that quotes the request is not about them', async () => {
    const quoting = (body: string) =>
      JSON.stringify({
        detail: [{ loc: ['body', 'messages', 0], msg: 'Value error', input: body }],
      });
    const server = await inTurn((response, { body }) => {
      response.writeHead(422);
      response.end(quoting(body));
    }, good);
    const endpoint = endpointAt(server.url);
    const { reply, exchange } = await endpoint.send(request, signal);
    expect(reply).toMatchObject({ kind: 'refused', status: 422 });
    expect(exchange).toMatchObject({ attempts: 1, warnings: [] });
    await endpoint.send(request, signal);
    expect(server.received.map(({ body }) => hasOptions(body))).toEqual([true, true]);
    await endpoint.close();
  });

  test('a request that carries none is not sent again', async () => {
    const server = await inTurn(refusal);
    const { reply, exchange } = await ask(server.url, PLAIN_BODY);
    expect(reply).toMatchObject({ kind: 'refused', status: 422 });
    expect(exchange.warnings).toEqual([]);
    expect(server.received).toHaveLength(1);
  });
});
