import type { Json, JsonObject } from '../../model/json.js';
import { writable } from './writable.js';

/** What the official model decided about a prompt. */
export interface Official {
  readonly triggered: boolean;
  readonly finishReason: string | null;
  /** Its tool calls, where recorded. */
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  /** Its text, where recorded. */
  readonly content: string | null;
}

/** Whether an official finish_reason means a tool call; the only rule there is. */
export function isTrigger(finishReason: string): boolean {
  return finishReason === 'tool_calls';
}

/**
 * What is known of the official answer to a row. The row's own decision wins; where it records no calls, those of a
 * results file count that decides alike.
 * @param own what the row itself says; null when it says nothing
 * @param recorded what the results file says; null without one
 */
export function joinedOfficial(own: Official | null, recorded: Official | null): Official | null {
  if (own === null || recorded === null) return own ?? recorded;
  if (own.triggered !== recorded.triggered) return own;
  return {
    ...own,
    calls: own.calls.length > 0 ? own.calls : recorded.calls,
    content: own.content ?? recorded.content,
  };
}

/** Tool calls as OpenAI writes them, for people to read; anything else is passed over. */
export function callsIn(value: Json | undefined): Official['calls'] {
  const list = typeof value === 'string' ? parsedOrNull(value) : value;
  if (!isList(list)) return [];
  return list.flatMap((call) => {
    const target = isObject(call) ? (isObject(call['function']) ? call['function'] : call) : null;
    if (target === null || typeof target['name'] !== 'string') return [];
    const args = target['arguments'];
    return [
      {
        name: target['name'],
        arguments: typeof args === 'string' ? args : JSON.stringify(writable(args ?? {})),
      },
    ];
  });
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function parsedOrNull(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
