import type { Problem } from '../model/errors.js';
import { blocks } from './markdown.js';
import { outside, toMarkdown, toPlain, worded } from './prose.js';

const MOST = 50;

/** Job summary of a run that could not start: every problem with its next step. */
export function renderProblems(problems: readonly Problem[]): string {
  const shown = problems.slice(0, MOST);
  const left = problems.length - shown.length;
  return `${blocks(
    '## ⚠️ Vendor Gate: error – the configuration needs a change',
    'Nothing was sent and nothing was judged; this says nothing about the deployment.',
    [
      ...shown.map(
        ({ where, what, fix }) =>
          `- **${toMarkdown([outside(where, 200)])}**: ${toMarkdown(worded(`${what} ${fix}`, 1000))}`,
      ),
      ...(left > 0 ? [`- and ${left} more; the log has them all`] : []),
    ].join('\n'),
  )}\n`;
}

/** One line for a log or a terminal. */
export function problemLine({ where, what, fix }: Problem): string {
  return toPlain([outside(`${where}: ${what} ${fix}`.trim(), 2000)]);
}
