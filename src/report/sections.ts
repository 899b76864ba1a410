import type {
  BenchmarkReport,
  Confusion,
  Example,
  ReasonGroup,
  RunReport,
} from '../model/report.js';
import { reveal, untrusted } from '../text/untrusted.js';
import { reasonGroups } from './causes.js';
import { blocks, cell, codeCell, fenced, folded, inHtml, table } from './markdown.js';
import { count, counted, exact, figure, latency, level, NONE, span, styleOf } from './numbers.js';
import { capital, outside, type Sentence, toMarkdown } from './prose.js';
import { rerunCommand } from './rerun.js';
import { fractionOf } from './rows.js';

/** Sections of the job summary, each Markdown or '' where there is nothing to show. Headings start at `h`. */

/** Rows of a table 'what failed and how often'. */
const REASONS = 12;
const WARNINGS = 15;

/** What failed and how often, by reason. */
export function failuresSection(benchmark: BenchmarkReport, h: string): string {
  const groups = reasonGroups(benchmark).map(reasonTable);
  return groups.length === 0 ? '' : blocks(`${h} What failed, and how often`, ...groups);
}

function reasonTable(group: ReasonGroup): string {
  const rows = group.rows.filter((row) => row.count > 0);
  const shown = rows.slice(0, REASONS);
  const rest = rows.slice(REASONS).reduce((sum, row) => sum + row.count, 0);
  const total = rows.reduce((sum, row) => sum + row.count, 0);
  const of = group.of;
  const share = (n: number): string =>
    of === null || of <= 0 ? '' : ` (${figure(n / of, 'percent')})`;
  const title: Sentence = [
    outside(capital(group.title), 120),
    ': ',
    of === null ? count(total) : `${count(total)} of ${count(of)}${share(total)}`,
  ];
  const lines = shown.map((row) => [
    count(row.count),
    codeCell(row.key, 60),
    row.text === reveal(row.key) ? '' : cell(row.text, 200),
  ]);
  if (rest > 0)
    lines.push([count(rest), '', `${counted(rows.length - shown.length, 'more kind')}`]);
  return blocks(
    toMarkdown(title),
    table([cell(group.unit, 40), 'reason', 'what it means'], 'rll', lines),
  );
}

/** The two-by-two table of decisions. */
export function decisionsSection(confusion: Confusion | null, h: string): string {
  if (confusion === null) return '';
  const { tp, fp, fn, tn, fn_unmeasured, tn_unmeasured } = confusion;
  const unmeasured = fn_unmeasured + tn_unmeasured;
  return blocks(
    `${h} Who called a tool`,
    table(['', 'vendor called a tool', 'vendor did not'], 'lrr', [
      ['**official called a tool**', `${count(tp)} agree`, `${count(fn)} missed`],
      ['**official did not**', `${count(fp)} extra`, `${count(tn)} agree`],
    ]),
    unmeasured === 0
      ? ''
      : `Without a usable answer, counted as not called: ${count(fn_unmeasured)} of the missed and ${count(tn_unmeasured)} of the agreeing.`,
  );
}

/** Instructive samples, official against vendor, each folded. `open`: the first one unfolded. */
export function samplesSection(
  examples: readonly Example[],
  most: number,
  chars: number,
  h: string,
): string {
  const shown = varied(examples, most);
  if (shown.length === 0) return '';
  return blocks(
    h === '' ? '' : `${h} Samples to look at`,
    ...shown.map((each) => sample(each, chars)),
  );
}

function sample(example: Example, chars: number): string {
  const title = `sample ${inHtml(untrusted(example.id), 40)} – ${inHtml(untrusted(example.title), 120)}`;
  const detail = reveal(example.detail).trim();
  return folded(
    title,
    blocks(
      '**Prompt** (its end)',
      fenced(example.prompt, chars),
      '**Official**',
      fenced(example.official, chars),
      '**Vendor**',
      fenced(example.vendor, chars),
      detail === '' ? '' : '**Why**',
      detail === '' ? '' : fenced(example.detail, Math.min(chars, 600)),
    ),
  );
}

/** The most instructive examples, no kind twice before every kind was shown once. */
export function varied(examples: readonly Example[], most: number): Example[] {
  const turns = new Map<string, number>();
  return [...examples]
    .sort((a, b) => a.rank - b.rank)
    .map((example) => {
      const turn = turns.get(example.kind) ?? 0;
      turns.set(example.kind, turn + 1);
      return { example, turn };
    })
    .sort((a, b) => a.turn - b.turn)
    .slice(0, most)
    .map(({ example }) => example);
}

