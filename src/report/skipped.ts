import { type Links, link } from './links.js';
import { blocks } from './markdown.js';
import { code, type Sentence, toMarkdown } from './prose.js';

/** Why there was no key. */
export type SkipCause = 'fork' | 'dependabot' | 'unset';

/** A run that was never started. */
export interface Skipped {
  readonly cause: SkipCause;
  readonly endpoint: string;
  readonly model: string;
}

const CAUSES: Record<SkipCause, string> = {
  fork: 'GitHub gives no secrets to pull requests from forks',
  dependabot: 'GitHub gives no Actions secrets to pull requests of Dependabot',
  unset: 'the secret behind api-key is empty',
};

/** One plain sentence, for the log and for an annotation. */
export function skippedSentence({ cause }: Skipped): string {
  return `Skipped: ${CAUSES[cause]}, so nothing was sent and nothing was judged.`;
}

/** Summary and comment of a skipped run; `marker` is the comment's first line, null for the summary. */
export function renderSkipped(
  skipped: Skipped,
  opts: { readonly marker: string | null; readonly links: Links },
): string {
  const how =
    skipped.cause === 'unset'
      ? ['Set the secret and run the workflow again.']
      : [
          'A maintainer who has read the change can judge it by pushing it to a branch of this repository, or with a manual run.',
        ];
  const sentences: Sentence[] = [
    [
      `${CAUSES[skipped.cause]}, so nothing was sent and nothing was judged. `,
      'This is neutral: neither a pass nor a failure. ',
      ...how,
    ].map((piece, index) => (index === 0 ? piece.charAt(0).toUpperCase() + piece.slice(1) : piece)),
    ['With ', code('on-missing-secret: fail'), ' a missing key fails the job.'],
  ];
  const body = blocks(
    '### ⏭️ Vendor Gate: skipped – no API key in this run',
    toMarkdown([code(skipped.model), ' at ', code(skipped.endpoint, 200)]),
    sentences.map(toMarkdown).join('\n\n'),
    opts.links.docs === null ? '' : link('Forks and secrets', `${opts.links.docs}/security.md`),
  );
  return `${opts.marker === null ? '' : `${opts.marker}\n`}${body}\n`;
}
