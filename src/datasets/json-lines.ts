import type { ConfigError } from '../model/errors.js';
import { unpackTar } from './archive.js';
import { csvToLines } from './csv.js';
import { type Format, formatOf } from './format.js';
import { gunzipTo, headOf, type UnpackContext } from './gunzip.js';
import { jsonArrayToLines } from './json-array.js';
import { TooLarge } from './line-writer.js';
import { LineError } from './lines.js';
import { parquetToLines } from './parquet.js';
import { isDiskFault, problem } from './problem.js';
import type { Scratch } from './scratch.js';

/** A file as it is stored at its source, already on this machine. */
export interface Stored {
  readonly path: string;
  /** Its name there, whose ending may tell its form. */
  readonly name: string;
  /** The member wanted of an archive; null for the only data file in it. */
  readonly member: string | null;
}

/** Brings files into the form of JSON lines. */
export interface ConvertContext extends UnpackContext {
  readonly scratch: Scratch;
}

/**
 * The stored file as plain JSON lines: its own path when it is that already, else a new file in `scratch`. The stored
 * file itself is never changed.
 * @throws ConfigError when it is empty, damaged, or of a form that cannot be read.
 */
export async function toJsonLines(stored: Stored, ctx: ConvertContext): Promise<string> {
  const format = await formatAt(stored.path, false, stored.name, ctx);
  if (format === 'tar') return fromArchive(stored, false, ctx);
  if (format !== 'gzip') {
    refuseMember(stored.member, ctx);
    return fromTable(stored.path, format, ctx);
  }
  const name = stored.name.replace(/\.gz$/i, '').replace(/\.tgz$/i, '.tar');
  const packed = await formatAt(stored.path, true, name, ctx);
  if (packed === 'tar') return fromArchive(stored, true, ctx);
  refuseMember(stored.member, ctx);
  return fromGzip(stored.path, name, ctx);
}

/**
 * Several members of one archive as JSON lines, in the order of their names, read in one pass.
 * @throws ConfigError as `toJsonLines`, and when the file is no archive.
 */
export async function membersToJsonLines(
  stored: Omit<Stored, 'member'>,
  members: readonly string[],
  ctx: ConvertContext,
): Promise<string[]> {
  const format = await formatAt(stored.path, false, stored.name, ctx);
  const gzip = format === 'gzip';
  const inner = gzip ? await formatAt(stored.path, true, 'unpacked.tar', ctx) : format;
  if (inner !== 'tar') {
    throw problem(ctx.where, `${ctx.label} is no tar archive.`, 'Check where it came from.');
  }
  const found = await unpackTar(stored.path, gzip, members, () => ctx.scratch.newFile(), ctx);
  const paths: string[] = [];
  for (const { member, path } of found) paths.push(await fromMember(member, path, ctx));
  return paths;
}

async function fromArchive(stored: Stored, gzip: boolean, ctx: ConvertContext): Promise<string> {
  const wanted = stored.member === null ? null : [stored.member.replace(/^(?:\.?\/)+/, '')];
  const found = await unpackTar(stored.path, gzip, wanted, () => ctx.scratch.newFile(), ctx);
  const [first] = found;
  if (first === undefined) throw notAnArchive(ctx);
  return fromMember(first.member, first.path, ctx);
}

async function fromMember(member: string, path: string, outer: ConvertContext): Promise<string> {
  const named = outer.label.endsWith(`#${member}`);
  const ctx = { ...outer, label: named ? outer.label : `${outer.label}#${member}` };
  const format = await formatAt(path, false, member, ctx);
  if (format === 'gzip') return fromGzip(path, member.replace(/\.gz$/i, ''), ctx);
  return fromTable(path, format, ctx);
}

async function fromGzip(path: string, name: string, ctx: ConvertContext): Promise<string> {
  const plain = await ctx.scratch.newFile();
  await gunzipTo(path, plain, ctx);
  return fromTable(plain, await formatAt(plain, false, name, ctx), ctx);
}

async function fromTable(path: string, format: Format, ctx: ConvertContext): Promise<string> {
  if (format === 'json-lines') return path;
  if (format === 'gzip') throw problem(ctx.where, `${ctx.label} is compressed twice.`, UNPACK);
  if (format === 'tar') {
    throw problem(ctx.where, `${ctx.label} is an archive inside another.`, UNPACK);
  }
  const to = await ctx.scratch.newFile();
  try {
    if (format === 'parquet') await parquetToLines(path, to, ctx);
    else if (format === 'json-array') await jsonArrayToLines(path, to, ctx);
    else await csvToLines(path, to, format === 'csv' ? ',' : '\t', ctx);
  } catch (error) {
    throw conversionProblem(error, ctx);
  }
  return to;
}

/** What went wrong while lines were written, as the user's problem where it is one. */
export function conversionProblem(error: unknown, { where, label, maxBytes }: UnpackContext) {
  if (error instanceof TooLarge) {
    const what = `${label} has more than ${maxBytes} bytes as JSON lines.`;
    return problem(where, what, 'Convert it yourself and give the path of that file.');
  }
  if (error instanceof LineError) {
    return problem(where, `a line of ${label} ${error.message}.`, 'Check the file.');
  }
  if (isDiskFault(error)) {
    const what = `${label} cannot be converted: ${(error as Error).message}.`;
    return problem(where, what, 'Check the disk.');
  }
  return error;
}

const UNPACK = 'Unpack it once.';

/** @param gzip look at what comes out when the file is unpacked. */
async function formatAt(
  path: string,
  gzip: boolean,
  name: string,
  { label, where }: UnpackContext,
): Promise<Format> {
  const head = await headOf(path, gzip);
  if (head.length === 0) {
    // Of a gzip file that gives nothing the whole is read, and the damage named, before it counts as empty.
    if (gzip) return 'json-lines';
    throw problem(where, `${label} is empty.`, 'Give a file with rows.');
  }
  const format = formatOf(head, name);
  if (typeof format === 'string') return format;
  throw problem(where, `${label} is ${format.what}.`, format.fix);
}

function refuseMember(member: string | null, ctx: UnpackContext): void {
  if (member !== null) throw notAnArchive(ctx);
}

function notAnArchive({ where, label }: UnpackContext): ConfigError {
  return problem(
    where,
    `${label} is no tar archive, so there is no member in it to choose.`,
    'Leave # and what follows it out, or check the file.',
  );
}
