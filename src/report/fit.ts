/** Fitting a document to a surface's size limit, by UTF-8 bytes: leave things out in stages, cut hard only at the end. */

/** A job summary may have 1 MiB a step (GitHub drops a larger one); a margin for what the runner adds. */
export const SUMMARY_BYTES = 1_000_000;
/** A comment may have 65,536 characters; counted in bytes it is safe whatever GitHub counts. */
export const COMMENT_BYTES = 65_000;

/** How much of a report is shown. */
export interface Detail {
  /** Whether gates that hold have a row. */
  readonly passing: boolean;
  /** Whether warning gates that do not warn have a row. */
  readonly quietWarnings: boolean;
  /** Samples shown for each benchmark, at most. */
  readonly examples: number;
  /** Characters of each text of a sample, at most. */
  readonly exampleChars: number;
  /** Whether samples are fewer or shorter than they could be. */
  readonly shortened: boolean;
  /** Whether the sections beside verdict and gates are shown. */
  readonly sections: boolean;
  /** Gate rows of each benchmark, at most. */
  readonly gates: number;
  /** Benchmarks with tables of their own, at most. */
  readonly benchmarks: number;
}

const ALL = Number.MAX_SAFE_INTEGER;

/** First the rows of gates that hold go, then samples, then sections; then all but the worst. */
export function stages(
  full: Pick<Detail, 'examples' | 'exampleChars' | 'quietWarnings'>,
): readonly Detail[] {
  const whole: Detail = {
    ...full,
    shortened: false,
    passing: true,
    sections: true,
    gates: ALL,
    benchmarks: ALL,
  };
  const noPassing = { ...whole, passing: false };
  const short = { ...noPassing, examples: 2, exampleChars: 500, shortened: true };
  const noExamples = { ...noPassing, examples: 0 };
  const bare = { ...noExamples, sections: false };
  return [
    whole,
    noPassing,
    short,
    noExamples,
    bare,
    { ...bare, gates: 50 },
    { ...bare, gates: 10, benchmarks: 20 },
    { ...bare, gates: 5, benchmarks: 1 },
  ];
}

/**
 * The fullest rendering that fits `maxBytes`. When even the last stage is too large it is cut between two lines, with
 * everything open closed and `notice` at the end. The first line (a comment's marker) always stays.
 */
export function fitted(
  details: readonly Detail[],
  render: (detail: Detail) => string,
  maxBytes: number,
  notice: string,
): string {
  let text = '';
  for (const detail of details) {
    text = render(detail);
    if (utf8Bytes(text) <= maxBytes) return text;
  }
  return cut(text, maxBytes, notice);
}

/** Length in UTF-8 bytes. */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** Cuts Markdown after a line, closing code blocks and <details>, never between a table's header and its rows. */
export function cut(text: string, maxBytes: number, notice: string): string {
  const lines = text.split('\n');
  const reserve = utf8Bytes(`\n\n${notice}\n`);
  let used = 0;
  let fence: string | null = null;
  let depth = 0;
  let best = 0;
  let closing = '';
  for (const [index, line] of lines.entries()) {
    used += utf8Bytes(line) + 1;
    if (used > maxBytes) break;
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (fence !== null) {
      if (mark?.[1]?.startsWith(fence) && mark[2]?.trim() === '') fence = null;
    } else if (mark?.[1] !== undefined) {
      fence = mark[1];
    } else {
      depth += occurrences(line, '<details') - occurrences(line, '</details>');
    }
    const close: string =
      (fence === null ? '' : `${fence}\n`) + '\n</details>\n'.repeat(Math.max(0, depth));
    if (used + utf8Bytes(close) + reserve > maxBytes) continue;
    if (fence === null && (isDelimiter(line) || isDelimiter(lines[index + 1] ?? ''))) continue;
    best = index + 1;
    closing = close;
  }
  if (best === 0) {
    const first = lines[0] ?? '';
    return utf8Bytes(first) + reserve <= maxBytes ? `${first}\n\n${notice}\n` : `${first}\n`;
  }
  return `${lines.slice(0, best).join('\n')}\n${closing}\n${notice}\n`;
}

function isDelimiter(line: string): boolean {
  return /^\|(\s*:?-+:?\s*\|)+\s*$/.test(line);
}

function occurrences(line: string, part: string): number {
  return line.split(part).length - 1;
}
