import type { BenchmarkReport, RunReport } from '../model/report.js';
import { benchmarkWords } from './benchmark-words.js';
import { samplesSection } from './examples.js';
import { type Detail, fitted, SUMMARY_BYTES, stages } from './fit.js';
import { type Links, link, reportPlace } from './links.js';
import { blocks, callout, gateTable, ICONS } from './markdown.js';
import { byteSize, counted } from './numbers.js';
import { code, type Sentence, toMarkdown } from './prose.js';
import { type GateRow, gateRows, intervalHeading } from './rows.js';
import {
  costSection,
  decisionsSection,
  failuresSection,
  metricsSection,
  notesSection,
  originSection,
  warningsSection,
} from './sections.js';
import { nameOf } from './shape.js';
import { calloutsOf, factsOf, sizeText, wordsOf } from './words.js';

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
  const maxBytes = Math.min(opts.maxBytes, SUMMARY_BYTES);
  return fitted(
    stages({ examples: EXAMPLES, exampleChars: EXAMPLE_CHARS, quietWarnings: true }),
    (detail) => `${document(report, detail, { ...opts, maxBytes })}\n`,
    maxBytes,
    `*Cut here to fit ${byteSize(maxBytes)}. The whole report is in ${reportPlace(opts.links)}.*`,
  );
}

function document(
  report: RunReport,
  detail: Detail,
  opts: { readonly maxBytes: number; readonly links: Links },
): string {
  const several = report.benchmarks.length > 1;
  return blocks(
    opening(report, '##'),
    ...report.benchmarks
      .slice(0, detail.benchmarks)
      .map((benchmark) =>
        blocks(
          several ? benchmarkHeading(benchmark, report, '###') : '',
          gatesBlock(benchmark, detail),
          benchmarkSections(benchmark, detail, several ? '####' : '###'),
        ),
      ),
    detail.sections ? notesSection(report.notes, '###') : '',
    detail.sections ? originSection(report, '###') : '',
    leftOut(report, detail, opts),
    footer(report, opts.links),
  );
}

function benchmarkSections(benchmark: BenchmarkReport, detail: Detail, h: string): string {
  const samples = samplesSection(benchmark, detail, h);
  if (!detail.sections) return samples;
  return blocks(
    failuresSection(benchmark, h),
    decisionsSection(benchmark, h),
    samples,
    costSection(benchmark, h),
    warningsSection(benchmark, h),
    benchmark.samples.answered > 0 ? metricsSection(benchmark) : '',
  );
}

/** Headline, facts, callouts and the sentences under them; the same in summary and comment. */
export function opening(report: RunReport, h: string): string {
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
export function benchmarkHeading(benchmark: BenchmarkReport, report: RunReport, h: string): string {
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
export function gatesBlock(benchmark: BenchmarkReport, detail: Detail): string {
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
export function leftOut(
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
