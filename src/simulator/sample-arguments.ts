import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Json, JsonObject, JsonSchema } from '../model/json.js';
import { isObject } from './prompt.js';

/** Deeper schemas are recursive ones that want to go on for ever. */
const MAX_DEPTH = 12;

type Sampled = { readonly value: Json } | null;

/** Samples by the text of their schema: compiling a schema takes longer than all the rest of an answer. */
const known = new Map<string, JsonObject | null>();
const MOST_KNOWN = 500;

/**
 * An object that the schema accepts, or null when none was found. Properties that are not required are left out.
 * The sampler knows the keywords that tool schemas use; what it makes is checked by ajv, so a keyword it does not
 * know can cost a sample but never yields a wrong one.
 */
export function sampleArguments(schema: JsonSchema | undefined): JsonObject | null {
  if (!isObject(schema) || Object.keys(schema).length === 0) return null;
  const text = JSON.stringify(schema);
  const before = known.get(text);
  if (before !== undefined) return before;
  const sampled = sample(schema, schema, 0)?.value;
  const found = isObject(sampled) && accepts(schema, sampled) ? sampled : null;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(text, found);
  return found;
}

const ajv = new Ajv2020({
  strict: false,
  validateSchema: false,
  logger: false,
});

/** Whether the schema accepts the value; false when the schema is none. */
export function accepts(schema: JsonObject, value: Json): boolean {
  const { $schema: _, ...document } = schema;
  try {
    return ajv.compile(document)(value);
  } catch {
    return false;
  } finally {
    // ajv keeps every schema it has compiled; each request brings new ones.
    ajv.removeSchema(document);
  }
}

function sample(schema: Json | undefined, root: JsonObject, depth: number): Sampled {
  if (depth > MAX_DEPTH || schema === false) return null;
  if (!isObject(schema)) return { value: 'sample' };
  if (typeof schema.$ref === 'string') return sample(resolve(schema.$ref, root), root, depth + 1);
  if (schema.const !== undefined) return { value: schema.const };
  if (Array.isArray(schema.enum)) return schema.enum.length > 0 ? { value: schema.enum[0] } : null;
  if (schema.default !== undefined) return { value: schema.default };
  if (Array.isArray(schema.examples) && schema.examples.length > 0) {
    return { value: schema.examples[0] };
  }
  if (Array.isArray(schema.allOf)) {
    const { allOf, ...rest } = schema;
    return sample(merged([rest, ...allOf], root), root, depth + 1);
  }
  for (const branches of [schema.oneOf, schema.anyOf]) {
    if (Array.isArray(branches)) return firstSample(branches, schema, root, depth);
  }
  return sampleType(schema, root, depth);
}

function firstSample(
  branches: readonly Json[],
  schema: JsonObject,
  root: JsonObject,
  depth: number,
): Sampled {
  const { oneOf, anyOf, ...rest } = schema;
  for (const branch of branches) {
    if (branch === false) continue;
    const sampled = sample(merged([rest, branch], root), root, depth + 1);
    if (sampled !== null) return sampled;
  }
  return null;
}

function sampleType(schema: JsonObject, root: JsonObject, depth: number): Sampled {
  switch (typeOf(schema)) {
    case 'object':
      return sampleObject(schema, root, depth);
    case 'array':
      return sampleList(schema, root, depth);
    case 'integer':
    case 'number':
      return sampleNumber(schema);
    case 'boolean':
      return { value: true };
    case 'null':
      return { value: null };
    default:
      return typeof schema.pattern === 'string' ? null : { value: sampleString(schema) };
  }
}

function typeOf(schema: JsonObject): Json | undefined {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type !== undefined) return type;
  if (schema.properties !== undefined || schema.required !== undefined) return 'object';
  return schema.items !== undefined ? 'array' : 'string';
}

function sampleObject(schema: JsonObject, root: JsonObject, depth: number): Sampled {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const entries: [string, Json][] = [];
  for (const name of required) {
    if (typeof name !== 'string') continue;
    const sampled = sample(properties[name] ?? schema.additionalProperties, root, depth + 1);
    if (sampled === null) return null;
    entries.push([name, sampled.value]);
  }
  return { value: Object.fromEntries(entries) };
}

function sampleList(schema: JsonObject, root: JsonObject, depth: number): Sampled {
  const prefix = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  const least = numberOf(schema.minItems) ?? 0;
  const items: Json[] = [];
  for (let at = 0; at < least; at += 1) {
    const sampled = sample(prefix[at] ?? schema.items, root, depth + 1);
    if (sampled === null) return null;
    items.push(sampled.value);
  }
  return { value: items };
}

function sampleNumber(schema: JsonObject): Sampled {
  const step = numberOf(schema.multipleOf) ?? 1;
  const low = numberOf(schema.minimum) ?? numberOf(schema.exclusiveMinimum);
  const high = numberOf(schema.maximum) ?? numberOf(schema.exclusiveMaximum);
  if (low === null) return { value: high === null || high > step ? step : high - step };
  const least = Math.ceil(low / step) * step;
  const value = least === numberOf(schema.exclusiveMinimum) ? least + step : least;
  // Between narrow bounds of a fraction no multiple of 1 need lie.
  const fits = high === null || value <= high || schema.multipleOf !== undefined;
  return { value: fits || schema.type === 'integer' ? value : low + (high - low) / 2 };
}

function sampleString(schema: JsonObject): string {
  const text = 'sample'.padEnd(numberOf(schema.minLength) ?? 0, '-');
  return text.slice(0, numberOf(schema.maxLength) ?? text.length);
}

/** One schema that means all of them, as far as a sampler can tell: properties and required are joined. */
function merged(schemas: readonly Json[], root: JsonObject): JsonObject {
  let all: JsonObject = {};
  for (const part of schemas) {
    const schema =
      isObject(part) && typeof part.$ref === 'string' ? resolve(part.$ref, root) : part;
    if (!isObject(schema)) continue;
    const required = [all.required, schema.required].flatMap((names) =>
      Array.isArray(names) ? names : [],
    );
    all = {
      ...all,
      ...schema,
      ...(required.length > 0 ? { required } : {}),
      ...(isObject(all.properties) && isObject(schema.properties)
        ? { properties: { ...all.properties, ...schema.properties } }
        : {}),
    };
  }
  return all;
}

/** A reference within the schema: `#`, `#/$defs/NAME`. Nothing is ever loaded. */
function resolve(ref: string, root: JsonObject): Json | undefined {
  if (!ref.startsWith('#')) return false;
  let at: Json | undefined = root;
  for (const part of ref.slice(1).split('/').filter(Boolean)) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    at = isObject(at) ? at[key] : Array.isArray(at) ? at[Number(key)] : false;
  }
  return at ?? false;
}

function numberOf(value: Json | undefined): number | null {
  return typeof value === 'number' ? value : null;
}
