/** What a file that is not JSON lines looks like, and what to do with it. */
export interface ForeignFormat {
  /** Completes 'the file is ...'. */
  readonly what: string;
  readonly fix: string;
}

/** Bytes of the start of a file that `foreignFormat` needs to see. */
export const SNIFFED_BYTES = 512;

const JSON_LINES = 'Give a file with one JSON object a line.';

const SIGNATURES: readonly (ForeignFormat & { readonly bytes: string; readonly at?: number })[] = [
  { bytes: 'PAR1', what: 'a Parquet file', fix: `Convert it to JSON lines. ${JSON_LINES}` },
  { bytes: 'PK\x03\x04', what: 'a ZIP archive', fix: 'Unpack it and give the file inside.' },
  { bytes: 'ustar', at: 257, what: 'a tar archive', fix: 'Unpack it and give the file inside.' },
  { bytes: '\x1f\x8b', what: 'compressed twice', fix: 'Unpack it once.' },
  { bytes: '\x28\xb5\x2f\xfd', what: 'compressed with zstd', fix: 'Unpack it, or use gzip.' },
  { bytes: '\xfd7zXZ', what: 'compressed with xz', fix: 'Unpack it, or use gzip.' },
  { bytes: 'BZh', what: 'compressed with bzip2', fix: 'Unpack it, or use gzip.' },
  { bytes: '\xff\xfe', what: 'UTF-16 text', fix: 'Save it as UTF-8.' },
  { bytes: '\xfe\xff', what: 'UTF-16 text', fix: 'Save it as UTF-8.' },
  {
    bytes: 'version https://git-lfs',
    what: 'a Git LFS pointer, not the data itself',
    fix: 'Fetch the data with `git lfs pull`, or set `lfs: true` at actions/checkout.',
  },
];

/**
 * Recognises files that are something else than JSON lines, so that the user reads that instead of a complaint about
 * line 1. Returns null when nothing speaks against JSON lines.
 * @param head the first SNIFFED_BYTES bytes.
 */
export function foreignFormat(head: Buffer): ForeignFormat | null {
  const latin = head.toString('latin1');
  for (const { bytes, at = 0, what, fix } of SIGNATURES) {
    if (latin.startsWith(bytes, at)) return { what, fix };
  }
  const first = latin.replace(/^\xef\xbb\xbf/, '').trimStart();
  if (first.startsWith('<')) {
    return {
      what: 'a web page or XML, not data',
      fix: 'Open the address in a browser: it may ask for a login, or be the page about the file.',
    };
  }
  if (first.startsWith('[')) {
    return { what: 'one JSON array', fix: `Convert it with \`jq -c '.[]'\`. ${JSON_LINES}` };
  }
  return null;
}
