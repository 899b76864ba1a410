import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from '@jest/globals';
import { ConfigError } from '../../src/model/errors.js';
import type { SimulatorOptions } from '../../src/simulator/options.js';
import { type Simulator, startSimulator } from '../../src/simulator/start.js';
import {
  bodyOf,
  builtInRows,
  chunksIn,
  exchange,
  post,
  readPlain,
  readStream,
  STREAM,
} from './wire.js';

const rows = builtInRows();
const running: Simulator[] = [];
async function start(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator(options);
  running.push(simulator);
  return simulator;
}
afterEach(async () => {
  await Promise.all(running.splice(0).map((simulator) => simulator.close()));
});

const hello = JSON.stringify({
  model: 'simulated-k2',
  messages: [{ role: 'user', content: 'hello' }],
});

describe('requests that are not answered', () => {
  test.each<[string, string, string, string, number, string]>([
    ['unknown path', 'GET', '/embeddings', '', 404, 'not_found'],
    ['wrong method', 'GET', '/chat/completions', '', 404, 'not_found'],
    ['malformed JSON', 'POST', '/chat/completions', '{"model":', 400, 'invalid_request'],
    ['no object', 'POST', '/chat/completions', '[]', 400, 'invalid_request'],
    ['no model', 'POST', '/chat/completions', '{"messages":[]}', 400, 'invalid_request'],
    [
      'no messages',
      'POST',
      '/chat/completions',
      '{"model":"simulated-k2"}',
      400,
      'invalid_request',
    ],
    [
      'other model',
      'POST',
      '/chat/completions',
      '{"model":"m","messages":[]}',
      404,
      'model_not_found',
    ],
  ])('%s', async (_name, method, path, body, status, code) => {
    const { url } = await start();
    const answer = await exchange(method, `${url}${path}`, body);
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(JSON.parse(answer.text)).toEqual({
      error: { message: expect.any(String), type: 'invalid_request_error', param: null, code },
    });
  });

  it('asks for the key when one is set', async () => {
    const { url } = await start({ apiKey: 'sesame' });
    const key = (value: string) => ({ headers: { authorization: `Bearer ${value}` } });
    expect((await post(url, hello)).status).toBe(401);
    expect((await post(url, hello, key('wrong'))).status).toBe(401);
    expect((await post(url, hello, key('sesame'))).status).toBe(200);
    expect((await exchange('GET', `${url}/models`, '')).status).toBe(401);
    expect((await exchange('GET', `${url}/models`, '', key('sesame'))).status).toBe(200);
  });
});

