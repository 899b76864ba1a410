import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from '@jest/globals';
import { readText } from '../../src/benchmarks/k2-verifier/completions-answer.js';
import type { SimulatorOptions } from '../../src/simulator/options.js';
import { completionOf } from '../support/k2.js';
import { tempDir } from '../support/temp-dir.js';
import {
  bodyOf,
  builtInRows,
  chunksIn,
  exchange,
  type Loose,
  post,
  type Row,
  readStream,
  STREAM,
  withSimulator,
} from './wire.js';

const rows = builtInRows();

function wordsOf(content: Loose): string {
  const parts: Loose[] = Array.isArray(content) ? content : [{ text: content ?? '' }];
  return parts.map(({ text }) => text.trim()).join('\n');
}

/** A prompt in a form of our own; the simulator knows none. */
function promptOf({ messages, tools }: Pick<Row, 'messages' | 'tools'>): string {
  const turns = (JSON.parse(messages) as Loose[]).map(
    ({ role, content, tool_calls }) =>
      `[${role}] ${wordsOf(content)}${JSON.stringify(tool_calls ?? '')}`,
  );
  return `${tools}\n${turns.join('\n')}\n[assistant]`;
}

const KEPT = { skip_special_tokens: false };
const ask = (url: string, prompt: string, more: object = KEPT) =>
  exchange(
    'POST',
    `${url}/completions`,
    JSON.stringify({ model: 'simulated-k2', prompt, ...more }),
  );

/** The text of an answer, streamed or not, and how it ended. */
function readPiece(text: string): { said: string; finish: unknown; usage: unknown } {
  const chunks = text.startsWith('{') ? [JSON.parse(text) as Loose] : chunksIn(text);
  const choices = chunks.flatMap((chunk) => chunk.choices);
  return {
    said: choices.map((choice) => choice.text).join(''),
    finish: choices.at(-1)?.finish_reason,
    usage: chunks.findLast((chunk) => chunk.usage)?.usage,
  };
}

function parsed(said: string) {
  const { completion, fault } = readText(completionOf('stop', { content: said }), false);
  const { finishReason, content, reasoning, toolCalls } = completion;
  return {
    finish: finishReason,
    content,
    reasoning: reasoning ?? '',
    calls: (toolCalls ?? []).map(({ id, name, arguments: args }) => ({
      id,
      name,
      arguments: args,
    })),
    fault,
  };
}

const behaviours: [string, SimulatorOptions][] = [
  ['as the official model did', {}],
  ['with half of the fidelity and another seed', { fidelity: 0.5, seed: 7 }],
];

describe('prompts of the built-in rows', () => {
  test.each(behaviours)(
    'are answered as their messages are, %s: calls in markup, thinking in tags',
    async (_name, options) => {
      await withSimulator(options, async (url) => {
        for (const row of rows) {
          const chat = readStream((await post(url, bodyOf(row, STREAM))).text);
          const { said, finish, usage } = readPiece(
            (await ask(url, promptOf(row), { ...STREAM, ...KEPT })).text,
          );
          expect(finish).toBe('stop');
          expect(parsed(said)).toEqual({
            finish: chat.finish,
            content: chat.content,
            reasoning: chat.reasoning,
            calls: chat.calls,
            fault: null,
          });
          expect(usage).toMatchObject({
            completion_tokens: (chat.usage as Loose).completion_tokens,
          });
        }
      });
    },
    60_000,
  );

  it('are answered alike as a stream and as one body', async () => {
    await withSimulator({}, async (url) => {
      for (const row of rows.slice(0, 20)) {
        const plain = await ask(url, promptOf(row));
        const stream = await ask(url, promptOf(row), { ...STREAM, ...KEPT });
        expect(readPiece(stream.text)).toEqual(readPiece(plain.text));
        expect(stream.text.endsWith('data: [DONE]\n\n')).toBe(true);
        expect(JSON.parse(plain.text)).toMatchObject({
          id: expect.stringMatching(/^cmpl-/),
          object: 'text_completion',
          choices: [{ index: 0, logprobs: null }],
        });
        for (const chunk of chunksIn(stream.text)) expect(chunk.object).toBe('text_completion');
      }
    });
  });

  it('lose their markers unless special tokens are asked for', async () => {
    const row = rows.find(({ should_call_tool }) => should_call_tool);
    await withSimulator({}, async (url) => {
      const { said } = readPiece((await ask(url, promptOf(row as Row), {})).text);
      expect(said).not.toContain('<|tool_call');
      expect(parsed(said)).toMatchObject({ finish: 'stop', fault: 'stripped_markup' });
    });
  });

  it('are not thought about where the prompt has closed the thinking, and go on where it has opened it', async () => {
    await withSimulator({}, async (url) => {
      const thoughtful: string[] = [];
      for (const row of rows.slice(0, 12)) {
        const prompt = promptOf(row);
        const closed = readPiece((await ask(url, `${prompt}<think></think>`)).text).said;
        expect(closed).not.toContain('think>');
        const opened = readPiece((await ask(url, `${prompt}<think>\n`)).text).said;
        expect(opened).toContain('</think>');
        expect(opened).not.toContain('<think>');
        const { said } = readPiece((await ask(url, prompt)).text);
        if (said.startsWith('<think>')) thoughtful.push(said);
      }
      expect(thoughtful.length).toBeGreaterThan(2);
    });
  });
});

