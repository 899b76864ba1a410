import { describe, expect, it, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { detailOf } from '../../../src/benchmarks/k2-verifier/detail.js';
import { exampleOf } from '../../../src/benchmarks/k2-verifier/example.js';
import { readResultRecord } from '../../../src/benchmarks/k2-verifier/import.js';
import { callsIn } from '../../../src/benchmarks/k2-verifier/official.js';
import { resultRecord } from '../../../src/benchmarks/k2-verifier/record.js';
import type { Payload, Sample } from '../../../src/benchmarks/k2-verifier/sample.js';
import { scoreSample } from '../../../src/benchmarks/k2-verifier/score.js';
import {
  CAUSES,
  type Cause,
  type Completion,
  type ToolCall,
} from '../../../src/model/completion.js';
import type { Json } from '../../../src/model/json.js';
import type { Observation } from '../../../src/model/observation.js';
import { untrusted } from '../../../src/text/untrusted.js';
import { callOf, completed, measured, sampleOf } from '../../support/k2.js';

/** A quadratic reading of a megabyte takes minutes; this only tells the two apart, at any load. */
const WIDE_MS = 30_000;
jest.setTimeout(120_000);

/** All that is made of an observation; none of it may throw, whatever an endpoint sent. */
function makeAll(sample: Sample, observation: Observation<Payload>): void {
  const counts = scoreSample(sample, observation);
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
  detailOf({ ...counts, 'engine.run': 1 });
  JSON.stringify(exampleOf(sample, observation));
  const sent = { prepared: '{}', hash: null, extraBody: {}, model: 'm', stream: true };
  const { line } = resultRecord(sample, observation, sent);
  const read = readResultRecord(JSON.parse(line) as Json, () => true);
  // An answer that nests too deeply to be written out comes back as another one.
  if (read !== null) scoreSample(sample, read);
}

const NAMES = ['search', 'bare', 'f', '', '__proto__', 'constructor', 'toString'];
const SCHEMAS: Json[] = [
  true,
  {},
  { type: 'object', required: ['a'], additionalProperties: false },
  { properties: { a: { $ref: '#' }, b: { pattern: '^(a+)+$' } }, items: { $ref: '#' } },
  { $ref: '#/nowhere' },
  { type: 5 },
  { additionalProperties: { $ref: '#' }, uniqueItems: true, items: { enum: [1, 'a', null] } },
];

/** A value inside lists and objects, as many levels as said. */
function nested(value: Json, levels: number): Json {
  let deep = value;
  for (let n = 0; n < levels; n += 1) deep = n % 2 === 0 ? [deep] : { a: deep };
  return deep;
}

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', ' ', '\ud800', '\udc00x', '\u0000', '__proto__', '😀'.repeat(400)),
);
const json = fc.oneof(
  fc.jsonValue({ maxDepth: 5 }) as fc.Arbitrary<Json>,
  fc
    .tuple(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom(1, 199, 201, 998, 1001, 5000, 20_000))
    .map(([value, levels]) => nested(value as Json, levels)),
);
const written = fc.oneof(
  text,
  json.map((value) => {
    try {
      return JSON.stringify(value);
    } catch {
      return '['.repeat(20_000);
    }
  }),
  fc
    .tuple(fc.constantFrom('[', '{"a":', '{"a":[', '"', '\\"', 'NaN,', '-'), fc.nat(3000))
    .map(([unit, n]) => unit.repeat(n)),
  fc.constantFrom('NaN', '{"a":NaN', '{"a":1e400}', '{"a":-Infinity}', '1'.repeat(5000), '{}{}'),
);
const calls: fc.Arbitrary<readonly ToolCall[] | null> = fc.option(
  fc.array(
    fc.record({
      id: fc.option(text),
      type: text,
      name: fc.oneof(fc.constantFrom(...NAMES), text),
      arguments: fc.oneof(written, json),
    }),
    { maxLength: 4 },
  ),
);
const completion: fc.Arbitrary<Completion> = fc.record({
  id: fc.option(text),
  created: fc.option(fc.integer()),
  model: fc.option(text),
  provider: fc.option(text),
  fingerprint: fc.option(text),
  finishReason: fc.oneof(fc.constant('tool_calls'), fc.constantFrom('stop', 'length'), text),
  content: fc.option(text),
  reasoning: fc.option(text),
  toolCalls: calls,
  usage: fc.constant(null),
});
const payload: fc.Arbitrary<Payload> = fc.oneof(
  {
    weight: 9,
    arbitrary: completion.map((one) => ({ kind: 'completion' as const, completion: one })),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('refused' as const),
      status: fc.constantFrom(400, 413, 422),
      body: text.map(untrusted),
    }),
  },
);
const tools = fc.option(
  fc
    .array(
      fc
        .tuple(fc.constantFrom(...NAMES), fc.constantFrom(...SCHEMAS))
        .map(([name, parameters]) => ({ type: 'function', function: { name, parameters } })),
      { maxLength: 5 },
    )
    .map((list) => JSON.stringify(list)),
);
const sample = fc
  .tuple(fc.boolean(), tools, text)
  .map(([triggered, offered, prompt]) => sampleOf(triggered, { tools: offered, prompt }));

