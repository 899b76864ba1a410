import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from '@jest/globals';
import { type CallVerdict, judgeToolCall } from '../../../src/benchmarks/k2-verifier/tool-calls.js';
import type { ToolCall } from '../../../src/model/completion.js';
import { JsonTextError } from '../../../src/text/json-text.js';
import { reveal } from '../../../src/text/untrusted.js';

const WEATHER = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    days: { type: 'integer' },
    filter: { type: 'array', items: { type: 'object', properties: { tag: { enum: ['a', 'b'] } } } },
  },
  required: ['city'],
  additionalProperties: false,
};

function offer(name: unknown, parameters?: unknown) {
  return { type: 'function', function: { name, ...(parameters !== undefined && { parameters }) } };
}

const TOOLS = JSON.stringify([offer('weather', WEATHER), offer('anything', { type: 'object' })]);

function call(args: ToolCall['arguments'], name = 'weather'): ToolCall {
  return { id: 'functions.weather:0', type: 'function', name, arguments: args };
}

/** The verdict on one line. */
function said(verdict: CallVerdict): string {
  const word = verdict.valid ? 'valid' : verdict.reason;
  return [word, ...verdict.warnings].join(' + ');
}

describe('arguments', () => {
  test.each<[string, ToolCall['arguments'], string]>([
    ['fit the schema', '{"city":"Paris","days":2}', 'valid'],
    ['have white space around them', ' \n{"city":"Paris"}\t', 'valid'],
    ['have a float that is whole', '{"city":"Paris","days":2.0}', 'valid'],
    ['miss a property', '{"days":2}', 'schema_violation'],
    ['have one too many', '{"city":"Paris","x":1}', 'schema_violation'],
    ['are empty', '', 'empty_arguments'],
    ['are blank', '  \n', 'empty_arguments'],
    ['are null on the wire', null, 'empty_arguments'],
    ['are the text null', 'null', 'schema_violation'],
    ['are a list', '[]', 'schema_violation'],
    ['are a number', '5', 'schema_violation'],
    ['are an object on the wire', { city: 'Paris', days: 2 }, 'valid + arguments_object'],
    ['are a wrong object on the wire', { city: 5 }, 'schema_violation + arguments_object'],
    ['are a list on the wire', [1], 'schema_violation + arguments_object'],
    ['are cut off', '{"city":"Par', 'invalid_json + arguments_truncated'],
    ['are cut off after a value', '{"city":"Paris"', 'invalid_json + arguments_truncated'],
    ['are cut off in a word', '{"city":nul', 'invalid_json + arguments_truncated'],
    ['are sent twice', '{"city":"Paris"}{"city":"Paris"}', 'invalid_json + arguments_repeated'],
    [
      'are sent three times',
      '{"city":"a"} {"city":"a"} {"city":"a"}',
      'invalid_json + arguments_repeated',
    ],
    ['are two different objects', '{"city":"a"}{"city":"b"}', 'invalid_json'],
    [
      'are encoded twice',
      '"{\\"city\\":\\"Paris\\"}"',
      'schema_violation + arguments_double_encoded',
    ],
    ['are mere text', 'Paris', 'invalid_json'],
    ['stand in a Markdown fence', '```json\n{"city":"Paris"}\n```', 'invalid_json'],
    ['use single quotes', "{'city':'Paris'}", 'invalid_json'],
    ['use Python words', '{"city":None}', 'invalid_json'],
    ['have a trailing comma', '{"city":"Paris",}', 'invalid_json'],
    ['begin with a byte-order mark', '\ufeff{"city":"Paris"}', 'invalid_json'],
    ['have a raw newline in a string', '{"city":"a\nb"}', 'invalid_json'],
    ['hold NaN', '{"city":"Paris","days":NaN}', 'non_finite_number'],
    ['hold infinities', '{"city":"-Infinity","x":[-Infinity,Infinity]}', 'non_finite_number'],
    ['hold what even Python does not read', '{"days":-NaN}', 'invalid_json'],
    ['hold a sum', '{"days":1-Infinity}', 'invalid_json'],
    ['hold NaN and are cut off', '{"days":NaN', 'invalid_json'],
    ['hold the words in a string', '{"city":"NaN Infinity"}', 'valid'],
    ['repeat a key', '{"city":1,"city":"Paris"}', 'valid + duplicate_keys'],
    [
      'repeat a key deep inside',
      '{"city":"a","filter":[{"tag":"a","tag":"c"}]}',
      'schema_violation + duplicate_keys',
    ],
    ['hold a lone surrogate', '{"city":"\\ud800"}', 'valid'],
    ['hold a member of Object.prototype', '{"city":"a","constructor":1}', 'schema_violation'],
    ['hold __proto__', '{"city":"a","__proto__":{"x":1}}', 'schema_violation'],
    [
      'hold an integer longer than Python reads',
      `{"city":"a","days":${'9'.repeat(4301)}}`,
      'invalid_json',
    ],
    [
      'hold the longest integer that Python reads',
      `{"city":"a","days":${'9'.repeat(4300)}}`,
      'valid',
    ],
    ['open a million lists', '['.repeat(1_000_000), 'invalid_json'],
  ])('that %s', (_name, args, expected) => {
    expect(said(judgeToolCall(call(args), TOOLS))).toBe(expected);
  });

  it('that are an object deeper than a parser would go', () => {
    let deep: ToolCall['arguments'] = 1;
    for (let i = 0; i < 20_000; i += 1) deep = [deep];
    expect(said(judgeToolCall(call(deep), TOOLS))).toBe('invalid_json + arguments_object');
  });
});

