import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from '@jest/globals';
import {
  type Conversation,
  chatTemplate,
  TemplateError,
  type TemplateSource,
} from '../../../src/benchmarks/k2-verifier/chat-template.js';
import { openChatTemplate } from '../../../src/benchmarks/k2-verifier/chat-template-file.js';
import { ConfigError } from '../../../src/model/errors.js';
import { tempDir } from '../../support/temp-dir.js';

interface Case {
  readonly name: string;
  readonly template: string;
  readonly messages: string;
  readonly tools: string | null;
  readonly rendered: string;
}

const FIXTURES = '__tests__/fixtures/chat-templates';
const TURNS = readFileSync(`${FIXTURES}/turns.jinja`, 'utf8');
const { cases } = JSON.parse(readFileSync(`${FIXTURES}/cases.json`, 'utf8')) as { cases: Case[] };
/** 1 March 2026, a Sunday, 04:05:06 UTC. */
const NOW = Date.UTC(2026, 2, 1, 4, 5, 6);

function source(text: string, rest: Partial<TemplateSource> = {}): TemplateSource {
  return { text, forTools: null, bosToken: null, eosToken: null, now: NOW, ...rest };
}

const CONVERSATION: Conversation = {
  messages: '[{"role":"user","content":"Hi"}]',
  tools: null,
  thinking: null,
};

function render(
  text: string,
  conversation: Partial<Conversation> = {},
  rest: Partial<TemplateSource> = {},
): string {
  return chatTemplate(source(text, rest)).render({ ...CONVERSATION, ...conversation });
}

function failureOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(TemplateError);
    return (error as Error).message;
  }
  return 'no failure';
}

describe('a template renders as under Jinja2 in Python', () => {
  test.each(cases.map((one) => [one.name, one] as const))('%s', (_name, one) => {
    const text = one.template === 'turns.jinja' ? TURNS : one.template;
    expect(render(text, { messages: one.messages, tools: one.tools })).toBe(one.rendered);
  });
});

describe('what a template is given', () => {
  const thinking =
    '{% if thinking is defined %}{{ thinking | string }}{% else %}not told{% endif %}';
  test.each<[string, string, Partial<Conversation>, Partial<TemplateSource>, string]>([
    ['a prompt to go on from', '{% if add_generation_prompt %}yes{% endif %}', {}, {}, 'yes'],
    ['nothing about thinking', thinking, {}, {}, 'not told'],
    ['thinking on', thinking, { thinking: true }, {}, 'true'],
    ['thinking off', thinking, { thinking: false }, {}, 'false'],
    [
      'the tokens',
      '{{ bos_token }}x{{ eos_token }}',
      {},
      { bosToken: '<s>', eosToken: '</s>' },
      '<s>x</s>',
    ],
    ['no tokens where none are known', '{{ bos_token }}x', {}, {}, 'x'],
    ['the template for tools', 'plain', { tools: '[{}]' }, { forTools: 'tools' }, 'tools'],
    ['the usual one without tools', 'plain', {}, { forTools: 'tools' }, 'plain'],
    [
      'the time, in English and UTC',
      '{{ strftime_now("%A %a %d %B %b %m %Y %y %H:%M:%S %% %Q") }}',
      {},
      {},
      'Sunday Sun 01 March Mar 03 2026 26 04:05:06 % %Q',
    ],
    [
      'ranges',
      '{{ range(3) | join }} {{ range(1, 3) | join }} {{ range(2, -1, -1) | join }}',
      {},
      {},
      '012 12 210',
    ],
  ])('%s', (_name, text, conversation, rest, expected) => {
    expect(render(text, conversation, rest)).toBe(expected);
  });

  test('a text that looks like the marker of a number', () => {
    const messages = '[{"role":"user","content":"number0n0 number1n0"}]';
    const text = '{{ messages[0].content }} {{ tools | tojson }}';
    expect(render(text, { messages, tools: '[1.0]' })).toBe('number0n0 number1n0 [1.0]');
  });
});

