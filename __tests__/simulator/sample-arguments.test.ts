import { describe, expect, it, test } from '@jest/globals';
import type { Json, JsonSchema } from '../../src/model/json.js';
import { sampleArguments } from '../../src/simulator/sample-arguments.js';

const one = (property: JsonSchema, more: object = {}): JsonSchema => ({
  type: 'object',
  properties: { a: property },
  required: ['a'],
  ...more,
});

describe('made-up arguments', () => {
  test.each<[string, JsonSchema, Json]>([
    ['nothing required', { type: 'object', properties: { a: { type: 'string' } } }, {}],
    ['no properties at all', { type: 'object', properties: {}, additionalProperties: false }, {}],
    ['string', one({ type: 'string' }), { a: 'sample' }],
    ['short string', one({ type: 'string', maxLength: 3 }), { a: 'sam' }],
    ['long string', one({ type: 'string', minLength: 8 }), { a: 'sample--' }],
    ['number', one({ type: 'number' }), { a: 1 }],
    ['lower bound', one({ type: 'integer', minimum: 3.5 }), { a: 4 }],
    ['exclusive lower bound', one({ type: 'integer', exclusiveMinimum: 3 }), { a: 4 }],
    ['upper bound', one({ type: 'integer', maximum: -2 }), { a: -3 }],
    ['multiple', one({ type: 'number', minimum: 5.2, multipleOf: 0.5 }), { a: 5.5 }],
    ['narrow fraction', one({ type: 'number', minimum: 0.25, maximum: 0.75 }), { a: 0.5 }],
    ['boolean', one({ type: 'boolean' }), { a: true }],
    ['null', one({ type: 'null' }), { a: null }],
    ['nullable', one({ type: ['string', 'null'] }), { a: 'sample' }],
    ['enum', one({ enum: [7, 8] }), { a: 7 }],
    ['const', one({ const: 'x' }), { a: 'x' }],
    ['default', one({ type: 'string', pattern: '^b+$', default: 'bb' }), { a: 'bb' }],
    ['example', one({ type: 'string', pattern: '^b+$', examples: ['bbb'] }), { a: 'bbb' }],
    ['list', one({ type: 'array', items: { type: 'integer' }, minItems: 2 }), { a: [1, 1] }],
    ['tuple', one({ prefixItems: [{ const: 1 }], type: 'array', minItems: 1 }), { a: [1] }],
    ['oneOf', one({ oneOf: [{ type: 'number' }, { type: 'string' }] }), { a: 1 }],
    ['anyOf past a hopeless one', one({ anyOf: [false, { const: 2 }] }), { a: 2 }],
    [
      'allOf',
      one({ allOf: [one({ const: 1 }), { required: ['b'], properties: { b: {} } }] }),
      { a: { a: 1, b: 'sample' } },
    ],
    ['reference', one({ $ref: '#/$defs/b' }, { $defs: { b: { type: 'boolean' } } }), { a: true }],
    ['recursion that may stop', one({ type: 'array', items: { $ref: '#' } }), { a: [] }],
    [
      'open properties',
      { type: 'object', required: ['k'], additionalProperties: { type: 'number' } },
      { k: 1 },
    ],
    ['an id, used twice', one({ const: 1 }, { $id: 'https://schemas.example.com/a' }), { a: 1 }],
    ['the same id again', one({ const: 2 }, { $id: 'https://schemas.example.com/a' }), { a: 2 }],
    [
      'other dialect',
      one({ type: 'string' }, { $schema: 'http://json-schema.org/draft-07/schema#' }),
      { a: 'sample' },
    ],
    ['no type but properties', { properties: { a: { const: 1 } }, required: ['a'] }, { a: 1 }],
  ])('%s', (_name, schema, expected) => {
    expect(sampleArguments(schema)).toEqual(expected);
  });

  test.each<[string, JsonSchema | undefined]>([
    ['no schema', undefined],
    ['an empty schema', {}],
    ['true', true],
    ['no object', { type: 'string' }],
    ['a pattern without example', one({ type: 'string', pattern: '^[0-9]{4}$' })],
    ['an example that does not fit', one({ type: 'integer', examples: ['x'] })],
    ['a keyword the sampler does not know', one({ type: 'string' }, { minProperties: 2 })],
    ['two branches that both fit', one({ oneOf: [{ type: 'number' }, { type: 'integer' }] })],
    ['recursion without end', one({ $ref: '#' })],
    ['a reference to elsewhere', one({ $ref: 'https://schemas.example.com/a.json' })],
    ['a reference to nothing', one({ $ref: '#/$defs/none' })],
    ['a broken schema', one({ type: 'strnig' })],
  ])('none for %s', (_name, schema) => {
    expect(sampleArguments(schema)).toBeNull();
  });

  it('gives the same again, and forgets when it knows too much', () => {
    for (let n = 0; n < 1200; n += 1) sampleArguments({ type: 'object', title: `${n % 600}` });
    expect(sampleArguments(one({ const: 5 }))).toEqual({ a: 5 });
    expect(sampleArguments(one({ const: 5 }))).toEqual({ a: 5 });
  });
});
