import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { ConfigError } from '../model/errors.js';
import type { Json, JsonObject } from '../model/json.js';
import type { Observation } from '../model/observation.js';
import { linesOf } from './journal-lines.js';

/**
 * The journal is the one thing a run must not lose: every observation is appended when it arrives, and everything
 * after it (scores, counts, report) is computed from it again on restart.
 *
 * Format: one line a record, `CRC JSON\n`, CRC being the CRC-32 of the JSON's UTF-8 bytes in eight lower-case hex
 * digits. A session starts with a manifest record; observations follow; an end record closes a run that measured all
 * its samples and wrote its report. A torn last line is cut off, a damaged line is skipped and its sample runs again.
 * Of several observations of a sample the last in the file wins: file order, unlike the clock, never runs backwards.
 *
 * A finished journal is set aside and never continued: whoever runs again wants a new measurement, not last week's
 * figures. The same holds for a journal of another workflow run that a self-hosted runner left lying about.
 */
export interface Manifest {
  readonly benchmark: string;
  readonly subset: string;
  readonly version: string;
  readonly digest: string;
  readonly settings: JsonObject;
}

interface Place {
  readonly offset: number;
  readonly length: number;
  readonly attempt: number;
  readonly measured: boolean;
}

/** What was found in the directory. */
export type Earlier =
  | { readonly kind: 'none' }
  /** An unfinished run, which this one continues. */
  | { readonly kind: 'continued'; readonly damaged: number }
  /** A finished run or one of another workflow run; its journal now has this path. */
  | { readonly kind: 'set-aside'; readonly path: string };

export class JournalFull extends Error {
  override readonly name = 'JournalFull';
}

export class Journal {
  readonly path: string;
  readonly earlier: Earlier;
  readonly #fd: number;
  #end: number;
  readonly #places: Map<string, Place>;

  private constructor(path: string, found: Found, earlier: Earlier) {
    this.path = path;
    this.earlier = earlier;
    this.#fd = found.fd;
    this.#end = found.end;
    this.#places = found.places;
  }

  /**
   * Opens or creates `DIR/journal.jsonl`.
   * @param run names the workflow run, so that only attempts of the same one continue each other; null on a terminal
   * @throws ConfigError when it holds an unfinished run with another data set or other settings; the difference is named
   */
  static open(dir: string, manifest: Manifest, run: string | null = null): Journal {
    const path = join(dir, 'journal.jsonl');
    let found = scan(path);
    try {
      let earlier: Earlier = { kind: 'none' };
      const last = found.sessions.at(-1);
      if (found.finished || (last !== undefined && last.run !== run)) {
        closeSync(found.fd);
        earlier = { kind: 'set-aside', path: setAside(dir, path) };
        found = scan(path);
      } else if (found.end > 0) {
        if (last === undefined) throw unreadable(path);
        for (const session of found.sessions) refuseDifference(path, session.manifest, manifest);
        if (found.places.size > 0) earlier = { kind: 'continued', damaged: found.damaged };
      }
      ftruncateSync(found.fd, found.end);
      const journal = new Journal(path, found, earlier);
      journal.#write({ manifest, run } as unknown as Json);
      return journal;
    } catch (error) {
      closeSync(found.fd);
      throw error;
    }
  }

