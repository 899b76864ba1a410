import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { AsyncBuffer, Compressors, FileMetaData } from 'hyparquet';
import { ConfigError } from '../model/errors.js';
import type { UnpackContext } from './gunzip.js';
import { type LineWriter, TooLarge, writeLines } from './line-writer.js';
import { isDiskFault, problem, shown } from './problem.js';

/** Of one row group, which is held in memory at a time. */
const MAX_GROUP_BYTES = 2 ** 30;
const MAX_GROUP_ROWS = 5_000_000;
const MAX_PAGE_BYTES = 128 * 2 ** 20;
const MAX_METADATA_BYTES = 64 * 2 ** 20;

/**
 * Converts a Parquet file to JSON lines, a row a line. Held in memory is one row group. Text stays as it is; lists and
 * structs become JSON; 64-bit integers keep all their digits. Nulls are left out, except in lists: a table gives every
 * row, and every struct of a column, the same members, whether or not the data have them.
 * @throws ConfigError for files that are damaged, cut off, encrypted, or packed in a way that is not known.
 */
export async function parquetToLines(path: string, to: string, ctx: UnpackContext): Promise<void> {
  const fd = openSync(path, 'r');
  try {
    const file = bufferOf(fd);
    checkEnds(file, fd, ctx);
    await writeLines(to, ctx.maxBytes, (writer) => writeRows(file, writer, ctx));
  } catch (error) {
    ctx.signal.throwIfAborted();
    if (error instanceof ConfigError || error instanceof TooLarge || isDiskFault(error)) {
      throw error;
    }
    const reason = shown(String((error as Error).message).replace(/^parquet /, ''));
    throw problem(
      ctx.where,
      `${ctx.label} is not a Parquet file that can be read (${reason}).`,
      'Fetch it again, or convert it to JSON lines.',
    );
  } finally {
    closeSync(fd);
  }
}

async function writeRows(file: AsyncBuffer, writer: LineWriter, ctx: UnpackContext): Promise<void> {
  const { parquetMetadataAsync, parquetReadObjects, parquetSchema } = await import('hyparquet');
  const compressors = await boundedCompressors();
  const parsers = { stringFromBytes: text, jsonFromBytes: text };
  const metadata = await parquetMetadataAsync(file, { parsers, geoparquet: false });
  checkSize(metadata, compressors, ctx);
  const names = parquetSchema(metadata).children.map(({ element }) => element.name);
  const keys = names.map((name) => `${JSON.stringify(name)}:`);
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    ctx.signal.throwIfAborted();
    const rowEnd = rowStart + Number(group.num_rows);
    const options = { file, metadata, rowStart, rowEnd, compressors, parsers, geoparquet: false };
    for (const row of await parquetReadObjects(options)) writer.line(rowText(row, names, keys));
    rowStart = rowEnd;
    // Lets signals through.
    await new Promise(setImmediate);
  }
}

/** Bounds what the footer promises before anything is made room for. */
function checkSize(metadata: FileMetaData, compressors: Compressors, ctx: UnpackContext): void {
  const names = metadata.schema.slice(1).map(({ name }) => name);
  if (names.includes('__proto__')) throw new Error('a column is named __proto__');
  for (const { columns, num_rows: rows, total_byte_size: bytes } of metadata.row_groups) {
    if (rows < 0n || rows > MAX_GROUP_ROWS || bytes > MAX_GROUP_BYTES) {
      throw problem(
        ctx.where,
        `${ctx.label} has a row group of more than 1 GiB or ${MAX_GROUP_ROWS} rows.`,
        'Write it with smaller row groups, or as JSON lines.',
      );
    }
    for (const { meta_data: meta } of columns) {
      if (meta === undefined) throw new Error('a column has no metadata');
      if (meta.codec === 'UNCOMPRESSED' || compressors[meta.codec] !== undefined) continue;
      throw problem(
        ctx.where,
        `${ctx.label} is packed with ${meta.codec ?? 'an unknown codec'}, which cannot be read here.`,
        'Write it with snappy, gzip, zstd, brotli or lz4.',
      );
    }
  }
}

