import type { Untrusted } from './untrusted.js';
import { reveal } from './untrusted.js';
import { cut, oneLine, showHidden } from './visible.js';

/**
 * Escaping of text from outside, one function a surface. `maxChars` counts UTF-16 units of the text that came in
 * (the output is longer by what escaping adds); what was cut is said in the output. Hidden characters (controls,
 * ANSI escapes, bidi controls, zero width, lone surrogates) are shown as `\u{hex}` everywhere.
 */

const LOG_CHARS = 4000;

/**
 * For a line of the workflow log. One line. GitHub's runner takes `::` after leading white space, and `##[` anywhere
 * in a line, for a command; both are broken by a backslash. Safe at the start of a line and in its middle.
 */
export function forLog(text: Untrusted, maxChars = LOG_CHARS): string {
  const part = cut(reveal(text), maxChars);
  const line = oneLine(part.text).replaceAll('##[', '##\\[');
  return (line.startsWith('::') ? `\\${line}` : line) + part.mark;
}

/** For a terminal: one line, without anything that a terminal obeys. Quotes nothing, so not for a shell. */
export function forTerminal(text: Untrusted, maxChars = LOG_CHARS): string {
  const part = cut(reveal(text), maxChars);
  return oneLine(part.text) + part.mark;
}

/**
 * Zero-width space. GitHub looks for mentions, references and bare URLs in the text that Markdown leaves, so that a
 * backslash does not stop them; only another character in between does.
 */
const BREAK = '&#8203;';

/**
 * What has a meaning in GitHub's Markdown, in one pass so that nothing is escaped twice. In this order: characters of
 * inline syntax, HTML and tables; `$` of mathematics (a backslash does not hold there, so it is shown full-width); the
 * `@` of mentions and mail addresses; `#` of headings and issues; schemes and `www.` of bare URLs; `:octocat:`; `GH-1`
 * and `GHSA-`; a word of seven to forty hexadecimal digits, which may name a commit. One of decimal digits alone is a
 * number, which people copy: at worst it becomes a link to a commit. Longer ones are digests, which GitHub leaves alone.
 */
const MARKDOWN =
  /[\\`*_~[\]]|[&<>|]|\$|@|#|:(?=\/\/)|www(?=\.)|:(?=[\w+-]+:)|\bGH(?:SA)?-(?=\w)|\b(?=\d*[a-f])[0-9a-f]{7,40}\b/gi;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '|': '&#124;',
  $: '＄',
  '@': `@${BREAK}`,
  '#': `\\#${BREAK}`,
};

function markdownToken(token: string): string {
  const entity = ENTITIES[token];
  if (entity !== undefined) return entity;
  if (/^[0-9a-f]{7}/i.test(token)) return token.replace(/.{6}(?=.)/g, `$&${BREAK}`);
  if (/^[:wg]/i.test(token)) return token + BREAK;
  return `\\${token}`;
}

/** What would start a list, a rule, a setext underline or a block at the start of a line. */
const LINE_START = /^(?:[-+=]|(\d{1,9})(?=[.)]))/;

function inMarkdown(line: string): string {
  return line
    .replace(MARKDOWN, markdownToken)
    .replace(LINE_START, (token, digits: string | undefined) =>
      digits === undefined ? `\\${token}` : `${digits}\\`,
    );
}

/**
 * For running text in Markdown. One line that renders as the text itself: no emphasis, heading, list, HTML, image,
 * link, bare URL, mention, issue or commit reference, emoji code or mathematics comes of it. Two characters are not
 * kept: `$` becomes `＄`, and zero-width spaces are added, so text to copy belongs into a code span.
 */
export function forText(text: Untrusted, maxChars: number): string {
  const part = cut(reveal(text), maxChars);
  return inMarkdown(oneLine(part.text)) + part.mark;
}

/** For a cell of a Markdown table, as text: as `forText`; `|` is written as an entity, so that no cell is split. */
export function forTableCell(text: Untrusted, maxChars: number): string {
  return forText(text, maxChars);
}

/** The longest run of backticks. */
function longestRun(text: string): number {
  let longest = 0;
  for (const run of text.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  return longest;
}

/**
 * For a code span in Markdown: one line, shown as it is. The fence is one backtick longer than any run inside. GitHub
 * makes neither mentions nor links in code. An empty text gives a span with one space.
 * @param where in a `table`, `|` is escaped for the table; where a backslash stands before it, GitHub cannot show both
 *   and the pipe is spelled `\u{7c}`. In `text`, a backslash would be shown, so nothing is escaped.
 */
export function forCodeSpan(
  text: Untrusted,
  maxChars: number,
  where: 'text' | 'table' = 'text',
): string {
  const part = cut(reveal(text), maxChars);
  let line = oneLine(part.text) + part.mark;
  if (where === 'table') line = line.replace(/\\\|/g, '\\\\u{7c}').replace(/\|/g, '\\|');
  if (line === '') return '` `';
  const fence = '`'.repeat(longestRun(line) + 1);
  // Markdown strips one space from each end when both have one.
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return fence + pad + line + pad + fence;
}

/**
 * For a fenced code block in Markdown, lines kept. Starts and ends with a newline, so that a blank line stands before
 * the fence: without one, a block inside `<details>` would be read as HTML. Put it at the left edge, or indent every
 * line of it.
 */
export function forCodeBlock(text: Untrusted, maxChars: number): string {
  const part = cut(reveal(text), maxChars);
  const body = showHidden(part.text) + (part.mark === '' ? '' : `\n${part.mark}`);
  const fence = '`'.repeat(Math.max(3, longestRun(body) + 1));
  return `\n${fence}text\n${body}\n${fence}\n`;
}
