import type { ToolCall } from '../../model/completion.js';
import {
  isJsonButForNonFinite,
  type JsonNode,
  JsonTextError,
  member,
  parseJsonText,
  sliceOf,
} from '../../text/json-text.js';
import { type Untrusted, untrusted } from '../../text/untrusted.js';
import { judgeOf, type SchemaFault } from './json-schema.js';
import {
  hasDuplicateKeys,
  Unreadable,
  type Value,
  valueOfJson,
  valueOfNode,
} from './json-schema-values.js';
import { remembered } from './tool-calls-memo.js';

/** Why a call is invalid. `no_tool_calls` is a response's: it says that it calls tools and calls none. */
export type InvalidReason =
  | 'unknown_tool'
  | 'no_schema'
  | 'empty_arguments'
  | 'invalid_json'
  | 'non_finite_number'
  | SchemaFault['reason'];

/** Oddities of a call that do not decide. */
export type CallWarning =
  /** Arguments came as a JSON value, not as a string. */
  | 'arguments_object'
  /** A key stands twice in one object; the last was judged. */
  | 'duplicate_keys'
  /** The text ends in mid-JSON. */
  | 'arguments_truncated'
  /** The whole arguments stand there twice or more. */
  | 'arguments_repeated'
  /** Arguments are a JSON string that holds JSON. */
  | 'arguments_double_encoded';

export type CallVerdict =
  | { readonly valid: true; readonly warnings: readonly CallWarning[] }
  | {
      readonly valid: false;
      readonly reason: InvalidReason;
      /** Where and what, for people: `/city: must be string (type)`; at most 300 characters or so. */
      readonly detail: Untrusted;
      /** JSON pointer of the offending value; for `invalid_schema`, of the place in the schema. May be empty. */
      readonly path: Untrusted;
      /** The JSON Schema keyword that failed; empty where none did. */
      readonly keyword: string;
      readonly warnings: readonly CallWarning[];
    };

const MAX_DETAIL = 300;

/** Cuts text of vendors and schemas, never between the halves of a surrogate pair. */
function short(text: string, limit = MAX_DETAIL): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

function invalid(
  reason: InvalidReason,
  detail: string,
  warnings: readonly CallWarning[] = [],
  path = '',
  keyword = '',
): CallVerdict {
  return {
    valid: false,
    reason,
    detail: untrusted(short(detail)),
    path: untrusted(short(path)),
    keyword,
    warnings,
  };
}

/** False in Python: null, false, 0, and what is empty. */
function isFalsy(node: JsonNode): boolean {
  switch (node.type) {
    case 'object':
      return node.members.length === 0;
    case 'array':
      return node.items.length === 0;
    case 'string':
      return node.value === '';
    case 'number':
      return Number(node.raw) === 0;
    case 'literal':
      return node.value !== true;
  }
}

/** The schema text of each offered tool; null for one without a schema. Entries that name no tool are left out. */
type Offered = ReadonlyMap<string, string | null>;

function offeredBy(text: string): Offered {
  const offered = new Map<string, string | null>();
  const tools = parseJsonText(text);
  for (const tool of tools.type === 'array' ? tools.items : []) {
    const offer = member(tool, 'function');
    const name = offer && member(offer, 'name');
    // Of two tools with one name the first counts, as K2VV takes it.
    if (offer === undefined || name?.type !== 'string' || offered.has(name.value)) continue;
    const schema = member(offer, 'parameters');
    offered.set(name.value, schema === undefined || isFalsy(schema) ? null : sliceOf(text, schema));
  }
  return offered;
}

/** A sample's calls are judged several times in a row (score, example, record), and many rows share their tools. */
const toolsIn = remembered(32, offeredBy);
const judgeBy = remembered(256, judgeOf);

/** What arguments are, or why they are nothing that a schema could judge. */
type Read =
  | { readonly value: Value; readonly warnings: readonly CallWarning[] }
  | { readonly verdict: CallVerdict };

