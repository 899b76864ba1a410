import { readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { ConfigError } from '../model/errors.js';
import type { Json, JsonObject } from '../model/json.js';
import type { OfficialAnswer, SimulatedCall } from './calls.js';
import { digestOf, isObject } from './prompt.js';

interface Place {
  readonly callsTool: boolean;
  readonly offset: number;
  /** Bytes of the line; 0 when there is nothing more to read there. */
  readonly length: number;
}

interface Line {
  readonly number: number;
  readonly offset: number;
  readonly bytes: Buffer;
}

/**
 * The official answers of a data set, found by the digest of the conversation. Only digests and places in the file
 * are held in memory. Of two rows with the same conversation the first counts.
 *
 * Reads JSON lines in the hosted form (`messages` and `tools` as JSON strings or as lists, `should_call_tool` or
 * `official_finish_reason`, `official_tool_calls`) and request bodies. A row without an official decision is passed
 * over: the simulator decides about it as about an unknown prompt.
 */
export class OfficialRows {
  readonly #file: FileHandle;
  readonly #places: ReadonlyMap<string, Place>;

  private constructor(file: FileHandle, places: ReadonlyMap<string, Place>) {
    this.#file = file;
    this.#places = places;
  }

  /** Throws ConfigError when the file cannot be read, is empty or holds a malformed row. */
  static async open(path: string): Promise<OfficialRows> {
    const file = await open(path, 'r').catch((error: Error) => {
      throw unusable(`${path} cannot be read (${error.message}).`, 'Check the path.');
    });
    try {
      return new OfficialRows(file, await placesIn(file, path));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** null for a conversation that is not in the data set, or there without an official decision. */
  find(digest: string): OfficialAnswer | null {
    const place = this.#places.get(digest);
    if (place === undefined) return null;
    if (place.length === 0) return { callsTool: place.callsTool, calls: [] };
    const bytes = Buffer.alloc(place.length);
    // Synchronous: the page is in memory, and a trip through the thread pool costs more than the rest of a request.
    readSync(this.#file.fd, bytes, 0, place.length, place.offset);
    const row = JSON.parse(bytes.toString('utf8')) as JsonObject;
    return { callsTool: place.callsTool, calls: recordedCalls(row) };
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

async function placesIn(file: FileHandle, path: string): Promise<Map<string, Place>> {
  const places = new Map<string, Place>();
  let rows = 0;
  for await (const line of linesOf(file)) {
    if (line.number === 1 && line.bytes[0] === 0x1f && line.bytes[1] === 0x8b) {
      throw unusable(`${path} is compressed.`, 'Unpack it first.');
    }
    const text = line.bytes.toString('utf8').replace(/^\uFEFF/, '');
    if (text.trim() === '') continue;
    rows += 1;
    const { digest, decision, hasCalls } = readRow(text, `Line ${line.number} of ${path}`);
    if (decision === null || places.has(digest)) continue;
    const length = decision && hasCalls ? line.bytes.length : 0;
    places.set(digest, { callsTool: decision, offset: line.offset, length });
  }
  if (rows === 0) throw unusable(`${path} has no rows.`, 'Give a file of JSON lines.');
  return places;
}

async function* linesOf(file: FileHandle): AsyncGenerator<Line> {
  let pending: Buffer[] = [];
  let number = 1;
  let offset = 0;
  const stream = file.createReadStream({ start: 0, autoClose: false, highWaterMark: 1 << 18 });
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      const bytes = Buffer.concat([...pending, chunk.subarray(from, at)]);
      yield { number, offset, bytes };
      pending = [];
      number += 1;
      offset += bytes.length + 1;
      from = at + 1;
    }
    pending.push(chunk.subarray(from));
  }
  yield { number, offset, bytes: Buffer.concat(pending) };
}

function readRow(
  text: string,
  where: string,
): { digest: string; decision: boolean | null; hasCalls: boolean } {
  let row: Json;
  let messages: Json;
  try {
    row = JSON.parse(text) as Json;
    messages = isObject(row) ? listOf(row.messages) : null;
    if (isObject(row)) listOf(row.official_tool_calls);
  } catch (error) {
    throw unusable(`${where} is not JSON (${(error as Error).message}).`, 'Mend the row.');
  }
  if (!isObject(row) || !Array.isArray(messages) || !messages.every(isObject)) {
    throw unusable(`${where} has no list of messages.`, 'Give rows with `messages` and `tools`.');
  }
  return {
    digest: digestOf(messages),
    decision: decisionOf(row),
    hasCalls: row.official_tool_calls !== undefined && row.official_tool_calls !== null,
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
  const calls = listOf(row.official_tool_calls);
  if (!Array.isArray(calls)) return [];
  return calls.filter(isObject).flatMap((call) => {
    const { name, arguments: args } = isObject(call.function) ? call.function : {};
    if (typeof name !== 'string' || args === undefined) return [];
    return [
      { id: typeof call.id === 'string' ? call.id : `functions.${name}:0`, name, arguments: args },
    ];
  });
}

/** A column that is a list or the JSON text of one. */
function listOf(column: Json | undefined): Json {
  return typeof column === 'string' ? (JSON.parse(column) as Json) : (column ?? null);
}

function unusable(what: string, fix: string): ConfigError {
  return new ConfigError([{ where: 'dataset', what, fix }]);
}