describe('a template that cannot be used', () => {
  test.each<[string, string, string]>([
    ['is cut off', '{% if messages %}', 'it ends too early'],
    ['is no Jinja', '{{ } }}', 'Unexpected'],
  ])('%s', (_name, text, message) => {
    expect(failureOf(() => chatTemplate(source(text)))).toContain(message);
  });

  test.each<[string, string, string]>([
    [
      'raises',
      '{{ raise_exception("roles must " ~ "alternate") }}',
      'it raises: roles must alternate',
    ],
    ['renders nothing', ' {% if tools %}x{% endif %}\n', 'it renders nothing'],
    ['uses an unknown filter', '{{ messages | shuffle }}', 'shuffle'],
    ['calls what is not there', '{{ nothing() }}', 'not a function'],
    [
      'asks for a huge range',
      '{% for i in range(1000000000) %}{% endfor %}',
      'it takes more than 300000 steps',
    ],
    [
      'asks for many ranges',
      '{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}',
      'it takes more than 300000 steps',
    ],
    ['asks for a range of no length', '{{ range(1, 2, 0) }}', 'it takes more than 300000 steps'],
    ['asks for a range of text', '{{ range("x") }}', 'a range of what is no number'],
    [
      'calls itself without end',
      '{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}',
      'not a function',
    ],
    [
      'doubles a text without end',
      '{% set n = namespace(t="x") %}{% for i in range(99) %}{% set n.t = n.t + n.t %}{% endfor %}{{ n.t }}',
      'Invalid string length',
    ],
  ])('%s', (_name, text, message) => {
    expect(failureOf(() => render(text))).toContain(message);
  });

  test('goes round and round', () => {
    const text = '{% for a in range(9999) %}{% for b in range(9) %}{{ b }}{% endfor %}{% endfor %}';
    const template = chatTemplate(source(text), 1000);
    expect(failureOf(() => template.render(CONVERSATION))).toBe('it takes more than 1000 steps');
  });

  test('raises at length: the message is cut, never inside a character', () => {
    const content = `${'x'.repeat(289)}🌧y`;
    const message = failureOf(() =>
      render('{{ raise_exception(messages[0].content) }}', {
        messages: JSON.stringify([{ role: 'user', content }]),
      }),
    );
    expect(message).toBe(`it raises: ${'x'.repeat(289)}…`);
  });
});

describe('the file of a template', () => {
  function write(name: string, content: string | Uint8Array): string {
    const path = join(tempDir(), name);
    writeFileSync(path, content);
    return path;
  }
  const json = (value: object): string => write('tokenizer_config.json', JSON.stringify(value));
  const rendered = async (path: string, tools: string | null = null): Promise<string> =>
    (await openChatTemplate(path, NOW)).render({ ...CONVERSATION, tools });

  it('is Jinja, with the digest of its bytes', async () => {
    const path = write('chat_template.jinja', '\ufeff{{ messages[0].content }}!');
    expect(await rendered(path)).toBe('Hi!');
    const { sha256 } = await openChatTemplate(path, NOW);
    expect(sha256).toBe(createHash('sha256').update(readFileSync(path)).digest('hex'));
  });

  test.each<[string, object, string | null, string]>([
    ['one template', { chat_template: 'a {{ bos_token }}', bos_token: '<s>' }, null, 'a <s>'],
    [
      'tokens described by objects',
      {
        chat_template: '{{ bos_token }}{{ eos_token }}.',
        bos_token: { content: '[B]' },
        eos_token: null,
      },
      null,
      '[B].',
    ],
    [
      'several, without tools',
      {
        chat_template: [
          { name: 'tool_use', template: 't' },
          { name: 'default', template: 'd' },
        ],
      },
      null,
      'd',
    ],
    [
      'several, with tools',
      {
        chat_template: [
          { name: 'default', template: 'd' },
          { name: 'tool_use', template: 't' },
        ],
      },
      '[{}]',
      't',
    ],
    ['several without a default', { chat_template: [{ name: 'rag', template: 'r' }] }, '[{}]', 'r'],
  ])('is tokenizer_config.json with %s', async (_name, config, tools, expected) => {
    expect(await rendered(json(config), tools)).toBe(expected);
  });

  test.each<[string, () => string, string]>([
    ['there is none', () => '/no/such.jinja', 'there is no file /no/such.jinja.'],
    ['it is a folder', () => tempDir(), 'cannot be read:'],
    ['it is not UTF-8', () => write('a.jinja', Buffer.from([0x7b, 0xff])), 'is not UTF-8 text.'],
    [
      'it is too large',
      () => write('a.jinja', ' '.repeat(16 * 2 ** 20 + 1)),
      'it has 16777217 bytes',
    ],
    ['it is not JSON', () => write('a.json', '{'), 'is not valid JSON.'],
    ['it has no template', () => json({ model_max_length: 1 }), 'has no `chat_template`.'],
    [
      'its list has none',
      () => json({ chat_template: [{ name: 'x' }, null] }),
      'has no `chat_template`.',
    ],
    ['it is no object', () => write('a.json', '[]'), 'has no `chat_template`.'],
    [
      'it is malformed',
      () => write('a.jinja', '{% endif %}'),
      'is not a template that can be read here:',
    ],
  ])('says so when %s', async (_name, path, what) => {
    const error = await openChatTemplate(path(), NOW).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConfigError);
    const [problem] = (error as ConfigError).problems;
    expect(problem?.where).toBe('datasets.k2_verifier.chat-template');
    expect(problem?.what).toContain(what);
    expect(problem?.fix).toMatch(/\.$/);
  });
});
