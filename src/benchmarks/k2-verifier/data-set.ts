import { LineError, LineFile } from '../../datasets/lines.js';
import type { DatasetInfo, OpenContext } from '../../model/benchmark.js';
import { ConfigError, type Problem } from '../../model/errors.js';
import { examine, type Findings, NOTHING_FOUND } from './history.js';
import { LabelFile } from './labels.js';
import { noteDisagreement, noteEdits, noteSkipped, noteUndecided } from './notes.js';
import { joinedOfficial, type Official } from './official.js';
import type { Options } from './options.js';
import { officialOf, parseRow, type Row, RowError, rereadRow } from './rows.js';
import { disposeAll, LABELS, obtainFiles, SOURCE } from './sources.js';

/** Bad rows named one by one in an error. */
const NAMED_PROBLEMS = 10;

/** The rows of a run: checked once, then read one at a time. Held are a few bytes a row. */
export interface DataSet {
  readonly info: DatasetInfo;
  /** Digest of the labels file, or null without one. */
  readonly labelsSha256: string | null;
  /** Line numbers of the rows, in file order. */
  readonly rows: readonly number[];
  /** Malformed rows that were left out. */
  readonly skipped: number;
  /** The row's own max_tokens, or null. */
  ownMaxTokens(row: number): number | null;
  /** @throws RangeError for a number that is not in `rows`. */
  read(row: number): RowRead;
  has(row: number): boolean;
  close(): Promise<void>;
}

export interface RowRead {
  readonly line: string;
  readonly row: Row;
  readonly findings: Findings;
  readonly official: Official;
}

/**
 * Fetches the data set and checks every row before anything is sent.
 * @throws ConfigError when a file cannot be had or used, or a row is malformed or has no official decision (with
 *   `on-bad-row: skip` such rows are left out and noted).
 */
