import { describe, expect, test } from '@jest/globals';
import { type Format, formatOf, SNIFFED_BYTES } from '../../src/datasets/format.js';
import { tar } from '../support/tar.js';

/** The header of tar archives from before POSIX: a checksum, and nothing that says ustar. */
function oldTar(): Buffer {
  const header = tar([{ name: 'rows.jsonl' }]).subarray(0, 512);
  header.fill(0, 257, 265);
  header.write('        ', 148);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

describe('the form of a file', () => {
  test.each<[string, string | Buffer, string, Format]>([
    ['an object', '{"a":1}\n', 'x', 'json-lines'],
    ['an object, whatever the name', '{"a":1}\n', 'x.csv', 'json-lines'],
    ['an object behind a mark', '\ufeff{"a":1}\n', 'x.parquet', 'json-lines'],
    ['blank lines', '\n\n  {"a":1}\n', 'x', 'json-lines'],
    ['nothing but blanks', ' \n', 'x', 'json-lines'],
    ['a list', ' [{"a":1}]', 'x.jsonl', 'json-array'],
    ['gzip', '\x1f\x8b\x08', 'x.csv', 'gzip'],
    ['Parquet', 'PAR1', 'x.jsonl', 'parquet'],
    ['tar', tar([{ name: '{.jsonl' }]), 'x.jsonl', 'tar'],
    ['tar from before POSIX', oldTar(), 'x', 'tar'],
    ['column names', 'messages,tools\n', 'x', 'csv'],
    ['column names in quotes', '"messages","tools"\r\n', 'x', 'csv'],
    ['column names with an index', ',messages,tools\n', 'x', 'csv'],
    ['column names in tabs', 'messages\ttools\n', 'x', 'tsv'],
    ['column names without a line end', 'messages,tools', 'x', 'csv'],
    ['very many column names', 'a_column,'.repeat(100), 'x', 'csv'],
    ['one column name', 'messages\n', 'x', 'json-lines'],
    ['one column name, and the name', 'messages\n', 'x.CSV', 'csv'],
    ['tabs in what is named .csv', 'a\tb\n', 'x.csv', 'tsv'],
    ['commas in what is named .tsv', 'a,b\n', 'x.tsv', 'csv'],
    ['names with spaces, and the name', 'first name,b\n', 'x.csv', 'csv'],
    ['words', 'hello, world\n', 'x', 'json-lines'],
    ['JSON lines with a slip', "{'a':1}\n", 'x', 'json-lines'],
    ['broken JSON lines', '"a":1,"b":2}\n', 'x', 'json-lines'],
  ])('%s', (_name, content, name, expected) => {
    const bytes = Buffer.from(
      content as string,
      content.toString().startsWith('\x1f') ? 'latin1' : 'utf8',
    );
    expect(formatOf(bytes.subarray(0, SNIFFED_BYTES), name)).toBe(expected);
  });

  test.each<[string, string, string, string]>([
    ['a page', ' <!doctype html>', 'x.jsonl', 'a web page or XML, not data'],
    ['ZIP', 'PK\x03\x04', 'x', 'a ZIP archive'],
    ['bzip2', 'BZh91AY', 'x', 'compressed with bzip2'],
    ['xz', '\xfd7zXZ\0', 'x', 'compressed with xz'],
    ['UTF-16', '\xff\xfe{\0', 'x', 'UTF-16 text'],
    ['not what it is named', 'hello', 'x.parquet', 'named .parquet, but is not a Parquet file'],
    ['no archive', 'hello', 'x.tar', 'named .tar, but is not a tar archive'],
  ])('%s cannot be read', (_name, content, name, expected) => {
    expect(formatOf(Buffer.from(content, 'latin1'), name)).toMatchObject({
      what: expected,
      fix: expect.stringMatching(/\.$/),
    });
  });
});
