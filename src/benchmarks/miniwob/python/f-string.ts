import { decodeEscapes } from './strings.js';
import { PythonSyntaxError } from './tokens.js';

/** Replacement fields inside a format specification, inside a format specification: no more. */
const MAX_LEVELS = 2;
const CLOSES: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/**
 * Walks over the body of an f-string as CPython 3.11 does, which reads it from the token of an ordinary string: no
 * backslash and no comment within a field.
 */
export class FString {
  #at = 0;

  /** @param field is called with the source of each replacement field's expression; may throw PythonSyntaxError. */
  constructor(
    private readonly body: string,
    private readonly isRaw: boolean,
    private readonly field: (expression: string) => void,
  ) {}

  /** @throws PythonSyntaxError */
  walk(): void {
    this.#parts(0);
  }

  /** Stops at the end, or at the `}` that ends the field around a format specification. */
  #parts(level: number): void {
    while (this.#at < this.body.length) {
      this.#literal(level);
      const c = this.body.charAt(this.#at);
      if (c === '}') return;
      if (c === '{') this.#replacement(level);
    }
  }

  #literal(level: number): void {
    const { body } = this;
    const start = this.#at;
    let checked = start;
    for (; this.#at < body.length; this.#at += 1) {
      const c = body.charAt(this.#at);
      if (c === '\\' && !this.isRaw) {
        this.#skipEscape();
      } else if (c === '{' || c === '}') {
        if (level > 0 || body.charAt(this.#at + 1) !== c) break;
        // A doubled brace stands for one; the escapes on both sides are looked at apart.
        this.#check(body.slice(checked, this.#at));
        checked = this.#at + 2;
        this.#at += 1;
      }
    }
    if (level === 0 && body.charAt(this.#at) === '}')
      throw new PythonSyntaxError("a '}' stands alone in an f-string");
    this.#check(body.slice(checked, this.#at));
  }

  #check(literal: string): void {
    // A backslash right before a field stands for itself; a second one lets it.
    if (!this.isRaw && decodeEscapes(literal) === null && decodeEscapes(`${literal}\\`) === null) {
      throw new PythonSyntaxError('an escape in an f-string is cut short');
    }
  }

  /** Goes to the last character of what a backslash escapes; the brace after one that is no `\N` opens a field. */
  #skipEscape(): void {
    const { body } = this;
    const c = body.charAt(this.#at + 1);
    if (c === 'N' && body.charAt(this.#at + 2) === '{') {
      const close = body.indexOf('}', this.#at);
      this.#at = close === -1 ? body.length : close;
    } else if (c !== '{' && c !== '}') {
      this.#at += 1;
    }
  }

  #replacement(level: number): void {
    if (level >= MAX_LEVELS) throw new PythonSyntaxError('an f-string is nested too deeply');
    const { body } = this;
    const start = this.#at + 1;
    this.#at = this.#endOfExpression(start);
    const expression = body.slice(start, this.#at);
    if (/^[ \t\n\f\r]*$/.test(expression))
      throw new PythonSyntaxError('an f-string has an empty field');
    this.field(expression);
    if (body.charAt(this.#at) === '=') {
      this.#at += 1;
      while (/[ \t-\r]/.test(body.charAt(this.#at))) this.#at += 1;
    }
    if (body.charAt(this.#at) === '!') {
      if (!/[sra]/.test(body.charAt(this.#at + 1))) {
        throw new PythonSyntaxError('an f-string has an unknown conversion');
      }
      this.#at += 2;
    }
    if (body.charAt(this.#at) === ':') {
      this.#at += 1;
      this.#parts(level + 1);
    }
    if (body.charAt(this.#at) !== '}')
      throw new PythonSyntaxError("a field of an f-string has no '}'");
    this.#at += 1;
  }

  #endOfExpression(start: number): number {
    const { body } = this;
    const open: string[] = [];
    let quote = '';
    let at = start;
    for (; at < body.length; at += 1) {
      const c = body.charAt(at);
      if (c === '\\') throw new PythonSyntaxError('a field of an f-string has a backslash');
      if (quote !== '') {
        if (body.startsWith(quote, at)) {
          at += quote.length - 1;
          quote = '';
        }
      } else if (c === '"' || c === "'") {
        quote = body.startsWith(c.repeat(3), at) ? c.repeat(3) : c;
        at += quote.length - 1;
      } else if (c in CLOSES) {
        open.push(CLOSES[c] ?? '');
      } else if (c === '#') {
        throw new PythonSyntaxError("a field of an f-string has a '#'");
      } else if (open.length === 0 && /[!:}=<>]/.test(c)) {
        if (/[!=<>]/.test(c) && body.charAt(at + 1) === '=') at += 1;
        else if (c !== '<' && c !== '>') break;
      } else if (/[)\]}]/.test(c) && open.pop() !== c) {
        throw new PythonSyntaxError('the brackets of an f-string do not match');
      }
    }
    if (quote !== '' || open.length > 0)
      throw new PythonSyntaxError('a field of an f-string is not closed');
    return at;
  }
}
