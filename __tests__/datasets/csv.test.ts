import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, test } from '@jest/globals';
import { conversionProblem, jsonLines } from '../support/convert.js';
import { tempDir } from '../support/temp-dir.js';

const MESSAGES = '[{"role": "user", "content": "one\\ntwo, \\"three\\""}]';
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

describe('a table of comma-separated values', () => {
  test.each<[string, string, string[]]>([
    ['plain', 'a,b\n1,x\n2,y\n', ['{"a":1,"b":"x"}', '{"a":2,"b":"y"}']],
    ['without a line end at its end', 'a,b\n1,x', ['{"a":1,"b":"x"}']],
    ['with the line ends of Windows', 'a,b\r\n1,x\r\n', ['{"a":1,"b":"x"}']],
    ['with both kinds of line ends', 'a,b\n1,"x"\r\n2,y\n', ['{"a":1,"b":"x"}', '{"a":2,"b":"y"}']],
    ['with a byte order mark', '\ufeffa,b\n1,x\n', ['{"a":1,"b":"x"}']],
    ['with blank lines', 'a,b\n\n1,x\n\n\n2,y\n\n', ['{"a":1,"b":"x"}', '{"a":2,"b":"y"}']],
    ['with quoted names', '"a","b"\n1,x\n', ['{"a":1,"b":"x"}']],
    [
      'with commas, quotes and line breaks in cells',
      'a,b\n"1,""2""\n3",x\n',
      ['{"a":"1,\\"2\\"\\n3","b":"x"}'],
    ],
    [
      'with the index column of pandas',
      ',a,b\n0,1,x\n1,2,y\n',
      ['{"a":1,"b":"x"}', '{"a":2,"b":"y"}'],
    ],
    ['with empty cells', 'a,b,c\n,"",x\n', ['{"b":"","c":"x"}']],
    ['with spaces around text', 'a,b\n x , y\n', ['{"a":" x ","b":" y"}']],
    [
      'with the truth values of Python',
      'a,b,c\nTrue,FALSE,"true"\n',
      ['{"a":true,"b":false,"c":"true"}'],
    ],
    [
      'with numbers, digit by digit',
      'a,b,c\n1.0,12345678901234567890,-0.5e3\n',
      ['{"a":1.0,"b":12345678901234567890,"c":-0.5e3}'],
    ],
    [
      'with what only looks like a number',
      'a,b,c,d,e\n007,+1,1.,NaN,"5"\n',
      ['{"a":"007","b":"+1","c":"1.","d":"NaN","e":"5"}'],
    ],
    ['with a column that objects treat apart', 'a,__proto__\n1,x\n', ['{"a":1,"__proto__":"x"}']],
    ['with a header alone', 'a,b\n', []],
    ['with two columns in tabs', 'a\tb\n1,5\tx y\n', ['{"a":"1,5","b":"x y"}']],
  ])('%s', async (_name, file, lines) => {
    const text = lines.map((line) => `${line}\n`).join('');
    expect(await jsonLines({ file })).toBe(text);
    expect(await jsonLines({ file: gzipSync(file), name: 'x.csv.gz' })).toBe(text);
  });

  it('keeps JSON in cells character by character', async () => {
    const file = `messages,should_call_tool\n${quoted(MESSAGES)},True\n`;
    const line = JSON.parse(await jsonLines({ file })) as object;
    expect(line).toEqual({ messages: MESSAGES, should_call_tool: true });
  });

  it('of one column is told by its name alone', async () => {
    expect(await jsonLines({ file: 'a\nx\n', name: 'x.csv' })).toBe('{"a":"x"}\n');
    expect(await jsonLines({ file: 'a\nx\n', name: 'x.jsonl' })).toBe('a\nx\n');
  });

  it('keeps the order of its columns, whatever their names', async () => {
    expect(await jsonLines({ file: 'b,2,1\nx,y,z\n', name: 'x.csv' })).toBe(
      '{"b":"x","2":"y","1":"z"}\n',
    );
  });

  it('may be large: rows are read one by one', async () => {
    const cell = quoted(MESSAGES.repeat(20));
    const file = `a,b\n${`${cell},x\n`.repeat(500)}`;
    const text = await jsonLines({ file });
    expect(text.split('\n')).toHaveLength(501);
  });
});

describe('what is refused', () => {
  test.each<[string, string | Buffer, string]>([
    ['a row with more cells', 'a,b\n1,x\n1,x,2\n', 'has more or fewer cells in row 2 than in its'],
    ['a row with fewer cells', 'a,b\n1\n', 'has more or fewer cells in row 1 than in its header'],
    ['a quote never closed', 'a,b\n1,"x\n2,y\n', 'ends inside a quote that row 1 opens.'],
    [
      'a quote never closed in the header',
      'a,"b\n1,x\n',
      'ends inside a quote that its header line',
    ],
    [
      'a quote in the middle of a cell',
      'a,b\n1,x"y\n',
      'has a quote where none may stand, in row 1.',
    ],
    ['text after a quote', 'a,b\n1,"x"y\n', 'has a quote where none may stand, in row 1.'],
    ['a column twice', 'a,b,a\n1,2,3\n', 'names the column a twice.'],
    ['Latin-1', Buffer.from('a,b\n1,\xe9\n', 'latin1'), 'is not UTF-8 text.'],
    ['UTF-8 cut in a character', Buffer.from('a,b\n1,é\n').subarray(0, 7), 'is not UTF-8 text.'],
  ])('%s', async (_name, file, expected) => {
    expect((await conversionProblem({ file, name: 'x.csv' })).what).toContain(expected);
  });

  it('a cell of 100 MB', async () => {
    const path = join(tempDir(), 'x.csv');
    const fd = openSync(path, 'w');
    writeSync(fd, 'a,b\n1,"');
    ftruncateSync(fd, 100_000_000);
    closeSync(fd);
    const { what, fix } = await conversionProblem({
      file: { path },
      name: 'x.csv',
      maxBytes: 2 ** 20,
    });
    expect(what).toBe('x.csv has more than 1048576 characters in row 1.');
    expect(fix).toContain('A quote may be left open.');
  });

  it('a table that becomes larger than allowed', async () => {
    const file = `a,b\n${'1,2\n'.repeat(1000)}`;
    const { what } = await conversionProblem({ file, name: 'x.csv', maxBytes: 10_000 });
    expect(what).toBe('x.csv has more than 10000 bytes as JSON lines.');
  });
});
