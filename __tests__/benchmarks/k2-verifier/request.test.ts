import { describe, expect, it, test } from '@jest/globals';
import { readOptions } from '../../../src/benchmarks/k2-verifier/options.js';
import {
  asksForStream,
  buildRequest,
  planRequests,
  type RequestPlan,
  withUsage,
} from '../../../src/benchmarks/k2-verifier/request.js';
import { SUBSETS } from '../../../src/benchmarks/k2-verifier/subsets.js';
import type { RequestSettings, Subset } from '../../../src/model/benchmark.js';
import type { JsonObject } from '../../../src/model/json.js';
import { fieldsAndFindings, PLAN, SETTINGS } from '../../support/k2.js';

function build(line: string, plan: Partial<RequestPlan> = {}): { body: string; changes: string[] } {
  const { fields, findings } = fieldsAndFindings(line);
  return buildRequest(fields, findings, { ...PLAN, ...plan });
}

function subset(name: string): Subset {
  const found = SUBSETS.find((each) => each.name === name);
  if (found === undefined) throw new Error(name);
  return found;
}

function planOf(name: string, settings: Partial<RequestSettings> = {}): RequestPlan {
  return planRequests({ ...SETTINGS, ...settings }, subset(name), readOptions({}));
}

test.each<[boolean, JsonObject, boolean]>([
  [true, {}, true],
  [false, {}, false],
  [false, { stream: true }, true],
  [true, { stream: false }, false],
  [true, { stream: null }, false],
  [true, { stream_options: null }, true],
])('stream %p with extra body %j asks for a stream: %p', (stream, extraBody, asks) => {
  const plan = { ...PLAN, stream, extraBody };
  expect(asksForStream(plan)).toBe(asks);
  const { body } = build('{"messages":[{"role":"user"}]}', plan);
  expect(JSON.parse(body).stream === true).toBe(asks);
});

describe('the request body', () => {
  it('holds messages and tools as the very text of the row', () => {
    const messages =
      '[ {"10": 1.0, "9": 12345678901234567890, "role": "user","content":"\\u00e9"} ]';
    const tools = '[{"type":"function","function":{"name":"f","parameters":{"2":1e2,"1":-0.0}}}]';
    expect(build(`{"messages":${messages},"tools" :${tools} }`).body).toBe(
      `{"messages":${messages},"tools":${tools},"model":"m","stream":true,"stream_options":{"include_usage":true}}`,
    );
  });

  it('takes the text out of JSON strings in the hosted form, and no other column', () => {
    const messages = '[{"role": "user", "content": "\\u00e9 \\" 中"}]';
    const tools = '[{"function": {"name": "f", "parameters": {"a": 1.0}}}]';
    const row = {
      id: 'row-1',
      messages,
      tools,
      should_call_tool: true,
      official_finish_reason: 'tool_calls',
      official_tool_calls: '[]',
      temperature: 0.6,
      max_tokens: null,
    };
    expect(build(JSON.stringify(row)).body).toBe(
      `{"messages":${messages},"tools":${tools},"temperature":0.6,"model":"m","stream":true,"stream_options":{"include_usage":true}}`,
    );
  });

  it('accepts lists in the hosted form, and keeps their text', () => {
    const line =
      '{"should_call_tool":false,"tools":[ {"x":1.0} ],"messages":[{"role":"user","content":"a", "1":2}]}';
    expect(build(line).body).toBe(
      '{"tools":[ {"x":1.0} ],"messages":[{"role":"user","content":"a", "1":2}],"model":"m","stream":true,"stream_options":{"include_usage":true}}',
    );
  });

  test.each(['[]', ' [ ] ', 'null'])('sends no tools for %j in the hosted form', (tools) => {
    const row = { messages: '[{"role":"user"}]', tools, should_call_tool: false };
    expect(JSON.parse(build(JSON.stringify(row)).body)).not.toHaveProperty('tools');
  });

  it('keeps an empty list of tools of a request body, as K2VV does', () => {
    expect(JSON.parse(build('{"messages":[{"role":"user"}],"tools":[]}').body)).toHaveProperty(
      'tools',
      [],
    );
  });

  it('replaces members of a request body in their place and keeps all others', () => {
    const line =
      '{"model":"old","user":"u","messages":[{"role":"user"}],"temperature":0.6,"top_k":5,"stream":false,"max_tokens":16000}';
    expect(build(line, { temperature: 1, maxTokens: 64000 }).body).toBe(
      '{"model":"m","user":"u","messages":[{"role":"user"}],"temperature":1.0,"top_k":5,"stream":true,"max_tokens":64000,"stream_options":{"include_usage":true}}',
    );
  });

  it('sends no stream_options without a stream', () => {
    const line =
      '{"messages":[{"role":"user"}],"stream":true,"stream_options":{"include_usage":true}}';
    expect(build(line, { stream: false }).body).toBe(
      '{"messages":[{"role":"user"}],"stream":false,"model":"m"}',
    );
  });

  it('escapes the name of the model', () => {
    expect(
      JSON.parse(build('{"messages":[{"role":"user"}]}', { model: 'a "b"\n' }).body),
    ).toHaveProperty('model', 'a "b"\n');
  });

  it('lists what was changed in messages and tools', () => {
    const line =
      '{"messages":[{"role":"_input"},{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{"}}]},{"role":"tool","tool_call_id":"a"}],"tools":[{"function":{"name":"f"}}]}';
    expect(build(line).changes).toEqual(['input_role', 'history_arguments']);
    const all = build(line, { functionIds: true, toolStrict: true });
    expect(all.changes).toEqual([
      'input_role',
      'history_arguments',
      'tool_call_ids',
      'tool_strict',
    ]);
    expect(all.body).toContain(
      '"messages":[{"role":"system"},{"role":"assistant","tool_calls":[{"id":"functions.f:0","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"functions.f:0"}]',
    );
    const raw = build(line, { sanitize: false });
    expect(raw.changes).toEqual(['input_role']);
    expect(raw.body).toContain('"arguments":"{"');
  });

  test.each([
    ['{"name":"f"}', '{"name":"f","strict":true}'],
    ['{ }', '{ "strict":true}'],
    ['{"strict":false,"name":"f"}', '{"strict":true,"name":"f"}'],
    ['7', '7'],
  ])('tool-strict turns %s into %s', (before, after) => {
    const line = `{"messages":[{"role":"user"}],"tools":[{"function":${before}},{"type":"builtin"}]}`;
    expect(build(line, { toolStrict: true }).body).toContain(
      `"tools":[{"function":${after}},{"type":"builtin"}]`,
    );
  });
});

