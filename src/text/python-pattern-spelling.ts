// Parts of Python patterns as JavaScript spells them under the flags `sv`, and what RE2 writes for them.

/** Contents of brackets by an escape's letter: after str.isdecimal, isspace and isalnum, or under the ASCII flag. */
export const CATEGORIES = new Map([
  ['d', ['\\p{Nd}', '0-9']],
  ['D', ['\\P{Nd}', '\\x00-\\x2f\\x3a-\u{10ffff}']],
  ['s', ['\\t-\\r\\x1c-\\x20\\x85\\p{Z}', '\\t-\\r\\x20']],
  [
    'S',
    [
      '\\x00-\\x08\\x0e-\\x1b\\x7f-\\x84\\x86-\\x9f\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Cf}\\p{Cs}\\p{Co}\\p{Cn}',
      '\\x00-\\x08\\x0e-\\x1f\\x21-\u{10ffff}',
    ],
  ],
  ['w', ['\\p{L}\\p{N}_', '0-9A-Za-z_']],
  [
    'W',
    [
      // Of the connecting punctuation (Pc) all but the underscore.
      '\\p{M}\\p{Pd}\\p{Ps}\\p{Pe}\\p{Pi}\\p{Pf}\\p{Po}\\p{S}\\p{Z}\\p{C}\u203f\u2040\u2054\ufe33\ufe34\ufe4d-\ufe4f\uff3f',
      '\\x00-\\x2f\\x3a-\\x40\\x5b-\\x5e\\x60\\x7b-\u{10ffff}',
    ],
  ],
]);

export const LINE_START = '(?<![^\\n])';
export const LINE_END = '(?![^\\n])';
export const END = '(?=\\n?$)';
export const boundary = (word: string) =>
  `(?=(?<=[${word}])(?![${word}])|(?<![${word}])(?=[${word}]))`;
/** Not in an empty text, as in Python before 3.14. */
export const noBoundary = (word: string) =>
  `(?=(?<=[${word}])(?=[${word}])|(?<![${word}])(?![${word}])(?:(?<=.)|.))`;

/** The same part in RE2. A literal character is always written as a number, so that nothing else is hit. */
const RE2_SPELLINGS: readonly (readonly [string | RegExp, string])[] = [
  [LINE_START, '(?m:^)'],
  [LINE_END, '(?m:$)'],
  [END, '(?:\\n?$)'],
  ...(CATEGORIES.get('w') ?? []).flatMap((word): [string, string][] => [
    [boundary(word), '\\b'],
    [noBoundary(word), '\\B'],
  ]),
  [/\(\?<[^=!>]*>/g, '(?:'],
  ['\\u{', '\\x{'],
];

export function inRe2(text: string): string {
  return RE2_SPELLINGS.reduce((done, [native, re2]) => done.replaceAll(native, () => re2), text);
}
