import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, test } from '@jest/globals';
import { LineError, LineFile } from '../../src/datasets/lines.js';

const dir = mkdtempSync(join(tmpdir(), 'lines-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

let made = 0;
async function fileOf(content: string | Buffer): Promise<LineFile> {
  made += 1;
  const path = join(dir, `${made}.jsonl`);
  writeFileSync(path, content);
  return await LineFile.open(path);
}

function allLines(file: LineFile): (string | null)[] {
  return Array.from({ length: file.lines }, (_, index) =>
    file.has(index + 1) ? file.read(index + 1) : null,
  );
}

describe('LineFile', () => {
  test.each<[string, string, (string | null)[]]>([
    ['line feeds', 'a\nb\n', ['a', 'b']],
    ['no line feed at the end', 'a\nb', ['a', 'b']],
    ['CRLF', 'a\r\nb\r\n', ['a', 'b']],
    ['CRLF, none at the end', 'a\r\nb', ['a', 'b']],
    ['a carriage return inside a line stays', 'a\rb\n', ['a\rb']],
    ['blank lines count in the numbering', 'a\n\n \t\r\nb\n\n', ['a', null, null, 'b', null]],
    ['white space round a row stays', '  a \n', ['  a ']],
    ['byte order mark', '\ufeffa\nb', ['a', 'b']],
    ['byte order mark and nothing else', '\ufeff', []],
    ['byte order mark on a blank line', '\ufeff\na', [null, 'a']],
    ['a mark in the middle is text', 'a\n\ufeffb', ['a', '\ufeffb']],
    ['two, three and four byte characters', 'é\n中\n😀\n', ['é', '中', '😀']],
    ['empty file', '', []],
    ['only line feeds', '\n\n', [null, null]],
    ['U+2028 does not end a line', 'a\u2028b\n', ['a\u2028b']],
  ])('%s', async (_name, content, expected) => {
    const file = await fileOf(content);
    expect(allLines(file)).toEqual(expected);
    file.close();
  });

  it('reads lines in any order', async () => {
    const file = await fileOf('one\ntwo\nthree');
    expect([file.read(3), file.read(1), file.read(2), file.read(3)]).toEqual([
      'three',
      'one',
      'two',
      'three',
    ]);
    file.close();
  });

  it('knows no line 0 and none after the last', async () => {
    const file = await fileOf('a\n');
    expect([file.has(0), file.has(1), file.has(2)]).toEqual([false, true, false]);
    expect(() => file.read(2)).toThrow(RangeError);
    file.close();
  });

  it('indexes lines across the blocks it reads', async () => {
    // 1 MiB blocks: line 1 ends exactly at the border, line 3 spans two blocks, line 2's CRLF is split by none.
    const first = 'x'.repeat((1 << 20) - 1);
    const third = 'é'.repeat(700_000);
    const file = await fileOf(`${first}\nsecond\r\n${third}\nlast`);
    expect(file.lines).toBe(4);
    expect(file.read(1)).toBe(first);
    expect(file.read(2)).toBe('second');
    expect(file.read(3)).toBe(third);
    expect(file.read(4)).toBe('last');
    file.close();
  });

  it('takes CR and LF apart by a block border as one line end', async () => {
    const first = 'x'.repeat((1 << 20) - 1);
    const file = await fileOf(`${first}\r\nb`);
    expect(file.read(1)).toBe(first);
    expect(file.read(2)).toBe('b');
    file.close();
  });

  it('says that a line is not UTF-8', async () => {
    const file = await fileOf(
      Buffer.concat([Buffer.from('ok\n'), Buffer.from([0xff, 0xfe, 0x0a])]),
    );
    expect(file.read(1)).toBe('ok');
    expect(() => file.read(2)).toThrow(new LineError('is not UTF-8 text'));
    file.close();
  });

  it('holds an index of 50,000 rows in typed arrays only', async () => {
    const row = `${JSON.stringify({ text: 'y'.repeat(100) })}\n`;
    const file = await fileOf(row.repeat(50_000));
    expect(file.lines).toBe(50_000);
    expect(file.read(50_000)).toBe(row.trimEnd());
    file.close();
  });

  it('rejects when there is no file', async () => {
    await expect(LineFile.open(join(dir, 'missing'))).rejects.toThrow('ENOENT');
  });
});
