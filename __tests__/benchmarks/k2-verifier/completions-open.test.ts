import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from '@jest/globals';
import { k2Verifier } from '../../../src/benchmarks/k2-verifier/index.js';
import type { OpenContext, Opened, RequestSettings } from '../../../src/model/benchmark.js';
import type { Reply } from '../../../src/model/completion.js';
import { ConfigError } from '../../../src/model/errors.js';
import type { JsonObject } from '../../../src/model/json.js';
import { untrusted } from '../../../src/text/untrusted.js';
import { downloadsIn } from '../../support/downloads.js';
import { completionOf, SETTINGS } from '../../support/k2.js';
import { tempDir } from '../../support/temp-dir.js';

const TURNS = '__tests__/fixtures/chat-templates/turns.jinja';
const ROW = {
  messages: [{ role: 'user', content: 'Hi' }],
  tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
  should_call_tool: true,
};
const STRANGE = { ...ROW, messages: [{ role: 'narrator', content: 'Once' }] };
const NO_COMPARISON =
  'api: completions sends prompts made here and reads the calls out of the text';

interface Case {
  readonly rows?: readonly object[];
  readonly options?: JsonObject;
  readonly subset?: string;
  readonly request?: Partial<RequestSettings>;
  readonly signal?: AbortSignal;
}

async function open(given: Case = {}): Promise<{ opened: Opened; notes: string[]; dir: string }> {
  const dir = tempDir();
  const source = join(dir, 'rows.jsonl');
  writeFileSync(source, (given.rows ?? [ROW]).map((row) => `${JSON.stringify(row)}\n`).join(''));
  const subset = k2Verifier.spec.subsets.find(
    ({ name }) => name === (given.subset ?? 'k2_thinking'),
  );
  if (subset === undefined) throw new Error('no such subset');
  const notes: string[] = [];
  const ctx: OpenContext = {
    subset,
    request: { ...SETTINGS, ...given.request },
    clock: { now: () => 0, elapsed: () => 0, sleep: async () => {} },
    signal: given.signal ?? new AbortController().signal,
    env: {},
    downloads: downloadsIn(join(dir, 'downloads')),
    scratch: dir,
    note: (text) => notes.push(text.replaceAll(dir, 'DIR')),
  };
  const options = { source, api: 'completions', 'chat-template': TURNS, ...given.options };
  return { opened: (await k2Verifier.open(options, ctx)) as Opened, notes, dir };
}

async function problemsOf(given: Case): Promise<[where: string, what: string][]> {
  const error = await open(given).catch((reason: unknown) => reason);
  if (!(error instanceof ConfigError)) throw error;
  return error.problems.map(({ where, what }) => [where.replace(/.*rows/, 'rows'), what]);
}

describe('options', () => {
  const NEEDED =
    'is not set, and `api: completions` needs it to make prompts of messages and tools.';
  const UNUSED = 'is set, but with `api: chat` the server makes the prompts with its own template.';
  const TEMPLATE = 'datasets.k2_verifier.chat-template';
  test.each<[string, JsonObject, [string, string][]]>([
    ['completions without a template', { 'chat-template': null }, [[TEMPLATE, NEEDED]]],
    ['a template without completions', { api: 'chat' }, [[TEMPLATE, UNUSED]]],
    [
      'strict tools, and no template either',
      { 'tool-strict': true, 'chat-template': null },
      [
        [TEMPLATE, NEEDED],
        [
          'datasets.k2_verifier.tool-strict',
          'asks the server for guided decoding of tool calls, which /completions does not know.',
        ],
      ],
    ],
    [
      'no such template',
      { 'chat-template': '/no/such' },
      [[TEMPLATE, 'there is no file /no/such.']],
    ],
  ])('%s', async (_name, options, problems) => {
    expect(await problemsOf({ options })).toEqual(problems);
  });

  test('a run without a limit of tokens, which would end every answer after 16 of them', async () => {
    const what =
      'is not set, nor does line 2 of the data set set it; without it most servers end an answer of /completions after 16 tokens.';
    const rows = [{ ...ROW, max_tokens: 100 }, ROW];
    expect(await problemsOf({ rows, subset: 'k2_0905' })).toEqual([['max-tokens', what]]);
    for (const given of [{ maxTokens: 50 }, { extraBody: { max_tokens: 50 } }]) {
      const { opened } = await open({ rows, subset: 'k2_0905', request: given });
      await opened.close();
    }
  });
});