/** Latency and tokens. */
export function costSection(benchmark: BenchmarkReport, h: string): string {
  const { usage } = benchmark;
  const rows = [
    { name: 'to the first token', times: benchmark.latency.first_token },
    { name: 'to the end', times: benchmark.latency.total },
  ].flatMap(({ name, times }) =>
    times === null
      ? []
      : [[name, latency(times.p50), latency(times.p90), latency(times.p99), count(times.n)]],
  );
  const tokens =
    usage.total_tokens > 0
      ? `${count(usage.total_tokens)} tokens: ${count(usage.prompt_tokens)} prompt, ${count(usage.completion_tokens)} completion.`
      : 'The endpoint reported no token counts.';
  if (usage.requests === 0) return '';
  return blocks(
    `${h} Latency and tokens`,
    rows.length === 0 ? '' : table(['time', 'p50', 'p90', 'p99', 'answers'], 'lrrrr', rows),
    `${counted(usage.requests, 'request')}, ${counted(usage.retries, 'retry', 'retries')}. ${tokens}`,
  );
}

/** Oddities that were counted and decide nothing. */
export function warningsSection(benchmark: BenchmarkReport, h: string): string {
  const warnings = benchmark.warnings.filter((each) => each.count > 0);
  if (warnings.length === 0) return '';
  const shown = [...warnings].sort((a, b) => b.count - a.count).slice(0, WARNINGS);
  const rest = warnings.length - shown.length;
  return blocks(
    `${h} Oddities`,
    'Counted and shown; none of them decides a gate.',
    table(
      ['count', 'name', 'what it means'],
      'rll',
      shown.map((each) => [count(each.count), codeCell(each.name, 60), cell(each.text, 240)]),
    ),
    rest > 0 ? `${counted(rest, 'more kind')} in the report.` : '',
  );
}

/** Every metric, folded. */
export function metricsSection(benchmark: BenchmarkReport): string {
  const rows = Object.entries(benchmark.metrics).map(([name, metric]) => {
    const style = styleOf(metric.kind);
    const fraction = metric.kind === 'rate' ? fractionOf(metric) : null;
    const value = figure(metric.value, style);
    const { interval } = metric;
    const reference = benchmark.references[name];
    return [
      cell(metric.title, 120),
      codeCell(name, 60),
      fraction === null ? value : `${fraction} = ${value}`,
      interval === undefined
        ? NONE
        : `${span(interval.low, interval.high, style)} (${level(interval.level)}, ${cell(interval.method, 30)})`,
      reference === undefined ? NONE : officialText(reference, style),
    ];
  });
  if (rows.length === 0) return '';
  return folded(
    'All metrics',
    table(['metric', 'name in gates', 'value', 'interval', 'official'], 'llrrl', rows),
  );
}

function officialText(
  reference: { mean: number; min?: number },
  style: ReturnType<typeof styleOf>,
): string {
  const lowest = reference.min === undefined ? '' : `, lowest ${exact(reference.min, style)}`;
  return `${exact(reference.mean, style)}${lowest}`;
}

/** Where the data came from and what was set. */
export function originSection(report: RunReport, h: string): string {
  const sets = report.benchmarks.map((each) => {
    const sources = [...new Set(Object.values(each.references).map((one) => one.source))];
    return [
      codeCell(`${each.name} ${each.version}`, 80),
      codeCell(each.dataset.source, 200),
      count(each.dataset.rows),
      codeCell(each.dataset.sha256, 64),
      sources.map((source) => cell(source, 200)).join('; '),
    ];
  });
  const settings = Object.entries(report.settings)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
  return blocks(
    `${h} Data and settings`,
    sets.length === 0
      ? ''
      : table(['benchmark', 'data set', 'rows', 'sha256', 'official figures from'], 'llrll', sets),
    settings === '' ? '' : folded('Settings', fenced(untrusted(settings), 8000)),
    report.benchmarks.length === 0
      ? ''
      : folded(
          'Run it again',
          blocks(
            'From a checkout of Vendor Gate, with the key in <code>VENDOR_GATE_API_KEY</code>:',
            fenced(untrusted(rerunCommand(report)), 4000),
          ),
        ),
  );
}

/** Notes of the run. */
export function notesSection(notes: readonly string[], h: string): string {
  if (notes.length === 0) return '';
  const shown = notes.slice(0, 20).map((note) => `- ${toMarkdown([outside(note, 300)])}`);
  const rest = notes.length - shown.length;
  return blocks(
    `${h} Notes`,
    [...shown, ...(rest > 0 ? [`- ${counted(rest, 'more note')}`] : [])].join('\n'),
  );
}
