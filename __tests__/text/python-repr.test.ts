import { describe, expect, it, test } from '@jest/globals';
import {
  PythonFloat,
  PythonTuple,
  type PythonValue,
  pythonRepr,
  pythonStr,
  pythonStrip,
} from '../../src/text/python-repr.js';

describe('pythonRepr', () => {
  // Printed by CPython 3.11.
  test.each<[string, string]>([
    ['', "''"],
    ['plain', "'plain'"],
    ["It's", `"It's"`],
    ['say "hi"', `'say "hi"'`],
    [`it's "x"`, `'it\\'s "x"'`],
    ['back\\slash', "'back\\\\slash'"],
    ["\\'", `"\\\\'"`],
    ['a\nb\rc\td', "'a\\nb\\rc\\td'"],
    ['\x00\x07\x1b\x7f', "'\\x00\\x07\\x1b\\x7f'"],
    ['\x80\x9f\xa0\xad', "'\\x80\\x9f\\xa0\\xad'"],
    ['a\xa0b\u200bc\ue001d', "'a\\xa0b\\u200bc\\ue001d'"],
    ['é中😀', "'é中😀'"],
    ['\u2028\u2029\u3000\u202f', "'\\u2028\\u2029\\u3000\\u202f'"],
    ['\ufeff\ufffe\uffff', "'\\ufeff\\ufffe\\uffff'"],
    ['\ud800', "'\\ud800'"],
    ['\ude00\ud83d', "'\\ude00\\ud83d'"],
    ['\u{e0001}\u{f0000}\u{10ffff}', "'\\U000e0001\\U000f0000\\U0010ffff'"],
    ['\u0378', "'\\u0378'"],
    ['e\u0301', "'e\u0301'"],
    ['\u200d', "'\\u200d'"],
    ['  ', "'  '"],
    ['~ !@', "'~ !@'"],
  ])('%j', (text, printed) => {
    expect(pythonRepr(text)).toBe(printed);
  });

  test.each<[PythonValue, string]>([
    [true, 'True'],
    [false, 'False'],
    [null, 'None'],
    [0, '0'],
    [-0, '0'],
    [13, '13'],
    [1e21, '1000000000000000000000'],
    [2.5, '2.5'],
    [1e-7, '1e-07'],
    [new PythonFloat(2), '2.0'],
    [new PythonFloat(1e16), '1e+16'],
    [new PythonFloat(Number.POSITIVE_INFINITY), 'inf'],
    [new PythonFloat(Number.NEGATIVE_INFINITY), '-inf'],
    [Number.NaN, 'nan'],
    [[], '[]'],
    [['a', 1, null], "['a', 1, None]"],
    [new PythonTuple([]), '()'],
    [new PythonTuple(['13']), "('13',)"],
    [new PythonTuple([1, [2]]), '(1, [2])'],
    [{}, '{}'],
    [{ a: true, "b'": {} }, `{'a': True, "b'": {}}`],
  ])('%j', (value, printed) => {
    expect(pythonRepr(value)).toBe(printed);
    expect(pythonStr(value)).toBe(printed);
  });

  it('is not what str() prints of a string', () => {
    expect(pythonStr("It's\n")).toBe("It's\n");
    expect(pythonStr(['a'])).toBe("['a']");
  });
});

describe('pythonStrip', () => {
  test.each<[string, string]>([
    ['', ''],
    [' \t\n\v\f\r', ''],
    ['\x1c\x1d\x1e\x1f\x85\xa0', ''],
    ['\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000', ''],
    [' a b ', 'a b'],
    // Not white space in Python: zero width, byte-order mark, Mongolian vowel separator.
    ['\u200b\ufeff\u180e', '\u200b\ufeff\u180e'],
    ['\ufeff a', '\ufeff a'],
    ['\x1fa\x85', 'a'],
  ])('%j', (text, stripped) => {
    expect(pythonStrip(text)).toBe(stripped);
  });

  it('takes a megabyte of spaces in one go', () => {
    const spaces = ' '.repeat(1 << 20);
    expect(pythonStrip(`a${spaces}b${spaces}`)).toHaveLength((1 << 20) + 2);
  });
});
