import type { Json, JsonObject } from '../../model/json.js';
import { type JsonNode, member, parseJsonText, splice } from '../../text/json-text.js';
import { isList, isObject } from './official.js';

/** What in a conversation may have to be changed before it is sent. */
export interface Findings {
  /** Messages with the role `_input`, upstream's name for a system message. */
  readonly inputRoles: number;
  /** Tool calls of assistant messages whose arguments are a string that is not JSON. */
  readonly malformedArguments: number;
}

/** Of a conversation that can be sent as it is. */
export const NOTHING_FOUND: Findings = { inputRoles: 0, malformedArguments: 0 };

/** Looks through parsed messages, so that the text need only be parsed with positions where there is work to do. */
export function examine(messages: readonly JsonObject[]): Findings {
  let inputRoles = 0;
  let malformedArguments = 0;
  for (const message of messages) {
    if (message['role'] === '_input') inputRoles += 1;
    const calls = message['tool_calls'];
    if (message['role'] !== 'assistant' || !isList(calls)) continue;
    for (const call of calls) {
      const args = argumentsOf(call);
      if (args !== null && !isJson(args)) malformedArguments += 1;
    }
  }
  return { inputRoles, malformedArguments };
}

function argumentsOf(call: Json): string | null {
  const target = isObject(call) ? call['function'] : undefined;
  const args = isObject(target) ? target['arguments'] : undefined;
  return typeof args === 'string' ? args : null;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export interface Edits {
  /** Role `_input` becomes `system`. */
  readonly inputRole: boolean;
  /** Malformed history arguments become `{}`. */
  readonly sanitize: boolean;
  /** History ids become `functions.NAME:IDX`. */
  readonly functionIds: boolean;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Changes the text of a list of messages in the places named by `edits` and leaves every other character alone. */
export function editMessages(text: string, edits: Edits): string {
  const root = parseJsonText(text);
  if (root.type !== 'array') return text;
  const changes: Edit[] = [];
  const ids = new FunctionIds();
  for (const message of root.items) {
    const role = member(message, 'role');
    const roleName = role?.type === 'string' ? role.value : null;
    if (edits.inputRole && role !== undefined && roleName === '_input') {
      changes.push(replacing(role, '"system"'));
    }
    const calls = member(message, 'tool_calls');
    if (roleName === 'assistant' && calls?.type === 'array') {
      if (edits.sanitize) changes.push(...sanitized(calls.items));
      if (edits.functionIds) changes.push(...ids.turn(calls.items));
    }
    if (edits.functionIds && roleName === 'tool') changes.push(...ids.answer(message));
  }
  return splice(text, changes);
}

function sanitized(calls: readonly JsonNode[]): Edit[] {
  return calls.flatMap((call) => {
    const target = member(call, 'function');
    const args = target === undefined ? undefined : member(target, 'arguments');
    return args?.type === 'string' && !isJson(args.value) ? [replacing(args, '"{}"')] : [];
  });
}

function replacing(node: JsonNode, text: string): Edit {
  return { start: node.start, end: node.end, text };
}

/**
 * Renames the calls of a conversation as Kimi's own API does before the model sees them: IDX counts all calls of the
 * conversation from 0. Tool messages follow their call; where a conversation uses an id again, the latest turn that
 * used it is meant, and within a turn its calls in order.
 */
class FunctionIds {
  #next = 0;
  #renamed = new Map<string, string[]>();

  turn(calls: readonly JsonNode[]): Edit[] {
    const edits: Edit[] = [];
    const thisTurn = new Map<string, string[]>();
    for (const call of calls) {
      const id = member(call, 'id');
      const target = member(call, 'function');
      const name = target === undefined ? undefined : member(target, 'name');
      if (name?.type !== 'string') continue;
      const renamed = `functions.${name.value}:${this.#next}`;
      this.#next += 1;
      if (id?.type !== 'string') continue;
      edits.push(replacing(id, JSON.stringify(renamed)));
      thisTurn.set(id.value, [...(thisTurn.get(id.value) ?? []), renamed]);
    }
    for (const [id, renamed] of thisTurn) this.#renamed.set(id, renamed);
    return edits;
  }

  answer(message: JsonNode): Edit[] {
    const id = member(message, 'tool_call_id');
    if (id?.type !== 'string') return [];
    const renamed = this.#renamed.get(id.value);
    if (renamed === undefined) return [];
    const [first = '', ...rest] = renamed;
    if (rest.length > 0) this.#renamed.set(id.value, rest);
    return [replacing(id, JSON.stringify(first))];
  }
}
