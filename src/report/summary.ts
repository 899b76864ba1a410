import type { BenchmarkReport, RunReport } from '../model/report.js';
import { document } from './document.js';
import { samplesSection } from './examples.js';
import { type Detail, fitted, SUMMARY_BYTES, stages } from './fit.js';
import { type Links, link, reportPlace } from './links.js';
import { blocks } from './markdown.js';
import { byteSize } from './numbers.js';
import { code, toMarkdown } from './prose.js';
import {
  costSection,
  decisionsSection,
  failuresSection,
  groupsSection,
  metricsSection,
  notesSection,
  originSection,
  warningsSection,
} from './sections.js';

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
    (detail) =>
      `${document(report, detail, {
        ...opts,
        maxBytes,
        h: '##',
        sections: (benchmark, h) => benchmarkSections(benchmark, detail, h),
        after: detail.sections
          ? blocks(notesSection(report.notes, '###'), originSection(report, '###'))
          : '',
        footer: footer(report, opts.links),
      })}\n`,
    maxBytes,
    `*Cut here to fit ${byteSize(maxBytes)}. The whole report is in ${reportPlace(opts.links)}.*`,
  );
}

function benchmarkSections(benchmark: BenchmarkReport, detail: Detail, h: string): string {
  const samples = samplesSection(benchmark, detail, h);
  if (!detail.sections) return samples;
  return blocks(
    groupsSection(benchmark, h),
    failuresSection(benchmark, h),
    decisionsSection(benchmark, h),
    samples,
    costSection(benchmark, h),
    warningsSection(benchmark, h),
    benchmark.samples.answered > 0 ? metricsSection(benchmark) : '',
  );
}

function footer(report: RunReport, links: Links): string {
  const parts: string[] = [
    `Vendor Gate ${toMarkdown([code(report.tool.version, 40)])}`,
    `report ${toMarkdown([code(report.report_id, 120)])}`,
    `started ${toMarkdown([code(report.started_at, 40)])}`,
  ];
  if (links.docs !== null) {
    parts.push(link('what the gates mean', `${links.docs}/gates.md`));
    parts.push(link('troubleshooting', `${links.docs}/troubleshooting.md`));
  }
  return `<sub>${parts.join(' · ')}</sub>`;
}
