/** What can be read, each after its own manner. */
export type Format = 'json-lines' | 'json-array' | 'csv' | 'tsv' | 'parquet' | 'gzip' | 'tar';

/** What a file that cannot be read looks like, and what to do with it. */
export interface ForeignFormat {
  /** Completes 'the file is ...'. */
  readonly what: string;
  readonly fix: string;
}

/** Bytes of the start of a file that `formatOf` needs to see; a tar archive's first header is as long. */
export const SNIFFED_BYTES = 512;

const LATER_GZIP = 'Unpack it, or use gzip.';

const SIGNATURES: readonly {
  readonly bytes: string;
  readonly is: 'gzip' | 'parquet' | ForeignFormat;
}[] = [
  { bytes: '\x1f\x8b', is: 'gzip' },
  { bytes: 'PAR1', is: 'parquet' },
  {
    bytes: 'PARE',
    is: { what: 'an encrypted Parquet file', fix: 'Write it without encryption.' },
  },
  {
    bytes: 'PK\x03\x04',
    is: { what: 'a ZIP archive', fix: 'Unpack it and give the file inside, or use tar and gzip.' },
  },
  { bytes: '\x28\xb5\x2f\xfd', is: { what: 'compressed with zstd', fix: LATER_GZIP } },
  { bytes: '\xfd7zXZ', is: { what: 'compressed with xz', fix: LATER_GZIP } },
  { bytes: 'BZh', is: { what: 'compressed with bzip2', fix: LATER_GZIP } },
  { bytes: '\xff\xfe', is: { what: 'UTF-16 text', fix: 'Save it as UTF-8.' } },
  { bytes: '\xfe\xff', is: { what: 'UTF-16 text', fix: 'Save it as UTF-8.' } },
  {
    bytes: 'version https://git-lfs',
    is: {
      what: 'a Git LFS pointer, not the data itself',
      fix: 'Fetch the data with `git lfs pull`, or set `lfs: true` at actions/checkout.',
    },
  },
];

/**
 * Tells the form of a file by its content and, where that leaves a choice, by its name. Text that nothing speaks
 * against is taken for JSON lines.
 * @param head the first SNIFFED_BYTES bytes.
 * @param name of the file; only its ending counts.
 */
export function formatOf(head: Buffer, name: string): Format | ForeignFormat {
  const latin = head.toString('latin1');
  for (const { bytes, is } of SIGNATURES) if (latin.startsWith(bytes)) return is;
  if (isTarHeader(head)) return 'tar';
  const text = latin.replace(/^\xef\xbb\xbf/, '');
  const first = text.trimStart().charAt(0);
  if (first === '<') {
    return {
      what: 'a web page or XML, not data',
      fix: 'Open the address in a browser: it may ask for a login, or be the page about the file.',
    };
  }
  if (first === '{') return 'json-lines';
  if (first === '[') return 'json-array';
  const ending = /\.(csv|tsv|parquet|tar|tgz)$/i.exec(name)?.[1]?.toLowerCase();
  if (ending === 'csv' || ending === 'tsv') return delimiterOf(text, ending);
  if (ending !== undefined) {
    const form = ending === 'parquet' ? 'a Parquet file' : 'a tar archive';
    return { what: `named .${ending}, but is not ${form}`, fix: 'Check where it came from.' };
  }
  const delimiter = HEADER.exec(firstLine(text))?.[1];
  return delimiter === undefined ? 'json-lines' : delimiter === ',' ? 'csv' : 'tsv';
}

/** Where the first line of a table ends the name decides, unless the line has only the other one's delimiter. */
function delimiterOf(text: string, ending: 'csv' | 'tsv'): 'csv' | 'tsv' {
  const line = firstLine(text);
  if (ending === 'csv') return line.includes('\t') && !line.includes(',') ? 'tsv' : 'csv';
  return line.includes(',') && !line.includes('\t') ? 'csv' : 'tsv';
}

/** Two or more column names with one delimiter; the first may be empty, as that of a pandas index is. */
const HEADER = /^(?:"?[A-Za-z_][\w.-]*"?)?([,\t])"?[A-Za-z_][\w.-]*"?(?:\1"?[A-Za-z_][\w.-]*"?)*$/;

function firstLine(text: string): string {
  const end = text.indexOf('\n');
  if (end !== -1) return text.slice(0, end).replace(/\r$/, '');
  // Cut in the middle of a name, perhaps: that name is left out.
  return text.length < SNIFFED_BYTES - 3 ? text : text.replace(/[,\t][^,\t]*$/, '');
}

/** POSIX ustar: 'ustar' at 257, and at 148 the octal sum of all bytes, those of the sum itself taken as spaces. */
function isTarHeader(head: Buffer): boolean {
  if (head.toString('latin1', 257, 262) === 'ustar') return true;
  // The format before ustar has nothing but the sum.
  if (head.length < 512 || head[0] === 0) return false;
  const written = /^[\s\0]*([0-7]{1,7})[\s\0]*$/.exec(head.toString('latin1', 148, 156))?.[1];
  if (written === undefined) return false;
  let sum = 8 * 0x20;
  for (let at = 0; at < 512; at += 1) if (at < 148 || at >= 156) sum += head[at] ?? 0;
  return sum === Number.parseInt(written, 8);
}
