import { type CharTest, type ClassItem, category, characterClass } from './characters.js';
import { PythonRegexError } from './tree.js';

const SIMPLE_ESCAPES: Readonly<Record<string, number>> = {
  a: 7,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  '\\': 92,
};
const HEX_LENGTHS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const OCTAL = /^[0-7]$/;

/** The code point of a one-character string. */
export function codeOf(char: string): number {
  return char.codePointAt(0) ?? 0;
}

/** A cursor over the characters of a pattern, with the parts of the syntax that know nothing of groups. */
export class Source {
  private readonly chars: string[];
  /** Index of the next character. */
  at = 0;

  constructor(pattern: string) {
    this.chars = Array.from(pattern);
  }

  get next(): string | undefined {
    return this.chars[this.at];
  }

  error(what: string): PythonRegexError {
    return new PythonRegexError(`${what} at position ${this.at}`);
  }

  take(expected: string): boolean {
    if (this.next !== expected) return false;
    this.at += 1;
    return true;
  }

  get(): string {
    const char = this.next;
    if (char === undefined) throw this.error('unexpected end of pattern');
    this.at += 1;
    return char;
  }

  takeWhile(most: number, allowed: RegExp): string {
    let taken = '';
    for (let n = 0; n < most && this.next !== undefined && allowed.test(this.next); n += 1) {
      taken += this.get();
    }
    return taken;
  }

  /** Reads up to `end` and past it; there must be something before it. */
  until(end: string): string {
    let taken = '';
    for (let char = this.get(); char !== end; char = this.get()) taken += char;
    if (taken === '') throw this.error('missing group name');
    return taken;
  }

  /** An octal escape of at most 0o377, its first digits given. */
  octal(digits: string): number {
    const code = Number.parseInt(digits, 8);
    if (code > 0o377) throw this.error(`octal escape value \\${digits} outside of range 0-0o377`);
    return code;
  }

  /**
   * The code point of an escape that means the same inside and outside of brackets. `\N{NAME}` is refused: it would
   * need the table of character names.
   */
  plainEscape(letter: string): number {
    const simple = SIMPLE_ESCAPES[letter];
    if (simple !== undefined) return simple;
    const length = HEX_LENGTHS[letter];
    if (length !== undefined) {
      const digits = this.takeWhile(length, /^[0-9a-fA-F]$/);
      const code = Number.parseInt(digits, 16);
      if (digits.length < length || code > 0x10ffff) throw this.error(`bad escape \\${letter}`);
      return code;
    }
    if (/^[a-zA-Z0-9]$/.test(letter)) throw this.error(`bad escape \\${letter}`);
    return codeOf(letter);
  }

  /** Reads a class whose opening bracket was read. */
  bracketed(ignoreCase: boolean, ascii: boolean): CharTest {
    const negate = this.take('^');
    const items: ClassItem[] = [];
    for (let first = true; ; first = false) {
      const char = this.get();
      if (char === ']' && !first) break;
      const low = this.classItem(char, ascii);
      if (!this.take('-')) {
        items.push(low);
        continue;
      }
      const end = this.get();
      if (end === ']') {
        items.push(low, codeOf('-'));
        break;
      }
      const high = this.classItem(end, ascii);
      if (typeof low !== 'number' || typeof high !== 'number' || high < low) {
        throw this.error('bad character range');
      }
      items.push([low, high]);
    }
    return characterClass(items, negate, ignoreCase);
  }

  private classItem(char: string, ascii: boolean): number | CharTest {
    if (char !== '\\') return codeOf(char);
    const letter = this.get();
    const test = category(letter, ascii);
    if (test !== null) return test;
    if (letter === 'b') return 8;
    if (OCTAL.test(letter)) return this.octal(letter + this.takeWhile(2, OCTAL));
    return this.plainEscape(letter);
  }
}
