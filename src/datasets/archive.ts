import { closeSync, openSync, writeSync } from 'node:fs';
import type { ReadEntry } from 'tar';
import { ConfigError } from '../model/errors.js';
import { pour, type UnpackContext } from './gunzip.js';
import { isDiskFault, problem, shown, shownList } from './problem.js';

/** Bounds the work on headers, which are not counted in what is unpacked. */
const MAX_MEMBERS = 10_000;
/** Of the extended headers, where long names stand. */
const MAX_EXTENDED_BYTES = 64 * 1024;

const DATA_FILE = /\.(jsonl|ndjson|json|csv|tsv|parquet)(\.gz)?$/i;

export interface UnpackedMember {
  /** Its path in the archive, without a leading `./`. */
  readonly member: string;
  readonly path: string;
}

/**
 * Takes members out of a tar archive, each into a new file: nothing is ever written under a name of the archive's.
 * @param wanted paths in the archive; null takes the only data file there is, other than hidden ones.
 * @param newFile gives the path of a new file.
 * @returns the members in the order of `wanted`.
 * @throws ConfigError when a member is missing, for damaged archives, and for those that hold links, devices or paths
 *   that lead out of the archive, wherever they stand.
 */
export async function unpackTar(
  path: string,
  gzip: boolean,
  wanted: readonly string[] | null,
  newFile: () => Promise<string>,
  ctx: UnpackContext,
): Promise<UnpackedMember[]> {
  const { Parser } = await import('tar');
  const targets: string[] = [];
  for (let n = 0; n < (wanted?.length ?? 1); n += 1) targets.push(await newFile());
  const contents = new Contents(wanted, targets, ctx);
  // Sizes, ratio and gzip are looked after by pour(); the parser gets plain bytes and unpacks nothing itself.
  const parser = new Parser({ strict: true, maxMetaEntrySize: MAX_EXTENDED_BYTES });
  parser.on('entry', (entry: ReadEntry) => contents.add(entry));
  parser.on('ignoredEntry', (entry: ReadEntry) => contents.refuseIgnored(entry));
  parser.on('meta', () => contents.count());
  parser.on('error', (error: unknown) => {
    throw error;
  });
  parser.on('eof', () => {
    contents.complete = true;
  });
  try {
    await pour(
      path,
      gzip,
      async (chunks) => {
        for await (const chunk of chunks) {
          // What follows the end of the archive is nobody's, and the parser would gather it in memory.
          if (!contents.complete) parser.write(chunk);
        }
        parser.end();
      },
      ctx,
    );
  } catch (error) {
    ctx.signal.throwIfAborted();
    if (error instanceof ConfigError) throw error;
    throw archiveProblem(error, ctx);
  } finally {
    contents.close();
  }
  return contents.taken();
}

class Contents {
  /** Whether the mark at the end of the archive was met. */
  complete = false;
  readonly #wanted: readonly string[] | null;
  readonly #targets: readonly string[];
  readonly #ctx: UnpackContext;
  readonly #names = new Set<string>();
  readonly #dataFiles: string[] = [];
  #members = 0;
  #fd: number | null = null;

  constructor(wanted: readonly string[] | null, targets: readonly string[], ctx: UnpackContext) {
    this.#wanted = wanted;
    this.#targets = targets;
    this.#ctx = ctx;
  }

  count(): void {
    this.#members += 1;
    if (this.#members <= MAX_MEMBERS) return;
    throw this.#problem(
      `has more than ${MAX_MEMBERS} members.`,
      'Give the one file in it that holds the data.',
    );
  }

  add(entry: ReadEntry): void {
    this.count();
    const name = this.#checked(entry);
    const target = this.#targetOf(name, entry);
    if (target === null) entry.resume();
    else this.#save(entry, target);
  }

  refuseIgnored(entry: ReadEntry): void {
    this.count();
    const what = entry.meta ? 'an extended header of more than 64 KiB' : 'a member of unknown type';
    throw this.#problem(`holds ${what} (${shown(entry.path)}).`, PACK_AGAIN);
  }

