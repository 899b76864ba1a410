import type { BenchmarkReport, Example } from '../model/report.js';
import { reveal, type Untrusted, untrusted } from '../text/untrusted.js';
import { findingsOf } from './findings.js';
import { blocks, fenced, folded, inHtml } from './markdown.js';
import { wrap } from './width.js';

/** Columns of a code block that fit a comment. */
const COLUMNS = 100;

/** Instructive samples, official against vendor, each folded. No heading when `h` is empty. */
export function samplesSection(
  benchmark: BenchmarkReport,
  detail: { readonly examples: number; readonly exampleChars: number },
  h: string,
): string {
  const shown = chosenExamples(benchmark, detail.examples);
  if (shown.length === 0) return '';
  return blocks(
    h === '' ? '' : `${h} Samples to look at`,
    ...shown.map((each) => sample(each, detail.exampleChars)),
  );
}

function sample(example: Example, chars: number): string {
  const title = `sample ${inHtml(untrusted(example.id), 40)} – ${inHtml(untrusted(example.title), 120)}`;
  const parts = [
    { name: 'Prompt, its end', text: example.prompt },
    { name: 'Official', text: example.official },
    { name: 'Vendor', text: example.vendor },
    { name: 'Why', text: example.detail },
  ].filter(({ text }) => reveal(text).trim() !== '');
  return folded(
    title,
    blocks(
      ...parts.flatMap(({ name, text }) => [`**${name}**`, fenced(wrapped(text, chars), chars)]),
    ),
  );
}

/**
 * Long lines broken: a code block scrolls sideways otherwise, and nobody reads it. Only the start is broken, as nothing
 * longer is shown.
 */
function wrapped(text: Untrusted, chars: number): Untrusted {
  const whole = reveal(text);
  const start = whole.slice(0, chars);
  const lines = start.split('\n').flatMap((line) => wrap(line, COLUMNS));
  return untrusted(lines.join('\n') + whole.slice(chars));
}

/**
 * Examples of what failed before any others; within each group no kind twice before every kind was shown once, the most
 * telling kind first.
 */
export function chosenExamples(benchmark: BenchmarkReport, most: number): Example[] {
  const kinds = findingsOf(benchmark).flatMap((finding) => finding.kinds);
  const turns = new Map<string, number>();
  return [...benchmark.examples]
    .sort((a, b) => a.rank - b.rank)
    .map((example) => {
      const turn = turns.get(example.kind) ?? 0;
      turns.set(example.kind, turn + 1);
      const kind = kinds.indexOf(example.kind);
      return { example, turn, kind: kind < 0 ? kinds.length : kind, other: kind < 0 ? 1 : 0 };
    })
    .sort((a, b) => a.other - b.other || a.turn - b.turn || a.kind - b.kind)
    .slice(0, most)
    .map(({ example }) => example);
}