export async function openDataSet(options: Options, ctx: OpenContext): Promise<DataSet> {
  const files = await obtainFiles(options, ctx);
  const opened: { close(): void }[] = [];
  const close = async (): Promise<void> => {
    for (const file of opened.splice(0)) file.close();
    await disposeAll(files);
  };
  try {
    const { rows: data, labels: official, synthetic } = files;
    const label = synthetic ? 'synthetic' : data.label;
    const lines = await openLines(data.path, label, SOURCE);
    opened.push(lines);
    let labels: LabelFile | null = null;
    if (official !== null) {
      const where = options.labels === null ? SOURCE : LABELS;
      labels = await LabelFile.open(official.path, lines.lines, official.label, where);
      opened.push(labels);
    }
    // Published together: what the official model gave no answer to is no fault of the file.
    const published = options.labels === null && labels !== null;
    const checked = await checkRows(lines, labels, { label, published }, options, ctx);
    const { rows, skipped, maxTokens } = checked;
    const info = { source: label, sha256: data.sha256, rows: rows.length, synthetic };
    const has = (row: number): boolean => (checked.marks[row] ?? NO_ROW) !== NO_ROW;
    return {
      info,
      labelsSha256: official?.sha256 ?? null,
      rows,
      skipped,
      has,
      ownMaxTokens: (row) => maxTokens[row] || null,
      read(number) {
        if (!has(number)) throw new RangeError(`row ${number} is not in the data set`);
        const line = lines.read(number);
        const row = rereadRow(line);
        const recorded =
          (labels?.decision(number) ?? null) === null ? null : labels?.official(number);
        const official = joinedOfficial(officialOf(row), recorded ?? null);
        if (official === null) throw new RangeError(`row ${number} has no official decision`);
        const findings = checked.marks[number] === FOUND ? examine(row.messages) : NOTHING_FOUND;
        return { line, row, findings, official };
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openLines(path: string, label: string, where: string): Promise<LineFile> {
  try {
    return await LineFile.open(path);
  } catch (error) {
    const what = `${label} cannot be read: ${(error as Error).message}.`;
    throw new ConfigError([{ where, what, fix: 'Check the file.' }]);
  }
}

/** Marks of a line: no row of the run; a row; a row in whose conversation `examine` finds something. */
const NO_ROW = 0;
const PLAIN = 1;
const FOUND = 2;

interface Checked {
  readonly rows: readonly number[];
  readonly skipped: number;
  /** By line number. */
  readonly marks: Uint8Array;
  readonly maxTokens: Int32Array;
}

async function checkRows(
  lines: LineFile,
  labels: LabelFile | null,
  { label, published }: { readonly label: string; readonly published: boolean },
  options: Options,
  ctx: OpenContext,
): Promise<Checked> {
  const rows: number[] = [];
  const bad: Problem[] = [];
  const marks = new Uint8Array(lines.lines + 1);
  const maxTokens = new Int32Array(lines.lines + 1);
  const seen = {
    skipped: [] as number[],
    roles: [] as number[],
    histories: [] as number[],
    disagreeing: [] as number[],
    undecided: [] as number[],
  };
  for (let number = 1; number <= lines.lines; number += 1) {
    if (number % 200 === 0) {
      // Lets signals through while a large file is checked.
      await new Promise(setImmediate);
      ctx.signal.throwIfAborted();
    }
    if (!lines.has(number)) continue;
    const row = checkRow(lines, number, labels);
    if (row === UNDECIDED && published) {
      seen.undecided.push(number);
      continue;
    }
    if (typeof row === 'string' || row === UNDECIDED) {
      seen.skipped.push(number);
      const what = row === UNDECIDED ? undecidedText(number, labels) : row;
      if (bad.length < NAMED_PROBLEMS) bad.push(rowProblem(label, number, what));
      continue;
    }
    rows.push(number);
    maxTokens[number] = tokensOf(row);
    const findings = examine(row.messages);
    marks[number] = findings.inputRoles + findings.malformedArguments > 0 ? FOUND : PLAIN;
    if (findings.inputRoles > 0) seen.roles.push(number);
    if (findings.malformedArguments > 0) seen.histories.push(number);
    const given = labels?.decision(number) ?? null;
    if (row.label !== null && given !== null && given !== row.label.triggered) {
      seen.disagreeing.push(number);
    }
  }
  refuse(bad, seen.skipped.length, rows.length, label, options.skipBadRows);
  noteSkipped(seen.skipped, bad, ctx.note);
  noteEdits(seen.roles, seen.histories, options, ctx.note);
  noteDisagreement(seen.disagreeing, ctx.note);
  noteUndecided(seen.undecided, ctx.note);
  return { rows, skipped: seen.skipped.length, marks, maxTokens };
}

/** A row in order, but without an official decision to compare with. */
const UNDECIDED = Symbol('undecided');

/** The row, or what is wrong with it. */
function checkRow(
  lines: LineFile,
  number: number,
  labels: LabelFile | null,
): Row | string | typeof UNDECIDED {
  try {
    const row = parseRow(lines.read(number));
    if (row.label !== null || (labels?.decision(number) ?? null) !== null) return row;
    return UNDECIDED;
  } catch (error) {
    if (error instanceof RowError) return error.message;
    if (error instanceof LineError) return `${error.message}.`;
    throw error;
  }
}

function undecidedText(number: number, labels: LabelFile | null): string {
  return labels === null
    ? 'has no official decision (`should_call_tool` or `official_finish_reason`), and no `labels` file is given.'
    : `has no official decision: the labels file has no successful record with data_index ${number}.`;
}

function tokensOf({ columns }: Row): number {
  const own = columns['max_tokens'] ?? columns['max_completion_tokens'];
  return typeof own === 'number' && own > 0 && own < 2 ** 31 ? Math.floor(own) : 0;
}

function refuse(
  bad: readonly Problem[],
  count: number,
  good: number,
  label: string,
  skip: boolean,
): void {
  if (good > 0 && (count === 0 || skip)) return;
  if (count === 0) throw problem(`${label} has no rows.`, 'Give a file with rows.');
  const more = count - bad.length;
  const rest =
    more > 0
      ? [{ where: label, what: `${more} more rows cannot be used.`, fix: 'Mend the file.' }]
      : [];
  throw new ConfigError([...bad, ...rest]);
}

function rowProblem(label: string, number: number, what: string): Problem {
  return {
    where: `${label}, line ${number}`,
    what,
    fix: 'Mend the row, or set `on-bad-row: skip` to leave such rows out.',
  };
}

function problem(what: string, fix: string): ConfigError {
  return new ConfigError([{ where: SOURCE, what, fix }]);
}
