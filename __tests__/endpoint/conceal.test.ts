import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { reveal } from '../../src/text/untrusted.js';
import { ask, KEY, PLAIN_BODY } from '../support/endpoint-ask.js';
import { type HostileServer, startHostile } from '../support/hostile-server.js';

// A server that writes whatever it was sent back into its answer.
const TOKEN = 'gw-77aa88bb99cc00dd';
const headers = { 'x-gateway-token': TOKEN, 'x-environment': 'production' };

describe('a server that echoes what it was sent', () => {
  let server: HostileServer;
  let answer: { status: number; body: string };
  beforeAll(async () => {
    server = await startHostile((response, request) => {
      const seen = `${request.headers['authorization']} ${request.headers['x-gateway-token']} ${request.headers['x-environment']}`;
      response.writeHead(answer.status, { 'x-request-id': seen });
      response.end(answer.body.replaceAll('ECHO', seen));
    });
  });
  afterAll(() => server.close());

  test.each([
    [400, 'you sent ECHO', 'you sent Bearer *** *** ***'],
    [401, '{"error":"ECHO"}', '{"error":"Bearer *** *** ***"}'],
    [502, '<html><b>ECHO</b></html>', 'Bearer *** *** ***'],
    [200, 'ECHO', 'Bearer *** *** ***'],
    [200, '{"error":{"message":"ECHO"}}', 'Bearer *** *** ***'],
    [200, '{"nothing":"ECHO"}', 'no choices {"nothing":"Bearer *** *** ***"}'],
  ])('%i %s', async (status, body, expected) => {
    answer = { status, body };
    const { reply, exchange } = await ask(server.url, PLAIN_BODY, { headers });
    if (reply.kind === 'completion') throw new Error(reply.kind);
    expect(reveal(reply.kind === 'failed' ? reply.detail : reply.body)).toBe(expected);
    expect(exchange.headers).toEqual({ 'x-request-id': 'Bearer *** *** ***' });
  });

  test('in an answer the key and tokens are hidden, a plain word that is a header too is not', async () => {
    const message = {
      content: 'ECHO',
      reasoning: 'ECHO',
      tool_calls: [
        { id: 'ECHO', type: 'ECHO', function: { name: 'ECHO', arguments: '{"a":"ECHO"}' } },
        { id: 'b', function: { name: 'f', arguments: { ECHO: ['ECHO', 1, null] } } },
      ],
    };
    answer = {
      status: 200,
      body: JSON.stringify({
        id: 'ECHO',
        model: 'ECHO',
        provider: 'ECHO',
        system_fingerprint: 'ECHO',
        choices: [{ message, finish_reason: 'ECHO' }],
      }),
    };
    const result = await ask(server.url, PLAIN_BODY, { headers });
    const text = JSON.stringify(result);
    expect(text).not.toContain(KEY);
    expect(text).not.toContain(TOKEN);
    if (result.reply.kind !== 'completion') throw new Error(result.reply.kind);
    const hidden = 'Bearer *** *** production';
    const { completion } = result.reply;
    expect(completion).toMatchObject({ content: hidden, reasoning: hidden, finishReason: hidden });
    expect(completion.toolCalls?.[0]).toEqual({
      id: hidden,
      type: hidden,
      name: hidden,
      arguments: `{"a":"${hidden}"}`,
    });
    expect(completion.toolCalls?.[1]?.arguments).toEqual({ [hidden]: [hidden, 1, null] });
    expect(result.exchange.served).toBe(`${hidden} (${hidden})`);
  });

  test('error texts are bounded and end in whole characters', async () => {
    answer = { status: 400, body: `x${'🙂'.repeat(3000)}` };
    const { reply } = await ask(server.url, PLAIN_BODY);
    if (reply.kind !== 'refused') throw new Error(reply.kind);
    expect(reveal(reply.body)).toBe(`x${'🙂'.repeat(999)}…`);
  });

  test('no key, no secrets: nothing is hidden', async () => {
    answer = { status: 400, body: 'the EMPTY key of production' };
    const { reply } = await ask(server.url, PLAIN_BODY, { apiKey: null });
    expect(reply).toEqual({ kind: 'refused', status: 400, body: 'the EMPTY key of production' });
  });
});
