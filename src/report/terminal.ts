import type { Verdict } from '../model/gate.js';
import type { BenchmarkReport, RunReport } from '../model/report.js';
import { benchmarkWords } from './benchmark-words.js';
import { type Cell, type Colour, columns, type Paint, painter } from './layout.js';
import { counted, NBSP } from './numbers.js';
import { code, outside, toPlain, worded } from './prose.js';
import { gateRows, intervalHeading, type Outcome } from './rows.js';
import { nameOf } from './shape.js';
import {
  costs,
  decisions,
  failures,
  groups,
  oddities,
  origin,
  samples,
} from './terminal-sections.js';
import { wrap } from './width.js';
import { calloutsOf, factsOf, sizeText, wordsOf } from './words.js';

const COLOURS: Record<Verdict, Colour> = {
  pass: 'green',
  fail: 'red',
  error: 'yellow',
  inconclusive: 'yellow',
};
const OUTCOMES: Record<Outcome, { readonly text: string; readonly colour: Colour }> = {
  pass: { text: '✓ pass', colour: 'green' },
  fail: { text: '✗ fail', colour: 'red' },
  error: { text: '! error', colour: 'yellow' },
  inconclusive: { text: '? cannot tell', colour: 'yellow' },
  warn: { text: '! warning', colour: 'yellow' },
  not_judged: { text: '– not judged', colour: 'dim' },
};

/** Gates shown for each benchmark; the report holds them all. */
const GATES = 30;
const NARROWEST = 30;
const WIDEST = 120;

/**
 * A report for a terminal: the verdict first, then gates, failures, decisions, samples, latency. `color` is for the
 * caller to decide (NO_COLOR, not a terminal); `width` in columns. Ends with a line break.
 */
export function renderTerminal(
  report: RunReport,
  opts: { readonly color: boolean; readonly width: number },
): string {
  const paint = painter(opts.color);
  const width = Math.max(NARROWEST, Math.min(WIDEST, Math.floor(opts.width) || WIDEST));
  const several = report.benchmarks.length > 1;
  const parts: string[][] = [
    opening(report, width, paint),
    ...report.benchmarks.flatMap((benchmark) => [
      several ? heading(benchmark, report, width, paint) : [],
      gates(benchmark, width, paint),
      groups(benchmark, width, paint),
      failures(benchmark, width, paint),
      decisions(benchmark, width, paint),
      samples(benchmark, width, paint),
      costs(benchmark, width, paint),
      oddities(benchmark, width, paint),
    ]),
    origin(report, width, paint),
    report.notes
      .slice(0, 10)
      .flatMap((note) => wrap(toPlain(['Note: ', ...worded(note, 300)]), width)),
  ];
  const text = parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
  return `${withoutCommands(text.replaceAll(NBSP, ' '))}\n`;
}

/**
 * In a workflow's log GitHub's runner obeys `::command` at the start of a line and `##[command]` anywhere; wrapping may
 * bring a vendor's text to the start of a line.
 */
function withoutCommands(text: string): string {
  return text.replace(/^(\s*)::/gm, '$1\\::').replaceAll('##[', '##\\[');
}

function opening(report: RunReport, width: number, paint: Paint): string[] {
  const { headline, sentences } = wordsOf(report);
  const verdict = report.verdict.toUpperCase();
  const [first = '', ...rest] = wrap(`${verdict}  ${toPlain(headline)}`, width);
  const title = [
    paint(COLOURS[report.verdict], paint('bold', first.slice(0, verdict.length))) +
      paint('bold', first.slice(verdict.length)),
    ...rest.map((line) => paint('bold', line)),
  ];
  const facts = wrap(factsOf(report).map(toPlain).join(' · '), width);
  const callouts = calloutsOf(report).flatMap(({ sentence }) =>
    wrap(`! ${toPlain(sentence)}`, width).map((line) => paint('yellow', line)),
  );
  const words = sentences.flatMap((sentence) => wrap(toPlain(sentence), width));
  return [...title, ...facts.map((line) => paint('dim', line)), ...gap(callouts), ...gap(words)];
}

function heading(
  benchmark: BenchmarkReport,
  report: RunReport,
  width: number,
  paint: Paint,
): string[] {
  const { sentences } = benchmarkWords(benchmark, report);
  const { samples: sizes, dataset, verdict } = benchmark;
  const title = `${toPlain([code(nameOf(benchmark))])}  ${verdict.toUpperCase()}`;
  return [
    ...wrap(title, width).map((line) => paint('bold', line)),
    sizeText(sizes.run, dataset.rows),
    ...sentences.flatMap((sentence) => wrap(toPlain(sentence), width)),
  ];
}

function gates(benchmark: BenchmarkReport, width: number, paint: Paint): string[] {
  if (benchmark.samples.answered === 0) return [];
  const rows = gateRows(benchmark).filter((row) => !row.warning || row.outcome === 'warn');
  if (rows.length === 0) return ['No gate was set.'];
  const shown = rows.slice(0, GATES).map((row): Cell[] => {
    const outcome = OUTCOMES[row.outcome];
    return [
      {
        text: toPlain([outside(row.title, 60), ` ${row.asked}${row.warning ? ' (warning)' : ''}`]),
      },
      { text: row.measured },
      { text: row.interval },
      { text: row.official },
      { text: `${outcome.text}${row.borderline ? ', borderline' : ''}`, colour: outcome.colour },
    ];
  });
  const lines = columns(
    [
      { title: 'gate', align: 'left' },
      { title: 'measured', align: 'right' },
      { title: intervalHeading(benchmark), align: 'right' },
      { title: 'official', align: 'right' },
      { title: 'verdict', align: 'left' },
    ],
    shown,
    width,
    paint,
  );
  const more = rows.length - shown.length;
  return more > 0 ? [...lines, `and ${counted(more, 'more gate')}`] : lines;
}

function gap(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', ...lines];
}
