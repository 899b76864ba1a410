import type { Problem } from '../model/errors.js';
import { isMapping, type Reading, readMapping, show } from './values.js';

/**
 * The base URL without a trailing slash and without /chat/completions: `https://host/v1`. Never repeats what may be a
 * credential.
 */
export function readEndpoint(raw: unknown): Reading<string> {
  if (typeof raw !== 'string') return { wrong: `${show(raw)} is not a URL.`, fix: URL_FORM };
  if (/[\s\\\p{Cc}]/u.test(raw)) {
    return { wrong: 'The URL holds a space, a backslash or a control character.', fix: URL_FORM };
  }
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(raw)?.[1]?.toLowerCase();
  if (scheme === undefined) return { wrong: 'The URL has no scheme.', fix: withScheme(raw) };
  if (scheme !== 'https' && scheme !== 'http') {
    return { wrong: `${scheme}: is not a scheme of an endpoint.`, fix: URL_FORM };
  }
  let url: URL;
  try {
    // The parser takes https:///v1 for the host v1.
    if (/^[^:]+:\/\/\//.test(raw)) throw new TypeError('no host');
    url = new URL(raw);
  } catch {
    return { wrong: 'It is not a URL.', fix: URL_FORM };
  }
  if (url.username !== '' || url.password !== '') {
    return {
      wrong: 'The URL holds a user name or password.',
      fix: 'Take it out; give the key as api-key, or another scheme of authentication through headers.',
    };
  }
  if (raw.includes('?') || raw.includes('#')) {
    return {
      wrong: 'The URL has a query or a fragment.',
      fix: 'Give the base URL alone, /chat/completions is added to it; what a gateway needs beside that goes into headers.',
    };
  }
  const path = url.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '');
  return { value: url.origin + path.replace(/\/+$/, '') };
}

function withScheme(raw: string): string {
  const rest = raw.replace(/^(?:https?:|https?(?=\/\/))?\/*/i, '');
  // What stands before an @ or after a ? may be a password.
  if (!/^[^@?#]+$/.test(rest)) return URL_FORM;
  const local = /^(localhost|127\.|0\.0\.0\.0|\[::1\])/i.test(rest);
  return `Write ${local ? 'http' : 'https'}://${rest} instead.`;
}

const URL_FORM = 'Give the base URL, such as https://llm.example.com/v1.';

/** null: no key is sent. `notice`: something was taken off that does not belong to a key. */
export function readApiKey(raw: unknown): Reading<string | null> & { readonly notice?: string } {
  if (typeof raw !== 'string') return { wrong: 'The key is not text.', fix: 'Give the key alone.' };
  const key = raw.trim();
  if (key === '' || key === 'EMPTY') return { value: null };
  if (/^bearer\s/i.test(key)) {
    return { wrong: 'The key starts with the word Bearer.', fix: 'Give the key alone.' };
  }
  if (/^(["']).*\1$/s.test(key)) {
    return { wrong: 'The key stands in quotes.', fix: 'Give the key without them.' };
  }
  if (/\s/.test(key)) {
    return {
      wrong: 'The key holds a space or a line break.',
      fix: 'Store the secret again, as one line; often two values were pasted into one secret.',
    };
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    return {
      wrong: 'The key holds a character that no HTTP header can carry.',
      fix: 'Store the secret again; copied from a document, it may hold look-alike or invisible characters.',
    };
  }
  if (key === raw) return { value: key };
  return {
    value: key,
    notice:
      'White space round api-key was taken off; store the secret without a line break at its end.',
  };
}

/** Headers that the request itself decides. */
const OURS = ['connection', 'content-length', 'content-type', 'host', 'transfer-encoding'];

/**
 * Extra request headers. Problems are pushed with `where` and the header's name; values are secrets and are never
 * repeated.
 */
export function readHeaders(
  raw: unknown,
  where: string,
  hasKey: boolean,
  problems: Problem[],
): Readonly<Record<string, string>> {
  const reading = readMapping(raw, true);
  if ('wrong' in reading) {
    const fix = 'Give a JSON or YAML mapping of names to values, such as {"X-Team": "search"}.';
    problems.push({ where, what: reading.wrong, fix });
    return {};
  }
  const headers: Record<string, string> = {};
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(reading.value)) {
    const lower = name.toLowerCase();
    const problem = headerProblem(name, value, seen.has(lower), hasKey);
    seen.add(lower);
    if (problem !== null) problems.push({ where: `${where}.${headerText(name)}`, ...problem });
    else headers[name] = String(value).trim();
  }
  return headers;
}

function headerProblem(
  name: string,
  value: unknown,
  repeated: boolean,
  hasKey: boolean,
): { readonly what: string; readonly fix: string } | null {
  const lower = name.toLowerCase();
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) {
    return { what: 'This is not the name of a header.', fix: 'Use letters, digits and hyphens.' };
  }
  if (repeated) {
    return { what: 'The header is given twice.', fix: 'Names of headers know no case; keep one.' };
  }
  if (OURS.includes(lower)) {
    return { what: 'This header is set by the request itself.', fix: 'Remove it.' };
  }
  if (lower === 'authorization' && hasKey) {
    return {
      what: 'The header and api-key both say who is asking.',
      fix: 'Give one of the two: api-key for a bearer token, the header for anything else.',
    };
  }
  if (typeof value === 'number' || typeof value === 'boolean') {
    // YAML has already turned 007 into 7.
    return { what: 'The value is not text to YAML.', fix: 'Put it in quotes.' };
  }
  if (typeof value !== 'string') {
    const what =
      isMapping(value) || Array.isArray(value) ? 'The value is not text.' : 'The value is empty.';
    return { what, fix: 'Give text, or remove the header.' };
  }
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value.trim())) {
    return {
      what: 'The value holds a line break or a character that no HTTP header can carry.',
      fix: 'Give one line of Latin-1 text.',
    };
  }
  return null;
}

/** A name may be a value that slipped: shown only when it looks like a name. */
function headerText(name: string): string {
  return /^[A-Za-z][A-Za-z0-9-]{0,40}$/.test(name) ? name : '(a name)';
}
