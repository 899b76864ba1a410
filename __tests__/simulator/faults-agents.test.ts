import { describe, expect, test } from '@jest/globals';
import { bodyOf, post, readPlain, withSimulator } from './wire.js';

const TOOLS = JSON.stringify([
  {
    type: 'function',
    function: {
      name: 'browser_action',
      parameters: {
        type: 'object',
        properties: { action: { type: 'string' } },
        required: ['action'],
        additionalProperties: false,
      },
    },
  },
]);
const OBSERVED = [
  'Goal: Click the button.',
  'URL: file:///x.html',
  'Step: 0',
  'Accessibility tree:',
  "RootWebArea 'X', focused",
  "\t[13] button 'Go'",
].join('\n');
const IMAGE = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } };

function ask(faults: Record<string, number>, images = 1) {
  const text = { type: 'text', text: OBSERVED };
  const content = [text, ...Array.from({ length: images }, () => IMAGE)];
  const messages = JSON.stringify([{ role: 'user', content }]);
  return withSimulator({ faults }, (url) => post(url, bodyOf({ messages, tools: TOOLS })));
}

const CLICK = { action: 'click("13")' };

describe('a model that acts in a browser', () => {
  test('plays', async () => {
    const { finish, calls } = readPlain((await ask({})).text);
    expect(finish).toBe('tool_calls');
    expect(calls).toEqual([
      {
        id: 'functions.browser_action:0',
        name: 'browser_action',
        arguments: JSON.stringify(CLICK),
      },
    ]);
  });

  test('never calls', async () => {
    const { finish, calls } = readPlain((await ask({ 'missed-calls': 1 })).text);
    expect([finish, calls]).toEqual(['stop', []]);
  });

  test('calls twice', async () => {
    const { calls } = readPlain((await ask({ 'two-calls': 1 })).text);
    expect(calls.map(({ id, arguments: args }) => [id, args])).toEqual([
      ['functions.browser_action:0', JSON.stringify(CLICK)],
      ['functions.browser_action:1', JSON.stringify(CLICK)],
    ]);
  });

  test('forgets the quotation marks', async () => {
    const { calls } = readPlain((await ask({ 'bare-bid': 1 })).text);
    expect(calls[0]?.arguments).toBe('{"action":"click(13)"}');
  });

  test.each([
    ['no-images', 0, 200],
    ['no-images', 1, 400],
    ['one-image', 1, 200],
    ['one-image', 2, 400],
  ])('%s, and %i of them: HTTP %i', async (fault, images, status) => {
    expect((await ask({ [fault]: 1 }, images)).status).toBe(status);
  });
});
