import { LineError, LineFile } from '../../datasets/lines.js';
import { ConfigError } from '../../model/errors.js';
import type { Json, JsonObject } from '../../model/json.js';
import { callsIn, isList, isObject, isTrigger, type Official } from './official.js';

const NONE = 0;
const NOT_TRIGGERED = 1;
const TRIGGERED = 2;

/** Bounds the arrays whatever an index says, where no data set does: as many rows as a file may have lines. */
const LAST_ROW = 20_000_000;

/**
 * Official decisions from a results file of K2 Vendor Verifier, joined by `data_index`, never by position: such files
 * are written in the order in which answers came. Held are a decision and a place in the file for each row.
 */
export class LabelFile {
  readonly #file: LineFile;
  readonly #decisions: Uint8Array;
  readonly #places: Float64Array;
  /** No row beyond it has a decision. */
  readonly lastRow: number;

  private constructor(file: LineFile, decisions: Uint8Array, places: Float64Array) {
    this.#file = file;
    this.#decisions = decisions;
    this.#places = places;
    this.lastRow = decisions.length - 1;
  }

  /**
   * @param rows number of the last line of the data set; records beyond it are passed over. null: there is no data
   *   set to belong to, every record counts.
   * @param label the file as it may be named in messages.
   * @param where the option that names the file.
   * @throws ConfigError for a record that is none, and when no record belongs to a row.
   */
  static async open(
    path: string,
    rows: number | null,
    label: string,
    where: string,
  ): Promise<LabelFile> {
    const file = await LineFile.open(path);
    const lastRow = rows ?? LAST_ROW;
    let decisions = new Uint8Array((rows ?? file.lines) + 1);
    let places = new Float64Array(decisions.length);
    let joined = 0;
    try {
      for (let line = 1; line <= file.lines; line += 1) {
        if (line % 500 === 0) await new Promise(setImmediate);
        if (!file.has(line)) continue;
        const record = readRecord(file, line, label, where);
        const index = record['data_index'];
        if (typeof index !== 'number' || index > lastRow) continue;
        joined += 1;
        const decision = decisionOf(record);
        // Where an index comes twice the later record is the newer one; a failed one says nothing.
        if (decision === NONE) continue;
        if (index >= decisions.length) {
          const length = Math.min(2 * index, lastRow) + 1;
          decisions = grown(decisions, new Uint8Array(length));
          places = grown(places, new Float64Array(length));
        }
        decisions[index] = decision;
        places[index] = line;
      }
      if (joined === 0) {
        throw problem(
          where,
          `no record of ${label} belongs to a row of the data set.`,
          'Check that both files belong together: data_index is the line number of the row.',
        );
      }
      return new LabelFile(file, decisions, places);
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** Whether the official model triggered on the row; null when the file does not say. */
  decision(row: number): boolean | null {
    const decision = this.#decisions[row] ?? NONE;
    return decision === NONE ? null : decision === TRIGGERED;
  }

  /** The official answer to a row that has a decision. */
  official(row: number): Official {
    return officialIn(JSON.parse(this.line(row)) as JsonObject);
  }

  /** The record of a row that has a decision, as it stands in the file. */
  line(row: number): string {
    return this.#file.read(this.#places[row] ?? Number.NaN);
  }

  close(): void {
    this.#file.close();
  }
}

/** The official answer that a record of a results file holds. */
export function officialIn(record: JsonObject): Official {
  const choice = choiceOf(record);
  const message = isObject(choice?.['message']) ? choice['message'] : {};
  const content = message['content'];
  const finishReason = finishReasonOf(record);
  return {
    triggered: finishReason !== null && isTrigger(finishReason),
    finishReason,
    calls: callsIn(message['tool_calls']),
    content: typeof content === 'string' ? content : null,
  };
}

function grown<T extends Uint8Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

function readRecord(file: LineFile, line: number, label: string, where: string): JsonObject {
  let record: Json;
  try {
    record = JSON.parse(file.read(line)) as Json;
  } catch (error) {
    const what = error instanceof LineError ? error.message : 'is not valid JSON';
    throw problem(where, `line ${line} of ${label} ${what}.`, 'Fetch the file again.');
  }
  if (isObject(record) && isIndex(record['data_index'])) return record;
  throw problem(
    where,
    `line ${line} of ${label} is no result record: it has no whole number data_index.`,
    'Give a results file of K2 Vendor Verifier (results.jsonl), not its rows or summary.',
  );
}

function isIndex(value: Json | undefined): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
}

function decisionOf(record: JsonObject): number {
  const reason = record['status'] === 'failed' ? null : finishReasonOf(record);
  if (reason === null) return NONE;
  return isTrigger(reason) ? TRIGGERED : NOT_TRIGGERED;
}

function finishReasonOf(record: JsonObject): string | null {
  const reason = record['finish_reason'] ?? choiceOf(record)?.['finish_reason'];
  return typeof reason === 'string' && reason !== '' ? reason : null;
}

function choiceOf(record: JsonObject): JsonObject | null {
  const response = record['response'];
  const choices = isObject(response) ? response['choices'] : undefined;
  const first = isList(choices) ? choices[0] : undefined;
  return isObject(first) ? first : null;
}

function problem(where: string, what: string, fix: string): ConfigError {
  return new ConfigError([{ where, what, fix }]);
}
