import type { Verdict } from '../model/gate.js';
import { type Sentence, toMarkdown } from './prose.js';
import type { GateRow, Outcome } from './rows.js';
import { forTableCell } from '../text/escape.js';
import { untrusted } from '../text/untrusted.js';

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
export function outcomeCell(row: GateRow): string {
  return `${OUTCOMES[row.outcome]}${row.borderline ? ', borderline' : ''}`;
}

/** A table; `align` has one of l, r, c for each column. */
export function table(
  header: readonly string[],
  align: string,
  rows: readonly (readonly string[])[],
): string {
  const rules = [...align].map((side) => (side === 'r' ? '--:' : side === 'c' ? ':-:' : '---'));
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(header), `|${rules.join('|')}|`, ...rows.map(line)].join('\n');
}

/** A folded block. `title` is HTML, `body` Markdown. */
export function folded(title: string, body: string): string {
  return `<details><summary>${title}</summary>\n\n${body}\n\n</details>`;
}

/** GitHub's coloured callout. */
export function callout(kind: 'important' | 'warning', sentences: readonly Sentence[]): string {
  const lines = sentences.map((sentence) => `> ${toMarkdown(sentence)}`);
  return [`> [!${kind.toUpperCase()}]`, ...lines].join('\n');
}

/** The gate table. `official` may be left out where space is short. */
export function gateTable(rows: readonly GateRow[], intervalHeading: string): string {
  return table(
    ['gate', 'measured', intervalHeading, 'official', 'verdict'],
    'lrrrl',
    rows.map((row) => [
      `${cell(row.title, 120)} ${row.asked}${row.warning ? ' (warning)' : ''}`,
      row.measured,
      row.interval,
      row.official,
      outcomeCell(row),
    ]),
  );
}

/** Text from outside in a table cell. */
export function cell(text: string, max: number): string {
  return forTableCell(untrusted(text), max);
}

/** Blocks with an empty line between them; empty ones are left out. */
export function blocks(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join('\n\n');
}