describe('stream options', () => {
  test.each([
    [undefined, '{"include_usage":true}'],
    ['null', '{"include_usage":true}'],
    ['{}', '{"include_usage":true}'],
    ['{ "a": 1.0 }', '{ "a": 1.0 ,"include_usage":true}'],
    ['{"include_usage":false}', '{"include_usage":false}'],
  ])('%s become %s', (before, after) => {
    expect(withUsage(before)).toBe(after);
  });
});

describe('precedence: row, then subset, then config, then extra-body', () => {
  const ROW = '{"messages":[{"role":"user"}],"temperature":0.25,"max_tokens":100,"top_p":0.5}';
  test.each<[string, Partial<RequestSettings>, string, JsonObject]>([
    ['k2_thinking', {}, 'published conditions beat the row', { temperature: 1, max_tokens: 64000 }],
    [
      'k2_0905',
      {},
      'what is not published comes from the row',
      { temperature: 0.6, max_tokens: 100 },
    ],
    [
      'k2_thinking',
      { temperature: 0.3, maxTokens: 5 },
      'the config beats both',
      { temperature: 0.3, max_tokens: 5 },
    ],
    [
      'k2_thinking',
      { temperature: 0 },
      'a temperature of 0 is set',
      { temperature: 0, max_tokens: 64000 },
    ],
    [
      'k2_thinking',
      { temperature: 0.3, extraBody: { temperature: 0.9, top_p: null, provider: { only: ['x'] } } },
      'extra-body beats all and replaces whole members',
      { temperature: 0.9, max_tokens: 64000, top_p: null, provider: { only: ['x'] } },
    ],
  ])('%s with %j: %s', (name, settings, _what, expected) => {
    const { body } = build(ROW, planOf(name, settings));
    expect(JSON.parse(body)).toEqual({
      messages: [{ role: 'user' }],
      model: 'm',
      top_p: 0.5,
      stream: true,
      stream_options: { include_usage: true },
      ...expected,
    });
  });
});

describe('thinking', () => {
  test.each<[RequestSettings['thinking'], RequestSettings['thinkingStyle'], JsonObject]>([
    ['default', 'kimi', {}],
    ['default', 'vllm', {}],
    ['on', 'none', {}],
    ['on', 'kimi', { thinking: { type: 'enabled' } }],
    ['off', 'kimi', { thinking: { type: 'disabled' } }],
    ['on', 'vllm', { chat_template_kwargs: { thinking: true } }],
    ['off', 'vllm', { chat_template_kwargs: { thinking: false } }],
  ])('%s in the style of %s', (thinking, thinkingStyle, expected) => {
    expect(planOf('k2_0905', { thinking, thinkingStyle }).extraBody).toEqual(expected);
  });

  it('gives way to extra-body', () => {
    const extraBody = { chat_template_kwargs: { other: 1 } };
    const plan = planOf('k2_0905', { thinking: 'on', thinkingStyle: 'vllm', extraBody });
    expect(plan.extraBody).toEqual(extraBody);
  });
});
