import type { Problem } from '../../model/errors.js';
import type { Options } from './options.js';

/** Rows named one by one in a note. */
const NAMED_ROWS = 20;

type Note = (text: string) => void;

/** Says which rows were left out and why. */
export function noteSkipped(rows: readonly number[], bad: readonly Problem[], note: Note): void {
  const [first] = bad;
  if (first === undefined) return;
  note(
    `${counted(rows)} left out as malformed: ${list(rows)}. The first: ${first.where} ${first.what}`,
  );
}

/** Says in which rows of the data set the conversation is changed before it is sent. */
export function noteEdits(
  roles: readonly number[],
  histories: readonly number[],
  { sanitize }: Pick<Options, 'sanitize'>,
  note: Note,
): void {
  if (roles.length > 0) {
    note(`Role _input is sent as system in ${counted(roles)}: ${list(roles)}.`);
  }
  if (histories.length === 0) return;
  note(
    sanitize
      ? `Tool-call arguments in the history that are not JSON are sent as {} in ${counted(histories)}: ${list(histories)}.`
      : `Tool-call arguments in the history are not JSON and are sent as they are in ${counted(histories)}: ${list(histories)}.`,
  );
}

/** Says where the row's own official decision stands against the labels file. */
export function noteDisagreement(rows: readonly number[], note: Note): void {
  if (rows.length === 0) return;
  note(
    `The official decision in the row differs from the labels file in ${counted(rows)}: ${list(rows)}. The row's own was used.`,
  );
}

function counted(rows: readonly number[]): string {
  return rows.length === 1 ? '1 row' : `${rows.length} rows`;
}

function list(rows: readonly number[]): string {
  const more = rows.length - NAMED_ROWS;
  const named = rows.slice(0, NAMED_ROWS).join(', ');
  return more > 0 ? `${named} and ${more} more` : named;
}
