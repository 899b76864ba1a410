import type { BenchmarkReport, RunReport } from '../model/report.js';
import { benchmarkWords } from './benchmark-words.js';
import { type Detail, fitted, SUMMARY_BYTES, stages } from './fit.js';
import { type Links, link, reportPlace } from './links.js';
import { blocks, callout, gateTable, ICONS } from './markdown.js';
import { count, counted } from './numbers.js';
import { code, type Sentence, toMarkdown } from './prose.js';
import { gateRows, intervalHeading } from './rows.js';
import {
  costSection,
  decisionsSection,
  failuresSection,
  metricsSection,
  notesSection,
  originSection,
  samplesSection,
  warningsSection,
} from './sections.js';
import { nameOf } from './shape.js';
import { calloutsOf, factsOf, wordsOf } from './words.js';

/** Instructive samples in a summary, and characters of each of their texts. */
const EXAMPLES = 5;
const EXAMPLE_CHARS = 4000;

/**
 * The job summary: GitHub Markdown, verdict first. At most `maxBytes` of UTF-8 (never above GitHub's limit): rows of
 * gates that hold are left out first, then samples, then sections, and it says what was left out and where it is.
 */
export function renderSummary(
  report: RunReport,
  opts: { readonly maxBytes: number; readonly links: Links },
): string {
  return fitted(
    stages({ examples: EXAMPLES, exampleChars: EXAMPLE_CHARS }),
    (detail) => `${document(report, detail, opts.links)}\n`,
    Math.min(opts.maxBytes, SUMMARY_BYTES),
    `*Cut here to fit GitHub’s size limit. The whole report is in ${reportPlace(opts.links)}.*`,
  );
}

function document(report: RunReport, detail: Detail, links: Links): string {
  const several = report.benchmarks.length > 1;
  const h = several ? '####' : '###';
  const shown = report.benchmarks.slice(0, detail.benchmarks);
  return blocks(
    opening(report, '##'),
    ...shown.map((benchmark) =>
      blocks(
        several ? benchmarkHeading(benchmark, report) : '',
        gatesBlock(benchmark, detail),
        detail.sections ? failuresSection(benchmark, h) : '',
        detail.sections ? decisionsSection(benchmark.confusion, h) : '',
        samplesSection(benchmark.examples, detail.examples, detail.exampleChars, h),
        detail.sections ? costSection(benchmark, h) : '',
        detail.sections ? warningsSection(benchmark, h) : '',
        detail.sections ? metricsSection(benchmark) : '',
      ),
    ),
    detail.sections ? notesSection(report.notes, '###') : '',
    detail.sections ? originSection(report, '###') : '',
    leftOut(report, detail, links),
    footer(report, links),
  );
}

/** Headline, facts, callouts and the sentences under them; the same in summary and comment. */
export function opening(report: RunReport, h: string): string {
  const { headline, sentences } = wordsOf(report);
  const several = report.benchmarks.length > 1;
  return blocks(
    `${h} ${ICONS[report.verdict]} Vendor Gate: ${report.verdict} – ${toMarkdown(headline)}`,
    factsOf(report).map(toMarkdown).join(' · '),
    ...grouped(report).map(([kind, group]) => callout(kind, group)),
    several
      ? sentences.map((sentence) => `- ${toMarkdown(sentence)}`).join('\n')
      : sentences.map(toMarkdown).join('\n\n'),
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
export function benchmarkHeading(benchmark: BenchmarkReport, report: RunReport): string {
  const { sentences } = benchmarkWords(benchmark, report);
  const { run } = benchmark.samples;
  return blocks(
    `### ${ICONS[benchmark.verdict]} ${toMarkdown([code(nameOf(benchmark))])} – ${benchmark.verdict}`,
    `${count(run)} of ${counted(benchmark.dataset.rows, 'sample')}`,
    sentences.map(toMarkdown).join('\n\n'),
  );
}

/** The gate table as far as `detail` allows. */
export function gatesBlock(benchmark: BenchmarkReport, detail: Detail): string {
  const rows = gateRows(benchmark);
  if (rows.length === 0) return 'No gate was set.';
  const shown = rows
    .filter((row) => detail.passing || row.outcome !== 'pass')
    .slice(0, detail.gates);
  return shown.length === 0 ? '' : gateTable(shown, intervalHeading(benchmark));
}

/** What a smaller rendering leaves out, and where it is; '' for a whole one. */
export function leftOut(report: RunReport, detail: Detail, links: Links): string {
  const missing: string[] = [];
  const rows = report.benchmarks.map(gateRows);
  const held = rows.flat().filter((row) => row.outcome === 'pass').length;
  const cut = rows
    .map((each) => each.filter((row) => row.outcome !== 'pass').length - detail.gates)
    .reduce((sum, n) => sum + Math.max(0, n), 0);
  if (!detail.passing && held > 0) missing.push(`${counted(held, 'gate')} that hold`);
  if (cut > 0) missing.push(`${counted(cut, 'gate')} that do not hold`);
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
  return `*Left out to fit GitHub’s size limit: ${missing.join('; ')}. The whole report is in ${reportPlace(links)}.*`;
}

function footer(report: RunReport, links: Links): string {
  const parts: string[] = [
    `Vendor Gate ${toMarkdown([code(report.tool.version, 40)])}`,
    `report ${toMarkdown([code(report.report_id, 120)])}`,
    `started ${toMarkdown([code(report.started_at, 40)])}`,
  ];
  if (report.resumed_samples > 0) {
    parts.push(`${counted(report.resumed_samples, 'sample')} taken over from an earlier run`);
  }
  if (links.docs !== null) {
    parts.push(link('what the gates mean', `${links.docs}/gates.md`));
    parts.push(link('troubleshooting', `${links.docs}/troubleshooting.md`));
  }
  return `<sub>${parts.join(' · ')}</sub>`;
}
