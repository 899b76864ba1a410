import type { Verdict } from '../model/gate.js';
import { forCodeBlock, forTerminal } from '../text/escape.js';
import type { Untrusted } from '../text/untrusted.js';
import { outside, type Sentence, toCell, toMarkdown } from './prose.js';
import type { GateRow, Outcome } from './rows.js';

/** Pieces of GitHub Markdown. What goes in as a string is Markdown already; text from outside is escaped before. */

export const ICONS: Record<Verdict, string> = {
  pass: '✅',
  fail: '❌',
  error: '⚠️',
  inconclusive: '⚪',
};

const OUTCOMES: Record<Outcome, string> = {
  pass: '✅ pass',
  fail: '❌ fail',
  error: '⚠️ error',
  inconclusive: '⚪ cannot tell',
  warn: '🟡 warning',
  not_judged: '⚪ not judged',
};

/** '❌ fail', with a remark where the interval contains the gate. */
function outcomeCell(row: GateRow): string {
  return `${OUTCOMES[row.outcome]}${row.borderline ? ', borderline' : ''}`;
}

/** A table; `align` has l or r for each column. */
export function table(
  header: readonly string[],
  align: string,
  rows: readonly (readonly string[])[],
): string {
  const rules = [...align].map((side) => (side === 'r' ? '--:' : ':--'));
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(header), `|${rules.join('|')}|`, ...rows.map(line)].join('\n');
}

/** A code block of text from outside, without the empty lines around it that blocks() adds anyway. */
export function fenced(text: Untrusted, max: number): string {
  return forCodeBlock(text, max).replace(/^\n|\n$/g, '');
}

/**
 * Text from outside for a place where Markdown is not read: the title of a folded block. GitHub looks for mentions
 * and references there too, but not in code, so that anything but plain words is shown as code.
 */
export function inHtml(text: Untrusted, max: number): string {
  const line = forTerminal(text, max);
  if (/^(?:[A-Za-z_ ,;()’–-]|: )*$/.test(line)) return line;
  const escaped = line
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  return `<code>${escaped}</code>`;
}

/** A folded block. `title` is HTML, `body` Markdown. */
export function folded(title: string, body: string): string {
  return `<details><summary>${title}</summary>\n\n${body}\n\n</details>`;
}

/** GitHub's coloured callout. */
export function callout(kind: 'important' | 'warning', sentences: readonly Sentence[]): string {
  const paragraphs = sentences.map((sentence) => `> ${toMarkdown(sentence)}`);
  return `> [!${kind.toUpperCase()}]\n${paragraphs.join('\n>\n')}`;
}

/** The gate table. `official` may be left out where space is short. */
export function gateTable(rows: readonly GateRow[], intervalHeading: string): string {
  return table(
    ['gate', 'measured', intervalHeading, 'official', 'verdict'],
    'lrrrl',
    rows.map((row) => [
      `${toCell([outside(row.title, 120)])} ${row.asked}${row.warning ? ' (warning)' : ''}`,
      row.measured,
      row.interval,
      row.official,
      outcomeCell(row),
    ]),
  );
}

/** Blocks with an empty line between them; empty ones are left out. */
export function blocks(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join('\n\n');
}
