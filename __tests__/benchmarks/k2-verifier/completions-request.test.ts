import { describe, expect, it, test } from '@jest/globals';
import { chatTemplate, TemplateError } from '../../../src/benchmarks/k2-verifier/chat-template.js';
import {
  buildCompletionsRequest,
  opensThinking,
} from '../../../src/benchmarks/k2-verifier/completions-request.js';
import { readOptions } from '../../../src/benchmarks/k2-verifier/options.js';
import { requestHash } from '../../../src/benchmarks/k2-verifier/prepared.js';
import { planRequests, type RequestPlan } from '../../../src/benchmarks/k2-verifier/request.js';
import { SUBSETS } from '../../../src/benchmarks/k2-verifier/subsets.js';
import type { RequestSettings, Subset } from '../../../src/model/benchmark.js';
import { fieldsAndFindings, PLAN, SETTINGS } from '../../support/k2.js';

/** Writes what it was given. */
const TEMPLATE = [
  '{% for m in messages %}{{ m.role }}:{{ m.content }}',
  '{% for c in m.tool_calls or [] %}({{ c.id }} {{ c.function.arguments }}){% endfor %};{% endfor %}',
  '{% if tools %}{{ tools | tojson }}{% endif %}',
  '{% if thinking %}<think>{% endif %}',
].join('');

function build(line: string, plan: Partial<RequestPlan> = {}, template = TEMPLATE) {
  const { fields, findings } = fieldsAndFindings(line);
  const source = { text: template, forTools: null, bosToken: null, eosToken: null, now: 0 };
  return buildCompletionsRequest(fields, findings, { ...PLAN, ...plan }, chatTemplate(source));
}

const bodyOf = (line: string, plan: Partial<RequestPlan> = {}) =>
  JSON.parse(build(line, plan).body) as object;

const HI = { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 100 };
const USAGE = { include_usage: true };
const KEPT = { skip_special_tokens: false };

