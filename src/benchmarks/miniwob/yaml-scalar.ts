import { pythonRepr } from '../../text/python-repr.js';

/** What YAML 1.1 does not take; and tabs, which PyYAML takes within quotes only. */
const UNPRINTABLE = /[^\r\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const LINE_BREAK = /\r\n|[\r\n\x85]/;
/** What no plain scalar begins with. */
const INDICATOR = /^(?:[,[\]{}#&*!|>'"%@`]|[-?:](?: |$))/;
const DOCUMENT_MARK = /^(?:---|\.\.\.)(?: |$)/;
/** A colon that ends a key. */
const COLON = /:(?= |$)/;
/** Of what may stand before such a colon. */
const LONGEST_KEY = 1024;

/**
 * A text as PyYAML loads it and Python prints it, as far as that can be a function call: a scalar, plain or in quotes.
 * Where YAML refuses the text, or sees a form that is no call anyway, the text itself comes back.
 *
 * No parser of all YAML, because these are words of a model and may be hostile: this takes time in proportion to the
 * text's length and does not recurse. Left out: block scalars, tags and anchors before a call, and in double quotes what
 * JSON does not know.
 *
 * @param text stripped
 */
export function loadYamlScalar(text: string): string {
  if (text.startsWith('"')) return doubleQuoted(text) ?? text;
  if (text.startsWith("'")) return singleQuoted(text) ?? text;
  if (INDICATOR.test(text) || UNPRINTABLE.test(text)) return text;
  return plain(text.split(LINE_BREAK)) ?? text;
}

function doubleQuoted(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

function singleQuoted(text: string): string | null {
  const inside = text.slice(1, -1);
  const isWhole = text.length > 1 && text.endsWith("'") && !LINE_BREAK.test(inside);
  if (!isWhole || inside.replaceAll("''", '').includes("'")) return null;
  return inside.replaceAll("''", "'");
}

/** Lines folded into one, without comments; null where YAML refuses them. */
function plain(lines: readonly string[]): string | null {
  let value = '';
  let breaks = 0;
  let isOver = false;
  for (const [row, line] of lines.entries()) {
    const content = withoutSpaces(line);
    if (row > 0 && DOCUMENT_MARK.test(line)) {
      if (!/^\.\.\. *(?:#.*)?$/.test(line)) return null;
      isOver = true;
    } else if (content === '') {
      breaks += 1;
    } else if (content.startsWith('#')) {
      isOver = true;
    } else {
      const part = withoutComment(content);
      if (isOver) return null;
      if (COLON.test(part)) return row === 0 ? mapping(part, lines.slice(1)) : null;
      if (row > 0) value += breaks === 0 ? ' ' : '\n'.repeat(breaks);
      value += part;
      breaks = 0;
      isOver = part !== content;
    }
  }
  return value;
}

/** A mapping of one key as Python prints it; null where YAML refuses it. */
function mapping(first: string, others: readonly string[]): string | null {
  const colon = first.search(COLON);
  const value = withoutSpaces(first.slice(colon + 1));
  const more = others.filter((line) => /^ *[^ #]/.test(line));
  if (colon > LONGEST_KEY || INDICATOR.test(value)) return null;
  if (more.some((line) => !line.startsWith(' '))) return null;
  if ([value, ...more].some((line) => COLON.test(withoutComment(line)))) return null;
  return pythonRepr({ [first.slice(0, colon)]: [value, ...more].join(' ') });
}

function withoutComment(line: string): string {
  const comment = line.indexOf(' #');
  return comment === -1 ? line : withoutSpaces(line.slice(0, comment));
}

/** At both ends; by hand, since a pattern would look at a long run of spaces from each of its places. */
function withoutSpaces(line: string): string {
  let [start, end] = [0, line.length];
  while (line.charAt(start) === ' ') start += 1;
  while (end > start && line.charAt(end - 1) === ' ') end -= 1;
  return line.slice(start, end);
}
