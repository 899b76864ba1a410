import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, test } from '@jest/globals';
import { conversionProblem, jsonLines } from '../support/convert.js';
import { tarGz } from '../support/tar.js';

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../fixtures/data-sets/${name}`, import.meta.url));

/** What the fixtures of five rows were written from. */
const ROWS = [
  {
    messages: '[{"role": "user", "content": "Weather in Oslo?"}]',
    tools:
      '[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"2":{},"1":{}},"maximum":1.0}}}]',
    should_call_tool: true,
    official_finish_reason: 'tool_calls',
  },
  {
    messages: '[{"role": "user", "content": "Zwei\\nZeilen, \\"quoted\\" und \u2028 😀"}]',
    tools: '[]',
    should_call_tool: false,
    official_finish_reason: 'stop',
  },
  {
    messages: '[{"role":"system","content":"a"},{"role":"user","content":"1.0 stays 1.0"}]',
    tools: '[]',
    official_finish_reason: 'length',
  },
  { messages: '\ufeff[]', should_call_tool: true },
  {
    messages: '[{"role": "user", "content": "x"}]',
    tools: '[]',
    should_call_tool: false,
    official_finish_reason: '',
  },
].map((row) => `${JSON.stringify(row)}\n`);

describe('a Parquet file', () => {
  test.each([
    'rows.parquet', // snappy, in row groups of two
    'rows-none.parquet',
    'rows-gzip.parquet', // without dictionaries
    'rows-zstd.parquet', // data pages of version 2
    'rows-brotli.parquet',
    'rows-lz4.parquet',
  ])('%s: every row, its text character by character', async (name) => {
    expect(await jsonLines({ file: fixture(name) })).toBe(ROWS.join(''));
  });

  it('gives lists, structs and large numbers as JSON, and leaves nulls out', async () => {
    expect((await jsonLines({ file: fixture('types.parquet') })).split('\n')).toEqual([
      '{"big":9007199254740993,"unsigned":18446744073709551615,"small":1,"double":0.1,"list":[1,2,null],' +
        '"messages":[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[{"id":"a","n":9007199254740993}]}],' +
        '"struct":{"a":"x"},"when":"2025-11-15T01:02:03.004Z","bytes":"\\u0000\\u0001abc"}',
      '{"big":-9223372036854775808,"unsigned":0,"small":-2,"list":[],"messages":[],"struct":{}}',
      '{"unsigned":1,"double":1,"bytes":""}',
      '',
    ]);
  });

  it('may have no rows', async () => {
    expect(await jsonLines({ file: fixture('no-rows.parquet') })).toBe('');
  });

  it('may be packed, or in an archive', async () => {
    const file = fixture('rows.parquet');
    expect(await jsonLines({ file: gzipSync(file) })).toBe(ROWS.join(''));
    const archive = tarGz([{ name: 'test-00000-of-00001.parquet', body: file }]);
    expect(await jsonLines({ file: archive })).toBe(ROWS.join(''));
  });
});

describe('what is refused', () => {
  const rows = fixture('rows.parquet');
  const with_ = (change: (bytes: Buffer) => void): Buffer => {
    const copy = Buffer.from(rows);
    change(copy);
    return copy;
  };
  /** The codec stands behind the path of its column in the footer, zigzag-encoded. */
  const packedWith = (codec: number): Buffer =>
    with_((bytes) => {
      const path = '\x19\x18\x08messages\x15';
      const at = bytes.indexOf(path, bytes.length - 2000, 'latin1') + path.length;
      expect(bytes[at]).toBe(2);
      bytes[at] = codec * 2;
    });

  test.each<[string, Buffer, string]>([
    ['cut off', rows.subarray(0, 1000), 'is cut off: it does not end as a Parquet file does.'],
    ['its first bytes alone', rows.subarray(0, 4), 'is cut off: it is too short for Parquet.'],
    ['another end', with_((b) => b.write('PARX', b.length - 4)), 'does not end as a Parquet file'],
    [
      'metadata longer than the file',
      with_((b) => b.writeUInt32LE(b.length, b.length - 8)),
      `is damaged: it claims ${rows.length} bytes of metadata in a file of ${rows.length} bytes.`,
    ],
    [
      'metadata too short',
      with_((b) => b.writeUInt32LE(20, b.length - 8)),
      'is not a Parquet file',
    ],
    [
      'metadata overwritten',
      with_((b) => b.fill(0xff, b.length - 600, b.length - 8)),
      'is not a Parquet file that can be read (',
    ],
    ['pages overwritten', with_((b) => b.fill(0xff, 4, 600)), 'is not a Parquet file that can be'],
    ['LZO', packedWith(3), 'is packed with LZO, which cannot be read here.'],
    [
      'a codec that nobody knows',
      packedWith(60),
      'is packed with an unknown codec, which cannot be read here.',
    ],
    [
      'a row group of five million rows and more',
      fixture('many-rows.parquet'),
      'has a row group of more than 1 GiB or 5000000 rows.',
    ],
    ['a page of 135 MB in 600 bytes', fixture('page-bomb.parquet'), 'a page of 135000010 bytes'],
    ['text that is not UTF-8', fixture('latin1.parquet'), 'a text is not UTF-8'],
    ['encrypted', Buffer.from('PARE1234567890PARE'), 'is an encrypted Parquet file.'],
    ['named so, but text', Buffer.from('hello'), 'is named .parquet, but is not a Parquet file.'],
  ])('%s', async (_name, file, expected) => {
    const { what } = await conversionProblem({ file, name: 'x.parquet' });
    expect(what).toMatch(/^x\.parquet /);
    expect(what).toContain(expected);
  });

  it('becoming larger than allowed', async () => {
    const { what } = await conversionProblem({ file: rows, maxBytes: 300 });
    expect(what).toBe('data has more than 300 bytes as JSON lines.');
  });
});
