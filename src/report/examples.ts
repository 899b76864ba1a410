import type { BenchmarkReport, Example } from '../model/report.js';
import { reveal, type Untrusted, untrusted } from '../text/untrusted.js';
import { findingsOf } from './findings.js';
import { blocks, fenced, folded, inHtml } from './markdown.js';
import { exampleNames } from './miniwob-words.js';
import { widthOf, wrap } from './width.js';

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
    ...shown.map((each) => sample(each, detail.exampleChars, benchmark)),
  );
}

function sample(example: Example, chars: number, benchmark: BenchmarkReport): string {
  const names = exampleNames(benchmark);
  const title = `sample ${inHtml(untrusted(example.id), 40)} – ${inHtml(untrusted(example.title), 120)}`;
  const parts = [
    { name: names?.prompt ?? 'Prompt, its end', text: example.prompt },
    { name: 'Official', text: example.official },
    { name: names?.vendor ?? 'Vendor', text: example.vendor },
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
  const lines = start
    .split('\n')
    .flatMap((line) => (widthOf(line) <= COLUMNS ? [line] : wrap(line, COLUMNS)));
  return untrusted(lines.join('\n') + whole.slice(chars));
}

/**
 * Examples of the first finding before those of the next, and those of none last; within each group no kind twice
 * before every kind was shown once, the most telling kind first.
 */
export function chosenExamples(benchmark: BenchmarkReport, most: number): Example[] {
  const findings = findingsOf(benchmark).map((finding) => finding.kinds);
  const kinds = findings.flat();
  const place = (index: number, last: number): number => (index < 0 ? last : index);
  const turns = new Map<string, number>();
  return [...benchmark.examples]
    .sort((a, b) => a.rank - b.rank)
    .map((example) => {
      const turn = turns.get(example.kind) ?? 0;
      turns.set(example.kind, turn + 1);
      const group = findings.findIndex((each) => each.includes(example.kind));
      return {
        example,
        turn,
        group: place(group, findings.length),
        kind: place(kinds.indexOf(example.kind), kinds.length),
      };
    })
    .sort((a, b) => a.group - b.group || a.turn - b.turn || a.kind - b.kind)
    .slice(0, most)
    .map(({ example }) => example);
}