describe('whatever an endpoint sent', () => {
  it('can be scored, shown, written and read back', () => {
    fc.assert(
      fc.property(sample, payload, (row, sent) => makeAll(row, measured(sent))),
      { seed: 1, numRuns: 400 },
    );
  });

  it('or did not send', () => {
    const causes = fc.constantFrom(...(Object.keys(CAUSES) as Cause[]));
    fc.assert(
      fc.property(sample, causes, text, (row, cause, detail) => {
        const { payload: _, ...frame } = measured({
          kind: 'refused',
          status: 400,
          body: untrusted(''),
        }) as Observation<Payload> & { payload: Payload };
        makeAll(row, { ...frame, kind: 'unmeasured', cause, detail: untrusted(detail) });
      }),
      { seed: 2, numRuns: 100 },
    );
  });

  it('and whatever another tool wrote', () => {
    const record = fc.oneof(
      json,
      fc.record({
        data_index: fc.oneof(fc.constant(1), json),
        status: fc.oneof(fc.constantFrom('success', 'failed'), json),
        last_run_at: fc.oneof(fc.string(), fc.constantFrom('+275760-09-13', '-271821-04-20'), json),
        duration_ms: fc.oneof(fc.double(), fc.constantFrom(1e300, Infinity, -1), json),
        response: fc.oneof(
          json,
          fc.record({
            error_type: fc.oneof(text, fc.constantFrom('BadRequestError', 'constructor')),
            error_message: fc.oneof(written, json),
          }),
          fc.record({
            choices: fc.array(
              fc.record({
                finish_reason: fc.oneof(fc.constant('tool_calls'), json),
                message: fc.oneof(
                  json,
                  fc.record({ content: json, tool_calls: fc.oneof(json, fc.array(json)) }),
                ),
              }),
              { maxLength: 2 },
            ),
          }),
        ),
      }),
    ) as fc.Arbitrary<Json>;
    fc.assert(
      fc.property(sample, record, (row, one) => {
        const read = readResultRecord(one, () => true);
        if (read !== null) makeAll(row, read);
      }),
      { seed: 3, numRuns: 400 },
    );
  });

  test.each([201, 1001, 20_000])('official calls may nest %i levels', (levels) => {
    const [call] = callsIn([{ function: { name: 'f', arguments: nested(1, levels) } }]);
    expect(call?.name).toBe('f');
    expect(call?.arguments.length).toBeGreaterThan(10);
  });

  it('writes what nests too deeply as a text that says so', () => {
    const deep = completed('tool_calls', { toolCalls: [callOf('search', nested(1, 5000))] });
    const sent = { prepared: '{}', hash: null, extraBody: {}, model: 'm', stream: true };
    const { line, facts } = resultRecord(sampleOf(true), deep, sent);
    expect(facts.toolCallsValid).toBe(false);
    expect(line).toContain('"arguments":"(nested deeper than 1000 levels)"');
    expect(exampleOf(sampleOf(true), deep)).toMatchObject({
      vendor: 'called a tool: search("(nested deeper than 1000 levels)")',
    });
  });
});

describe('arguments of a megabyte', () => {
  const MEGABYTE = 1_000_000;
  const fill = (unit: string) => unit.repeat(MEGABYTE / unit.length);

  test.each<[string, string]>([
    ['NaN and escaped quotes', `{"a": NaN, "b": "${fill('\\"')}`],
    ['NaN and quotes', `{"a": NaN, "b": ${fill('"')}`],
    ['NaN many times', `{"a": [${fill('NaN,')}NaN]}`],
    ['Infinity and no end', `[${fill('-Infinity,')}`],
    ['NaN and backslashes', `[NaN,"${fill('\\')}`],
    ['escaped quotes', `{"a":"${fill('\\"')}`],
    ['the same over and over', fill('{}')],
    ['the same half twice, but for its first character', `7${fill('1')} ${fill('1')}`],
    [
      'a list twice, but for its first character',
      `["7${fill('1')}"] "${fill('1')}"]${fill('1')}"]`,
    ],
    ['white space', `{}${fill(' ')}x`],
    ['digits', fill('9')],
    ['a long fraction', `{"a":0.${fill('9')}}`],
    ['open brackets', fill('[')],
    ['open braces', fill('{"a":')],
    ['many members', `{${fill('"a":1,')}"a":1}`],
    ['half an escape', `"${fill('\\u00')}`],
    ['a string of JSON', JSON.stringify(fill('"\\"'))],
  ])('%s are judged at once', (_name, args) => {
    const call = callOf('search', args);
    const observation = completed('tool_calls', { toolCalls: [call] });
    const started = performance.now();
    makeAll(sampleOf(true), observation);
    expect(performance.now() - started).toBeLessThan(WIDE_MS);
  });
});