  taken(): UnpackedMember[] {
    if (!this.complete) {
      throw this.#problem('is cut off: the mark at its end is missing.', 'Fetch it again.');
    }
    if (this.#wanted === null) return [this.#onlyDataFile()];
    return this.#wanted.map((member, at) => {
      if (!this.#names.has(member)) {
        const there = `It holds ${this.#list()}.`;
        throw this.#problem(
          `has no member ${shown(member)}. ${there}`,
          'Write one of them after #.',
        );
      }
      return { member, path: this.#targets[at] ?? '' };
    });
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  /** Its name, once it is known to be harmless. */
  #checked({ path, type }: ReadEntry): string {
    const name = shown(path);
    if (type === 'Link' || type === 'SymbolicLink') {
      throw this.#problem(`holds a link (${name}), which can lead anywhere.`, PACK_AGAIN);
    }
    if (
      type !== 'File' &&
      type !== 'OldFile' &&
      type !== 'ContiguousFile' &&
      type !== 'Directory'
    ) {
      throw this.#problem(`holds ${name}, which is neither a file nor a directory.`, PACK_AGAIN);
    }
    const parts = path.split(/[/\\]/);
    if (/^([/\\]|[A-Za-z]:)/.test(path) || parts.includes('..') || path.includes('\0')) {
      throw this.#problem(`holds ${name}, a path that leads out of the archive.`, PACK_AGAIN);
    }
    return parts.filter((part) => part !== '' && part !== '.').join('/');
  }

  /** Where the member goes, or null when it is not wanted. */
  #targetOf(name: string, { type }: ReadEntry): string | null {
    if (type === 'Directory') return null;
    if (this.#names.has(name)) {
      throw this.#problem(`holds ${shown(name)} twice.`, PACK_AGAIN);
    }
    this.#names.add(name);
    if (this.#wanted !== null) return this.#targets[this.#wanted.indexOf(name)] ?? null;
    const hidden = name.split('/').some((part) => part.startsWith('.'));
    if (hidden || !DATA_FILE.test(name)) return null;
    this.#dataFiles.push(name);
    return this.#dataFiles.length === 1 ? (this.#targets[0] ?? null) : null;
  }

  /** Writes what comes of the entry as it comes; synchronously, so that the parser never has to wait. */
  #save(entry: ReadEntry, target: string): void {
    const fd = openSync(target, 'wx');
    this.#fd = fd;
    entry.on('data', (chunk: Buffer) => {
      for (let at = 0; at < chunk.length; ) at += writeSync(fd, chunk, at);
    });
    entry.on('end', () => this.close());
  }

  #onlyDataFile(): UnpackedMember {
    const [member, second] = this.#dataFiles;
    if (member !== undefined && second === undefined) {
      return { member, path: this.#targets[0] ?? '' };
    }
    throw this.#problem(
      member === undefined
        ? `holds no data file (.jsonl, .json, .csv, .parquet). It holds ${this.#list()}.`
        : `holds several data files: ${shownList(this.#dataFiles)}.`,
      `Name one after #, such as ${shown(this.#ctx.label)}#${shown(member ?? 'data.jsonl')}.`,
    );
  }

  #list(): string {
    return this.#names.size === 0 ? 'nothing' : shownList([...this.#names]);
  }

  #problem(what: string, fix: string): ConfigError {
    return problem(this.#ctx.where, `${this.#ctx.label} ${what}`, fix);
  }
}

const PACK_AGAIN = 'Pack the data anew, as plain files, or unpack them and give the path.';

function archiveProblem(error: unknown, { where, label }: UnpackContext): ConfigError {
  const message = (error as Error).message;
  if (isDiskFault(error)) {
    return problem(where, `${label} cannot be unpacked: ${message}.`, 'Check the disk.');
  }
  if (message.includes('Truncated input')) {
    return problem(where, `${label} is cut off in the middle of a member.`, 'Fetch it again.');
  }
  const reason = shown(message.replace(/^TAR_[A-Z_]+: /, ''));
  return problem(where, `${label} is not a valid tar archive (${reason}).`, 'Fetch it again.');
}
