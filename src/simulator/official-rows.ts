import { LineError, LineFile } from '../datasets/lines.js';
import { ConfigError } from '../model/errors.js';
import type { Json, JsonObject } from '../model/json.js';
import type { OfficialAnswer, SimulatedCall } from './calls.js';
import { type KnownConversation, KnownPrompts } from './known-prompts.js';
import { digestOf, isObject } from './prompt.js';

interface Place {
  readonly callsTool: boolean;
  /** Line with the official calls; null when the row does not record them. */
  readonly line: number | null;
}

/**
 * The official answers of a data set, found by the digest of the conversation. Only digests and line numbers are held
 * in memory. Of two rows with the same conversation the first counts.
 *
 * Reads JSON lines in the hosted form (`messages` and `tools` as JSON strings or as lists, `should_call_tool` or
 * `official_finish_reason`, `official_tool_calls`) and request bodies. A row without an official decision is passed
 * over: the simulator decides about it as about an unknown prompt.
 */
export class OfficialRows {
  readonly #file: LineFile;
  readonly #places: ReadonlyMap<string, Place>;
  /** Made when the first prompt comes, which most never do. */
  #prompts: KnownPrompts | null = null;

  private constructor(file: LineFile, places: ReadonlyMap<string, Place>) {
    this.#file = file;
    this.#places = places;
  }

  /** Throws ConfigError when the file cannot be read, is empty or holds a malformed row. */
  static async open(path: string): Promise<OfficialRows> {
    const file = await LineFile.open(path).catch((error: Error) => {
      throw unusable(`${path} cannot be read (${error.message}).`, 'Check the path.');
    });
    try {
      return new OfficialRows(file, placesIn(file));
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** null for a conversation that is not in the data set, or there without an official decision. */
  find(digest: string): OfficialAnswer | null {
    const place = this.#places.get(digest);
    if (place === undefined) return null;
    const { callsTool, line } = place;
    if (line === null) return { callsTool, calls: [] };
    return { callsTool, calls: recordedCalls(JSON.parse(this.#file.read(line)) as JsonObject) };
  }

  /** The row that a prompt for /completions was rendered from; null for one of no row. */
  findRendered(prompt: string): KnownConversation | null {
    this.#prompts ??= new KnownPrompts(this.#file);
    return this.#prompts.find(prompt);
  }

  close(): void {
    this.#file.close();
  }
}

function placesIn(file: LineFile): Map<string, Place> {
  const places = new Map<string, Place>();
  let rows = 0;
  for (let line = 1; line <= file.lines; line += 1) {
    if (!file.has(line)) continue;
    rows += 1;
    const { digest, decision, hasCalls } = readRow(file, line);
    if (decision === null || places.has(digest)) continue;
    places.set(digest, { callsTool: decision, line: decision && hasCalls ? line : null });
  }
  if (rows === 0) throw unusable(`${file.path} has no rows.`, 'Give a file of JSON lines.');
  return places;
}

function readRow(
  file: LineFile,
  line: number,
): { digest: string; decision: boolean | null; hasCalls: boolean } {
  const where = `Line ${line} of ${file.path}`;
  let row: Json;
  let messages: Json = null;
  try {
    row = JSON.parse(file.read(line)) as Json;
    if (isObject(row)) {
      messages = listOf(row.messages);
      listOf(callsColumn(row));
    }
  } catch (error) {
    if (error instanceof LineError) {
      throw unusable(`${where} ${error.message}.`, 'Give a file of JSON lines, not compressed.');
    }
    throw unusable(`${where} is not JSON (${(error as Error).message}).`, 'Mend the row.');
  }
  if (!isObject(row) || !Array.isArray(messages) || !messages.every(isObject)) {
    throw unusable(`${where} has no list of messages.`, 'Give rows with `messages` and `tools`.');
  }
  return {
    digest: digestOf(messages),
    decision: decisionOf(row),
    hasCalls: callsColumn(row) !== null,
  };
}

function decisionOf(row: JsonObject): boolean | null {
  if (typeof row.should_call_tool === 'boolean') return row.should_call_tool;
  if (typeof row.official_finish_reason === 'string') {
    return row.official_finish_reason === 'tool_calls';
  }
  return null;
}

function recordedCalls(row: JsonObject): SimulatedCall[] {
  const calls = listOf(callsColumn(row));
  if (!Array.isArray(calls)) return [];
  return calls.filter(isObject).flatMap((call) => {
    const { name, arguments: args = '{}' } = isObject(call.function) ? call.function : call;
    if (typeof name !== 'string') return [];
    return [
      { id: typeof call.id === 'string' ? call.id : `functions.${name}:0`, name, arguments: args },
    ];
  });
}

/** The official calls, under either name that the benchmark knows; null where they are not recorded. */
function callsColumn(row: JsonObject): Json {
  return row.official_tool_calls ?? row.tool_calls ?? null;
}

/** A column that is a list or the JSON text of one. */
function listOf(column: Json | undefined): Json {
  return typeof column === 'string' ? (JSON.parse(column) as Json) : (column ?? null);
}

function unusable(what: string, fix: string): ConfigError {
  return new ConfigError([{ where: 'dataset', what, fix }]);
}