/** A page says itself how large it unpacks; no decompressor may make room for more than a bounded size. */
async function boundedCompressors(): Promise<Compressors> {
  const { compressors, decompressZstd } = await import('hyparquet-compressors');
  const bounded: Compressors = {};
  for (const [codec, decompress] of Object.entries(compressors)) {
    bounded[codec as keyof Compressors] = (input, length) => {
      if (length < 0 || length > MAX_PAGE_BYTES) throw new Error(`a page of ${length} bytes`);
      return codec === 'ZSTD'
        ? decompressZstd(input, new Uint8Array(length))
        : decompress(input, length);
    };
  }
  return bounded;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Text byte by byte; columns of type JSON stay the text they are. */
function text(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Error('a text is not UTF-8');
  }
}

function rowText(
  row: Readonly<Record<string, unknown>>,
  names: readonly string[],
  keys: readonly string[],
): string {
  const members: string[] = [];
  for (const [at, name] of names.entries()) {
    const value = jsonText(row[name]);
    if (value !== null) members.push(`${keys[at]}${value}`);
  }
  return `{${members.join(',')}}`;
}

/** The value as JSON; null for one that is missing, or that JSON has no word for (NaN, Infinity). */
function jsonText(value: unknown): string | null {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value);
    case 'bigint':
      return value.toString();
    case 'number':
      return Number.isFinite(value) ? JSON.stringify(value) : null;
    case 'object':
      return value === null ? null : objectText(value);
    default:
      return null;
  }
}

function objectText(value: object): string | null {
  if (value instanceof Date) return JSON.stringify(value);
  if (value instanceof Uint8Array) return JSON.stringify(Buffer.from(value).toString('base64'));
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    const items = Array.from(value as ArrayLike<unknown>, (item) => jsonText(item) ?? 'null');
    return `[${items.join(',')}]`;
  }
  const members: string[] = [];
  for (const [key, item] of Object.entries(value)) {
    const member = jsonText(item);
    if (member !== null) members.push(`${JSON.stringify(key)}:${member}`);
  }
  return `{${members.join(',')}}`;
}

function bufferOf(fd: number): AsyncBuffer {
  const { size } = fstatSync(fd);
  return {
    byteLength: size,
    slice(start, end = size) {
      if (start < 0 || end < start || end > size || end - start > MAX_GROUP_BYTES) {
        throw new Error(`bytes ${start} to ${end} of ${size}`);
      }
      const bytes = new Uint8Array(end - start);
      let read = 0;
      while (read < bytes.length) {
        const got = readSync(fd, bytes, read, bytes.length - read, start + read);
        if (got === 0) throw new Error('the file ends too early');
        read += got;
      }
      return bytes.buffer;
    },
  };
}

/** A Parquet file begins and ends with PAR1; before the end stands the length of its metadata. */
function checkEnds({ byteLength }: AsyncBuffer, fd: number, { where, label }: UnpackContext): void {
  const tail = Buffer.alloc(8);
  if (byteLength < 12 || readSync(fd, tail, 0, 8, byteLength - 8) < 8) {
    throw problem(where, `${label} is cut off: it is too short for Parquet.`, 'Fetch it again.');
  }
  const magic = tail.toString('latin1', 4);
  if (magic !== 'PAR1') {
    const what = `${label} is cut off: it does not end as a Parquet file does.`;
    throw problem(where, what, 'Fetch it again.');
  }
  const length = tail.readUInt32LE(0);
  if (length > byteLength - 12 || length > MAX_METADATA_BYTES) {
    const what = `${label} is damaged: it claims ${length} bytes of metadata in a file of ${byteLength} bytes.`;
    throw problem(where, what, 'Fetch it again.');
  }
}
