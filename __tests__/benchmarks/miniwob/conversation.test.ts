import { describe, expect, it, test } from '@jest/globals';
import { type LoopRules, playEpisode } from '../../../src/benchmarks/miniwob/agent-loop.js';
import { MANY_CALLS, NO_CALL, SYSTEM_PROMPT } from '../../../src/benchmarks/miniwob/tool.js';
import type { RequestSettings } from '../../../src/model/benchmark.js';
import type { Reply } from '../../../src/model/completion.js';
import {
  ACT,
  answer,
  call,
  calling,
  fakeEnvironment,
  REQUEST,
  RULES,
  SOLVED,
  type StubModel,
  stubModel,
} from '../../support/miniwob.js';

async function sent(
  replies: readonly Reply[],
  rules: Partial<LoopRules> = {},
  environment = fakeEnvironment({ 3: SOLVED }),
): Promise<StubModel['sent']> {
  const model = stubModel(replies);
  await playEpisode(environment, model, { ...RULES, ...rules }, () => {});
  return model.sent;
}

/** Layout of the observation text, worked out by hand. */
const text = (step: number, done = false, reward = 0): string =>
  [
    'Goal: Click "OK".',
    'URL: file:///pages/ok.html',
    `Step: ${step}`,
    `Reward: ${reward}.0`,
    `Done: ${done ? 'True' : 'False'}`,
    'Last action error: False',
    'Screenshot size: 498x321 pixels.',
    'Accessibility tree:',
    `RootWebArea 'Step ${step}', focused`,
    "\t[7] button 'OK'",
  ].join('\n');

