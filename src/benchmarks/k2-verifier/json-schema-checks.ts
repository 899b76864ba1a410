import type { JsonNode } from '../../text/json-text.js';
import { PythonPattern, type SearchBudget } from '../../text/python-pattern.js';
import { type Dialect, isSchema, isSince } from './json-schema-dialects.js';
import {
  isTrue,
  listOf,
  Malformed,
  type Members,
  membersOf,
  numberOf,
  textOf,
  textsOf,
} from './json-schema-shapes.js';
import {
  identityOf,
  isMultiple,
  isNumber,
  plainOf,
  type Value,
  valueOfNode,
} from './json-schema-values.js';

/** Why a single value fails: the keyword, and what it asks for. */
export interface CheckFault {
  readonly keyword: string;
  readonly message: string;
}

/** One keyword that applies no schema to what is inside the value. */
export type Check = (value: Value, budget: SearchBudget) => CheckFault | null;

const TYPES: Readonly<Record<string, (value: Value, dialect: Dialect) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
  number: isNumber,
  // 1.0 is an integer from draft 6 on.
  integer: (value, dialect) =>
    typeof value === 'bigint' || (dialect !== 'draft4' && Number.isInteger(value)),
  array: Array.isArray,
  object: (value) => isObject(value),
};

function typeCheck(node: JsonNode, dialect: Dialect): Check {
  const names = node.type === 'array' ? textsOf(node) : [textOf(node)];
  for (const name of names)
    if (!Object.hasOwn(TYPES, name)) throw new Malformed(`there is no type ${name}`);
  const fault = { keyword: 'type', message: `must be ${names.join(' or ')}` };
  return (value) => (names.some((name) => TYPES[name]?.(value, dialect)) ? null : fault);
}

function enumCheck(node: JsonNode): Check {
  const identities = new Set(listOf(node).map((item) => identityOf(valueOfNode(item))));
  const fault = { keyword: 'enum', message: 'must be one of the allowed values' };
  return (value) => (identities.has(identityOf(value)) ? null : fault);
}

function constCheck(node: JsonNode): Check {
  const identity = identityOf(valueOfNode(node));
  const fault = { keyword: 'const', message: 'must be the one allowed value' };
  return (value) => (identityOf(value) === identity ? null : fault);
}

function uniqueItemsCheck(): Check {
  const fault = { keyword: 'uniqueItems', message: 'must not have two equal items' };
  return (value) => {
    if (!Array.isArray(value)) return null;
    return new Set(value.map(identityOf)).size === value.length ? null : fault;
  };
}

type Bound = 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum';

const BOUNDS: Readonly<
  Record<
    Bound,
    readonly [sign: string, holds: (value: number | bigint, bound: number | bigint) => boolean]
  >
> = {
  minimum: ['>=', (value, bound) => value >= bound],
  maximum: ['<=', (value, bound) => value <= bound],
  exclusiveMinimum: ['>', (value, bound) => value > bound],
  exclusiveMaximum: ['<', (value, bound) => value < bound],
};

function boundCheck(keyword: Bound, node: JsonNode): Check {
  const bound = numberOf(node);
  const [sign, holds] = BOUNDS[keyword];
  const fault = { keyword, message: `must be ${sign} ${bound}` };
  return (value) => (!isNumber(value) || holds(value, bound) ? null : fault);
}

const BOUND_NAMES = Object.keys(BOUNDS) as Bound[];

function multipleOfCheck(node: JsonNode): Check {
  const divisor = numberOf(node);
  const fault = { keyword: 'multipleOf', message: `must be a multiple of ${divisor}` };
  return (value) => (!isNumber(value) || isMultiple(value, divisor) ? null : fault);
}

function patternCheck(node: JsonNode): Check {
  const pattern = textOf(node);
  const regex = new PythonPattern(pattern);
  const fault = { keyword: 'pattern', message: `must match the pattern ${pattern}` };
  const gaveUp = { keyword: 'pattern', message: `took too long to match the pattern ${pattern}` };
  return (value, budget) => {
    if (typeof value !== 'string') return null;
    const found = regex.search(value, budget);
    if (found === 'found') return null;
    return found === 'absent' ? fault : gaveUp;
  };
}

function isObject(value: Value): value is { [key: string]: Value } {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function missing(value: { [key: string]: Value }, names: readonly string[]): string | undefined {
  return names.find((name) => !(name in value));
}

/** ajv's own loses a missing property whose name is empty. */
function requiredCheck(node: JsonNode): Check {
  const names = textsOf(node);
  return (value) => {
    const name = isObject(value) ? missing(value, names) : undefined;
    return name === undefined
      ? null
      : { keyword: 'required', message: `must have the property '${name}'` };
  };
}

/** @param keyword the one that the dialect has. */
function dependentRequiredCheck(keyword: string, named: readonly [string, string[]][]): Check {
  return (value) => {
    if (!isObject(value)) return null;
    for (const [present, names] of named) {
      const name = present in value ? missing(value, names) : undefined;
      if (name !== undefined) {
        return { keyword, message: `must have the property '${name}' when it has '${present}'` };
      }
    }
    return null;
  };
}

/** The lists of names under `dependencies` or `dependentRequired`; up to draft 7 schemas may stand among them. */
function namesBy(node: JsonNode): [string, string[]][] {
  return [...membersOf(node)].flatMap(([name, value]): [string, string[]][] =>
    value.type === 'array' ? [[name, textsOf(value)]] : [],
  );
}

/** Draft 4 says with a flag beside it whether a bound is exclusive. */
function draft4Bounds(members: Members, checks: Check[]): void {
  for (const [plain, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    const node = members.get(plain);
    if (node) checks.push(boundCheck(isTrue(members.get(exclusive)) ? exclusive : plain, node));
  }
}

/** For a reference to a whole metaschema. */
export function metaschemaCheck(dialect: Dialect): Check {
  const fault = { keyword: '$ref', message: `must be a JSON Schema (${dialect})` };
  return (value) => (isSchema(plainOf(value), dialect) ? null : fault);
}

/**
 * The checks of one schema object.
 * @throws Malformed or PythonPatternError for a keyword's value that no metaschema allows.
 */
export function checksOf(members: Members, dialect: Dialect): Check[] {
  const checks: Check[] = [];
  const on = (keyword: string, make: (node: JsonNode) => Check | null) => {
    const node = members.get(keyword);
    const check = node === undefined ? null : make(node);
    if (check !== null) checks.push(check);
  };
  on('type', (node) => typeCheck(node, dialect));
  on('enum', enumCheck);
  if (isSince('draft6', dialect)) {
    on('const', constCheck);
    for (const bound of BOUND_NAMES) on(bound, (node) => boundCheck(bound, node));
  } else {
    draft4Bounds(members, checks);
  }
  on('multipleOf', multipleOfCheck);
  on('pattern', patternCheck);
  on('uniqueItems', (node) => (isTrue(node) ? uniqueItemsCheck() : null));
  on('required', requiredCheck);
  const keyword = isSince('2019-09', dialect) ? 'dependentRequired' : 'dependencies';
  on(keyword, (node) => dependentRequiredCheck(keyword, namesBy(node)));
  return checks;
}
