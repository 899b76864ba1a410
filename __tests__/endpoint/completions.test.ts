import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { classifyStatus } from '../../src/endpoint/classify.js';
import { odditiesOf } from '../../src/endpoint/oddities.js';
import type { Completion, Exchange, Reply } from '../../src/model/completion.js';
import { endpointAt } from '../support/endpoint-ask.js';
import { section, usage } from '../support/endpoint-rows.js';
import {
  DONE,
  event,
  type HostileServer,
  startHostile,
  writePieces,
} from '../support/hostile-server.js';

const STREAM =
  '{"model":"kimi-k2","prompt":"Hi","stream":true,"stream_options":{"include_usage":true}}';
const PLAIN = '{"model":"kimi-k2","prompt":"Hi"}';

const piece = (text: unknown, finish: unknown = null, rest: object = {}): string =>
  event({
    id: 'cmpl-1',
    object: 'text_completion',
    created: 5,
    model: 'kimi-k2',
    choices: [{ index: 0, text, logprobs: null, finish_reason: finish }],
    ...rest,
  });
const whole = (choice: object, rest: object = {}): string =>
  JSON.stringify({
    id: 'cmpl-1',
    object: 'text_completion',
    model: 'kimi-k2',
    choices: [choice],
    ...rest,
  });

interface Case {
  readonly status?: number;
  readonly type?: string;
  readonly sends: readonly string[];
  readonly body?: string;
}

const JSON_TYPE = 'application/json';

describe('answers of /completions', () => {
  let server: HostileServer;
  let current: Case = { sends: [] };

  beforeAll(async () => {
    server = await startHostile(async (response) => {
      response.writeHead(current.status ?? 200, {
        'content-type': current.type ?? 'text/event-stream',
      });
      await writePieces(response, current.sends);
    });
  });
  afterAll(() => server.close());

  async function ask(given: Case): Promise<{ reply: Reply; exchange: Exchange }> {
    current = given;
    const endpoint = endpointAt(server.url);
    try {
      const request = { path: '/completions', body: given.body ?? STREAM } as const;
      return await endpoint.send(request, new AbortController().signal);
    } finally {
      await endpoint.close();
    }
  }

  test.each<[string, Case, Partial<Completion>, readonly string[]]>([
    [
      'a stream, with its usage at the end',
      {
        sends: [piece('Hel'), piece('lo'), piece('', 'stop'), event({ choices: [], usage }), DONE],
      },
      { content: 'Hello', finishReason: 'stop', usage, id: 'cmpl-1', created: 5, model: 'kimi-k2' },
      [],
    ],
    [
      'one body',
      {
        body: PLAIN,
        type: JSON_TYPE,
        sends: [whole({ text: 'Hello', finish_reason: 'length' }, { usage })],
      },
      { content: 'Hello', finishReason: 'length', usage },
      [],
    ],
    [
      'one body where a stream was asked for',
      { type: JSON_TYPE, sends: [whole({ text: 'Hello', finish_reason: 'stop' })] },
      { content: 'Hello' },
      ['json_though_stream_asked'],
    ],
    [
      'a stream where none was asked for',
      { body: PLAIN, sends: [piece('Hello', 'stop'), DONE] },
      { content: 'Hello' },
      ['stream_though_not_asked'],
    ],
    [
      'markup and thinking, which are in their place',
      { sends: [piece('<think>hm</think>'), piece(section), piece('', 'stop'), DONE] },
      { content: `<think>hm</think>${section}`, reasoning: null, toolCalls: null },
      [],
    ],
    [
      'an empty text',
      { sends: [piece('', 'stop'), DONE] },
      { content: '', finishReason: 'stop' },
      [],
    ],
    [
      'no text at all, and no [DONE]',
      { sends: [piece(null, 'stop')] },
      { content: null },
      ['no_done_marker'],
    ],
    [
      'another choice than the first',
      {
        sends: [
          event({ choices: [{ index: 1, text: 'no' }] }),
          piece('yes'),
          piece('', 'stop'),
          DONE,
        ],
      },
      { content: 'yes' },
      [],
    ],
  ])('%s', async (_name, given, completion, warnings) => {
    const { reply, exchange } = await ask(given);
    if (reply.kind !== 'completion') throw new Error(JSON.stringify(reply));
    expect(reply.completion).toMatchObject(completion);
    expect(exchange.warnings).toEqual(warnings);
    expect(server.received.at(-1)?.path).toBe('/v1/completions');
  });

  test.each<[string, Case, string]>([
    [
      'no choices',
      { type: JSON_TYPE, sends: ['{"object":"text_completion","choices":[]}'] },
      'malformed',
    ],
    [
      'an error in the stream',
      { sends: [piece('Hel'), event({ error: { message: 'gone' } })] },
      'stream_error',
    ],
    ['a stream that just stops', { sends: [piece('Hel')] }, 'no_finish_reason'],
    ['an answer that was given up', { sends: [piece('Hel', 'abort'), DONE] }, 'server_aborted'],
    [
      'no such path',
      { status: 404, type: JSON_TYPE, sends: ['{"detail":"Not Found"}'] },
      'no_completions',
    ],
    ['the path, but not for this', { status: 405, sends: [''] }, 'no_completions'],
    [
      'no such model',
      {
        status: 404,
        type: JSON_TYPE,
        sends: ['{"message":"The model `kimi` does not exist.","code":404}'],
      },
      'model_not_found',
    ],
    ['a wrong key', { status: 401, sends: ['no'] }, 'unauthorized'],
  ])('%s is no answer', async (_name, given, cause) => {
    const { reply } = await ask(given);
    expect(reply).toMatchObject({ kind: 'failed', cause });
  });

  test('the first token of a stream is timed', async () => {
    const { exchange } = await ask({ sends: [piece('Hello'), piece('', 'stop'), DONE] });
    expect(exchange.firstTokenMs).not.toBeNull();
  });
});

