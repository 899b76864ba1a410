import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { answerIn, readText } from '../../../src/benchmarks/k2-verifier/completions-answer.js';
import { completionOf } from '../../support/k2.js';

const BEGIN = '<|tool_calls_section_begin|>';
const END = '<|tool_calls_section_end|>';
const CALL = '<|tool_call_begin|>';
const ARGS = '<|tool_call_argument_begin|>';
const DONE = '<|tool_call_end|>';

const call = (id: string, args: string): string => `${CALL}${id}${ARGS}${args}${DONE}`;
const section = (...calls: string[]): string => `${BEGIN}${calls.join('')}${END}`;
const GOOD = section(call('functions.search:0', '{"q":"x"}'));

type Call = readonly [id: string, name: string, args: string];
interface Expected {
  readonly calls?: readonly Call[];
  readonly content?: string;
  readonly reasoning?: string;
  readonly fault?: string;
  /** Default: tool_calls with calls, else what came. */
  readonly finish?: string;
}

function read(text: string, { finish = 'stop', opensThinking = false } = {}): Expected {
  const { completion, fault } = readText(completionOf(finish, { content: text }), opensThinking);
  const { toolCalls, content, reasoning, finishReason } = completion;
  for (const each of toolCalls ?? []) expect(each.type).toBe('function');
  return {
    ...(toolCalls === null
      ? {}
      : { calls: toolCalls.map((c) => [c.id ?? '', c.name, String(c.arguments)] as const) }),
    content: content ?? '',
    ...(reasoning === null ? {} : { reasoning }),
    ...(fault === null ? {} : { fault }),
    finish: finishReason,
  };
}

const SEARCH: Call = ['functions.search:0', 'search', '{"q":"x"}'];
const called = (calls: readonly Call[], rest: Expected = {}): Expected => ({
  calls,
  content: '',
  finish: 'tool_calls',
  ...rest,
});
const said = (content: string, rest: Expected = {}): Expected => ({
  content,
  finish: 'stop',
  ...rest,
});

describe('a text of the model', () => {
  test.each<[string, string, Expected]>([
    ['without anything', '', said('')],
    ['of words', 'Hello <b> | there.', said('Hello <b> | there.')],
    ['with the end of the turn left in', 'Hello.<|im_end|>\n', said('Hello.')],
    ['one call', GOOD, called([SEARCH])],
    ['words, then a call', `I look.\n${GOOD}`, called([SEARCH], { content: 'I look.\n' })],
    ['a call, then words', `${GOOD} So.`, called([SEARCH], { content: ' So.' })],
    [
      'two calls',
      section(call('functions.search:0', '{"q":"x"}'), call('functions.get-it_2:1', '')),
      called([SEARCH, ['functions.get-it_2:1', 'get-it_2', '']]),
    ],
    [
      'white space between the tokens, as slow tokenizers put it',
      `${BEGIN} ${CALL} functions.search:0 ${ARGS}\n{"q": "x y"} ${DONE} ${END}`,
      called([['functions.search:0', 'search', '{"q": "x y"}']]),
    ],
    [
      'two sections',
      `a${GOOD}b${section(call('functions.open:1', '{}'))}c`,
      called([SEARCH, ['functions.open:1', 'open', '{}']], { content: 'abc' }),
    ],
    [
      'arguments that are no JSON stay as they are',
      section(call('functions.search:0', '{"q":"x')),
      called([['functions.search:0', 'search', '{"q":"x']]),
    ],
    [
      'a name with dots and colons',
      section(call('functions.a.b:c:12', '{}')),
      called([['functions.a.b:c:12', 'a.b:c', '{}']]),
    ],
  ])('%s', (_name, text, expected) => {
    expect(read(text)).toEqual(expected);
  });
});

describe('an id in another form names no tool that was offered', () => {
  test.each(['search:0', 'search', 'functions.search', 'functions.search:x', 'functions.:0', ''])(
    '%j',
    (id) => {
      expect(read(section(call(id, '{}')))).toEqual(called([[id, id, '{}']]));
    },
  );
});