describe('tools', () => {
  const named = (name: string, tools: string | null) =>
    said(judgeToolCall(call('{}', name), tools));

  test.each([
    ['was never offered', 'nope', TOOLS, 'unknown_tool'],
    ['has no name', '', TOOLS, 'unknown_tool'],
    ['has the name of a method', 'toString', TOOLS, 'unknown_tool'],
    ['is called though none are offered', 'anything', null, 'unknown_tool'],
    ['is called though the list is empty', 'anything', '[]', 'unknown_tool'],
    ['differs in case', 'Anything', TOOLS, 'unknown_tool'],
    ['is offered', 'anything', TOOLS, 'valid'],
  ])('the call %s', (_what, name, tools, expected) => {
    expect(named(name, tools)).toBe(expected);
  });

  test.each([
    ['no parameters', undefined, 'no_schema'],
    ['null', null, 'no_schema'],
    ['{}', {}, 'no_schema'],
    ['false', false, 'no_schema'],
    ['an empty list', [], 'no_schema'],
    ['0', 0, 'no_schema'],
    ['true', true, 'valid'],
    ['a number', 5, 'invalid_schema'],
    ['text', 'object', 'invalid_schema'],
    ['a type in capitals', { type: 'OBJECT' }, 'invalid_schema'],
    ['a reference that leads nowhere', { $ref: '#/nope' }, 'unresolvable_ref'],
  ])('the parameters are %s', (_what, parameters, expected) => {
    expect(named('f', JSON.stringify([offer('f', parameters)]))).toBe(expected);
  });

  it('malformed entries do not spoil the others', () => {
    const tools = [
      null,
      5,
      'f',
      [],
      {},
      { function: null },
      { function: {} },
      offer(5, {}),
      offer(null),
      { type: 'function', function: 'f' },
      offer('f', { type: 'object' }),
    ];
    expect(named('f', JSON.stringify(tools))).toBe('valid');
    expect(named('f', '{"f":1}')).toBe('unknown_tool');
  });

  it('the first of two with one name counts', () => {
    const tools = [offer('f', { required: ['a'] }), offer('f', { type: 'object' })];
    expect(named('f', JSON.stringify(tools))).toBe('schema_violation');
    expect(named('f', JSON.stringify([offer('f'), offer('f', { type: 'object' })]))).toBe(
      'no_schema',
    );
  });

  it('keeps every digit of a schema', () => {
    const tools = '[{"function":{"name":"f","parameters":{"const":{"a":9007199254740993}}}}]';
    const of = (args: string) => said(judgeToolCall(call(args, 'f'), tools));
    expect(of('{"a":9007199254740993}')).toBe('valid');
    expect(of('{"a":9007199254740992}')).toBe('schema_violation');
  });

  it('that are no JSON are a fault of the caller', () => {
    expect(() => judgeToolCall(call('{}'), '[')).toThrow(JsonTextError);
  });

  it('are told apart however many have been seen', () => {
    const verdicts = Array.from({ length: 600 }, (_, i) =>
      named('f', JSON.stringify([offer('f', { required: i % 2 ? [`p${i}`] : [] })])),
    );
    expect(verdicts.filter((verdict) => verdict === 'valid')).toHaveLength(300);
    expect(named('f', JSON.stringify([offer('f', { required: ['p1'] })]))).toBe('schema_violation');
  });
});

