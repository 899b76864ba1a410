import { describe, expect, test } from '@jest/globals';
import {
  asksForStream,
  refusesStreamOptions,
  withoutStreamOptions,
} from '../../src/endpoint/request-body.js';

describe('withoutStreamOptions', () => {
  test.each([
    ['last', '{"a":1.0,"stream_options":{"include_usage":true}}', '{"a":1.0}'],
    ['first', '{ "stream_options" : {} , "2":1,"1":2 }', '{ "2":1,"1":2 }'],
    ['between', '{"a":1, "stream_options":null, "b":[1]}', '{"a":1, "b":[1]}'],
    ['alone', '{ "stream_options": {} }', '{ }'],
    ['twice', '{"stream_options":1,"stream_options":2,"a":3}', '{"a":3}'],
    ['twice at the end', '{"a":3,"stream_options":1, "stream_options":2}', '{"a":3}'],
  ])('%s', (_, body, expected) => {
    expect(withoutStreamOptions(body)).toBe(expected);
  });

  test.each([
    ['absent', '{"a":1}'],
    ['only inside', '{"a":{"stream_options":1},"b":"stream_options"}'],
    ['a list', '["stream_options"]'],
    ['not JSON', '{"stream_options":'],
  ])('%s: null', (_, body) => {
    expect(withoutStreamOptions(body)).toBeNull();
  });
});

test.each([
  ['{"stream":true}', true],
  ['{"stream":false}', false],
  ['{"stream":"true"}', false],
  ['{"messages":[{"content":"\\"stream\\":true"}],"tools":[{"stream":true}]}', false],
  ['[]', false],
  ['nonsense', false],
])('asksForStream %s: %p', (body, expected) => {
  expect(asksForStream(body)).toBe(expected);
});

describe('refusesStreamOptions', () => {
  const REQUEST = {
    model: 'm',
    messages: [{ role: 'user', content: 'unsupported reasoning_content, insufficient balance' }],
    stream: true,
    stream_options: { include_usage: true },
  };
  const refused = (body: string | object, status = 400) =>
    refusesStreamOptions({
      kind: 'refused',
      status,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const error = (rest: object) => ({ error: { type: 'invalid_request_error', ...rest } });

  test.each<[string, string | object]>([
    ['a sentence', 'Unrecognized request argument supplied: stream_options'],
    ['OpenAI', error({ message: "Unknown parameter: 'stream_options'.", param: 'stream_options' })],
    ['param alone', error({ message: 'no', param: 'stream_options.include_usage' })],
    ['Groq', error({ message: "property 'stream_options' is unsupported" })],
    [
      'FastAPI',
      {
        detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs' }],
      },
    ],
    [
      'vLLM, in the words of Python',
      error({
        message:
          "[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options'), 'msg': 'Extra inputs are not permitted', 'input': {'include_usage': True}}]",
      }),
    ],
    ['Go', { error: 'json: unknown field "stream_options"' }],
    ['ajv', { message: "Additional properties are not allowed ('stream_options' was unexpected)" }],
    [
      'a gateway that passes an error on',
      {
        error: {
          message: 'Provider returned error',
          metadata: { raw: '{"error":{"message":"include_usage is not supported"}}' },
        },
      },
    ],
    ['a list, as Gemini has it', [error({ message: 'Unknown name "stream_options"' })]],
  ])('%s: yes', (_, body) => {
    expect(refused(body)).toBe(true);
    expect(refused(body, 422)).toBe(true);
    expect(refused(body, 413)).toBe(false);
  });

  test.each<[string, string | object]>([
    ['another field', error({ message: 'max_tokens is too large', param: 'max_tokens' })],
    ['the request as input', { detail: [{ loc: ['body'], msg: 'Value error', input: REQUEST }] }],
    ['the request as body', { ...error({ message: 'Bad request' }), body: REQUEST }],
    ['the request beside an error', { ...REQUEST, ...error({ message: 'too long' }) }],
    [
      'the request in the words of pydantic',
      error({
        message: `1 validation error\nmessages.0\n  Value error [type=value_error, input_value=${JSON.stringify(REQUEST)}]`,
      }),
    ],
    [
      'a quoted request that is cut off and so no JSON',
      `{"detail":[{"loc":["body"],"msg":"Value error","input":${JSON.stringify(REQUEST)}`,
    ],
    ['nothing', ''],
  ])('%s: no', (_, body) => {
    expect(refused(body)).toBe(false);
  });
});