describe('thinking', () => {
  test.each<[string, string, boolean, Expected]>([
    ['before words', '<think>hm</think>Hello.', false, said('Hello.', { reasoning: 'hm' })],
    [
      'before a call',
      `<think>\nhm\n</think>\n${GOOD}`,
      false,
      called([SEARCH], { content: '\n', reasoning: 'hm' }),
    ],
    ['none', '<think></think>Hello.', false, said('Hello.')],
    ['that the prompt has opened', 'hm</think>Hello.', true, said('Hello.', { reasoning: 'hm' })],
    [
      'whose opening tag did not come',
      'hm</think>Hello.',
      false,
      said('Hello.', { reasoning: 'hm' }),
    ],
    ['and nothing else', '<think>hm</think>', false, said('', { reasoning: 'hm' })],
    ['that does not end', '<think>hm', false, said('', { reasoning: 'hm' })],
    ['that the prompt has opened and nothing ends', 'hm', true, said('', { reasoning: 'hm' })],
    ['that a call ends', `<think>hm${GOOD}`, false, called([SEARCH], { reasoning: 'hm' })],
    [
      'that a call interrupts',
      `<think>hm${GOOD}so</think>Done.`,
      false,
      called([SEARCH], { content: 'so</think>Done.', reasoning: 'hm' }),
    ],
    ['a tag in the middle of words', 'I say <think> here.', false, said('I say <think> here.')],
  ])('%s', (_name, text, opensThinking, expected) => {
    expect(read(text, { opensThinking })).toEqual(expected);
  });
});

const malformed = (text: string): Expected => said(text, { fault: 'malformed_markup' });

