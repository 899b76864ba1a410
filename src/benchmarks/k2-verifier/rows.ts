import type { Json, JsonObject } from '../../model/json.js';
import { JsonTextError, parseJsonText, sliceOf } from '../../text/json-text.js';
import { callsIn, isList, isObject, isTrigger, type Official } from './official.js';

/** A row that cannot be used. The message completes 'line 7: ...'. */
export class RowError extends Error {
  override readonly name = 'RowError';
}

export interface Row {
  /** `hosted`: columns, JSON in strings allowed, with the label. `request`: a request body as K2VV reads it. */
  readonly form: 'hosted' | 'request';
  readonly columns: JsonObject;
  readonly messages: readonly JsonObject[];
  /** The official decision the row itself carries; null without one. */
  readonly label: { readonly triggered: boolean; readonly finishReason: string | null } | null;
}

/** One member of a request body as text. */
export interface Field {
  readonly key: string;
  readonly text: string;
}

/**
 * Reads a line. Only what is needed to send and to judge is checked: tool schemas are not (`"parameters": true` is a
 * legal one, and a broken one is the prompt's, not the row's).
 * @throws RowError
 */
export function parseRow(line: string): Row {
  const columns = parseJson(line, '');
  if (!isObject(columns)) throw new RowError('is not a JSON object.');
  if (columns['messages'] === undefined && columns['data_index'] !== undefined) {
    throw new RowError(
      'is a result record, not a row: a results file belongs to `labels`, or to the verb score.',
    );
  }
  const label = labelOf(columns);
  const messages = listColumn(columns, 'messages');
  if (messages === null || messages.length === 0) throw new RowError('has no `messages`.');
  messages.forEach((message, index) => {
    if (!isObject(message) || typeof message['role'] !== 'string') {
      throw new RowError(`has no role in \`messages[${index}]\`.`);
    }
  });
  listColumn(columns, 'tools')?.forEach((tool, index) => {
    if (!isObject(tool)) throw new RowError(`\`tools[${index}]\` is not an object.`);
  });
  return {
    form: formOf(columns, label),
    columns,
    messages: messages as readonly JsonObject[],
    label,
  };
}

/**
 * Reads a line that parseRow has accepted before: nothing is checked again, and the messages, most of a row, are parsed
 * only when they are asked for.
 */
export function rereadRow(line: string): Row {
  const columns = JSON.parse(line) as JsonObject;
  const label = labelOf(columns);
  return {
    form: formOf(columns, label),
    columns,
    label,
    get messages() {
      return listColumn(columns, 'messages') as readonly JsonObject[];
    },
  };
}

function formOf(columns: JsonObject, label: Row['label']): Row['form'] {
  const hosted =
    label !== null ||
    typeof columns['messages'] === 'string' ||
    typeof columns['tools'] === 'string';
  return hosted ? 'hosted' : 'request';
}

/** What the row says about the official answer beyond the decision. */
export function officialOf(row: Row): Official | null {
  if (row.label === null) return null;
  const calls = row.columns['official_tool_calls'] ?? row.columns['tool_calls'];
  return { ...row.label, calls: callsIn(calls), content: null };
}

/**
 * The members of the request body in the row, in its order, each as the very text the row holds. `messages` and
 * `tools` given as JSON strings are that text. Of a hosted row only parameters of the chat completions API are taken,
 * because it may have any other column; a request body is taken whole.
 */
export function fieldsOf(line: string, row: Row): Field[] {
  if (row.form === 'request') return members(line);
  const { columns } = row;
  const names = Object.keys(columns).filter((key) => isParameter(key) && columns[key] !== null);
  const decoded = (key: string): boolean => typeof columns[key] === 'string' && isEncoded(key);
  const written = names.every(decoded) ? [] : members(line);
  const fields: Field[] = [];
  for (const key of names) {
    const text = decoded(key)
      ? String(columns[key])
      : written.find((field) => field.key === key)?.text;
    // The hosted form cannot say 'no tools' otherwise, and servers refuse an empty list.
    if (text !== undefined && !(key === 'tools' && isEmptyList(text))) fields.push({ key, text });
  }
  return fields;
}

/** The members of an object's text, duplicates dropped but for the last. */
function members(text: string): Field[] {
  const node = parseJsonText(text);
  if (node.type !== 'object') return [];
  const last = new Map(node.members.map(({ key, value }) => [key, value]));
  return [...last].map(([key, value]) => ({ key, text: sliceOf(text, value) }));
}

function labelOf(columns: JsonObject): Row['label'] {
  const should = booleanColumn(columns, 'should_call_tool');
  const reason = columns['official_finish_reason'] ?? null;
  if (reason !== null && typeof reason !== 'string') {
    throw new RowError('`official_finish_reason` is not a string.');
  }
  if (should === null && reason === null) return null;
  const triggered = reason === null ? null : isTrigger(reason);
  if (should !== null && triggered !== null && should !== triggered) {
    throw new RowError(
      `contradicts itself: \`should_call_tool\` is ${should}, \`official_finish_reason\` is ${JSON.stringify(String(reason).slice(0, 40))}.`,
    );
  }
  return { triggered: should ?? triggered ?? false, finishReason: reason };
}

/** true, false, 0, 1, or one of these as text (tables converted from CSV). */
function booleanColumn(columns: JsonObject, name: string): boolean | null {
  const value = columns[name] ?? null;
  if (value === null || typeof value === 'boolean') return value;
  const word = String(value).trim().toLowerCase();
  if (word === 'true' || word === '1') return true;
  if (word === 'false' || word === '0') return false;
  throw new RowError(`\`${name}\` is neither true nor false.`);
}

function listColumn(columns: JsonObject, name: string): readonly Json[] | null {
  const column = columns[name] ?? null;
  if (column === null) return null;
  const value = typeof column === 'string' ? parseJson(column, ` \`${name}\``) : column;
  if (value === null) return null;
  if (!isList(value)) throw new RowError(`\`${name}\` is not a list.`);
  return value;
}

function parseJson(text: string, what: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new RowError(`${what} is not valid JSON (${jsonFault(text)}).`.trimStart());
  }
}

/** Where the text stops being JSON; unlike JSON.parse's message it quotes nothing of it. */
function jsonFault(text: string): string {
  try {
    parseJsonText(text);
    return 'syntax error';
  } catch (error) {
    return error instanceof JsonTextError ? error.message : 'syntax error';
  }
}

function isEncoded(key: string): boolean {
  return key === 'messages' || key === 'tools';
}

function isEmptyList(text: string): boolean {
  return /^\s*\[\s*\]\s*$/.test(text) || text.trim() === 'null';
}

function isParameter(key: string): boolean {
  return PARAMETERS.has(key);
}

/** Parameters of POST /chat/completions in OpenAI's API reference, as far as they make sense for a replay. */
const PARAMETERS: ReadonlySet<string> = new Set([
  'messages',
  'model',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'functions',
  'function_call',
  'temperature',
  'top_p',
  'max_tokens',
  'max_completion_tokens',
  'stop',
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'logit_bias',
  'logprobs',
  'top_logprobs',
  'n',
  'response_format',
  'reasoning_effort',
  'stream',
  'stream_options',
  'user',
]);