describe('what a verdict says', () => {
  test.each<[ToolCall['arguments'], string, string, string]>([
    ['{"city":5}', '/city: must be string (type)', '/city', 'type'],
    ['{}', "/: must have the property 'city' (required)", '', 'required'],
    [
      '{"city":"a","filter":[{"tag":"a"},{"tag":"z"}]}',
      '/filter/1/tag: must be one of the allowed values (enum)',
      '/filter/1/tag',
      'enum',
    ],
    ['{"city":', 'the text ends too early at offset 8', '', ''],
    ['{"city":x}', 'unexpected character at offset 8: x}', '', ''],
  ])('%j', (args, detail, path, keyword) => {
    const verdict = judgeToolCall(call(args), TOOLS);
    expect(verdict).toMatchObject({ valid: false, keyword });
    expect(verdict.valid ? '' : reveal(verdict.detail)).toBe(detail);
    expect(verdict.valid ? '' : reveal(verdict.path)).toBe(path);
  });

  it('stays short whatever the vendor sends, and cuts no character in two', () => {
    const long = '😀'.repeat(5000);
    for (const verdict of [
      judgeToolCall(call(JSON.stringify({ [long]: 1, city: 'a' })), TOOLS),
      judgeToolCall(call(`{"city":${long}`), TOOLS),
      judgeToolCall(call('{}', long), TOOLS),
      judgeToolCall(call('{}', 'f'), JSON.stringify([offer('f', { required: [long] })])),
      judgeToolCall(
        call(JSON.stringify({ [long]: { [long]: 1 } }), 'f'),
        JSON.stringify([offer('f', { additionalProperties: { additionalProperties: false } })]),
      ),
    ]) {
      expect(verdict.valid).toBe(false);
      if (verdict.valid) continue;
      for (const text of [reveal(verdict.detail), reveal(verdict.path)]) {
        expect(text.length).toBeLessThanOrEqual(300);
        expect(text).not.toMatch(/\p{Surrogate}/u);
      }
    }
  });
});

/** The cases that stop before the schema; json-schema.test.ts has the others. */
describe('verdicts of Python jsonschema, arguments included', () => {
  interface Case {
    name: string;
    schema: unknown;
    arguments: string;
    why?: string;
  }
  const fixture = JSON.parse(
    readFileSync(new URL('../../fixtures/json-schema-cases.json', import.meta.url), 'utf8'),
  ) as { cases: Case[] };
  const early = ['invalid_json', 'non_finite_number', 'no_schema'];
  const cases = fixture.cases.filter(({ why }) => why !== undefined && early.includes(why));

  test.each(cases)('$name is $why', ({ name, schema, arguments: args, why }) => {
    // Python's parser does not tell the empty text from other text that is not JSON; the report counts it apart.
    const expected = name === 'empty str' ? 'empty_arguments' : why;
    const verdict = judgeToolCall(call(args, 'f'), JSON.stringify([offer('f', schema)]));
    expect(verdict.valid ? 'valid' : verdict.reason).toBe(expected);
  });

  it('has every case', () => {
    expect(cases).toHaveLength(5);
  });
});
