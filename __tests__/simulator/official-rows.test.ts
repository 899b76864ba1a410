import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import { builtinSyntheticPath } from '../../src/datasets/builtin.js';
import { OfficialRows } from '../../src/simulator/official-rows.js';
import { readPrompt } from '../../src/simulator/prompt.js';
import { bodyOf, builtInRows, type Loose, post, readPlain, withSimulator } from './wire.js';

const rows = builtInRows();

describe('rows are recognised', () => {
  const official = { rows: null as OfficialRows | null };
  beforeAll(async () => {
    official.rows = await OfficialRows.open(builtinSyntheticPath());
  });
  afterAll(async () => official.rows?.close());
  const found = (messages: Loose[]) => {
    const body = JSON.stringify({ model: 'm', messages });
    return official.rows?.find(readPrompt(body).digest);
  };
  const having = (test: (message: Loose) => boolean): Loose[][] =>
    rows.map((row) => JSON.parse(row.messages)).filter((messages) => messages.some(test));

  test.each<[string, (message: Loose) => boolean, (message: Loose) => Loose]>([
    ['as they are', () => true, (message) => message],
    [
      'with _input sent as system',
      (m) => m.role === '_input',
      (m) => (m.role === '_input' ? { ...m, role: 'system' } : m),
    ],
    [
      'with arguments in the history replaced',
      (m) => m.tool_calls,
      (m) =>
        m.tool_calls
          ? {
              ...m,
              tool_calls: m.tool_calls.map((c: Loose) => ({
                ...c,
                function: { ...c.function, arguments: '{}' },
              })),
            }
          : m,
    ],
    [
      'with other ids',
      (m) => m.tool_calls,
      (m) => ({
        ...m,
        ...(m.tool_calls
          ? { tool_calls: m.tool_calls.map((c: Loose) => ({ ...c, id: 'x' })) }
          : {}),
        ...(m.tool_call_id ? { tool_call_id: 'x' } : {}),
      }),
    ],
    [
      'with empty content null',
      (m) => m.content === '',
      (m) => ({ ...m, content: m.content || null }),
    ],
    [
      'with null content empty',
      (m) => m.content === null,
      (m) => ({ ...m, content: m.content ?? '' }),
    ],
    ['with reasoning added', (m) => m.tool_calls, (m) => ({ ...m, reasoning_content: '' })],
  ])('%s', (_name, test, change) => {
    const conversations = having(test);
    expect(conversations.length).toBeGreaterThan(0);
    for (const messages of conversations) {
      const changed = messages.map(change);
      expect(found(changed)).not.toBeNull();
      expect(found(changed)).toEqual(found(messages));
    }
  });

  it('not when a word is different', () => {
    for (const [message, ...more] of having(() => true)) {
      expect(found([{ ...message, content: `${message.content}!` }, ...more])).toBeNull();
    }
  });
});

describe('data sets of one’s own', () => {
  const scratch = { dir: '' };
  beforeAll(() => {
    scratch.dir = mkdtempSync(join(tmpdir(), 'rows-'));
  });
  afterAll(() => rmSync(scratch.dir, { recursive: true }));
  const messages = [{ role: 'user', content: 'Ring the bell' }];
  const tools = [{ type: 'function', function: { name: 'ring', parameters: { type: 'object' } } }];
  const row = { messages: JSON.stringify(messages), tools: JSON.stringify(tools) };
  const decisionOf = async (line: string) => {
    const dataset = join(scratch.dir, 'rows.jsonl');
    writeFileSync(dataset, line);
    return withSimulator({ dataset }, async (url) =>
      readPlain((await post(url, bodyOf(row))).text),
    );
  };

  test.each<[string, object, string]>([
    ['hosted, should_call_tool', { ...row, should_call_tool: true }, 'tool_calls'],
    ['hosted, should not', { ...row, should_call_tool: false }, 'stop'],
    ['hosted, finish reason only', { ...row, official_finish_reason: 'tool_calls' }, 'tool_calls'],
    ['lists instead of strings', { messages, tools, should_call_tool: false }, 'stop'],
    ['other columns', { ...row, should_call_tool: false, note: { any: 1 } }, 'stop'],
  ])('%s', async (_name, line, finish) => {
    expect(await decisionOf(JSON.stringify(line))).toMatchObject({ finish });
  });

  it('request bodies without a decision are answered like unknown prompts', async () => {
    const body = { model: 'kimi', messages, tools, temperature: 0.6 };
    const unknown = await decisionOf(JSON.stringify({ messages: [], should_call_tool: true }));
    expect(await decisionOf(JSON.stringify(body))).toEqual(unknown);
  });

  test.each<[string, object]>([
    ['a list', { official_tool_calls: [{ function: { name: 'ring', arguments: '{"n":1}' } }] }],
    ['without `function`', { official_tool_calls: [{ name: 'ring', arguments: '{"n":1}' }] }],
    ['as tool_calls', { tool_calls: '[{"function":{"name":"ring","arguments":"{\\"n\\":1}"}}]' }],
  ])('recorded calls: %s', async (_name, columns) => {
    const { calls } = await decisionOf(
      JSON.stringify({ ...row, should_call_tool: true, ...columns }),
    );
    expect(calls).toEqual([{ id: 'functions.ring:0', name: 'ring', arguments: '{"n":1}' }]);
  });

  it('recorded calls are repeated as they stand; of two equal rows the first counts', async () => {
    const call = { id: 'functions.ring:0', function: { name: 'ring', arguments: '{"times":3.0}' } };
    const recorded = {
      ...row,
      should_call_tool: true,
      official_tool_calls: JSON.stringify([call]),
    };
    const lines = [recorded, { ...row, should_call_tool: false }].map((line) =>
      JSON.stringify(line),
    );
    const { calls } = await decisionOf(`\uFEFF${lines.join('\r\n')}\r\n`);
    expect(calls).toEqual([{ id: 'functions.ring:0', name: 'ring', arguments: '{"times":3.0}' }]);
  });
});
