import { gunzipSync } from 'node:zlib';
import { describe, expect, it, test } from '@jest/globals';
import { RESPONSE_FAULTS } from '../../src/simulator/faults/responses.js';
import { TRANSPORT_FAULTS } from '../../src/simulator/faults/transport.js';
import { type Asked, ask, type ROWS } from './fault-rows.js';
import { chunksIn, type Exchange, type Loose, readPlain, readStream } from './wire.js';

const MIB = 1 << 20;
const error = (answer: Exchange): Loose => JSON.parse(answer.text).error;
const isError =
  (status: number, code: string | number, headers: Record<string, string> = {}) =>
  (answer: Exchange): void => {
    expect(answer.status).toBe(status);
    expect(error(answer)).toMatchObject({ code, message: expect.stringMatching(/./) });
    expect(answer.headers).toMatchObject(headers);
  };
const isPage =
  (status: number) =>
  (answer: Exchange): void => {
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.text).toMatch(new RegExp(`^<!DOCTYPE html>[^]*${status}`));
  };
const isSound = (answer: Exchange): void => {
  expect([answer.status, answer.ended]).toEqual([200, true]);
  expect(readPlain(answer.text).finish).toBe('tool_calls');
};
const nothing = (answer: Exchange): void => {
  expect(answer).toMatchObject({ status: null, text: '', ended: false });
};
const STREAM: Asked = { stream: true };
const TWICE: Asked = { times: 2 };

