import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { Problem } from '../model/errors.js';
import type { Json, JsonObject } from '../model/json.js';
import { nearest } from '../text/nearest.js';
import { type Entry, optionSchemas, ownOptions, whereOfOption } from './entry.js';
import { isMapping, show } from './values.js';

/** The schemas are our own code, so checking them at run time would only cost start-up (70 ms). */
const AJV = new Ajv2020({ allErrors: true, strict: false, meta: false, validateSchema: false });

/**
 * The entry's options, `subset` taken out, when they fit the benchmark's own schema; else null and one problem for
 * each option that does not.
 */
export function checkOptions(entry: Entry, problems: Problem[]): JsonObject | null {
  const options = ownOptions(entry);
  const validate = AJV.compile(entry.spec.optionsSchema);
  if (validate(options)) return options;
  const reported = new Set<string>();
  for (const error of validate.errors ?? []) {
    const option = optionOf(error);
    // An option that fails an anyOf has an error for every branch; the first says enough.
    if (reported.has(option)) continue;
    reported.add(option);
    problems.push(problemOf(entry, option, error, options));
  }
  return null;
}

/** Name of the option an error is about; empty for one about the options as a whole. */
function optionOf(error: ErrorObject): string {
  if (error.keyword === 'additionalProperties' && error.instancePath === '') {
    return String(error.params['additionalProperty']);
  }
  return (error.instancePath.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
}

function problemOf(entry: Entry, option: string, error: ErrorObject, options: JsonObject): Problem {
  const properties = optionSchemas(entry);
  if (option === '') {
    const what = `The options ${error.message ?? 'do not fit'}.`;
    return { where: entry.where, what, fix: 'The page of the benchmark in docs/ describes them.' };
  }
  const where = whereOfOption(entry, option);
  const schema = Object.hasOwn(properties, option) ? properties[option] : undefined;
  if (schema === undefined) {
    const known = [...new Set([...Object.keys(properties), 'subset'])];
    const near = nearest(option, known);
    return {
      where,
      what: `${entry.spec.name} has no such option.`,
      fix: near === null ? `Its options are ${known.join(', ')}.` : `Did you mean ${near}?`,
    };
  }
  return {
    where,
    what: `${show(options[option])} is not allowed.`,
    fix: `Give ${described(schema)}.`,
  };
}

/** What a property's schema allows, to follow 'Give '. */
function described(schema: Json): string {
  if (!isMapping(schema)) return 'another value';
  const description = schema['description'];
  const about = typeof description === 'string' ? ` (${description.replace(/\.$/, '')})` : '';
  return form(schema) + about;
}

function form(schema: JsonObject): string {
  const {
    enum: values,
    const: only,
    type,
    minimum,
    maximum,
    pattern,
    items,
    anyOf,
    oneOf,
  } = schema;
  if (Array.isArray(values)) return `one of ${values.map(word).join(', ')}`;
  if (only !== undefined) return word(only);
  const branches = anyOf ?? oneOf;
  if (Array.isArray(branches)) {
    return branches.map((branch) => (isMapping(branch) ? form(branch) : 'anything')).join(', or ');
  }
  if (Array.isArray(type)) return type.map((one) => form({ ...schema, type: one })).join(', or ');
  const from = minimum === undefined ? '' : ` from ${show(minimum)}`;
  const to = maximum === undefined ? '' : `${from === '' ? ' up' : ''} to ${show(maximum)}`;
  switch (type) {
    case 'string':
      return typeof pattern === 'string' ? `text that fits ${pattern}` : 'text';
    case 'integer':
      return `a whole number${from}${to}`;
    case 'number':
      return `a number${from}${to}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return isMapping(items) ? `a list, each item ${form(items)}` : 'a list';
    case 'object':
      return 'a mapping';
    case 'null':
      return 'null';
    default:
      return 'another value';
  }
}

function word(value: Json): string {
  return typeof value === 'string' ? value : show(value);
}
