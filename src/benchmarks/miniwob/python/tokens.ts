import { endOfString } from './strings.js';

/** The text is not Python; `message` says why in few words. Never leaves this folder's callers. */
export class PythonSyntaxError extends Error {
  override readonly name = 'PythonSyntaxError';
}

export interface Token {
  /** `end` comes for ever after the last token. A keyword is a name, see `isKeyword`. */
  readonly type: 'name' | 'number' | 'string' | 'operator' | 'newline' | 'end';
  /** UTF-16 offsets into the source. */
  readonly start: number;
  readonly end: number;
  /** As written. */
  readonly text: string;
}

/** Open brackets inside each other; CPython's limit. */
const MAX_BRACKETS = 200;
/** Digits of a decimal integer; CPython's limit. */
const MAX_DIGITS = 4300;

const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from ' +
    'global if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

export function isKeyword(word: string): boolean {
  return KEYWORDS.has(word);
}

/** Every character beyond ASCII may be part of a name, for now. */
const NAME = /[A-Za-z_\x80-\u{10ffff}][A-Za-z0-9_\x80-\u{10ffff}]*/uy;
const IDENTIFIER = /^[_\p{XIDS}]\p{XIDC}*$/u;
const STRING_START = /(?:[bB][rR]?|[rR][bBfF]?|[uU]|[fF][rR]?)?(?=["'])/y;
const DIGITS = '[0-9](?:_?[0-9])*';
const NUMBER = new RegExp(
  '0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|' +
    `(?:${DIGITS}(?:\\.(?:${DIGITS})?)?|\\.${DIGITS})(?:[eE][+-]?${DIGITS})?[jJ]?`,
  'y',
);
/** What may follow a number without a space: names that cannot be a part of it. */
const AFTER_NUMBER = /and|else|for|i[fns]|not|or|[^A-Za-z0-9_\x80-\u{10ffff}]|$/uy;
/** A point before a digit begins a number. */
const OPERATOR =
  /(?!\.[0-9])(?:\*\*=|\/\/=|>>=|<<=|\.\.\.|\*\*|\/\/|>>|<<|<=|>=|==|!=|->|:=|[-+*/%@&|^]=|[-+*/%@&|^~<>()[\]{},:.;=])/y;
const INDENTATION = /[ \t\f]*/y;
const COMMENT = /#[^\n]*/y;
const NOT_UTF8 = /\p{Surrogate}/u;

/** The text that Python's parser reads: line ends are newlines. */
export function pythonSource(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/**
 * Splits a source into tokens as CPython 3.11 does, one at a time. Only unindented lines: indentation is a syntax
 * error, since no statement that could contain others is of interest here.
 */
export class PythonTokens {
  #at = 0;
  #brackets = 0;
  /** Whether something stands on the current line. */
  #lineBegun = false;
  #queue: Token[] = [];

  /** @throws PythonSyntaxError */
  constructor(private readonly source: string) {
    if (source.includes('\0')) throw new PythonSyntaxError('it contains a null byte');
    if (NOT_UTF8.test(source)) throw new PythonSyntaxError('it contains half a character');
  }

  /** The token after `ahead` others, which stays there. */
  peek(ahead = 0): Token {
    while (this.#queue.length <= ahead) this.#queue.push(this.#read());
    return this.#queue[ahead] as Token;
  }

  /** @throws PythonSyntaxError */
  next(): Token {
    const token = this.peek();
    this.#queue.shift();
    return token;
  }

  #read(): Token {
    for (;;) {
      this.#skipSpace();
      const start = this.#at;
      if (start >= this.source.length) return this.#end();
      if (this.source.charAt(start) !== '\n') {
        this.#lineBegun = true;
        return this.#token(start);
      }
      this.#at += 1;
      if (this.#brackets > 0 || !this.#lineBegun) continue;
      this.#lineBegun = false;
      return { type: 'newline', start, end: start + 1, text: '\n' };
    }
  }

  /** A last line without a newline gets one. */
  #end(): Token {
    const at = this.source.length;
    const isLineOpen = this.#lineBegun && this.#brackets === 0;
    this.#lineBegun = false;
    return { type: isLineOpen ? 'newline' : 'end', start: at, end: at, text: '' };
  }

  /** Goes past white space, comments and joined lines; stops at a newline. */
  #skipSpace(): void {
    const isLineStart = !this.#lineBegun && this.#brackets === 0;
    let indented = false;
    for (;;) {
      const space = this.#match(INDENTATION) ?? '';
      // A form feed takes the indentation before it back.
      if (space.includes('\f')) indented = false;
      if (/[ \t]$/.test(space)) indented = true;
      this.#at += space.length;
      if (this.source.charAt(this.#at) !== '\\') break;
      if (this.source.charAt(this.#at + 1) !== '\n') {
        throw new PythonSyntaxError('a backslash stands where nothing can be escaped');
      }
      this.#at += 2;
      if (this.#at >= this.source.length) throw new PythonSyntaxError('it ends after a backslash');
    }
    this.#at += (this.#match(COMMENT) ?? '').length;
    const isBlank = this.#at >= this.source.length || this.source.charAt(this.#at) === '\n';
    if (isLineStart && indented && !isBlank) throw new PythonSyntaxError('unexpected indentation');
  }

  #token(start: number): Token {
    const token = (type: Token['type'], end: number): Token => {
      this.#at = end;
      return { type, start, end, text: this.source.slice(start, end) };
    };
    const operator = this.#match(OPERATOR);
    if (operator !== null) {
      if ('([{'.includes(operator)) this.#brackets += 1;
      if (')]}'.includes(operator)) this.#brackets -= 1;
      if (this.#brackets > MAX_BRACKETS) throw new PythonSyntaxError('too many nested brackets');
      return token('operator', start + operator.length);
    }
    const prefix = this.#match(STRING_START);
    if (prefix !== null) {
      const end = endOfString(this.source, start + prefix.length);
      if (end === null) throw new PythonSyntaxError('a string is not closed');
      return token('string', end);
    }
    const name = this.#match(NAME);
    if (name !== null) {
      if (!IDENTIFIER.test(name)) throw new PythonSyntaxError(`${name.slice(0, 40)} is no name`);
      return token('name', start + name.length);
    }
    const number = this.#match(NUMBER);
    if (number !== null) {
      this.#checkNumber(number, start + number.length);
      return token('number', start + number.length);
    }
    const character = String.fromCodePoint(this.source.codePointAt(start) ?? 0);
    throw new PythonSyntaxError(`unexpected character ${JSON.stringify(character)}`);
  }

  #checkNumber(number: string, end: number): void {
    AFTER_NUMBER.lastIndex = end;
    const isInteger = /^[0-9_]+$/.test(number);
    const digits = number.replaceAll('_', '');
    if (
      !AFTER_NUMBER.test(this.source) ||
      (isInteger && (/^0+[1-9]/.test(digits) || digits.length > MAX_DIGITS))
    ) {
      throw new PythonSyntaxError(`${number.slice(0, 40)} is no number, or does not end there`);
    }
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.source)?.[0] ?? null;
  }
}