describe('rows of which no prompt can be made', () => {
  const what =
    'no prompt can be made of it with the template of `datasets.k2_verifier.chat-template`: it raises: there is no role narrator.';

  it('are named before anything is sent, the first three of them', async () => {
    const rows = [ROW, STRANGE, STRANGE, ROW, STRANGE, STRANGE];
    expect(await problemsOf({ rows })).toEqual([
      ['rows.jsonl, line 2', what],
      ['rows.jsonl, line 3', what],
      ['rows.jsonl, line 5', what],
    ]);
  });

  it('are left out when the options say so', async () => {
    const rows = [ROW, STRANGE, ROW, STRANGE, STRANGE, STRANGE, STRANGE];
    const { opened, notes } = await open({ rows, options: { 'on-bad-row': 'skip' } });
    expect(opened.keys.map(({ id }) => id)).toEqual(['1', '3']);
    expect(opened.dataset.rows).toBe(2);
    expect(opened.notComparable).toEqual(['5 malformed rows were left out', NO_COMPARISON]);
    expect(notes).toEqual([
      `5 rows left out as malformed: 2, 4-7. The first: DIR/rows.jsonl, line 2 ${what}`,
    ]);
    await opened.close();
  });

  it('must not be all of them', async () => {
    const problems = await problemsOf({ rows: [STRANGE], options: { 'on-bad-row': 'skip' } });
    expect(problems).toEqual([['rows.jsonl, line 1', what]]);
  });

  it('stops looking when the run is interrupted', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(open({ signal })).rejects.toThrow('enough');
  });
});

describe('a file that is no chat template', () => {
  const asking = (content: unknown) => ({ ...ROW, messages: [{ role: 'user', content }] });
  const NOTHING_USED: [string, string] = [
    'datasets.k2_verifier.chat-template',
    'FILE gives the same prompt for rows 1 and 3; it does not use `messages`.',
  ];
  test.each<[string, string, object[], [string, string][]]>([
    ['a text', '# Notes', [ROW, ROW, asking('Bye')], [NOTHING_USED]],
    ['tools alone', '{{ tools | tojson }}', [ROW, ROW, asking('Bye')], [NOTHING_USED]],
    ['a text, and the same question in all rows', '# Notes', [ROW, ROW], []],
    ['a text, and questions alike but for spaces', '# Notes', [ROW, asking(' hi \n')], []],
    ['a text, and a question in parts', '# Notes', [ROW, asking([{ type: 'image' }])], []],
    [
      'only trims',
      '{% for m in messages %}{{ m.content | trim }}{% endfor %}',
      [ROW, asking('Hi '), asking('Bye')],
      [],
    ],
    [
      'only the last message',
      '{{ messages[-1].content }}',
      [ROW, { ...ROW, messages: [{ role: 'user', content: 'Oh' }, ...ROW.messages] }],
      [],
    ],
  ])('%s', async (_name, text, rows, expected) => {
    const file = join(tempDir(), 'notes.md');
    writeFileSync(file, text);
    // A row that cannot be used is left out; such a file is not forgiven.
    const given = { rows, options: { 'chat-template': file, 'on-bad-row': 'skip' } };
    if (expected.length === 0) return await (await open(given)).opened.close();
    const problems = await problemsOf(given);
    expect(problems.map(([where, what]) => [where, what.replace(file, 'FILE')])).toEqual(expected);
  });
});

