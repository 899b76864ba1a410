import type { BenchmarkReport, RunReport } from '../model/report.js';
import { document } from './document.js';
import { samplesSection } from './examples.js';
import { COMMENT_BYTES, fitted, stages } from './fit.js';
import { type Links, link, reportPlace } from './links.js';
import { byteSize } from './numbers.js';
import { code, type Sentence, toMarkdown } from './prose.js';
import { nameOf } from './shape.js';

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
  const maxBytes = Math.min(opts.maxBytes, COMMENT_BYTES);
  return fitted(
    stages({ examples: EXAMPLES, exampleChars: EXAMPLE_CHARS, quietWarnings: false }),
    (detail) =>
      `${opts.marker}\n${document(report, detail, {
        maxBytes,
        links: opts.links,
        h: '###',
        sections: (benchmark) =>
          worthShowing(benchmark) ? samplesSection(benchmark, detail, '') : '',
        after: '',
        footer: footer(report, opts.links),
      })}\n`,
    maxBytes,
    `*Cut here to fit ${byteSize(maxBytes)}. The rest is in ${link('the job summary', opts.links.run)} and ${reportPlace(opts.links)}.*`,
  );
}

/** Samples explain a failure; under a pass they would only be noise. */
function worthShowing(benchmark: BenchmarkReport): boolean {
  return benchmark.verdict === 'fail' || benchmark.verdict === 'inconclusive';
}

function footer(report: RunReport, links: Links): string {
  const [only, ...others] = report.benchmarks;
  const data: Sentence =
    only === undefined || others.length > 0
      ? []
      : [code(nameOf(only)), ' on data set ', code(only.dataset.sha256.slice(0, 12))];
  const parts = [
    link('Full summary', links.run),
    toMarkdown(data),
    toMarkdown(['report ', code(report.report_id)]),
    toMarkdown(['Vendor Gate ', code(report.tool.version, 40)]),
  ];
  return `<sub>${parts.filter((part) => part !== '').join(' · ')}</sub>`;
}