function tryParse(
  text: string,
): { node: JsonNode; error: null } | { node: null; error: JsonTextError } {
  try {
    return { node: parseJsonText(text), error: null };
  } catch (error) {
    if (error instanceof JsonTextError) return { node: null, error };
    throw error;
  }
}

/**
 * Whether the text is the same JSON text several times over: a stream that was sent again. Compared from front to back,
 * since a search for a long text in a hostile one takes quadratic time.
 */
function isRepeated(text: string, error: JsonTextError): boolean {
  const once = text.slice(0, error.offset).trim();
  if (once === '' || tryParse(once).node === null) return false;
  let rest = text.slice(error.offset).trimStart();
  while (rest.startsWith(once)) rest = rest.slice(once.length).trimStart();
  return rest === '';
}

function readText(text: string): Read {
  if (text.trim() === '') return { verdict: invalid('empty_arguments', 'the arguments are empty') };
  const { node, error } = tryParse(text);
  if (error !== null) {
    if (isJsonButForNonFinite(text, error)) {
      return { verdict: invalid('non_finite_number', 'NaN and Infinity are not JSON') };
    }
    const warnings: CallWarning[] = [];
    if (error.offset === text.length) warnings.push('arguments_truncated');
    else if (isRepeated(text, error)) warnings.push('arguments_repeated');
    const near = text.slice(error.offset, error.offset + 20);
    const detail = near === '' ? error.message : `${error.message}: ${near}`;
    return { verdict: invalid('invalid_json', detail, warnings) };
  }
  const warnings: CallWarning[] = hasDuplicateKeys(node) ? ['duplicate_keys'] : [];
  if (node.type === 'string' && tryParse(node.value).node !== null) {
    warnings.push('arguments_double_encoded');
  }
  return readWith(() => valueOfNode(node), warnings);
}

function readWith(read: () => Value, warnings: readonly CallWarning[]): Read {
  try {
    return { value: read(), warnings };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { verdict: invalid('invalid_json', error.message, warnings) };
  }
}

function readArguments(given: ToolCall['arguments']): Read {
  if (typeof given === 'string') return readText(given);
  if (given === null) return { verdict: invalid('empty_arguments', 'the arguments are null') };
  return readWith(() => valueOfJson(given), ['arguments_object']);
}

function describe({ path, keyword, message }: SchemaFault): string {
  // The path ends with the offending place, so its end is kept.
  const place = path.length > 100 ? `…${path.slice(-99).replace(/^[\udc00-\udfff]/, '')}` : path;
  return `${place === '' ? '/' : place}: ${short(message, 160)}${keyword === '' ? '' : ` (${keyword})`}`;
}

/**
 * Judges one tool call as K2VV does: the tool must be among those offered, have a non-empty schema, and the arguments
 * must be JSON that is valid under it (see `judgeOf`). Nothing is repaired. Ours alone: a tool offered without a name
 * or `parameters` does not spoil the others, and NaN and infinities are invalid.
 *
 * Arguments of which the parser itself despairs (more than 1,000 levels, integers of more than 4,300 digits) are
 * `invalid_json`, as in Python; validation that takes more than a set number of steps is given up as
 * `schema_violation`, where Python goes on.
 *
 * @param tools the row's tools as JSON text; null when it offers none.
 * @throws JsonTextError when `tools` is not JSON.
 */
export function judgeToolCall(call: ToolCall, tools: string | null): CallVerdict {
  const schema = tools === null ? undefined : toolsIn(tools).get(call.name);
  if (schema === undefined) {
    return invalid('unknown_tool', call.name === '' ? 'the call names no tool' : call.name);
  }
  if (schema === null) return invalid('no_schema', call.name);
  const read = readArguments(call.arguments);
  if ('verdict' in read) return read.verdict;
  const fault = judgeBy(schema)(read.value);
  if (fault === null) return { valid: true, warnings: read.warnings };
  return invalid(fault.reason, describe(fault), read.warnings, fault.path, fault.keyword);
}
