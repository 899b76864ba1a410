import { type CST, LineCounter, Parser, parseDocument } from 'yaml';
import type { Json } from '../model/json.js';

const MAX_CHARACTERS = 64 * 1024;
/** Deeper nesting than any config needs. A YAML text of 50,000 `[` ends the process when it is composed. */
const MAX_DEPTH = 64;
const MAX_ALIASES = 100;

/**
 * A YAML 1.2 text (JSON is one) as a JSON value. Duplicate keys, unknown tags, several documents, nesting and aliases
 * beyond any use, and values that JSON does not have are refused. An empty text is null.
 *
 * `wrong` says what is wrong and where. With `secret` it never repeats a word of the text.
 */
export function readYaml(
  text: string,
  options: { readonly secret?: boolean } = {},
): { readonly value: Json } | { readonly wrong: string } {
  if (text.length > MAX_CHARACTERS) return { wrong: `longer than ${MAX_CHARACTERS} characters` };
  if (depthOf(text) > MAX_DEPTH) return { wrong: `nested more than ${MAX_DEPTH} levels deep` };
  const lineCounter = new LineCounter();
  const document = parseDocument(text, {
    schema: 'core',
    stringKeys: true,
    prettyErrors: false,
    lineCounter,
  });
  // A tag that YAML does not know is only a warning to the library; here it would be silently dropped.
  const fault = [...document.errors, ...document.warnings][0];
  if (fault?.code === 'MULTIPLE_DOCS') return { wrong: 'several YAML documents instead of one' };
  if (fault !== undefined) {
    const line = lineCounter.linePos(fault.pos[0]).line;
    return { wrong: `not valid YAML in line ${line}${options.secret ? '' : `: ${fault.message}`}` };
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch {
    return { wrong: 'using an alias that is unknown or one of far too many' };
  }
  if (!isJson(value)) {
    return { wrong: 'holding a value that JSON does not have, such as .nan or a binary' };
  }
  return { value };
}

/** Whether a YAML text holds a collection: a mapping, a list, or JSON of either. */
export function looksLikeYaml(text: string): boolean {
  return /^\s*[[{-]|:(\s|$)/m.test(text);
}

/** By a loop, since recursion is what a hostile text wants to exhaust. */
function depthOf(text: string): number {
  let deepest = 0;
  const waiting: [CST.Token | null | undefined, number][] = [];
  for (const token of new Parser().parse(text)) waiting.push([token, 0]);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [token, depth] = next;
    if (!token) continue;
    deepest = Math.max(deepest, depth);
    if (token.type === 'document') waiting.push([token.value, depth]);
    if ('items' in token) {
      for (const item of token.items) waiting.push([item.key, depth + 1], [item.value, depth + 1]);
    }
  }
  return deepest;
}

/** Whether a value is one that JSON has: no function, no NaN, no object of a class. */
export function isJson(value: unknown): value is Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.values(value).every(isJson);
}
