import type { ErrorObject, Options, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type JsonNode, member, parseJsonText } from '../../text/json-text.js';
import { PythonPattern, type SearchBudget } from '../../text/python-pattern.js';
import type { Check } from './json-schema-checks.js';
import { type Dialect, dialectNamed, schemaFault } from './json-schema-dialects.js';
import { normalForm, type Trap } from './json-schema-normal-form.js';
import { References } from './json-schema-references.js';
import type { Value } from './json-schema-values.js';

/** Why a value fails, or its schema. Path, keyword and message may hold text of the value and of the schema. */
export interface SchemaFault {
  readonly reason: 'schema_violation' | 'invalid_schema' | 'unresolvable_ref';
  /** JSON pointer into the value; into the schema for `invalid_schema`. Empty for the whole. */
  readonly path: string;
  /** The failing keyword; `limit` when validation was given up. */
  readonly keyword: string;
  readonly message: string;
}

/** Judges values by one schema; null when the value is valid. */
export type Judge = (value: Value) => SchemaFault | null;

/**
 * Steps for one value: subschemas looked at and searches for patterns, a second at the most. A
 * vendor's answer and a schema with alternatives inside a recursion can otherwise take time without end.
 */
const STEPS = 2_000_000;

/** Nesting of a value from which a stack overflow is put down to the value and not to its schema. */
const DEEP = 100;

class Trapped extends Error {
  constructor(readonly trap: Trap) {
    super(trap.message);
  }
}

class OutOfSteps extends Error {}

const OPTIONS: Options = {
  // The normal form was checked by its own means and is no schema of the metaschema.
  meta: false,
  validateSchema: false,
  strict: false,
  logger: false,
  validateFormats: false,
  // Each target of a reference becomes one function, however often it is named.
  inlineRefs: false,
  code: { optimize: false },
};

/** An ajv that knows the two keywords of the normal form. One a schema: ajv never forgets what it compiled. */
function ajvWith(budget: SearchBudget): Ajv2020 {
  const ajv = new Ajv2020({
    ...OPTIONS,
    code: { ...OPTIONS.code, regExp: Object.assign(engineWith(budget), { code: 'python' }) },
  });
  ajv.addKeyword({
    keyword: 'check',
    errors: true,
    compile: (checks: readonly Check[]) => {
      const validate = (value: Value): boolean => {
        budget.steps -= 1;
        if (budget.steps < 0) throw new OutOfSteps();
        for (const check of checks) {
          const fault = check(value, budget);
          if (fault !== null) {
            Object.assign(validate, { errors: [{ ...fault, params: {} }] });
            return false;
          }
        }
        return true;
      };
      return validate;
    },
  });
  ajv.addKeyword({
    keyword: 'trap',
    compile: (trap: Trap) => () => {
      throw new Trapped(trap);
    },
  });
  return ajv;
}

/** Regular expressions of patternProperties. ajv tells them apart by their text. */
function engineWith(budget: SearchBudget) {
  return (pattern: string) => {
    const regex = new PythonPattern(pattern);
    return {
      test: (text: string) => {
        const found = regex.search(text, budget);
        if (found === 'gave up') throw new OutOfSteps();
        return found === 'found';
      },
      toString: () => pattern,
    };
  };
}

/** Names of members of the value that ajv's message leaves out. */
const NAMED = ['additionalProperty', 'unevaluatedProperty', 'propertyName'];

function faultOf(errors: readonly ErrorObject[] | null | undefined): SchemaFault {
  // The last is the outermost: 'must match a schema in anyOf'. Only `if` says less than the error before it.
  const last = errors?.at(-1);
  const error = last?.keyword === 'if' ? (errors?.at(-2) ?? last) : last;
  const name = NAMED.map((key) => error?.params[key]).find((value) => typeof value === 'string');
  return {
    reason: 'schema_violation',
    path: error?.instancePath ?? '',
    keyword: error?.keyword ?? '',
    message: (error?.message ?? 'is not valid') + (name === undefined ? '' : `: ${name}`),
  };
}

function depthOf(value: Value): number {
  if (value === null || typeof value !== 'object') return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

const fault = (
  reason: SchemaFault['reason'],
  message: string,
  path = '',
  keyword = '',
): SchemaFault => ({ reason, path, keyword, message });

function stackOverflow(value: Value): SchemaFault {
  return depthOf(value) < DEEP
    ? fault('unresolvable_ref', 'a reference leads back to itself', '', '$ref')
    : fault('schema_violation', 'is nested too deeply', '', 'limit');
}

function judgeWith(validate: ValidateFunction, budget: SearchBudget): Judge {
  return (value) => {
    budget.steps = STEPS;
    try {
      return validate(value) ? null : faultOf(validate.errors);
    } catch (error) {
      if (error instanceof Trapped) return fault(error.trap.reason, error.trap.message, '', '$ref');
      if (error instanceof OutOfSteps) {
        return fault('schema_violation', 'takes too long to validate', '', 'limit');
      }
      if (error instanceof RangeError) return stackOverflow(value);
      throw error;
    }
  };
}

function dialectOf(node: JsonNode): Dialect {
  const named = member(node, '$schema');
  return (named?.type === 'string' ? dialectNamed(named.value) : null) ?? '2020-12';
}

function compiled(text: string): Judge {
  const node = parseJsonText(text);
  const dialect = dialectOf(node);
  const wrong = schemaFault(JSON.parse(text), dialect);
  if (wrong !== null) {
    const { instancePath, keyword, message = 'is not valid' } = wrong;
    const found = fault('invalid_schema', message, instancePath, keyword);
    return () => found;
  }
  const budget: SearchBudget = { steps: 0 };
  const { schema, unevaluated } = normalForm(new References(node, dialect));
  const ajv = ajvWith(budget);
  // Otherwise every alternative of an anyOf is looked at, also one that Python would not reach.
  ajv.opts.unevaluated = unevaluated;
  return judgeWith(ajv.compile(schema), budget);
}

/**
 * Makes the judge of a schema, whose verdicts are those of `jsonschema.validate()` of Python (4.26, no optional
 * packages): dialect by `$schema`, 2020-12 when it is absent or unknown; the schema itself is checked first; `format`
 * of values is not asserted; a reference that leads nowhere counts only when a value reaches it. Draft 3 is not known
 * and judged as 2020-12. The limits of the normal form apply (json-schema-normal-form.ts).
 *
 * Never throws for a legal JSON text: a schema that cannot be compiled makes every value invalid.
 * @param text the schema as JSON text.
 * @throws JsonTextError when it is not JSON.
 */
export function judgeOf(text: string): Judge {
  try {
    return compiled(text);
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'JsonTextError') throw error;
    const found = fault('invalid_schema', `cannot be used: ${error.message}`);
    return () => found;
  }
}
