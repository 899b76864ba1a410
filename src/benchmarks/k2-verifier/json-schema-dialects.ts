import {
  Ajv,
  type AnySchemaObject,
  type ErrorObject,
  type Options,
  type ValidateFunction,
} from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import draft04 from 'ajv-draft-04';
import { PythonPattern } from '../../text/python-pattern.js';
import { PythonPatternError } from '../../text/python-pattern-translation.js';

/** A CommonJS package: its class is a member of what is imported. */
const Draft04 = draft04.default;

export type Dialect = 'draft4' | 'draft6' | 'draft7' | '2019-09' | '2020-12';

const METASCHEMAS: Readonly<Record<Dialect, string>> = {
  draft4: 'http://json-schema.org/draft-04/schema',
  draft6: 'http://json-schema.org/draft-06/schema',
  draft7: 'http://json-schema.org/draft-07/schema',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
};

const DIALECTS = new Map<string, Dialect>(
  Object.entries(METASCHEMAS).map(([dialect, uri]) => [uri, dialect as Dialect]),
);

/** The dialect that `$schema` names, by its exact URI with or without an empty fragment; null for any other. */
export function dialectNamed(uri: string): Dialect | null {
  return DIALECTS.get(uri.replace(/#$/, '')) ?? null;
}

/** From the oldest. */
const ORDER = Object.keys(METASCHEMAS) as Dialect[];

/** Whether a dialect is `first` or newer. */
export function isSince(first: Dialect, dialect: Dialect): boolean {
  return ORDER.indexOf(dialect) >= ORDER.indexOf(first);
}

/** Up to draft 7: `$ref` alone counts, `dependencies` is one keyword. */
export function isLegacy(dialect: Dialect): boolean {
  return !isSince('2019-09', dialect);
}

/** Why a pattern does not compile in Python; null when it does. */
export function patternFault(pattern: string): string | null {
  try {
    new PythonPattern(pattern);
    return null;
  } catch (error) {
    if (error instanceof PythonPatternError) return error.message;
    throw error;
  }
}

const OPTIONS: Options = {
  strict: false,
  strictNumbers: false,
  logger: false,
  validateSchema: false,
};

/** ajv compiles its own metaschemas without formats, but not what refers to them. */
function builtIn(ajv: Ajv2019 | Ajv2020, dialect: Dialect): ValidateFunction {
  return ajv.compile({ $ref: METASCHEMAS[dialect] });
}

/** A copy of a metaschema that comes with ajv. */
function copyOf(ajv: Pick<Ajv, 'schemas'>, dialect: Dialect): AnySchemaObject {
  const metaschema = ajv.schemas[METASCHEMAS[dialect]]?.schema;
  if (typeof metaschema !== 'object') throw new Error(`ajv has no metaschema of ${dialect}`);
  return structuredClone(metaschema);
}

/** The published metaschema says that `format` is a string; ajv's copy does not. */
function draft4(): AnySchemaObject {
  const metaschema = copyOf(new Draft04(OPTIONS), 'draft4');
  metaschema['properties'].format = { type: 'string' };
  return metaschema;
}

/** ajv's metaschemas of drafts 6 and 7 forbid an empty or repeating `enum`; the published ones do not. */
function draft7(): AnySchemaObject {
  const metaschema = copyOf(new Ajv(OPTIONS), 'draft7');
  metaschema['properties'].enum = { type: 'array' };
  return metaschema;
}

const SINCE_DRAFT_7 = [
  '$comment',
  'readOnly',
  'contentMediaType',
  'contentEncoding',
  'if',
  'then',
  'else',
];

function draft6(): AnySchemaObject {
  const metaschema = draft7();
  for (const keyword of SINCE_DRAFT_7) delete metaschema['properties'][keyword];
  return { ...metaschema, $id: METASCHEMAS.draft6 };
}

const MAKERS: Readonly<Record<Dialect, (options: Options) => ValidateFunction>> = {
  draft4: (options) => new Draft04({ ...options, meta: false }).compile(draft4()),
  draft6: (options) => new Ajv({ ...options, meta: false }).compile(draft6()),
  draft7: (options) => new Ajv({ ...options, meta: false }).compile(draft7()),
  '2019-09': (options) => builtIn(new Ajv2019(options), '2019-09'),
  '2020-12': (options) => builtIn(new Ajv2020(options), '2020-12'),
};

/** Compiled on first use: 30 to 80 ms each, and nearly all schemas are of one dialect. */
function metaschemaOf(options: Options): (dialect: Dialect) => ValidateFunction {
  const compiled = new Map<Dialect, ValidateFunction>();
  return (dialect) => {
    const check = compiled.get(dialect) ?? MAKERS[dialect](options);
    compiled.set(dialect, check);
    return check;
  };
}

/**
 * Python's jsonschema knows `format` in metaschemas as far as no extra package is needed: of the formats that occur
 * there, that is `regex`.
 */
const schemaCheck = metaschemaOf({
  ...OPTIONS,
  formats: { regex: (pattern: string) => patternFault(pattern) === null },
});

/** As for any other value, formats are not asserted of a value that a schema wants to be a schema. */
const valueCheck = metaschemaOf({ ...OPTIONS, validateFormats: false });

/**
 * Checks a schema document against the metaschema of its dialect.
 * @param schema as JSON.parse gives it.
 * @returns null when it is a legal schema, else what is wrong first.
 */
export function schemaFault(schema: unknown, dialect: Dialect): ErrorObject | null {
  const check = schemaCheck(dialect);
  return check(schema) ? null : (check.errors?.[0] ?? null);
}

/** Whether a value that a schema refers to a metaschema for is valid under it. */
export function isSchema(value: unknown, dialect: Dialect): boolean {
  return valueCheck(dialect)(value);
}
