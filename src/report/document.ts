import type { BenchmarkReport, RunReport } from '../model/report.js';
import { benchmarkWords } from './benchmark-words.js';
import type { Detail } from './fit.js';
import { type Links, reportPlace } from './links.js';
import { blocks, callout, gateTable, ICONS } from './markdown.js';
import { byteSize, counted } from './numbers.js';
import { code, type Sentence, toMarkdown } from './prose.js';
import { type GateRow, gateRows, intervalHeading } from './rows.js';
import { nameOf } from './shape.js';
import { calloutsOf, factsOf, sizeText, wordsOf } from './words.js';

/** What a summary and a comment do differently. */
export interface Form {
  readonly maxBytes: number;
  readonly links: Links;
  /** Of the headline: '##'. */
  readonly h: string;
  /** What follows a benchmark's gates, with the level of its headings. */
  sections(benchmark: BenchmarkReport, h: string): string;
  /** What follows the benchmarks; may be empty. */
  readonly after: string;
  readonly footer: string;
}

/** A report as GitHub Markdown: verdict, then gates and what explains them for each benchmark. */
export function document(report: RunReport, detail: Detail, form: Form): string {
  const several = report.benchmarks.length > 1;
  const h = `${form.h}#`;
  return blocks(
    opening(report, form.h),
    ...report.benchmarks
      .slice(0, detail.benchmarks)
      .map((benchmark) =>
        blocks(
          several ? benchmarkHeading(benchmark, report, h) : '',
          gatesBlock(benchmark, detail),
          form.sections(benchmark, several ? `${h}#` : h),
        ),
      ),
    form.after,
    leftOut(report, detail, form),
    form.footer,
  );
}

/** Headline, facts, callouts and the sentences under them. */
function opening(report: RunReport, h: string): string {
  const { headline, sentences } = wordsOf(report);
  return blocks(
    `${h} ${ICONS[report.verdict]} Vendor Gate: ${report.verdict} – ${toMarkdown(headline)}`,
    factsOf(report).map(toMarkdown).join(' · '),
    ...grouped(report).map(([kind, group]) => callout(kind, group)),
    points(sentences),
  );
}

function grouped(report: RunReport): ['important' | 'warning', Sentence[]][] {
  const kinds = ['important', 'warning'] as const;
  const callouts = calloutsOf(report);
  return kinds.flatMap((kind): ['important' | 'warning', Sentence[]][] => {
    const sentences = callouts.filter((each) => each.kind === kind).map((each) => each.sentence);
    return sentences.length === 0 ? [] : [[kind, sentences]];
  });
}

/** Heading and sentences of one benchmark among several. */
function benchmarkHeading(benchmark: BenchmarkReport, report: RunReport, h: string): string {
  const { sentences } = benchmarkWords(benchmark, report);
  return blocks(
    `${h} ${ICONS[benchmark.verdict]} ${toMarkdown([code(nameOf(benchmark))])} – ${benchmark.verdict}, ${sizeText(benchmark.samples.run, benchmark.dataset.rows)}`,
    points(sentences),
  );
}

/** One sentence as a paragraph, several as a tight list. */
function points(sentences: readonly Sentence[]): string {
  const bullet = sentences.length > 1 ? '- ' : '';
  return sentences.map((sentence) => `${bullet}${toMarkdown(sentence)}`).join('\n');
}

/** The gate table as far as `detail` allows; '' where nothing could be judged. */
function gatesBlock(benchmark: BenchmarkReport, detail: Detail): string {
  if (benchmark.samples.answered === 0) return '';
  const rows = gateRows(benchmark);
  if (rows.length === 0) return 'No gate was set.';
  const shown = rows.filter((row) => isShown(row, detail)).slice(0, detail.gates);
  return shown.length === 0 ? '' : gateTable(shown, intervalHeading(benchmark));
}

function isShown(row: GateRow, detail: Detail): boolean {
  if (row.warning && row.outcome !== 'warn') return detail.passing && detail.quietWarnings;
  return detail.passing || row.outcome !== 'pass';
}

/** What a smaller rendering leaves out, and where it is; '' for a whole one. */
function leftOut(
  report: RunReport,
  detail: Detail,
  opts: { readonly maxBytes: number; readonly links: Links },
): string {
  const missing: string[] = [];
  const rows = report.benchmarks.map(gateRows);
  const held = rows.flat().filter((row) => row.outcome === 'pass').length;
  const cut = rows
    .map((each) => each.filter((row) => row.outcome !== 'pass').length - detail.gates)
    .reduce((sum, n) => sum + Math.max(0, n), 0);
  if (!detail.passing && held > 0)
    missing.push(counted(held, 'gate that holds', 'gates that hold'));
  if (cut > 0) missing.push(counted(cut, 'gate that does not hold', 'gates that do not hold'));
  if (report.benchmarks.length > detail.benchmarks) {
    missing.push(
      `the tables of ${counted(report.benchmarks.length - detail.benchmarks, 'benchmark')}`,
    );
  }
  const examples = report.benchmarks.some((each) => each.examples.length > 0);
  if (detail.examples === 0 && examples) missing.push('all samples');
  else if (detail.shortened && examples) missing.push('some samples and the ends of long ones');
  if (!detail.sections) missing.push('the tables of failures, decisions, latency and settings');
  if (missing.length === 0) return '';
  return `*Left out to fit ${byteSize(opts.maxBytes)}: ${missing.join('; ')}. The whole report is in ${reportPlace(opts.links)}.*`;
}
