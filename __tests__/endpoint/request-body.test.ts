import { describe, expect, test } from '@jest/globals';
import { asksForStream, withoutStreamOptions } from '../../src/endpoint/request-body.js';

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
