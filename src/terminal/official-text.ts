import type { Baseline, Pair, PairedMetric } from '../benchmarks/k2-verifier/baseline.js';
import { type Cell, type Column, columns, painter } from '../report/layout.js';
import { count, counted, NBSP, NONE, styleOf } from '../report/numbers.js';
import { wrap } from '../report/width.js';
import { forTerminal } from '../text/escape.js';
import { capital, perCent, roundedBeside } from '../text/figures.js';
import { untrusted } from '../text/untrusted.js';

/** With fewer files the pairs are too few, and share too much, for a standard deviation to rest on. */
const MANY_FILES = 5;

const PLAIN = painter(false);
const left = (title: string): Column => ({ title, align: 'left' });
const right = (title: string): Column => ({ title, align: 'right' });

/**
 * How well official runs agree with each other, and what gates that supports.
 * @param files what the files are called, in the order of the baseline
 * @param width columns of the terminal
 */
export function officialText(baseline: Baseline, files: readonly string[], width: number): string {
  const names = files.map((file) => forTerminal(untrusted(file)));
  const parts = [
    wrap(
      `${names.length} official result files: ${counted(baseline.rows, 'row')}, ${count(baseline.joined)} of them answered in every file`,
      width,
    ),
    fileTable(baseline, names, width),
    metricTable(baseline, names, width),
    ...sentences(baseline).map((sentence) => wrap(sentence, width)),
    gateLines(baseline),
    ...caveat(names.length).map((sentence) => wrap(sentence, width)),
  ];
  const shown = parts.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${shown.join('\n\n')}\n`;
}

function fileTable({ files }: Baseline, names: readonly string[], width: number): string[] {
  return columns(
    [left('file'), right('answered'), right('missing'), right('valid tool calls')],
    files.map(({ answered, missing, schemaAccuracy: { value, n } }, index) => [
      { text: `${index + 1}  ${names[index]}` },
      { text: count(answered) },
      { text: count(missing) },
      {
        text:
          value === null
            ? NONE
            : `${count(Math.round(value * n))}/${count(n)} = ${figure(value, 'rate')}`,
      },
    ]),
    width,
    PLAIN,
  );
}

/** A metric a line: over all pairs, and each file against the others. */
function metricTable(baseline: Baseline, names: readonly string[], width: number): string[] {
  return columns(
    [
      left('one against the other'),
      ...['pairs', 'mean', 'lowest', 'highest', 'SD'].map(right),
      ...names.map((_, index) => right(`file ${index + 1}`)),
    ],
    baseline.metrics.map((paired): Cell[] => {
      const { metric, pairs, spread } = paired;
      const shown = [spread?.mean, spread?.min, spread?.max, spread?.sd];
      const means = baseline.files.map(({ means }) => means[metric.name]);
      return [
        { text: metric.title },
        { text: count(pairs) },
        ...[...shown, ...means].map((value) => ({ text: figure(value ?? null, metric.kind) })),
      ];
    }),
    width,
    PLAIN,
  );
}

function sentences(baseline: Baseline): string[] {
  const [decision] = baseline.metrics;
  const lowest = decision && lowestPair(baseline, decision);
  const floor =
    lowest === undefined || decision?.spread == null
      ? []
      : [
          `${baseline.pairs.length === 1 ? 'The pair has' : `The lowest of the ${baseline.pairs.length} pairs, ${named(lowest)}, has`} ${decision.metric.name} ${figure(decision.spread.min, decision.metric.kind)}: a gate above that would have failed the official model itself.`,
        ];
  const copies = baseline.pairs
    .filter(isCopy)
    .map(
      (pair) =>
        `${capital(named(pair))} agree in every decision and every argument: they look like copies of one run, which make the rest look better than it is.`,
    );
  return [...floor, ...copies];
}

function lowestPair({ pairs }: Baseline, { metric, spread }: PairedMetric): Pair | undefined {
  return pairs.find(({ metrics }) => metrics[metric.name] === spread?.min);
}

function isCopy({ metrics }: Pair): boolean {
  return metrics['trigger_similarity'] === 1 && metrics['argument_agreement'] === 1;
}

function named({ files }: Pair): string {
  return `files ${files.map((index) => index + 1).join(' and ')}`;
}

function gateLines({ metrics }: Baseline): string[] {
  const gates = metrics.flatMap((paired) => paired.gates);
  if (gates.length === 0) return [];
  return [
    'Gates two standard deviations beyond the worst pair:',
    ...gates.map((gate) => `  ${gate}`),
    'Put these lines under `thresholds`.',
  ];
}

function caveat(files: number): string[] {
  if (files >= MANY_FILES) return [];
  return [
    files === 2
      ? 'Two files make one pair, and one pair has no spread: no gate follows from it. Add a third official run.'
      : `${files} files make few pairs, and pairs share files: take the SD for a rough figure, and add official runs where you can.`,
  ];
}

/** With more digits than a report has: the lowest pair is where a gate is put. */
function figure(value: number | null, kind: string): string {
  if (value === null) return NONE;
  const percent = styleOf(kind) === 'percent';
  // A perfect or an empty score reads best without decimals, and is never rounded to.
  if (value === 0 || value === 1) return percent ? `${100 * value}${NBSP}%` : String(value);
  const text = percent
    ? `${roundedBeside(perCent(value), [0, 100], 1)}${NBSP}%`
    : roundedBeside(value, [0, 1], 4);
  return text.replace(/^-/, '−');
}