const CASES: readonly [string, keyof typeof ROWS, Asked, (answer: Exchange) => void][] = [
  [
    'no-choices',
    'call',
    {},
    ({ status, text }) => {
      expect([status, JSON.parse(text).choices]).toEqual([200, []]);
    },
  ],
  [
    'no-choices',
    'call',
    STREAM,
    ({ text }) => {
      expect(chunksIn(text).flatMap((chunk) => chunk.choices)).toEqual([]);
    },
  ],
  ['error-in-body', 'call', STREAM, isError(200, 502)],
  ['tool-use-failed', 'call', {}, isError(400, 'tool_use_failed')],
  ['tool-use-failed', 'text', {}, ({ text }) => expect(readPlain(text).finish).toBe('stop')],
  ['html-502', 'call', {}, isPage(502)],
  ['html-524', 'call', STREAM, isPage(524)],
  ['rate-limit', 'call', TWICE, isError(429, 'rate_limit_exceeded', { 'retry-after': '1' })],
  ['rate-limit-once', 'call', {}, isError(429, 'rate_limit_exceeded', { 'retry-after': '1' })],
  ['rate-limit-once', 'call', TWICE, isSound],
  [
    'rate-limit-headers',
    'call',
    {},
    (answer) => {
      isError(429, 'rate_limit_exceeded', { 'x-ratelimit-reset-requests': '250ms' })(answer);
      expect(answer.headers['retry-after']).toBeUndefined();
    },
  ],
  ['rate-limit-headers', 'call', TWICE, isSound],
  ['no-stream-options', 'call', STREAM, isError(422, 'extra_forbidden')],
  [
    'no-stream-options',
    'call',
    { more: { stream: true } },
    ({ text }) => {
      expect(readStream(text)).toMatchObject({ finish: 'tool_calls', done: true });
    },
  ],
  [
    'sse-for-plain',
    'call',
    {},
    ({ headers, text }) => {
      expect(headers['content-type']).toMatch('text/event-stream');
      expect(chunksIn(text)[0].choices[0].delta.role).toBeNull();
      expect(readStream(text)).toMatchObject({ finish: 'tool_calls', done: true });
    },
  ],
  ['plain-for-sse', 'call', STREAM, isSound],
  ['history-rejected', 'past', {}, isError(500, 'internal_error')],
  ['history-rejected', 'sound', {}, isSound],
  ['reasoning-required', 'sound', {}, isError(400, 'invalid_request')],
  ['reasoning-required', 'call', {}, isSound],
  ['http-400', 'call', {}, isError(400, 'invalid_request')],
  ['quota', 'call', {}, isError(402, 'insufficient_quota')],
  ['forbidden', 'call', {}, isError(403, 'forbidden')],
  ['http-413', 'call', {}, isError(413, 'request_too_large')],
  ['http-500', 'call', TWICE, isError(500, 'internal_error')],
  ['http-500-once', 'call', {}, isError(500, 'internal_error')],
  ['http-500-once', 'call', TWICE, isSound],
  ['http-503', 'call', {}, isError(503, 'overloaded')],

  [
    'leading-space',
    'call',
    {},
    (answer) => {
      expect(answer.text).toMatch(/^\n\n {3}\t\r\n\{/);
      isSound(answer);
    },
  ],
  [
    'split-utf8',
    'text',
    STREAM,
    ({ pieces, text }) => {
      const broken = pieces.filter((piece) => !piece.equals(Buffer.from(piece.toString('utf8'))));
      expect(broken.length).toBeGreaterThan(4);
      expect(readStream(text).content).toMatch(/ 模拟 ✓ é 🙂$/);
    },
  ],
  [
    'broken-utf8',
    'text',
    {},
    ({ text }) => {
      expect(readPlain(text).content).toMatch(/ \uFFFD\uFFFD$/);
    },
  ],
  [
    'slow',
    'call',
    {},
    (answer) => {
      isSound(answer);
      expect(answer.durationMs).toBeGreaterThan(990);
    },
  ],
  ['hang', 'call', { patienceMs: 150 }, nothing],
  [
    'hang-midway',
    'text',
    { ...STREAM, patienceMs: 150 },
    ({ status, ended, text }) => {
      expect([status, ended]).toEqual([200, false]);
      expect(text).toMatch(/^data: /);
      expect(text).not.toContain('[DONE]');
    },
  ],
  ['reset-early', 'call', {}, nothing],
  ['reset-once', 'call', {}, nothing],
  ['reset-once', 'call', TWICE, isSound],
  [
    'trickle',
    'text',
    { patienceMs: 450 },
    ({ ended, pieces, text }) => {
      expect(ended).toBe(false);
      expect(pieces.every((piece) => piece.length === 1)).toBe(true);
      expect(text.length).toBeGreaterThan(0);
      expect(text.length).toBeLessThan(6);
      expect('{"id":'.startsWith(text)).toBe(true);
    },
  ],
  ['too-large', 'text', {}, ({ text }) => expect(text.length).toBeGreaterThan(64 * MIB)],
  [
    'too-large',
    'text',
    STREAM,
    ({ text }) => {
      expect(text.length).toBeGreaterThan(64 * MIB);
      expect(JSON.parse(text.slice(6, text.indexOf('\n'))).choices[0].delta.content).toMatch(
        /^simul/,
      );
    },
  ],
  [
    'endless-line',
    'text',
    STREAM,
    ({ text }) => {
      expect(text.length).toBeGreaterThan(64 * MIB);
      expect(text.includes('\n')).toBe(false);
    },
  ],
  [
    'gzip-bomb',
    'text',
    {},
    ({ headers, pieces }) => {
      const bytes = Buffer.concat(pieces);
      const member = bytes.subarray(0, bytes.length / 1024);
      expect(headers['content-encoding']).toBe('gzip');
      expect(bytes.length).toBeLessThan(2 * MIB);
      expect(gunzipSync(member).equals(Buffer.alloc(MIB, ' '))).toBe(true);
      expect(bytes.subarray(-member.length).equals(member)).toBe(true);
    },
  ],
  [
    'redirect',
    'call',
    {},
    ({ status, headers }) => {
      expect([status, headers.location]).toEqual([
        307,
        'http://elsewhere.example/v1/chat/completions',
      ]);
    },
  ],
];

describe('faults of whole responses', () => {
  test.each(CASES)('%s on a row of kind %s, %j', async (fault, row, asked, holds) => {
    holds(await ask(fault, row, asked));
  });

  it('reset: the beginning of the right answer, cut at a byte the seed decides', async () => {
    const whole = await ask(null, 'call');
    const lengths = [];
    for (const seed of [1, 2, 3]) {
      const cut = await ask('reset', 'call', { options: { seed } });
      expect(cut).toMatchObject({ status: 200, ended: false });
      expect(whole.text.startsWith(cut.text.slice(0, 40))).toBe(true);
      lengths.push(cut.text.length);
    }
    expect(new Set(lengths).size).toBe(3);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(whole.text.length);
  });

  it('leaves no fault of these tables untested', () => {
    const tested = new Set([...CASES.map(([name]) => name), 'reset']);
    const names = [...RESPONSE_FAULTS, ...TRANSPORT_FAULTS].map((fault) => fault.name);
    expect([...tested].sort()).toEqual(names.sort());
  });
});
