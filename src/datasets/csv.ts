import { Readable } from 'node:stream';
import type { CsvError, InfoField } from 'csv-parse';
import { pour, type UnpackContext } from './gunzip.js';
import { type LineWriter, writeLines } from './line-writer.js';
import { problem, shown } from './problem.js';
import { utf8Text } from './utf8.js';

/** Of one row. The longest prompts known to be tested with are below 1 MiB. */
const MAX_ROW_CHARS = 16 * 2 ** 20;

/** A number as JSON writes it; `007`, `+1` and `1e` are none, and stay text. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Converts a table of comma-separated values (RFC 4180, with a header line) to JSON lines, a row a line; line 1 is the
 * first row below the header. Text stays as it is, character by character. Cells without quotes that are a JSON number
 * or a truth value become that; empty ones without quotes are left out, as are columns without a name.
 * @param delimiter `,`, or a tab.
 * @throws ConfigError for rows of another width, quotes that do not match, rows of more than 16 Mi characters.
 */
export async function csvToLines(
  path: string,
  to: string,
  delimiter: ',' | '\t',
  ctx: UnpackContext,
): Promise<void> {
  const { parse } = await import('csv-parse');
  const parser = parse({
    bom: true,
    delimiter,
    record_delimiter: ['\n', '\r\n'],
    skip_empty_lines: true,
    max_record_size: maxRowChars(ctx),
    cast: cellText,
  });
  let names: readonly string[] | null = null;
  const convert = (writer: LineWriter) => async (chunks: AsyncIterable<Buffer>) => {
    const text = Readable.from(utf8Text(chunks, ctx));
    try {
      text.on('error', (error) => parser.destroy(error)).pipe(parser);
      for await (const row of parser as AsyncIterable<readonly (string | null)[]>) {
        if (names === null) names = headerOf(row, ctx);
        else writer.line(objectText(names, row));
      }
    } finally {
      text.destroy();
    }
  };
  try {
    await writeLines(to, ctx.maxBytes, (writer) => pour(path, false, convert(writer), ctx));
  } catch (error) {
    throw csvProblem(error, ctx);
  }
}

/** A row that is longer than the whole may become is not worth reading on either. */
function maxRowChars({ maxBytes }: UnpackContext): number {
  return Math.min(MAX_ROW_CHARS, maxBytes);
}

/** The cell as JSON text, null for an empty one; in the header the name itself. */
function cellText(value: string, { quoting, records }: InfoField): string | null {
  if (records === 0) return value;
  if (quoting) return JSON.stringify(value);
  if (value === '') return null;
  if (NUMBER.test(value)) return value;
  if (/^(?:true|false)$/i.test(value)) return value.toLowerCase();
  return JSON.stringify(value);
}

/** Far more than a data set has. */
const MAX_COLUMNS = 10_000;

function headerOf(row: readonly (string | null)[], ctx: UnpackContext): string[] {
  const names = row.map((name) => (name ?? '').trim());
  if (names.length > MAX_COLUMNS) {
    const what = `${ctx.label} has more than ${MAX_COLUMNS} columns.`;
    throw problem(ctx.where, what, 'Give a table of rows.');
  }
  const seen = new Set<string>();
  const twice = names.find((name) => name !== '' && seen.size === seen.add(name).size);
  if (twice === undefined) return names;
  const what = `${ctx.label} names the column ${shown(twice)} twice.`;
  throw problem(ctx.where, what, 'Give every column a name of its own.');
}

function objectText(names: readonly string[], row: readonly (string | null)[]): string {
  const members: string[] = [];
  for (const [at, name] of names.entries()) {
    const value = row[at] ?? null;
    if (name !== '' && value !== null) members.push(`${JSON.stringify(name)}:${value}`);
  }
  return `{${members.join(',')}}`;
}

function csvProblem(error: unknown, ctx: UnpackContext): unknown {
  if (!(error instanceof Error)) return error;
  const { label, where } = ctx;
  const { code, records } = error as CsvError & { readonly records?: number };
  // The header was the first record.
  const row = Number(records ?? 0);
  const place = row === 0 ? 'its header line' : `row ${row}`;
  const quotes = 'Inside quotes write a quote twice ("").';
  if (code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH') {
    const what = `${label} has more or fewer cells in ${place} than in its header line.`;
    return problem(
      where,
      what,
      'Write every row with the same columns, text with commas in quotes.',
    );
  }
  if (code === 'CSV_QUOTE_NOT_CLOSED') {
    return problem(where, `${label} ends inside a quote that ${place} opens.`, quotes);
  }
  if (code === 'CSV_MAX_RECORD_SIZE') {
    const what = `${label} has more than ${maxRowChars(ctx)} characters in ${place}.`;
    return problem(where, what, `A quote may be left open. ${quotes}`);
  }
  if (typeof code === 'string' && /QUOTE/.test(code)) {
    return problem(where, `${label} has a quote where none may stand, in ${place}.`, quotes);
  }
  return error;
}
