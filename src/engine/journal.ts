import { closeSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
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
 * digits. A session starts with a manifest record; observations follow. A torn last line is cut off, a damaged line
 * is skipped and its sample runs again. Of several observations of a sample the last in the file wins: file order,
 * unlike the clock, never runs backwards.
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

export class JournalFull extends Error {
  override readonly name = 'JournalFull';
}

export class Journal {
  readonly path: string;
  /** Lines that were damaged and left out. */
  readonly damaged: number;
  #fd: number;
  #end: number;
  #places: Map<string, Place>;

  private constructor(
    path: string,
    fd: number,
    end: number,
    places: Map<string, Place>,
    damaged: number,
  ) {
    this.path = path;
    this.#fd = fd;
    this.#end = end;
    this.#places = places;
    this.damaged = damaged;
  }

  /**
   * Opens or creates `DIR/journal.jsonl`.
   * @throws ConfigError when it belongs to a run with another data set or other settings; the difference is named.
   */
  static open(dir: string, manifest: Manifest): Journal {
    const path = join(dir, 'journal.jsonl');
    const fd = openSync(path, 'a+');
    const places = new Map<string, Place>();
    let end = 0;
    let damaged = 0;
    let manifests = 0;
    try {
      for (const line of linesOf(fd)) {
        if (!line.complete) break;
        end = line.offset + line.length + 1;
        const record = decode(line.bytes);
        if (record === null) {
          damaged += 1;
        } else if (isManifest(record)) {
          manifests += 1;
          refuseDifference(path, record.manifest, manifest);
        } else if (isObservation(record)) {
          places.set(record.id, {
            offset: line.offset,
            length: line.length,
            attempt: record.attempt,
            measured: record.kind === 'measured',
          });
        } else {
          damaged += 1;
        }
      }
      if (end > 0 && manifests === 0) {
        throw new ConfigError([
          {
            where: path,
            what: 'holds no readable record of what it was measured with, so it cannot be continued.',
            fix: 'Use another output directory, or delete this file to measure again.',
          },
        ]);
      }
      ftruncateSync(fd, end);
      const journal = new Journal(path, fd, end, places, damaged);
      journal.#write({ manifest } as unknown as Json);
      return journal;
    } catch (error) {
      closeSync(fd);
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

function isManifest(record: JsonObject | Observation<unknown>): record is { manifest: JsonObject } {
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
  throw new ConfigError([
    {
      where: path,
      what: `was measured with something else: ${differences.join('; ')}. Mixing the two would give a wrong verdict.`,
      fix: 'Use another output directory, or go back to the earlier settings to continue that run.',
    },
  ]);
}
