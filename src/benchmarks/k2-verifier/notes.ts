import type { Problem } from '../../model/errors.js';
import type { Options } from './options.js';

/** Runs of neighbouring rows that a note names; a few kilobytes at most. */
const NAMED_RANGES = 300;

type Note = (text: string) => void;

/** Says which rows were left out and why. */
export function noteSkipped(rows: readonly number[], bad: readonly Problem[], note: Note): void {
  const [first] = bad;
  if (first === undefined) return;
  note(
    `${counted(rows)} left out as malformed: ${list(rows)}. The first: ${first.where} ${first.what}`,
  );
}

/**
 * Says in which rows of the data set the conversation is changed before it is sent. Which of them were run is counted
 * in the report, and results.jsonl has it row by row without any limit.
 */
export function noteEdits(
  roles: readonly number[],
  histories: readonly number[],
  { sanitize }: Pick<Options, 'sanitize'>,
  note: Note,
): void {
  const named = 'results.jsonl names those run under `vendor_gate`';
  if (roles.length > 0) {
    note(
      `Role _input is sent as system in ${counted(roles)} of the data set (${named}): ${list(roles)}.`,
    );
  }
  if (histories.length === 0) return;
  note(
    sanitize
      ? `Tool-call arguments in the history that are not JSON are sent as {} in ${counted(histories)} of the data set (${named}): ${list(histories)}.`
      : `Tool-call arguments in the history are not JSON and are sent as they are in ${counted(histories)} of the data set: ${list(histories)}.`,
  );
}

/** Says where the row's own official decision stands against the labels file. */
export function noteDisagreement(rows: readonly number[], note: Note): void {
  if (rows.length === 0) return;
  note(
    `The official decision in the row differs from the labels file in ${counted(rows)}: ${list(rows)}. The row's own was used.`,
  );
}

/** Says which rows of a published set the official model itself gave no answer to. */
export function noteUndecided(rows: readonly number[], note: Note): void {
  if (rows.length === 0) return;
  note(
    `${counted(rows)} left out: the official results that are published with the data set have no answer to compare with: ${list(rows)}.`,
  );
}

function counted(rows: readonly number[]): string {
  return rows.length === 1 ? '1 row' : `${rows.length} rows`;
}

/** Row numbers in ascending order with neighbours together: `2, 4-9, 12`. */
function list(rows: readonly number[]): string {
  const named: string[] = [];
  let at = 0;
  while (at < rows.length && named.length < NAMED_RANGES) {
    const first = rows[at] ?? 0;
    let last = first;
    for (at += 1; rows[at] === last + 1; at += 1) last += 1;
    named.push(first === last ? String(first) : `${first}-${last}`);
  }
  const more = rows.length - at;
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
}
