import type { BenchmarkReport, ReasonGroup, RunReport } from '../model/report.js';
import { capital } from '../text/figures.js';
import { reveal, untrusted } from '../text/untrusted.js';
import { endingsOf, failureGroups } from './causes.js';
import { decisionWords, payloadSentence } from './k2-words.js';
import { blocks, fenced, folded, table } from './markdown.js';
import { groupsSolved } from './miniwob-words.js';
import {
  costWords,
  count,
  counted,
  exact,
  figure,
  latency,
  level,
  NONE,
  span,
  styleOf,
} from './numbers.js';
import { code, outside, type Sentence, toCell, toMarkdown, worded } from './prose.js';
import { rerunCommand } from './rerun.js';
import { fractionOf, officialFigures } from './rows.js';
import { isMeasured, nameOf } from './shape.js';

/** Sections of the job summary, each Markdown or '' where there is nothing to show. Headings start at `h`. */

/** Rows of a table 'what failed and how often'. */
const REASONS = 12;
const WARNINGS = 15;

/** What failed and how often, by reason. */
export function failuresSection(benchmark: BenchmarkReport, h: string): string {
  const groups = failureGroups(benchmark).map(reasonTable);
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
    toCell([code(row.key, 60)]),
    row.text === reveal(row.key) ? '' : toCell(worded(row.text, 200)),
  ]);
  if (rest > 0)
    lines.push([count(rest), '', `${counted(rows.length - shown.length, 'more kind')}`]);
  return blocks(
    toMarkdown(title),
    table([toCell([outside(group.unit, 40)]), 'reason', 'what it means'], 'rll', lines),
  );
}

/** Solved episodes by group of tasks. */
export function groupsSection(benchmark: BenchmarkReport, h: string): string {
  const rows = groupsSolved(benchmark).map(({ title, solved, of }) => [
    toCell([outside(title, 60)]),
    `${count(solved)}/${count(of)}`,
    figure(solved / of, 'percent'),
  ]);
  return rows.length === 0
    ? ''
    : blocks(`${h} Solved, by kind of task`, table(['tasks', 'solved', 'share'], 'lrr', rows));
}

/** The two-by-two table of decisions, and how answers ended. */
export function decisionsSection(benchmark: BenchmarkReport, h: string): string {
  const { confusion } = benchmark;
  // Without a single answer the table would hold nothing but missing answers.
  if (confusion === null || benchmark.samples.answered === 0) return '';
  const { tp, fp, fn, tn, fn_unmeasured, tn_unmeasured } = confusion;
  const endings = endingsOf(benchmark);
  const payload = payloadSentence(benchmark);
  const words = decisionWords(benchmark);
  return blocks(
    `${h} ${words.title}`,
    table(['', `vendor ${words.yes}`, `vendor ${words.no}`], 'lrr', [
      [`**official ${words.yes}**`, `${count(tp)} agree`, `${count(fn)} missed`],
      [`**official ${words.no}**`, `${count(fp)} extra`, `${count(tn)} agree`],
    ]),
    fn_unmeasured + tn_unmeasured === 0
      ? ''
      : `Without a usable answer, and so counted as ${words.unanswered}: ${count(fn_unmeasured)} of the missed, ${count(tn_unmeasured)} of those that agree.`,
    endings.length === 0 ? '' : toMarkdown(endings),
    payload.length === 0 ? '' : toMarkdown(payload),
  );
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
      ? `${count(usage.total_tokens)} tokens: ${count(usage.prompt_tokens)} prompt, ${count(usage.completion_tokens)} completion${costWords(usage.cost)}.`
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
      shown.map((each) => [
        count(each.count),
        toCell([code(each.name, 60)]),
        toCell(worded(each.text, 240)),
      ]),
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
    const reference = officialFigures(benchmark)[name];
    return [
      toCell([outside(metric.title, 120)]),
      toCell([code(name, 60)]),
      fraction === null ? value : `${fraction} = ${value}`,
      interval === undefined
        ? NONE
        : `${span(interval.low, interval.high, style)} (${level(interval.level)}, ${toCell([outside(interval.method, 30)])})`,
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

/** Where the data came from, what was set, and how to run it again. */
export function originSection(report: RunReport, h: string): string {
  if (report.benchmarks.length === 0) return '';
  const settings = Object.entries(report.settings)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
  const command = untrusted(rerunCommand(report));
  return blocks(
    `${h} Data and settings`,
    report.benchmarks.map(dataLine).join('\n'),
    settings === '' ? '' : folded('Settings', fenced(untrusted(settings), 8000)),
    folded(
      'Run it again',
      blocks(
        isMeasured(report)
          ? 'From a checkout of Vendor Gate, with the key in `VENDOR_GATE_API_KEY`. What was secret is left out: header values, and the signature of a data set’s address.'
          : 'From a checkout of Vendor Gate.',
        fenced(command, 4000),
      ),
    ),
  );
}

function dataLine(benchmark: BenchmarkReport): string {
  const { dataset, metrics } = benchmark;
  const official = Object.entries(officialFigures(benchmark))
    .slice(0, 5)
    .flatMap(([name, reference], index): Sentence => {
      const metric = metrics[name];
      const mean = exact(reference.mean, styleOf(metric?.kind ?? 'coefficient'));
      return [
        index === 0 ? '' : '; ',
        outside(metric?.title ?? name, 120),
        ` ${mean}: `,
        ...worded(reference.source, 200),
      ];
    });
  return toMarkdown([
    '- ',
    code(`${nameOf(benchmark)} version ${benchmark.version}`, 120),
    ' on ',
    code(dataset.source, 200),
    `, ${counted(dataset.rows, 'row')}, sha256 `,
    code(dataset.sha256, 64),
    ...(official.length === 0 ? [] : ['. Official figures: ', ...official]),
    '.',
  ]);
}

/** Notes of the run. */
export function notesSection(notes: readonly string[], h: string): string {
  if (notes.length === 0) return '';
  const shown = notes.slice(0, 20).map((note) => `- ${toMarkdown(worded(note, 300))}`);
  const rest = notes.length - shown.length;
  return blocks(
    `${h} Notes`,
    [...shown, ...(rest > 0 ? [`- ${counted(rest, 'more note')}`] : [])].join('\n'),
  );
}
