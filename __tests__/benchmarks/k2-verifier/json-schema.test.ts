import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from '@jest/globals';
import { judgeOf, type SchemaFault } from '../../../src/benchmarks/k2-verifier/json-schema.js';
import { valueOfNode } from '../../../src/benchmarks/k2-verifier/json-schema-values.js';
import { type JsonNode, member, parseJsonText, sliceOf } from '../../../src/text/json-text.js';

interface Case {
  name: string;
  schema: string;
  arguments: string;
  /** `valid`, or the reason. */
  expected: string;
}

/** Cases of a fixture, schemas as they are written there: 1.0 and long integers count. */
function casesOf(file: string): Case[] {
  const text = readFileSync(new URL(`../../fixtures/${file}`, import.meta.url), 'utf8');
  const cases = member(parseJsonText(text), 'cases');
  if (cases?.type !== 'array') throw new Error(`${file} holds no cases`);
  return cases.items.map((node) => {
    const string = (key: string) => {
      const value = member(node, key);
      return value?.type === 'string' ? value.value : '';
    };
    const schema = member(node, 'schema') as JsonNode;
    return {
      name: string('name'),
      schema: sliceOf(text, schema),
      arguments: string('arguments'),
      expected: string('why') || string('expected'),
    };
  });
}

function verdictOf(schema: string, value: string): SchemaFault | null {
  return judgeOf(schema)(valueOfNode(parseJsonText(value)));
}

/** Not for a schema to judge: no JSON, or no schema at all; tool-calls.test.ts has them. */
const BEFORE_SCHEMA = new Set(['invalid_json', 'non_finite_number', 'no_schema']);

describe('verdicts of Python jsonschema', () => {
  const cases = [
    ...casesOf('json-schema-cases.json'),
    ...casesOf('json-schema-differences.json'),
  ].filter(({ expected }) => !BEFORE_SCHEMA.has(expected));

  it('has every case', () => {
    expect(cases).toHaveLength(47 + 165);
  });

  test.each(cases)('$name: $arguments is $expected', ({ schema, arguments: value, expected }) => {
    expect(verdictOf(schema, value)?.reason ?? 'valid').toBe(expected);
  });
});

describe('what a fault says', () => {
  test.each([
    ['{"properties":{"city":{"type":"string"}}}', '{"city":1}', '/city', 'type', 'must be string'],
    ['{"required":["city"]}', '{}', '', 'required', "must have the property 'city'"],
    ['{"items":{"enum":["a"]}}', '["a","b"]', '/1', 'enum', 'must be one of the allowed values'],
    [
      '{"additionalProperties":false}',
      '{"x":1}',
      '',
      'additionalProperties',
      'must NOT have additional properties: x',
    ],
    [
      '{"properties":{"a/b":{"anyOf":[{"type":"string"},{"type":"null"}]}}}',
      '{"a/b":1}',
      '/a~1b',
      'anyOf',
      'must match a schema in anyOf',
    ],
    [
      '{"if":true,"then":{"minLength":2}}',
      '"a"',
      '',
      'minLength',
      'must NOT have fewer than 2 characters',
    ],
    ['{"maximum":3}', '3.5', '', 'maximum', 'must be <= 3'],
    ['{"type":"str"}', '1', '/type', 'enum', 'must be equal to one of the allowed values'],
    ['{"$ref":"#/nope"}', '1', '', '$ref', 'the reference #/nope leads nowhere'],
  ])('%s and %s', (schema, value, path, keyword, message) => {
    expect(verdictOf(schema, value)).toMatchObject({ path, keyword, message });
  });
});

describe('what would never end, or end the process', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const recursive = '{"type":"array","items":{"$ref":"#"}}';

  it('follows a recursive schema as deep as JSON goes', () => {
    expect(verdictOf(recursive, nested(150))).toBeNull();
    expect(verdictOf(recursive, nested(999))?.reason ?? 'valid').toMatch(
      /^(valid|schema_violation)$/,
    );
  });

  test.each([
    ['{"$ref":"#"}'],
    ['{"allOf":[{"$ref":"#"}]}'],
    ['{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"}'],
  ])('finds that %s leads back to itself', (schema) => {
    expect(verdictOf(schema, '1')).toMatchObject({ reason: 'unresolvable_ref' });
  });

  it('refuses a schema nested too deeply to be compiled', () => {
    const deep = `${'{"not":'.repeat(990)}{"type":"string"}${'}'.repeat(990)}`;
    expect(verdictOf(deep, '1')?.reason ?? 'valid').toMatch(/^(valid|invalid_schema)$/);
  });

  it('gives up on alternatives that multiply with the depth of the value', () => {
    const both = '{"type":"array","items":{"oneOf":[{"$ref":"#"},{"$ref":"#"}]}}';
    expect(verdictOf(both, nested(60))).toMatchObject({
      reason: 'schema_violation',
      keyword: 'limit',
    });
  });

  it('gives up on a pattern that backtracks without end', () => {
    const fault = verdictOf('{"pattern":"^(?=(a+)+$)"}', `"${'a'.repeat(60)}!"`);
    expect(fault).toMatchObject({ reason: 'schema_violation', keyword: 'pattern' });
    expect(fault?.message).toMatch(/^took too long/);
  });

  it('gives up when many patterns together take too long', () => {
    const value = JSON.stringify(
      Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`k${i}${'a'.repeat(60)}!`, i])),
    );
    expect(
      verdictOf('{"patternProperties":{"^k\\\\d+(?=(a+)+$)":{}},"minProperties":1}', value),
    ).toMatchObject({
      reason: 'schema_violation',
      keyword: 'limit',
    });
  });

  it('takes a large value in its stride', () => {
    const large = JSON.stringify(
      Array.from({ length: 20_000 }, (_, i) => ({ id: i, name: `n${i}` })),
    );
    expect(verdictOf('{"uniqueItems":true,"items":{"required":["id"]}}', large)).toBeNull();
  });

  it('does not run what stands in a schema', () => {
    const schema = JSON.stringify({
      properties: {
        "a'+process.exit(1)+'": { description: '`+process.exit(1)+`', type: 'string' },
      },
      required: ['\u2028"];process.exit(1)//'],
    });
    expect(verdictOf(schema, '{}')?.keyword).toBe('required');
  });
});
