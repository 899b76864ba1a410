/** Whether a pattern's place takes the character of this code point. */
export type CharTest = (code: number) => boolean;

/** A member of a class: one code point, an inclusive range, or a category. */
export type ClassItem = number | readonly [number, number] | CharTest;

/** str.isspace: JavaScript's \s, and 1c to 1f and 85, but not the byte-order mark. */
function isSpace(char: string): boolean {
  return (
    (/^\s$/.test(char) && char !== '\ufeff') ||
    (char >= '\x1c' && char <= '\x1f') ||
    char === '\x85'
  );
}

/** Tests below 128 come from a table; most text is ASCII. */
function tabled(holds: (char: string) => boolean): CharTest {
  const ascii = Array.from({ length: 128 }, (_, code) => holds(String.fromCharCode(code)));
  return (code) => ascii[code] ?? holds(String.fromCodePoint(code));
}

const matches = (regex: RegExp) => tabled((char) => regex.test(char));

/** By letter: for text (str.isdecimal, str.isalnum or an underscore) and under the ASCII flag. */
const CATEGORIES: Readonly<Record<string, readonly [text: CharTest, ascii: CharTest]>> = {
  d: [matches(/^\p{Nd}$/u), matches(/^[0-9]$/)],
  s: [tabled(isSpace), matches(/^[\t-\r ]$/)],
  w: [matches(/^[\p{L}\p{N}_]$/u), matches(/^[0-9A-Za-z_]$/)],
};

/** The test of `\d`, `\s`, `\w` or, in capitals, their opposites; null for another letter. */
export function category(letter: string, ascii: boolean): CharTest | null {
  const pair = CATEGORIES[letter.toLowerCase()];
  if (pair === undefined) return null;
  const test = pair[ascii ? 1 : 0];
  return letter === letter.toLowerCase() ? test : (code) => !test(code);
}

function oneCodePoint(text: string, otherwise: number): number {
  const code = text.codePointAt(0) ?? otherwise;
  return String.fromCodePoint(code).length === text.length ? code : otherwise;
}

/**
 * The code point that stands for all that IGNORECASE holds equal: lower case of upper case, so that ſ is s and ı is i
 * as in Python. Mappings to several characters (ß) are left out there too.
 */
export function caseless(code: number): number {
  const upper = oneCodePoint(String.fromCodePoint(code).toUpperCase(), code);
  return oneCodePoint(String.fromCodePoint(upper).toLowerCase(), upper);
}

/** A character for itself. */
export function literal(code: number, ignoreCase: boolean): CharTest {
  if (!ignoreCase) return (c) => c === code;
  const folded = caseless(code);
  return (c) => c === code || caseless(c) === folded;
}

/** A class in brackets. */
export function characterClass(
  items: readonly ClassItem[],
  negate: boolean,
  ignoreCase: boolean,
): CharTest {
  const within: CharTest = (code) =>
    items.some((item) => {
      if (typeof item === 'number') return item === code;
      if (typeof item === 'function') return item(code);
      return item[0] <= code && code <= item[1];
    });
  if (!ignoreCase) return negate ? (code) => !within(code) : within;
  return (code) => {
    const folded = caseless(code);
    const upper = oneCodePoint(String.fromCodePoint(folded).toUpperCase(), folded);
    return (within(code) || within(folded) || within(upper)) !== negate;
  };
}