describe('what an opened data set says', () => {
  it('fingerprints the api and the template by its digest', async () => {
    const { opened } = await open();
    const sha256 = createHash('sha256').update(readFileSync(TURNS)).digest('hex');
    expect(opened.fingerprint.settings).toMatchObject({
      api: 'completions',
      'chat-template': sha256,
    });
    const { opened: chat } = await open({ options: { api: 'chat', 'chat-template': null } });
    expect(chat.fingerprint.settings).toMatchObject({ api: 'chat', 'chat-template': null });
    await opened.close();
    await chat.close();
  });

  test.each<[string, Case, string[]]>([
    ['prompts', {}, [NO_COMPARISON]],
    ['no thinking', { request: { thinking: 'off' } }, ['thinking is switched off', NO_COMPARISON]],
    [
      'no thinking, whatever the style for endpoints',
      { request: { thinking: 'off', thinkingStyle: 'none' } },
      ['thinking is switched off', NO_COMPARISON],
    ],
    ['thinking, as published', { request: { thinking: 'on' } }, [NO_COMPARISON]],
    [
      'thinking where there is none',
      { subset: 'k2_0905', request: { thinking: 'on', maxTokens: 9 } },
      ["max_tokens 9 instead of the row's own", 'thinking is switched on', NO_COMPARISON],
    ],
    [
      'rewritten ids',
      { options: { 'tool-call-ids': 'functions' } },
      ['tool-call-ids: functions rewrites the history', NO_COMPARISON],
    ],
  ])('not comparable: %s', async (_name, given, expected) => {
    const { opened } = await open(given);
    expect(opened.notComparable).toEqual(expected);
    await opened.close();
  });

  test.each<[RequestSettings['thinkingStyle'], string[]]>([
    ['vllm', ['thinking is switched on']],
    ['none', []],
  ])('not comparable by chat: thinking in the style %s', async (thinkingStyle, expected) => {
    const { opened } = await open({
      subset: 'k2_0905',
      options: { api: 'chat', 'chat-template': null },
      request: { thinking: 'on', thinkingStyle },
    });
    expect(opened.notComparable).toEqual(expected);
    await opened.close();
  });
});

describe('records of prompts, scored', () => {
  const NOTE =
    'the results are of prompts that were sent to /completions, with the calls read out of the text';
  const record = (request: object) => ({ data_index: 1, status: 'success', request, response: {} });
  test.each<[string, object, JsonObject, string[]]>([
    ['without the options', { prompt: 'x' }, { api: 'chat', 'chat-template': null }, [NOTE]],
    ['with the options', { prompt: 'x' }, {}, [NO_COMPARISON]],
    ['of messages', { messages: [] }, { api: 'chat', 'chat-template': null }, []],
    ['of no shape', { prompt: 5 }, { api: 'chat', 'chat-template': null }, []],
  ])('%s', async (_name, request, options, expected) => {
    const { opened } = await open({ options });
    opened.readRecord?.(record(request) as JsonObject, 1);
    expect(opened.notComparable).toEqual(expected);
    await opened.close();
  });
});

describe('observing', () => {
  const completion = completionOf('stop');
  const markup = '<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{}<|tool_call_end|>';
  const calls = (n: number): string =>
    `<|tool_calls_section_begin|>${markup.repeat(n)}<|tool_calls_section_end|>`;
  const many = completionOf('stop', { content: calls(1001) });
  test.each<[string, Reply, Partial<RequestSettings>, object]>([
    [
      'a text, as it came',
      { kind: 'completion', completion: completionOf('stop', { content: calls(1) }) },
      {},
      {
        kind: 'measured',
        payload: {
          kind: 'text',
          completion: completionOf('stop', { content: calls(1) }),
          opensThinking: false,
        },
      },
    ],
    [
      'a text that begins with thinking',
      { kind: 'completion', completion },
      { thinking: 'on' },
      { kind: 'measured', payload: { kind: 'text', completion, opensThinking: true } },
    ],
    [
      'more calls than can be kept',
      { kind: 'completion', completion: many },
      {},
      { kind: 'unmeasured', cause: 'too_large', detail: 'more tool calls than can be kept' },
    ],
    [
      'a refusal',
      { kind: 'refused', status: 400, body: untrusted('no') },
      {},
      { kind: 'measured', payload: { kind: 'refused', status: 400, body: 'no' } },
    ],
    [
      'a failure',
      { kind: 'failed', cause: 'no_completions', status: 404, detail: untrusted('Not Found') },
      {},
      { kind: 'unmeasured', cause: 'no_completions', detail: 'Not Found' },
    ],
  ])('%s', async (_name, reply, request, expected) => {
    const { opened } = await open({ request });
    const sample = await opened.load('1');
    const sent: object[] = [];
    const outcome = await opened.observe(sample, {
      async send(asked) {
        sent.push(asked);
        return reply;
      },
      signal: new AbortController().signal,
      clock: { now: () => 0, elapsed: () => 0, sleep: async () => {} },
    });
    expect(outcome).toEqual(expected);
    const { body } = sample as { body: string };
    expect(sent).toEqual([{ path: '/completions', body, stream: true }]);
    expect(JSON.parse(body)).toMatchObject({
      prompt: expect.stringContaining('[user] Hi\n[assistant] '),
      max_tokens: 64_000,
    });
    await opened.close();
  });
});
