import { expect, it, test } from '@jest/globals';
import { detailOf } from '../../../src/benchmarks/k2-verifier/detail.js';

it('turns counters into tables, most frequent first', () => {
  const detail = detailOf({
    tp: 4,
    fp: 3,
    fn: 2,
    tn: 5,
    fn_unmeasured: 1,
    tn_unmeasured: 2,
    refused: 2,
    'refused.400': 1,
    'refused.422': 1,
    calls: 9,
    calls_invalid: 4,
    'invalid.unknown_tool': 1,
    'invalid.schema_violation': 3,
    'invalid.no_tool_calls': 1,
    'finish.stop': 2,
    'finish.tool_calls': 6,
    'finish.constructor': 1,
    'engine.run': 14,
    'engine.unmeasured': 3,
    'engine.unmeasured.timeout': 2,
    'engine.unmeasured.rate_limited': 1,
    'wire.leaked_tool_markup': 2,
    'wire.never': 0,
    'warning.history_arguments': 3,
    'warning.arguments_object': 5,
    'wire.arguments_object': 4,
    'warning.arguments_truncated': 1,
    'wire.truncated_arguments': 1,
    'warning.duplicate_keys': 1,
    calls_without_finish: 1,
    'wire.stop_with_tool_calls': 1,
    reasoning_only: 2,
    'wire.reasoning_only': 1,
  });
  expect(detail.confusion).toEqual({
    tp: 4,
    fp: 3,
    fn: 2,
    tn: 5,
    fn_unmeasured: 1,
    tn_unmeasured: 2,
  });
  expect(detail.reasons.map(({ name, unit, of }) => [name, unit, of])).toEqual([
    ['invalid_calls', 'calls', 10],
    ['finish_reasons', 'samples', 9],
    ['refusals', 'samples', 11],
    ['errors', 'samples', 14],
  ]);
  const rows = (name: string) => detail.reasons.find((each) => each.name === name)?.rows;
  expect(rows('invalid_calls')).toEqual([
    { key: 'schema_violation', text: 'the arguments do not fit the parameter schema', count: 3 },
    { key: 'no_tool_calls', text: 'finish_reason says tool_calls, but no call came', count: 1 },
    { key: 'unknown_tool', text: 'the tool was not offered', count: 1 },
  ]);
  expect(rows('finish_reasons')).toEqual([
    { key: 'tool_calls', text: 'the model called a tool', count: 6 },
    { key: 'stop', text: 'the model ended its answer', count: 2 },
    { key: 'constructor', text: 'not a value of the OpenAI API', count: 1 },
  ]);
  expect(rows('refusals')?.map(({ key, text }) => [key, text])).toEqual([
    ['400', 'refused with HTTP 400'],
    ['422', 'refused with HTTP 422'],
  ]);
  expect(rows('errors')?.map(({ text, count }) => [text, count])).toEqual([
    ['no complete answer within request-timeout', 2],
    ['rate limited (429) until the retries were used up', 1],
  ]);
  // Each oddity is said once: by the wire's reader, or by us where we saw more of it.
  expect(detail.warnings.map(({ name, count }) => [name, count])).toEqual([
    ['arguments_object', 5],
    ['history_arguments', 3],
    ['leaked_tool_markup', 2],
    ['reasoning_only', 2],
    ['duplicate_keys', 1],
    ['stop_with_tool_calls', 1],
    ['truncated_arguments', 1],
  ]);
  for (const { text } of detail.warnings) expect(text).toMatch(/^["A-Z].*\.$/);
});

it('leaves empty tables out', () => {
  const detail = detailOf({});
  expect(detail.reasons).toEqual([]);
  expect(detail.warnings).toEqual([]);
  expect(detail.confusion).toEqual({
    tp: 0,
    fp: 0,
    fn: 0,
    tn: 0,
    fn_unmeasured: 0,
    tn_unmeasured: 0,
  });
});

test.each([
  ['stop_163586', 'not a value of the OpenAI API'],
  ['stop…', 'values that begin so; results.jsonl has each as it came'],
  ['(other)', 'values that no server is known to send; results.jsonl has each as it came'],
])('a finish reason counted as %s', (key, text) => {
  const { reasons } = detailOf({ tn: 1, [`finish.${key}`]: 1 });
  expect(reasons).toMatchObject([{ name: 'finish_reasons', rows: [{ key, text, count: 1 }] }]);
});