  /** @throws JournalFull when the disk does not take the line; what was written before stays intact. */
  append(observation: Observation<unknown>): void {
    const offset = this.#end;
    const length = this.#write(observation as unknown as Json);
    this.#places.set(observation.id, {
      offset,
      length,
      attempt: observation.attempt,
      measured: observation.kind === 'measured',
    });
  }

  /** Whether the newest observation of the sample is a measurement; null when it was never run. */
  state(id: string): 'measured' | 'unmeasured' | null {
    const place = this.#places.get(id);
    if (place === undefined) return null;
    return place.measured ? 'measured' : 'unmeasured';
  }

  /** Times the sample was observed so far. */
  attempts(id: string): number {
    return this.#places.get(id)?.attempt ?? 0;
  }

  /** The newest observation of a sample, or null. */
  read(id: string): Observation<unknown> | null {
    const place = this.#places.get(id);
    if (place === undefined) return null;
    const bytes = Buffer.allocUnsafe(place.length);
    readSync(this.#fd, bytes, 0, place.length, place.offset);
    const record = decode(bytes);
    return record !== null && isObservation(record) ? record : null;
  }

  /** Marks the run as finished: every sample measured, report written. */
  finish(): void {
    this.#write({ finished: true });
  }

  close(): void {
    try {
      fsyncSync(this.#fd);
    } finally {
      closeSync(this.#fd);
    }
  }

  #write(record: Json): number {
    const bytes = encode(record);
    try {
      let written = 0;
      while (written < bytes.length) {
        written += writeSync(this.#fd, bytes, written, bytes.length - written);
      }
    } catch (error) {
      // A half-written line must not be glued to the next one.
      ftruncateSync(this.#fd, this.#end);
      const { code, message } = error as NodeJS.ErrnoException;
      throw new JournalFull(
        code === 'ENOSPC'
          ? 'no space left on the disk'
          : `the journal cannot be written: ${message}`,
        { cause: error },
      );
    }
    this.#end += bytes.length;
    return bytes.length - 1;
  }
}

interface Found {
  readonly fd: number;
  /** Byte after the last complete line. */
  readonly end: number;
  readonly places: Map<string, Place>;
  readonly sessions: readonly { readonly manifest: JsonObject; readonly run: Json }[];
  readonly damaged: number;
  readonly finished: boolean;
}

function scan(path: string): Found {
  const fd = openSync(path, 'a+');
  const places = new Map<string, Place>();
  const sessions: { manifest: JsonObject; run: Json }[] = [];
  let end = 0;
  let damaged = 0;
  let finished = false;
  for (const { offset, length, bytes, complete } of linesOf(fd)) {
    if (!complete) break;
    end = offset + length + 1;
    const record = decode(bytes);
    if (record !== null && isObservation(record)) {
      const { id, attempt, kind } = record;
      places.set(id, { offset, length, attempt, measured: kind === 'measured' });
      finished = false;
    } else if (record !== null && isManifest(record)) {
      sessions.push({ manifest: record.manifest, run: record['run'] ?? null });
      finished = false;
    } else if (record?.['finished'] === true) {
      finished = true;
    } else {
      damaged += 1;
    }
  }
  return { fd, end, places, sessions, damaged, finished };
}

function setAside(dir: string, path: string): string {
  for (let n = 1; ; n += 1) {
    const aside = join(dir, `journal-${n}.jsonl`);
    if (existsSync(aside)) continue;
    renameSync(path, aside);
    return aside;
  }
}

function unreadable(path: string): ConfigError {
  return new ConfigError([
    {
      where: path,
      what: 'It holds no readable record of what it was measured with, so it cannot be continued.',
      fix: 'Use another output directory, or delete this file to measure again.',
    },
  ]);
}

function encode(record: Json): Buffer {
  const json = Buffer.from(JSON.stringify(record), 'utf8');
  const sum = crc32(json).toString(16).padStart(8, '0');
  return Buffer.concat([Buffer.from(`${sum} `, 'latin1'), json, Buffer.from('\n', 'latin1')]);
}

function decode(line: Buffer): JsonObject | null {
  if (line.length < 11 || line[8] !== 0x20) return null;
  const json = line.subarray(9);
  if (line.toString('latin1', 0, 8) !== crc32(json).toString(16).padStart(8, '0')) return null;
  try {
    const record: unknown = JSON.parse(json.toString('utf8'));
    return typeof record === 'object' && record !== null ? (record as JsonObject) : null;
  } catch {
    return null;
  }
}

function isManifest(record: JsonObject): record is JsonObject & { manifest: JsonObject } {
  return 'manifest' in record && typeof record.manifest === 'object' && record.manifest !== null;
}

function isObservation(record: unknown): record is Observation<unknown> {
  const { id, attempt, kind } = record as Partial<Observation<unknown>>;
  return (
    typeof id === 'string' &&
    typeof attempt === 'number' &&
    (kind === 'measured' || kind === 'unmeasured')
  );
}

function refuseDifference(path: string, found: JsonObject, wanted: Manifest): void {
  const flat = (m: JsonObject): Map<string, string> => {
    const { settings, ...rest } = m;
    const all = { ...rest, ...(settings as JsonObject | undefined) };
    return new Map(Object.entries(all).map(([key, value]) => [key, JSON.stringify(value)]));
  };
  const before = flat(found);
  const now = flat(wanted as unknown as JsonObject);
  const differences = [...new Set([...before.keys(), ...now.keys()])]
    .filter((key) => before.get(key) !== now.get(key))
    .map(
      (key) => `${key} was ${before.get(key) ?? 'not set'} and is now ${now.get(key) ?? 'not set'}`,
    );
  if (differences.length === 0) return;
  // The digest covers the settings too, so beside a named one it says nothing.
  const named = differences.filter((text) => !text.startsWith('digest '));
  throw new ConfigError([
    {
      where: path,
      what: `It holds an unfinished run with other settings: ${(named.length > 0 ? named : differences).join('; ')}. Mixing the two would give a wrong verdict.`,
      fix: 'Use another output directory, or go back to the earlier settings to continue that run.',
    },
  ]);
}