describe('the request body', () => {
  it('holds the prompt, the sampling and nothing that /completions does not know', () => {
    const row = {
      model: 'old',
      ...HI,
      tools: [{ type: 'function' }],
      tool_choice: 'auto',
      parallel_tool_calls: true,
      response_format: { type: 'text' },
      logprobs: true,
      top_logprobs: 2,
      temperature: 0.6,
      top_p: 0.9,
      top_k: 5,
      stop: ['x'],
      user: 'u',
      stream: false,
    };
    expect(bodyOf(JSON.stringify(row), { maxTokens: 64_000 })).toEqual({
      model: 'm',
      prompt: 'user:Hi;[{"type": "function"}]',
      max_tokens: 64_000,
      temperature: 0.6,
      top_p: 0.9,
      top_k: 5,
      stop: ['x'],
      user: 'u',
      stream: true,
      stream_options: USAGE,
      ...KEPT,
    });
  });

  test.each<[string, object, Partial<RequestPlan>, object]>([
    ['no stream', {}, { stream: false }, { stream: false, max_tokens: 100, ...KEPT }],
    [
      'the limit by its newer name',
      { max_tokens: undefined, max_completion_tokens: 7 },
      {},
      { stream: true, stream_options: USAGE, max_tokens: 7, ...KEPT },
    ],
    [
      'the extra body last',
      {},
      { extraBody: { max_tokens: 5, skip_special_tokens: true, min_p: 0.1 } },
      { stream: true, stream_options: USAGE, max_tokens: 5, skip_special_tokens: true, min_p: 0.1 },
    ],
    [
      'special tokens not asked for',
      {},
      { extraBody: { skip_special_tokens: null } },
      { stream: true, stream_options: USAGE, max_tokens: 100 },
    ],
  ])('%s', (_name, row, plan, expected) => {
    expect(bodyOf(JSON.stringify({ ...HI, ...row }), plan)).toEqual({
      model: 'm',
      prompt: 'user:Hi;',
      ...expected,
    });
  });

  test.each(['[]', 'null', ' [ ] '])('tools %j are none', (tools) => {
    expect(bodyOf(`{"messages":[{"role":"user","content":"Hi"}],"tools":${tools}}`)).toMatchObject({
      prompt: 'user:Hi;',
    });
  });

  it('makes the prompt of the messages as they would have been sent', () => {
    const line = JSON.stringify({
      messages: [
        { role: '_input', content: 'S' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{' } }],
        },
      ],
    });
    const { body, changes } = build(line, { functionIds: true });
    expect(JSON.parse(body)).toMatchObject({ prompt: 'system:S;assistant:(functions.f:0 {});' });
    expect(changes).toEqual(['input_role', 'history_arguments', 'tool_call_ids']);
    const raw = build(line, { sanitize: false });
    expect(JSON.parse(raw.body)).toMatchObject({ prompt: 'system:S;assistant:(a {);' });
    expect(raw.changes).toEqual(['input_role']);
  });

  it('tells the template about thinking, and says when the prompt opens it', () => {
    const line = JSON.stringify(HI);
    const on = build(line, { thinking: true });
    expect(JSON.parse(on.body)).toMatchObject({ prompt: 'user:Hi;<think>' });
    expect(on.opensThinking).toBe(true);
    expect(build(line, { thinking: false }).opensThinking).toBe(false);
    expect(build(line).opensThinking).toBe(false);
  });

  it('fails where the template does', () => {
    expect(() => build(JSON.stringify(HI), {}, '{{ raise_exception("no") }}')).toThrow(
      new TemplateError('it raises: no'),
    );
  });
});

test.each<[string, boolean]>([
  ['<think>', true],
  ['x<think>\n', true],
  [`<think>${' '.repeat(50)}`, true],
  ['<think></think>', false],
  ['<think>x', false],
  ['', false],
])('a prompt that ends in %j opens thinking: %p', (prompt, expected) => {
  expect(opensThinking(prompt)).toBe(expected);
});

describe('the request as K2VV makes it with raw completions', () => {
  const row = {
    model: 'old',
    messages: [
      { role: '_input', content: 'S\n' },
      { role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{' } }] },
    ],
    max_tokens: 5,
    stream: true,
    user: 'u',
    tools: [{ x: 1.5 }],
  };

  it('has the prompt in place of messages and tools, and neither stream_options nor anything of ours', () => {
    const prepared = build(JSON.stringify(row), {
      temperature: 1,
      extraBody: { top_p: 0.5 },
      thinking: true,
      functionIds: true,
    }).prepared();
    expect(prepared).toBe(
      '{"model":"m","max_tokens":5,"stream":true,"user":"u","temperature":1.0,"prompt":"system:S\\n;assistant:(a {);[{\\"x\\": 1.5}]"}',
    );
    // hashlib.md5(json.dumps(request, sort_keys=True, ensure_ascii=False).encode()).hexdigest() in CPython 3.11
    expect(requestHash(prepared)).toBe('bc276e4d716d840071870661234de3a9');
  });

  it('has the very prompt that is sent where nothing of ours is in it', () => {
    const { body, prepared } = build(JSON.stringify(HI));
    expect(JSON.parse(prepared())).toEqual({ model: 'm', max_tokens: 100, prompt: 'user:Hi;' });
    expect(JSON.parse(body)).toMatchObject({ prompt: 'user:Hi;' });
  });
});

test.each<[RequestSettings['thinking'], boolean, boolean | null, object]>([
  ['default', true, null, {}],
  ['on', true, true, {}],
  ['off', true, false, {}],
  ['off', false, null, { thinking: { type: 'disabled' } }],
])(
  'thinking %s, with completions %p: tells the template %p and sends %j',
  (thinking, completions, told, extraBody) => {
    const options = readOptions(completions ? { api: 'completions' } : {});
    const plan = planRequests({ ...SETTINGS, thinking }, SUBSETS[0] as Subset, options);
    expect([plan.thinking, plan.extraBody]).toEqual([told, extraBody]);
  },
);