describe('which row a prompt is of', () => {
  const turn = (role: string, content: unknown) => ({ role, content });
  const known = [
    { messages: [turn('user', 'One')], should_call_tool: true },
    {
      messages: [turn('user', 'One'), turn('assistant', 'ok'), turn('user', ' Two ')],
      should_call_tool: true,
    },
    { messages: [turn('user', 'Two'), turn('user', 'One')], should_call_tool: true },
    {
      messages: [turn('user', [{ type: 'text', text: 'Three' }, { type: 'image_url' }])],
      should_call_tool: true,
    },
    { messages: [turn('user', '')], should_call_tool: true },
  ];
  const tool = (name: string) => ({
    type: 'function',
    function: { name, parameters: { type: 'object' } },
  });
  const calledBy = async (url: string, prompt: string): Promise<string> =>
    parsed(readPiece((await ask(url, prompt)).text).said).calls[0]?.name ?? 'nobody';

  test('is the one with the most text that stands in it, in order', async () => {
    const dataset = join(tempDir(), 'rows.jsonl');
    const lines = known.map((row, at) => JSON.stringify({ ...row, tools: [tool(`row${at + 1}`)] }));
    writeFileSync(dataset, `${lines.join('\n')}\n`);
    await withSimulator({ dataset }, async (url) => {
      expect(await calledBy(url, 'user: One')).toBe('row1');
      expect(await calledBy(url, 'user: One assistant: ok user: Two')).toBe('row2');
      expect(await calledBy(url, 'user: Two user: One')).toBe('row3');
      expect(await calledBy(url, 'user: Three <image>')).toBe('row4');
      expect(await calledBy(url, 'something else')).toBe('nobody');
    });
  });
});

describe('requests to /completions that are not answered', () => {
  test.each<[string, string, number, string]>([
    ['malformed JSON', '{', 400, 'invalid_request'],
    ['no object', '[]', 400, 'invalid_request'],
    ['no model', '{"prompt":"Hi"}', 400, 'invalid_request'],
    ['no prompt', '{"model":"simulated-k2","messages":[]}', 400, 'invalid_request'],
    ['a prompt of tokens', '{"model":"simulated-k2","prompt":[1,2]}', 400, 'invalid_request'],
    ['another model', '{"model":"m","prompt":"Hi"}', 404, 'model_not_found'],
  ])('%s', async (_name, body, status, code) => {
    await withSimulator({}, async (url) => {
      const answer = await exchange('POST', `${url}/completions`, body);
      expect(answer.status).toBe(status);
      expect(JSON.parse(answer.text)).toMatchObject({ error: { code } });
    });
  });

  it('count as requests, and want the key', async () => {
    await withSimulator({ apiKey: 'sesame' }, async (url) => {
      expect((await ask(url, 'Hi')).status).toBe(401);
    });
  });
});

describe('faults', () => {
  test.each<[string, (answer: { text: string; status: number | null; ended: boolean }) => void]>([
    ['no-choices', ({ text }) => expect(readPiece(text).said).toBe('')],
    ['http-500', ({ status }) => expect(status).toBe(500)],
    ['html-502', ({ text }) => expect(text).toContain('<html>')],
    [
      'plain-for-sse',
      ({ text }) => expect(JSON.parse(text)).toMatchObject({ object: 'text_completion' }),
    ],
    ['no-stream-options', ({ status }) => expect(status).toBe(422)],
  ])('%s hits answers of /completions too', async (name, check) => {
    await withSimulator({ faults: { [name]: 1 } }, async (url) => {
      check(await ask(url, promptOf(rows[0] as Row), { ...STREAM, ...KEPT }));
    });
  });
});