describe('requests that are answered', () => {
  it('lists its models', async () => {
    const { url } = await start({ models: ['one', 'two'] });
    const answer = await exchange('GET', `${url}/models`, '');
    expect(JSON.parse(answer.text)).toMatchObject({
      object: 'list',
      data: [
        { id: 'one', object: 'model' },
        { id: 'two', object: 'model' },
      ],
    });
  });

  it('counts chat requests, refused ones too, and nothing else', async () => {
    const simulator = await start();
    await exchange('GET', `${simulator.url}/models`, '');
    expect(simulator.requests()).toBe(0);
    await post(simulator.url, hello);
    await post(simulator.url, '{');
    expect(simulator.requests()).toBe(2);
  });

  it('answers an unknown prompt without tools in words, the same each time', async () => {
    const { url } = await start();
    const [one, two] = [await post(url, hello), await post(url, hello)];
    expect(readPlain(one.text)).toEqual(readPlain(two.text));
    expect(readPlain(one.text)).toMatchObject({ finish: 'stop', calls: [] });
    expect(one.headers['x-request-id']).toMatch(/^sim-/);
  });

  it('says the same as a stream and as one body, for every row of the built-in set', async () => {
    const { url } = await start();
    for (const row of rows) {
      const [plain, stream] = [await post(url, bodyOf(row)), await post(url, bodyOf(row, STREAM))];
      expect(readStream(stream.text)).toEqual(readPlain(plain.text));
      expect(stream.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    }
  });

  it('reasons aloud in some rows, and in none when thinking is off', async () => {
    const { url } = await start();
    const reasoning = async (row: (typeof rows)[number], more: object) =>
      readPlain((await post(url, bodyOf(row, more))).text).reasoning !== '';
    let aloud = 0;
    for (const row of rows.slice(0, 40)) {
      if (await reasoning(row, {})) aloud += 1;
      expect(await reasoning(row, { thinking: { type: 'disabled' } })).toBe(false);
      expect(await reasoning(row, { chat_template_kwargs: { thinking: false } })).toBe(false);
    }
    expect(aloud).toBeGreaterThan(10);
    expect(aloud).toBeLessThan(40);
  });

  test.each([1, 2, 5, 30, 200])(
    'streams %i chunks, or the fewest that hold the answer',
    async (chunks) => {
      const { url } = await start({ chunks });
      for (const row of rows.slice(0, 12)) {
        const { text } = await post(url, bodyOf(row, { stream: true }));
        const { calls, reasoning, content } = readStream(text);
        // Role and finish reason; a piece of each text; name and arguments of each call.
        const fewest = 2 + Number(reasoning !== '') + Number(content !== '') + 2 * calls.length;
        expect(chunksIn(text)).toHaveLength(Math.max(chunks, fewest));
      }
    },
  );

  it('sends usage in a stream only when asked', async () => {
    const { url } = await start();
    const [row] = rows as [(typeof rows)[number]];
    const asked = readStream((await post(url, bodyOf(row, STREAM))).text).usage;
    const not = readStream((await post(url, bodyOf(row, { stream: true }))).text).usage;
    const { prompt_tokens, completion_tokens, total_tokens } = asked as Record<string, number>;
    expect(not).toBeUndefined();
    expect(total_tokens).toBe((prompt_tokens as number) + (completion_tokens as number));
    // Four characters a token.
    const text = JSON.stringify([JSON.parse(row.messages), JSON.parse(row.tools)]);
    expect(prompt_tokens).toBe(Math.ceil(text.length / 4));
  });

  test.each([
    ['none', []],
    ['required', ['sum']],
    [{ type: 'function', function: { name: 'product' } }, ['product']],
  ])('follows tool_choice %j', async (tool_choice, names) => {
    const { url } = await start();
    const tools = ['sum', 'product'].map((name) => ({
      function: { name, parameters: { type: 'object' } },
    }));
    const messages = [{ role: 'user', content: 'What is 17 and 4?' }];
    const model = 'simulated-k2';
    const { text } = await post(url, JSON.stringify({ model, messages, tools, tool_choice }));
    const called = readPlain(text).calls.map((call) => call.name);
    expect(called.length).toBe(names.length);
    if (tool_choice !== 'required') expect(called).toEqual(names);
  });
});

describe('latency', () => {
  it('is the wall time of a whole response; a stream begins earlier', async () => {
    const { url } = await start({ latencyMs: 150 });
    const [row] = rows as [(typeof rows)[number]];
    for (const more of [{}, STREAM]) {
      const { durationMs, pieces } = await post(url, bodyOf(row, more));
      expect(durationMs).toBeGreaterThanOrEqual(148);
      expect(durationMs).toBeLessThan(600);
      expect(pieces.length > 1).toBe(more === STREAM);
    }
  });
});

describe('close', () => {
  it('cuts every connection, waiting or idle, and frees the port', async () => {
    const simulator = await startSimulator({ latencyMs: 60_000 });
    const waiting = post(simulator.url, hello, { patienceMs: 60_000 });
    const idle = connect(simulator.port, '127.0.0.1');
    idle.on('error', () => {});
    const closed = new Promise((resolve) => idle.on('close', resolve));
    await new Promise((resolve) => idle.on('connect', resolve));
    while (simulator.requests() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await simulator.close();
    await simulator.close();
    expect(await waiting).toMatchObject({ status: null, ended: false });
    await closed;
    const next = await start({ port: simulator.port });
    expect((await post(next.url, hello)).status).toBe(200);
  });
});

describe('options', () => {
  const scratch = { dir: '' };
  beforeAll(() => {
    scratch.dir = mkdtempSync(join(tmpdir(), 'simulator-'));
  });
  afterAll(() => rmSync(scratch.dir, { recursive: true }));
  const problemsOf = async (options: SimulatorOptions) => {
    const error = await startSimulator(options).then(
      (simulator) => simulator.close(),
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).problems;
  };
  const file = (text: string | Buffer): string => {
    const path = join(scratch.dir, 'rows.jsonl');
    writeFileSync(path, text);
    return path;
  };

  it('reports all problems together and names the nearest fault', async () => {
    const faults = { 'stop-with-call': 0.1, 'no-done': 1.5, hang: Number.NaN, qqqqqqqq: 0 };
    const problems = await problemsOf({
      fidelity: 2,
      port: -1,
      seed: 0.5,
      chunks: 0,
      models: [],
      latencyMs: -1,
      faults,
    });
    expect(problems.map(({ where, fix }) => [where, fix])).toEqual([
      ['fault stop-with-call', 'Did you mean stop-with-calls?'],
      ['fault no-done', 'Give a share of the rows.'],
      ['fault hang', 'Give a share of the rows.'],
      ['fault qqqqqqqq', expect.stringContaining('Choose one of: missed-calls, ')],
      ['port', 'Give a whole number from 0 to 65535.'],
      ['fidelity', 'Give a number from 0 to 1.'],
      ['latency-ms', expect.any(String)],
      ['chunks', expect.any(String)],
      ['seed', expect.any(String)],
      ['models', 'Name at least one model.'],
    ]);
  });

  test.each<[string, string | Buffer, string]>([
    ['an empty file', '', 'has no rows'],
    ['blank lines', '\n \n', 'has no rows'],
    ['a line that is no JSON', '{"messages":[]}\n\n{"messages":\n', 'Line 3 of '],
    ['messages that are no JSON', '{"messages":"[{"}', 'Line 1 of '],
    ['a row without messages', '{"tools":[]}', 'has no list of messages'],
    ['calls that are no JSON', '{"messages":[],"official_tool_calls":"["}', 'Line 1 of '],
    ['a compressed file', Buffer.from([0x1f, 0x8b, 8, 0]), ' is not UTF-8 text'],
  ])('refuses %s', async (_name, text, what) => {
    const [problem] = await problemsOf({ dataset: file(text) });
    expect(problem).toMatchObject({ where: 'dataset', what: expect.stringContaining(what) });
  });

  it('refuses a data set that is not there, and a port that is taken', async () => {
    expect(await problemsOf({ dataset: join(scratch.dir, 'none') })).toMatchObject([
      { where: 'dataset', what: expect.stringContaining('cannot be read') },
    ]);
    const { port } = await start();
    expect(await problemsOf({ port })).toMatchObject([
      { where: 'port', what: expect.stringContaining('EADDRINUSE') },
    ]);
  });
});
