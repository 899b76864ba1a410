import type { Verdict } from '../model/gate.js';
import type { BenchmarkReport, Example, RunReport } from '../model/report.js';
import { forTerminal } from '../text/escape.js';
import { reveal } from '../text/untrusted.js';
import { benchmarkWords } from './benchmark-words.js';
import { reasonGroups } from './causes.js';
import { type Cell, type Colour, columns, type Paint, painter } from './layout.js';
import { count, counted, latency, NBSP } from './numbers.js';
import { capital, code, outside, toPlain } from './prose.js';
import { gateRows, intervalHeading, type Outcome } from './rows.js';
import { varied } from './sections.js';
import { nameOf } from './shape.js';
import { wrap } from './width.js';
import { calloutsOf, factsOf, wordsOf } from './words.js';

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

/** Reasons of a kind, oddities, samples and gates that are shown; the report holds them all. */
const REASONS = 6;
const WARNINGS = 6;
const EXAMPLES = 3;
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
      failures(benchmark, width, paint),
      decisions(benchmark, width, paint),
      samples(benchmark, width, paint),
      costs(benchmark, width, paint),
      oddities(benchmark, width, paint),
    ]),
    report.notes
      .slice(0, 10)
      .flatMap((note) => wrap(toPlain(['Note: ', outside(note, 300)]), width)),
  ];
  const text = parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
  return `${text.replaceAll(NBSP, ' ')}\n`;
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
    `${count(sizes.run)} of ${counted(dataset.rows, 'sample')}`,
    ...sentences.flatMap((sentence) => wrap(toPlain(sentence), width)),
  ];
}

function gates(benchmark: BenchmarkReport, width: number, paint: Paint): string[] {
  const rows = gateRows(benchmark);
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

function failures(benchmark: BenchmarkReport, width: number, paint: Paint): string[] {
  return reasonGroups(benchmark).flatMap((group, index) => {
    const rows = group.rows.filter((row) => row.count > 0);
    const total = rows.reduce((sum, row) => sum + row.count, 0);
    const of = group.of === null ? '' : ` of ${count(group.of)}`;
    const title = toPlain([outside(capital(group.title), 80), `: ${count(total)}${of}`]);
    const list = rows.slice(0, REASONS).map((row) => {
      const key = forTerminal(row.key, 40);
      const text = row.text === reveal(row.key) ? '' : toPlain(['  ', outside(row.text, 160)]);
      return { count: row.count, text: `${key}${text}` };
    });
    const rest = rows.slice(REASONS).reduce((sum, row) => sum + row.count, 0);
    if (rest > 0) list.push({ count: rest, text: 'others' });
    return [
      ...(index === 0 ? [] : ['']),
      ...wrap(title, width).map((line) => paint('bold', line)),
      ...counts(list, width),
    ];
  });
}

function decisions(benchmark: BenchmarkReport, width: number, paint: Paint): string[] {
  const table = benchmark.confusion;
  if (table === null) return [];
  return columns(
    [
      { title: 'who called a tool', align: 'left' },
      { title: 'vendor did', align: 'right' },
      { title: 'vendor did not', align: 'right' },
    ],
    [
      [{ text: 'official did' }, { text: count(table.tp) }, { text: count(table.fn) }],
      [{ text: 'official did not' }, { text: count(table.fp) }, { text: count(table.tn) }],
    ],
    width,
    paint,
  );
}

function samples(benchmark: BenchmarkReport, width: number, paint: Paint): string[] {
  if (benchmark.verdict === 'pass') return [];
  return varied(benchmark.examples, EXAMPLES).flatMap((example, index) => [
    ...(index === 0 ? [] : ['']),
    ...sample(example, width, paint),
  ]);
}

function sample(example: Example, width: number, paint: Paint): string[] {
  const title = toPlain(['Sample ', code(example.id, 40), ': ', outside(example.title, 120)]);
  const parts = [
    { name: 'prompt  ', text: example.prompt },
    { name: 'official', text: example.official },
    { name: 'vendor  ', text: example.vendor },
    { name: 'why     ', text: example.detail },
  ].filter(({ text }) => reveal(text).trim() !== '');
  return [
    ...wrap(title, width).map((line) => paint('bold', line)),
    ...parts.flatMap(({ name, text }) =>
      wrap(forTerminal(text, 200), width - 12).map(
        (line, index) => `  ${paint('dim', index === 0 ? name : ' '.repeat(8))}  ${line}`,
      ),
    ),
  ];
}

function costs(benchmark: BenchmarkReport, width: number, paint: Paint): string[] {
  const { usage, latency: times } = benchmark;
  if (usage.requests === 0) return [];
  const rows = [
    { name: 'first token', at: times.first_token },
    { name: 'whole answer', at: times.total },
  ].flatMap(({ name, at }) =>
    at === null
      ? []
      : [[{ text: name }, ...[at.p50, at.p90, at.p99].map((ms) => ({ text: latency(ms) }))]],
  );
  const header = ['latency', 'p50', 'p90', 'p99'].map((title, index) => ({
    title,
    align: index === 0 ? ('left' as const) : ('right' as const),
  }));
  const tokens =
    usage.total_tokens > 0
      ? `${count(usage.prompt_tokens)} prompt and ${count(usage.completion_tokens)} completion tokens`
      : 'no token counts';
  return [
    ...(rows.length === 0 ? [] : [...columns(header, rows, width, paint)]),
    ...wrap(
      `${counted(usage.requests, 'request')}, ${counted(usage.retries, 'retry', 'retries')}, ${tokens}`,
      width,
    ).map((line) => paint('dim', line)),
  ];
}

function oddities(benchmark: BenchmarkReport, width: number, paint: Paint): string[] {
  const warnings = benchmark.warnings.filter((each) => each.count > 0);
  if (warnings.length === 0) return [];
  const shown = [...warnings]
    .sort((a, b) => b.count - a.count)
    .slice(0, WARNINGS)
    .map((each) => ({
      count: each.count,
      text: toPlain([outside(each.name, 40), '  ', outside(each.text, 160)]),
    }));
  const more = warnings.length - shown.length;
  return [
    paint('bold', 'Oddities, which decide no gate'),
    ...counts(shown, width),
    ...(more > 0 ? [`and ${counted(more, 'more kind')}`] : []),
  ];
}

/** A list with its counts in a column of their own. */
function counts(list: readonly { count: number; text: string }[], width: number): string[] {
  const digits = Math.max(0, ...list.map((each) => count(each.count).length));
  return list.flatMap((each) =>
    wrap(each.text, width - digits - 4).map(
      (line, index) => `  ${(index === 0 ? count(each.count) : '').padStart(digits)}  ${line}`,
    ),
  );
}

function gap(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', ...lines];
}