/** Bytes 0, 1 and 2 in base64. */
const PICTURES = ['AA==', 'AQ==', 'Ag=='];
const image = (step: number): object => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${PICTURES[step]}`, detail: 'auto' },
});
const SYSTEM = { role: 'system', content: SYSTEM_PROMPT };
const FIRST = { role: 'user', content: [{ type: 'text', text: text(0) }, image(0)] };
const acted = (id: string): object => ({
  role: 'assistant',
  content: null,
  tool_calls: [
    {
      id,
      type: 'function',
      function: { name: 'browser_action', arguments: '{"action":"click(\\"7\\")"}' },
    },
  ],
});
const shown = (id: string, step: number): object => ({
  role: 'tool',
  tool_call_id: id,
  content: text(step),
});
const seen = (step: number): object => ({ role: 'user', content: [image(step)] });

describe('the messages', () => {
  it('text and picture first; then call, text, and the picture by itself', async () => {
    const requests = await sent([ACT]);
    expect(requests[0]?.messages).toEqual([SYSTEM, FIRST]);
    expect(requests[2]?.messages).toEqual([
      SYSTEM,
      FIRST,
      acted('c1'),
      shown('c1', 1),
      seen(1),
      acted('c1'),
      shown('c1', 2),
      seen(2),
    ]);
    expect(requests).toHaveLength(3);
  });

  it('the newest picture only, where that is wished', async () => {
    const requests = await sent([ACT], { history: 'last-image' });
    expect(requests[0]?.messages).toEqual([SYSTEM, FIRST]);
    expect(requests[2]?.messages).toEqual([
      SYSTEM,
      { role: 'user', content: [{ type: 'text', text: text(0) }] },
      acted('c1'),
      shown('c1', 1),
      acted('c1'),
      shown('c1', 2),
      seen(2),
    ]);
  });

  it('no pictures for a model that takes none', async () => {
    const requests = await sent([ACT], { image: false });
    expect(requests[1]?.messages).toEqual([
      SYSTEM,
      { role: 'user', content: text(0) },
      acted('c1'),
      shown('c1', 1),
    ]);
  });

  it('a reminder follows an answer in words', async () => {
    const [, second] = await sent([answer({ content: 'Done!' }), ACT]);
    expect(second?.messages.slice(2)).toEqual([
      { role: 'assistant', content: 'Done!' },
      { role: 'user', content: NO_CALL },
    ]);
  });

  it('an answer with nothing in it is left out: many endpoints refuse an empty message', async () => {
    const [, second] = await sent([answer({ content: '', reasoning: 'Hm.' }), ACT]);
    expect(second?.messages.slice(2)).toEqual([{ role: 'user', content: NO_CALL }]);
  });

  it('each of several calls is answered, so that none stays open', async () => {
    const two = calling(call('noop()', 'a'), { ...call('noop()', 'b'), arguments: '{broken' });
    const [, second] = await sent([two, ACT]);
    expect(second?.messages.slice(2)).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'a',
            type: 'function',
            function: { name: 'browser_action', arguments: '{"action":"noop()"}' },
          },
          { id: 'b', type: 'function', function: { name: 'browser_action', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: MANY_CALLS },
      { role: 'tool', tool_call_id: 'b', content: MANY_CALLS },
    ]);
  });

  it('an unknown tool is answered with what there is', async () => {
    const [, second] = await sent([calling({ ...call('x'), name: 'submit' }), ACT]);
    expect(second?.messages.at(-1)).toEqual({
      role: 'tool',
      tool_call_id: 'c1',
      content: "Error: Tool 'submit' is not registered. Available: ['browser_action']",
    });
  });

  it('reasoning is sent back, and calls without an id get one each', async () => {
    const turn: Reply = answer({
      content: 'Look.',
      reasoning: 'The button.',
      toolCalls: [call('click("7")', null)],
    });
    const requests = await sent([turn]);
    const ids = requests[2]?.messages.flatMap(({ tool_call_id: id }) => (id ? [id] : []));
    expect(ids).toEqual(['call_1', 'call_2']);
    expect(requests[1]?.messages[2]).toMatchObject({
      role: 'assistant',
      content: 'Look.',
      reasoning_content: 'The button.',
      tool_calls: [{ id: 'call_1' }],
    });
  });

  it('an error of the action stands in the text', async () => {
    const environment = fakeEnvironment({
      1: { actionError: 'ValueError: Could not find element with bid "99"' },
      2: SOLVED,
    });
    const [, second] = await sent([ACT], {}, environment);
    expect(second?.messages[3]?.['content']).toContain(
      [
        'Last action error: True',
        'Screenshot size: 498x321 pixels.',
        'Environment message: ValueError: Could not find element with bid "99"',
        'Accessibility tree:',
      ].join('\n'),
    );
  });
});

describe('the request', () => {
  const first = async (request: Partial<RequestSettings>): Promise<Record<string, unknown>> => {
    const [body] = await sent([ACT], { request: { ...REQUEST, ...request } });
    const { messages: _, ...rest } = body ?? { messages: [] };
    return rest;
  };

  it('is what EvalScope sends', async () => {
    const { tools, ...rest } = await first({});
    expect(rest).toEqual({ model: 'kimi', tool_choice: 'auto', temperature: 0, stream: false });
    expect(tools).toEqual([
      {
        type: 'function',
        function: {
          name: 'browser_action',
          description: expect.stringContaining('click("13")'),
          parameters: {
            type: 'object',
            properties: { action: { type: 'string', description: expect.any(String) } },
            required: ['action'],
            additionalProperties: false,
          },
        },
      },
    ]);
  });

  test.each<[string, Partial<RequestSettings>, object]>([
    ['temperature', { temperature: 0.6 }, { temperature: 0.6 }],
    ['max_tokens', { maxTokens: 4096 }, { max_tokens: 4096 }],
    ['stream', { stream: true }, { stream: true, stream_options: { include_usage: true } }],
    ['thinking', { thinking: 'off' }, { thinking: { type: 'disabled' } }],
    [
      'extra-body has the last word',
      { temperature: 0.6, extraBody: { temperature: 1, top_p: 0.9, model: 'other' } },
      { temperature: 1, top_p: 0.9, model: 'other' },
    ],
  ])('%s', async (_, request, expected) => {
    expect(await first(request)).toMatchObject(expected);
  });
});