test('a text beside a message or a delta is passed over', async () => {
  const server = await startHostile(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    await writePieces(response, [
      event({ choices: [{ index: 0, delta: { content: 'yes' }, text: 'no' }] }),
      event({ choices: [{ index: 0, delta: {}, text: 'no', finish_reason: 'stop' }] }),
      DONE,
    ]);
  });
  const endpoint = endpointAt(server.url);
  const request = { path: '/chat/completions', body: STREAM } as const;
  const { reply } = await endpoint.send(request, new AbortController().signal);
  expect(reply).toMatchObject({ completion: { content: 'yes' } });
  await endpoint.close();
  await server.close();
});

describe('a 404 at /completions', () => {
  const chatModel =
    '{"error":{"message":"This is a chat model and not supported in the v1/completions endpoint. Did you mean to use v1/chat/completions?","type":"invalid_request_error","param":"model","code":null}}';
  test.each<[string, string]>([
    ['', 'no_completions'],
    ['404 page not found', 'no_completions'],
    ['<html><body>no model here</body></html>', 'no_completions'],
    ['{"error":{"message":"Invalid URL (POST /v1/completions)"}}', 'no_completions'],
    [chatModel, 'no_completions'],
    ['{"error":{"message":"Completions are not available for this model."}}', 'no_completions'],
    ['{"error":{"code":"model_not_found"}}', 'model_not_found'],
    [
      '{"error":{"message":"No endpoints found for moonshotai/kimi-k9.","code":404}}',
      'model_not_found',
    ],
  ])('%s: %s', (body, cause) => {
    expect(classifyStatus(404, body, null, '/completions')).toMatchObject({ cause, final: false });
  });

  test('at /chat/completions is judged as ever', () => {
    expect(classifyStatus(404, chatModel, null)).toMatchObject({ cause: 'model_not_found' });
    expect(classifyStatus(405, '', null)).toMatchObject({ cause: 'http_status' });
  });
});

test('what is odd about a text, beside markup, is noted all the same', () => {
  const draft = {
    id: null,
    created: null,
    model: 'other',
    provider: null,
    fingerprint: null,
    finishReason: 'eos',
    content: `<think>\ufffd${section}`,
    reasoning: null,
    toolCalls: null,
    usage: null,
  };
  expect(odditiesOf(draft, 'kimi-k2', '/completions')).toEqual([
    'unknown_finish_reason',
    'replacement_character',
    'model_differs',
  ]);
});
