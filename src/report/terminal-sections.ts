import type { BenchmarkReport, Example, RunReport } from '../model/report.js';
import { forTerminal } from '../text/escape.js';
import { capital } from '../text/figures.js';
import { reveal } from '../text/untrusted.js';
import { endingsOf, failureGroups } from './causes.js';
import { chosenExamples } from './examples.js';
import { decisionWords, payloadSentence } from './k2-words.js';
import { columns, type Paint } from './layout.js';
import { exampleNames, groupsSolved } from './miniwob-words.js';
import { costWords, count, counted, figure, latency } from './numbers.js';
import { code, outside, toPlain, worded } from './prose.js';
import { nameOf } from './shape.js';
import { pad, widthOf, wrap } from './width.js';

/** Sections of the terminal's report under the gates, as lines of at most `width` columns; empty without content. */

/** Reasons of a kind, oddities and samples that are shown; the report holds them all. */
const REASONS = 6;
const WARNINGS = 6;
const EXAMPLES = 3;

/** What failed and how often, by reason. */
export function failures(benchmark: BenchmarkReport, width: number, paint: Paint): string[] {
  return failureGroups(benchmark).flatMap((group, index) => {
    const rows = group.rows.filter((row) => row.count > 0);
    const total = rows.reduce((sum, row) => sum + row.count, 0);
    const of = group.of === null ? '' : ` of ${count(group.of)}`;
    const title = toPlain([outside(capital(group.title), 80), `: ${count(total)}${of}`]);
    const list = rows.slice(0, REASONS).map((row) => ({
      count: row.count,
      name: forTerminal(row.key, 40),
      text: row.text === reveal(row.key) ? '' : toPlain(worded(row.text, 160)),
    }));
    const rest = rows.slice(REASONS).reduce((sum, row) => sum + row.count, 0);
    if (rest > 0) list.push({ count: rest, name: 'others', text: '' });
    return [
      ...(index === 0 ? [] : ['']),
      ...wrap(title, width).map((line) => paint('bold', line)),
      ...counts(list, width),
    ];
  });
}

/** Solved episodes by group of tasks. */
export function groups(benchmark: BenchmarkReport, width: number, paint: Paint): string[] {
  const rows = groupsSolved(benchmark).map(({ title, solved, of }) => [
    { text: toPlain([outside(title, 60)]) },
    { text: `${count(solved)}/${count(of)}` },
    { text: figure(solved / of, 'percent') },
  ]);
  if (rows.length === 0) return [];
  return columns(
    [
      { title: 'solved, by kind of task', align: 'left' },
      { title: 'solved', align: 'right' },
      { title: 'share', align: 'right' },
    ],
    rows,
    width,
    paint,
  );
}

/** The two-by-two table of decisions. */
export function decisions(benchmark: BenchmarkReport, width: number, paint: Paint): string[] {
  const table = benchmark.confusion;
  if (table === null || benchmark.samples.answered === 0) return [];
  const endings = endingsOf(benchmark);
  const words = decisionWords(benchmark);
  const lines = columns(
    [
      { title: words.title.toLowerCase(), align: 'left' },
      { title: `vendor ${words.yesShort}`, align: 'right' },
      { title: `vendor ${words.no}`, align: 'right' },
    ],
    [
      [
        { text: `official ${words.yesShort}` },
        { text: count(table.tp) },
        { text: count(table.fn) },
      ],
      [{ text: `official ${words.no}` }, { text: count(table.fp) }, { text: count(table.tn) }],
    ],
    width,
    paint,
  );
  const sentences = [endings, payloadSentence(benchmark)].filter((each) => each.length > 0);
  return [...lines, ...sentences.flatMap((each) => wrap(toPlain(each), width))];
}

/** Samples that show what failed; none under a pass. */
export function samples(benchmark: BenchmarkReport, width: number, paint: Paint): string[] {
  if (benchmark.verdict === 'pass') return [];
  return chosenExamples(benchmark, EXAMPLES).flatMap((example, index) => [
    ...(index === 0 ? [] : ['']),
    ...sample(example, benchmark, width, paint),
  ]);
}

