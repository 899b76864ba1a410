import { type JsonNode, JsonTextError, parseJsonText, splice } from '../text/json-text.js';
import { errorWordsOf } from './error-words.js';
import type { Finding } from './finding.js';

/** Whether a request body asks for a stream; false for a body that is not a JSON object. */
export function asksForStream(body: string): boolean {
  try {
    const request: unknown = JSON.parse(body);
    return typeof request === 'object' && request !== null && 'stream' in request
      ? request.stream === true
      : false;
  } catch {
    return false;
  }
}

/** What endpoints call a field that they do not take. */
const UNWELCOME = 'un(?:supported|known|recogni[sz]ed|expected)|extra|not|invalid|only';
const FIELD = 'stream_options|include_usage';
const REFUSES_FIELD = new RegExp(
  `\\b(?:${UNWELCOME})\\b.{0,60}?\\b(?:${FIELD})\\b|\\b(?:${FIELD})\\b.{0,60}?\\b(?:${UNWELCOME})\\b`,
  'is',
);
const NAMES_FIELD = new RegExp(`(?:^|\\.)(?:${FIELD})$`);

/**
 * Whether the endpoint refused the request for its stream_options (openai-agents-python#442): it names the field as
 * the offending one, or says so. That the refusal holds the word somewhere proves nothing, since many servers quote the
 * whole request.
 */
export function refusesStreamOptions(finding: Finding): boolean {
  if (finding.kind !== 'refused' || finding.status === 413) return false;
  const { fields, messages } = errorWordsOf(finding.body);
  return (
    fields.some((field) => NAMES_FIELD.test(field)) ||
    messages.some((text) => REFUSES_FIELD.test(text))
  );
}

/** The body without its top-level `stream_options`, every other byte kept; null when it has none. */
export function withoutStreamOptions(body: string): string | null {
  const root = parsed(body);
  if (root?.type !== 'object') return null;
  const { members } = root;
  const at = members.findIndex((one) => one.key === 'stream_options');
  const found = members[at];
  if (found === undefined) return null;
  const before = members[at - 1];
  const comma = body.indexOf(',', found.value.end) + 1;
  const edit =
    before !== undefined
      ? { start: before.value.end, end: found.value.end, text: '' }
      : { start: root.start + 1, end: members.length > 1 ? comma : found.value.end, text: '' };
  const rest = splice(body, [edit]);
  return withoutStreamOptions(rest) ?? rest;
}

function parsed(body: string): JsonNode | null {
  try {
    return parseJsonText(body);
  } catch (error) {
    if (error instanceof JsonTextError) return null;
    throw error;
  }
}