describe('markup that is not whole', () => {
  const open = `${BEGIN}${call('functions.search:0', '{"q":"x"}')}`;
  test.each<[string, string, Expected]>([
    ['a section without its end', open, malformed(open)],
    [
      'a section without its beginning',
      open.slice(BEGIN.length) + END,
      malformed(open.slice(BEGIN.length) + END),
    ],
    ['an empty section', `${BEGIN}${END}`, malformed(`${BEGIN}${END}`)],
    [
      'a call without its end',
      `${BEGIN}${CALL}functions.search:0${ARGS}{}${END}`,
      malformed(`${BEGIN}${CALL}functions.search:0${ARGS}{}${END}`),
    ],
    [
      'a call without its end beside a whole one',
      section(call('functions.search:0', '{"q":"x"}'), `${CALL}functions.open:1${ARGS}{}`),
      called([SEARCH], { fault: 'malformed_markup' }),
    ],
    [
      'a call without arguments',
      section(`${CALL}functions.search:0${DONE}`),
      called([['functions.search:0', 'search', '']], { fault: 'malformed_markup' }),
    ],
    [
      'a call that begins twice',
      section(`${CALL}functions.open:0${call('functions.search:0', '{"q":"x"}')}`),
      called([SEARCH], { fault: 'malformed_markup' }),
    ],
    [
      'a call within arguments is a part of them',
      section(`${CALL}functions.a:0${ARGS}{${CALL}functions.b:1${ARGS}}${DONE}`),
      called([['functions.a:0', 'a', `{${CALL}functions.b:1${ARGS}}`]], {
        fault: 'malformed_markup',
      }),
    ],
    [
      'a section within a section ends with it',
      `${BEGIN}${GOOD}${END}`,
      called([SEARCH], { content: END, fault: 'malformed_markup' }),
    ],
    [
      'a stray end after a whole section',
      `${GOOD}${END}`,
      called([SEARCH], { content: END, fault: 'malformed_markup' }),
    ],
    [
      'a stray end of a call',
      section(DONE, call('functions.search:0', '{"q":"x"}')),
      called([SEARCH], { fault: 'malformed_markup' }),
    ],
    ['markers of another case', open.toUpperCase(), said(open.toUpperCase())],
  ])('%s', (_name, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test('an answer cut at the limit of tokens is not held against the model', () => {
    expect(read(open, { finish: 'length' })).toEqual({ content: open, finish: 'length' });
  });

  test('nor is its finish_reason, where a section is whole', () => {
    expect(read(`${GOOD}and`, { finish: 'length' })).toEqual(called([SEARCH], { content: 'and' }));
  });
});

describe('markup without its markers', () => {
  test.each<[string, string, string | undefined]>([
    ['a call', 'functions.search:0{"q":"x"}', 'stripped_markup'],
    ['after words', 'I look. functions.search:0 {"q":"x"}', 'stripped_markup'],
    ['after thinking', '<think>hm</think>functions.search:12\n{', 'stripped_markup'],
    ['a mention', 'Use functions.search:0 for that.', undefined],
    ['another word', 'myfunctions.search:0{}', undefined],
    ['beside whole markup', `functions.search:0{}${GOOD}`, undefined],
    ['within arguments', section(call('functions.f:0', 'functions.search:0{}')), undefined],
  ])('%s', (_name, text, fault) => {
    expect(read(text).fault).toBe(fault);
  });
});

describe('any text', () => {
  test('hostile ones take linear time', () => {
    const n = 100_000;
    const texts = [
      BEGIN.repeat(n),
      CALL.repeat(n),
      `${BEGIN}${CALL.repeat(n)}`,
      `${BEGIN}${`${CALL}functions.f:0${ARGS}`.repeat(n)}`,
      `${BEGIN}${`${CALL}${ARGS}`.repeat(n)}${END}`,
      GOOD.repeat(n / 10),
      '<think>'.repeat(n),
      'functions.'.repeat(n),
      `functions.${'a'.repeat(n)}`.repeat(10),
      `functions.f:${'1'.repeat(n)}`,
      `${CALL}functions.${':1'.repeat(n)}x${ARGS}`,
      section(call(`functions.${':1'.repeat(n)}x`, ' '.repeat(n))),
      `${'<|im_end|>'.repeat(1000)}${' '.repeat(n)}x`,
      ' '.repeat(10 * n),
    ];
    const start = performance.now();
    for (const text of texts) read(text);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  test('more calls than anything sensible has are counted out', () => {
    const calls = (n: number) => section(call('functions.f:0', '{}').repeat(n));
    const overflows = (content: string) => {
      const { overflowed, completion } = readText(completionOf('stop', { content }), false);
      return [overflowed, completion.toolCalls?.length];
    };
    expect(overflows(calls(1000))).toEqual([false, 1000]);
    expect(overflows(calls(1001))).toEqual([true, 1000]);
    expect(overflows(calls(600) + calls(600))).toEqual([true, 1000]);
  });

  test('never throws, and never makes up a character', () => {
    const part = fc.constantFrom(
      BEGIN,
      END,
      CALL,
      ARGS,
      DONE,
      '<think>',
      '</think>',
      'functions.f:0',
      '{}',
      ' ',
      'é',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), fc.boolean(), (parts, opensThinking) => {
        const text = parts.join('');
        const { completion } = readText(completionOf('stop', { content: text }), opensThinking);
        const { content, reasoning, toolCalls, finishReason } = completion;
        expect(finishReason).toBe(toolCalls === null ? 'stop' : 'tool_calls');
        for (const each of toolCalls ?? []) {
          expect(text).toContain(each.id);
          expect(text).toContain(String(each.arguments));
        }
        expect(text).toContain(reasoning ?? '');
        if (toolCalls === null) expect(text.endsWith(content ?? '')).toBe(true);
      }),
      { numRuns: 500, seed: 1 },
    );
  });

  test('no text at all', () => {
    const { completion } = readText(completionOf('stop', { content: null }), false);
    expect(completion).toEqual(completionOf('stop', { content: '' }));
  });
});

test('an answer of /chat/completions is left alone', () => {
  const completion = completionOf('stop', { content: GOOD });
  const read = answerIn({ kind: 'completion', completion });
  expect(read).toEqual({ completion, fault: null, overflowed: false });
});
