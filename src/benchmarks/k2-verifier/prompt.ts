import type { Json, JsonObject } from '../../model/json.js';
import { isList, isObject } from './official.js';

const MAX_PROMPT = 600;

/** The end of the last user message, or of the last message of any kind when no user speaks. */
export function promptEnd(messages: readonly JsonObject[]): string {
  const last = messages.findLast((message) => message['role'] === 'user') ?? messages.at(-1);
  return tail(textOf(last?.['content']).trimEnd(), MAX_PROMPT);
}

function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  if (!isList(content)) return '';
  return content
    .map((part) => (isObject(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .filter((text) => text !== '')
    .join('\n');
}

function tail(text: string, max: number): string {
  if (text.length <= max) return text;
  const start = text.length - max;
  const pair = /[\udc00-\udfff]/.test(text.charAt(start));
  return `…${text.slice(pair ? start + 1 : start)}`;
}
