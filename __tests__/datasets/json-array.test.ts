import { describe, expect, it, test } from '@jest/globals';
import { conversionProblem, jsonLines } from '../support/convert.js';

describe('a JSON array', () => {
  test.each<[string, string, string[]]>([
    ['on one line', '[{"a":1},{"a":2}]', ['{"a":1}', '{"a":2}']],
    [
      'over many lines',
      '[\n  {\n    "a": 1\n  },\r\n  {"a": 2}\n]\n',
      ['{    "a": 1  }', '{"a": 2}'],
    ],
    [
      'with text that looks like its structure',
      '[{"a":"],{\\"[\\\\"},"}"]',
      ['{"a":"],{\\"[\\\\"}', '"}"'],
    ],
    [
      'with its numbers as they are',
      '[{"2":1.0,"1":12345678901234567890}]',
      ['{"2":1.0,"1":12345678901234567890}'],
    ],
    ['with lists in it', '[[1,2],[[3]],4]', ['[1,2]', '[[3]]', '4']],
    ['behind a byte order mark', '\ufeff [{"a":1}]', ['{"a":1}']],
    ['that is empty', '[ ]', []],
  ])('%s', async (_name, file, lines) => {
    expect(await jsonLines({ file })).toBe(lines.map((line) => `${line}\n`).join(''));
  });

  it('is read through, whatever the block boundaries', async () => {
    const rows = Array.from({ length: 30_000 }, (_, n) => `{"n":${n},"text":"é\\n,]"}`);
    expect(await jsonLines({ file: `[${rows.join(',\n')}]` })).toBe(`${rows.join('\n')}\n`);
  });

  test.each<[string, string | Buffer, string]>([
    ['cut off', '[{"a":1},', 'is cut off: its JSON array does not end.'],
    ['cut off in a text', '[{"a":"1', 'is cut off: its JSON array does not end.'],
    ['with more behind it', '[{"a":1}]\n{"a":2}\n', 'goes on after its JSON array.'],
    ['with a line break in a text', '["a\nb"]', 'has a line break inside a string.'],
    ['that is not UTF-8', Buffer.from('["\xe9"]', 'latin1'), 'is not UTF-8 text.'],
  ])('%s is refused', async (_name, file, expected) => {
    expect((await conversionProblem({ file })).what).toContain(expected);
  });

  it('larger than allowed is refused', async () => {
    const file = `[${'{"a":1},'.repeat(1000)}{}]`;
    const { what } = await conversionProblem({ file, maxBytes: 8000 });
    expect(what).toBe('data has more than 8000 bytes as JSON lines.');
  });
});
