import { reveal, type Untrusted } from '../text/untrusted.js';

/** Members of an error body that repeat the request, which differs from sample to sample. */
const ECHOES = ['input', 'body', 'request', 'ctx', 'messages', 'tools'];
const FIRST_ECHO = new RegExp(`"(?:${ECHOES.join('|')})"\\s*:`);
const MOST = 600;

/**
 * What stays the same when an endpoint refuses two requests for one reason: the error's own words without numbers, ids,
 * quoted values and echoes of the request (FastAPI and vLLM send the offending `input` back).
 */
export function refusalShape(body: Untrusted): string {
  const text = reveal(body);
  // A body that was cut is no JSON any more: what stands before the first echo is the error's own.
  return words(parsed(text) ?? text.split(FIRST_ECHO, 1)[0])
    .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '#')
    .replace(/\b(?=\w*\d)[\w-]{6,}\b/g, '#')
    .replace(/\d+/g, '#')
    .replace(/\s+/g, ' ')
    .slice(0, MOST);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function words(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value).slice(0, MOST);
  return Object.entries(value)
    .filter(([key]) => !ECHOES.includes(key))
    .map(([key, item]) => (Array.isArray(value) ? words(item) : `${key}: ${words(item)}`))
    .join('; ');
}
