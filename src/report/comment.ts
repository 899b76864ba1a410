import type { BenchmarkReport, RunReport } from '../model/report.js';
import { COMMENT_BYTES, type Detail, fitted, stages } from './fit.js';
import { type Links, link, reportPlace } from './links.js';
import { blocks } from './markdown.js';
import { code, toMarkdown } from './prose.js';
import { samplesSection } from './sections.js';
import { benchmarkHeading, gatesBlock, leftOut, opening } from './summary.js';

/** Instructive samples in a comment, and characters of each of their texts. */
const EXAMPLES = 3;
const EXAMPLE_CHARS = 1200;

/**
 * The pull-request comment: `marker` on the first line, then verdict, gates and two or three samples. At most
 * `maxBytes` of UTF-8, marker counted in and never lost.
 */
export function renderComment(
  report: RunReport,
  opts: { readonly maxBytes: number; readonly marker: string; readonly links: Links },
): string {
  return fitted(
    stages({ examples: EXAMPLES, exampleChars: EXAMPLE_CHARS }),
    (detail) => `${opts.marker}\n${document(report, detail, opts.links)}\n`,
    Math.min(opts.maxBytes, COMMENT_BYTES),
    `*Cut here to fit GitHub’s size limit. The rest is in ${link('the job summary', opts.links.run)} and ${reportPlace(opts.links)}.*`,
  );
}

function document(report: RunReport, detail: Detail, links: Links): string {
  const several = report.benchmarks.length > 1;
  return blocks(
    opening(report, '###'),
    ...report.benchmarks
      .slice(0, detail.benchmarks)
      .map((benchmark) =>
        blocks(
          several ? benchmarkHeading(benchmark, report) : '',
          gatesBlock(benchmark, detail),
          worthShowing(benchmark)
            ? samplesSection(benchmark.examples, detail.examples, detail.exampleChars, '')
            : '',
        ),
      ),
    leftOut(report, detail, links),
    footer(report, links),
  );
}

/** Samples explain a failure; under a pass they would only be noise. */
function worthShowing(benchmark: BenchmarkReport): boolean {
  return benchmark.verdict === 'fail' || benchmark.verdict === 'inconclusive';
}

function footer(report: RunReport, links: Links): string {
  const digests = report.benchmarks.map((each) => code(each.dataset.sha256.slice(0, 12), 12));
  const parts = [
    link('Full summary', links.run),
    ...(digests.length > 0 && digests.length <= 3
      ? [`data set ${digests.map((each) => toMarkdown([each])).join(', ')}`]
      : []),
    `report ${toMarkdown([code(report.report_id, 120)])}`,
    `Vendor Gate ${toMarkdown([code(report.tool.version, 40)])}`,
  ];
  return `<sub>${parts.join(' · ')}</sub>`;
}