function sample(
  example: Example,
  benchmark: BenchmarkReport,
  width: number,
  paint: Paint,
): string[] {
  const names = exampleNames(benchmark);
  const labels = [names?.prompt ?? 'prompt', 'official', names?.vendor ?? 'vendor', 'why'];
  const wide = Math.max(...labels.map((label) => label.length));
  const title = toPlain(['Sample ', code(example.id, 40), ': ', outside(example.title, 120)]);
  const parts = [example.prompt, example.official, example.vendor, example.detail]
    .map((text, at) => ({ name: (labels[at] ?? '').toLowerCase().padEnd(wide), text }))
    .filter(({ text }) => reveal(text).trim() !== '');
  return [
    ...wrap(title, width).map((line) => paint('bold', line)),
    ...parts.flatMap(({ name, text }) =>
      wrap(forTerminal(text, 200), width - wide - 4).map(
        (line, index) => `  ${paint('dim', index === 0 ? name : ' '.repeat(wide))}  ${line}`,
      ),
    ),
  ];
}

/** Latency and tokens. */
export function costs(benchmark: BenchmarkReport, width: number, paint: Paint): string[] {
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
      ? `${count(usage.prompt_tokens)} prompt and ${count(usage.completion_tokens)} completion tokens${costWords(usage.cost)}`
      : 'no token counts';
  return [
    ...(rows.length === 0 ? [] : [...columns(header, rows, width, paint)]),
    ...wrap(
      `${counted(usage.requests, 'request')}, ${counted(usage.retries, 'retry', 'retries')}, ${tokens}`,
      width,
    ).map((line) => paint('dim', line)),
  ];
}

/** What was counted and decides nothing. */
export function oddities(benchmark: BenchmarkReport, width: number, paint: Paint): string[] {
  const warnings = benchmark.warnings.filter((each) => each.count > 0);
  if (warnings.length === 0) return [];
  const shown = [...warnings]
    .sort((a, b) => b.count - a.count)
    .slice(0, WARNINGS)
    .map((each) => ({
      count: each.count,
      name: toPlain([outside(each.name, 40)]),
      text: toPlain(worded(each.text, 160)),
    }));
  const more = warnings.length - shown.length;
  return [
    paint('bold', 'Oddities, which decide no gate'),
    ...counts(shown, width),
    ...(more > 0 ? [`and ${counted(more, 'more kind')}`] : []),
  ];
}

/** Which data the figures are about. */
export function origin(report: RunReport, width: number, paint: Paint): string[] {
  return report.benchmarks
    .slice(0, 20)
    .flatMap((benchmark) =>
      wrap(
        toPlain([
          code(`${nameOf(benchmark)} version ${benchmark.version}`),
          ' on ',
          code(benchmark.dataset.source, 200),
          ', sha256 ',
          code(benchmark.dataset.sha256.slice(0, 12)),
        ]),
        width,
      ).map((line) => paint('dim', line)),
    );
}

interface Counted {
  readonly count: number;
  readonly name: string;
  readonly text: string;
}

/** A list with its counts and names in columns of their own; the text wraps in the third. */
function counts(list: readonly Counted[], width: number): string[] {
  const digits = Math.max(0, ...list.map((each) => count(each.count).length));
  const names = Math.min(24, Math.max(0, ...list.map((each) => widthOf(each.name))));
  const hanging = width - digits - names - 6 >= 24;
  const indent = ' '.repeat(digits + 4 + (hanging ? names + 2 : 0));
  return list.flatMap((each) => {
    const lead = `  ${count(each.count).padStart(digits)}  `;
    const name = pad(each.name, names);
    // A long name, or a narrow terminal: the text begins on the next line.
    const own = !hanging || widthOf(each.name) > names;
    const lines = each.text === '' ? [] : wrap(each.text, width - indent.length);
    const rest = (own ? lines : lines.slice(1)).map((line) => indent + line);
    const first = own
      ? wrap(each.name, width - lead.length)
      : [`${name}  ${lines[0] ?? ''}`.trimEnd()];
    return [
      ...first.map((line, index) => (index === 0 ? lead : ' '.repeat(lead.length)) + line),
      ...rest,
    ];
  });
}
