import { FString } from './f-string.js';
import { isSoundLiteral, takeApart } from './strings.js';
import { TokenReader, unexpected } from './token-reader.js';
import { isKeyword, PythonSyntaxError, PythonTokens, type Token } from './tokens.js';

/** What the verdict on an action depends on, of an expression. */
export interface Expression {
  /** `string`: a str literal (several side by side are one); `starred` and `assignment` only where they may stand. */
  readonly kind: 'name' | 'string' | 'call' | 'starred' | 'assignment' | 'other';
  /** Whether `for` may assign to it. */
  readonly isTarget: boolean;
  /** Of a name: as written. */
  readonly name?: Token;
  /** Of a call: what is called, and what its first positional argument is. */
  readonly called?: Expression;
  readonly first?: Expression['kind'] | undefined;
}

const OTHER: Expression = { kind: 'other', isTarget: false };
const TARGET: Expression = { kind: 'other', isTarget: true };
const STARRED: Expression = { kind: 'starred', isTarget: false };
const STARRED_TARGET: Expression = { kind: 'starred', isTarget: true };

/** Levels of recursion, which is what brackets (at most 200) and powers need. */
const MAX_DEPTH = 500;
/** Operators in a row. CPython builds a tree as deep as the row is long, and gives up at about this depth. */
const MAX_ROW = 2900;

const BINARY: ReadonlySet<string> = new Set('| ^ & << >> + - * / // % @'.split(' '));
const COMPARISONS: ReadonlySet<string> = new Set('== != <= < >= > in is'.split(' '));

/**
 * Recognises the expressions of CPython 3.11's grammar. Says nothing of what they mean: only what they are, and how
 * many calls are in them. Linear in the length of the text; the depth of recursion is bounded.
 */
export class PythonExpressions extends TokenReader {
  /** Calls met so far, those in f-strings included. */
  calls = 0;
  #depth = 0;

  /** `expression` of the grammar. @throws PythonSyntaxError */
  expression(): Expression {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new PythonSyntaxError('it is nested too deeply');
    let result: Expression | null = null;
    for (let row = 0; ; row = inRow(row)) {
      if (this.take('lambda')) {
        this.#parameters();
        result ??= OTHER;
        continue;
      }
      const operand = this.#disjunction();
      result ??= operand;
      if (!this.take('if')) break;
      this.#disjunction();
      this.expect('else');
      result = OTHER;
    }
    this.#depth -= 1;
    return result;
  }

  #disjunction(): Expression {
    let result = this.#inversion();
    while (this.take('and') || this.take('or')) {
      this.#inversion();
      result = OTHER;
    }
    return result;
  }

  #inversion(): Expression {
    let row = 0;
    while (this.take('not')) row = inRow(row);
    let result = this.#arithmetic();
    while (this.#takeComparison()) {
      this.#arithmetic();
      result = OTHER;
    }
    return row > 0 ? OTHER : result;
  }

  #takeComparison(): boolean {
    if (this.is('not') && this.is('in', 1)) {
      this.tokens.next();
    } else if (!COMPARISONS.has(this.word())) {
      return false;
    }
    if (this.tokens.next().text === 'is') this.take('not');
    return true;
  }

  /** `bitwise_or` of the grammar. */
  #arithmetic(): Expression {
    let result = this.#factor();
    for (let row = 0; BINARY.has(this.word()); row = inRow(row)) {
      this.tokens.next();
      this.#factor();
      result = OTHER;
    }
    return result;
  }

  #factor(): Expression {
    let row = 0;
    while (this.take('+') || this.take('-') || this.take('~')) row = inRow(row);
    const isAwaited = this.take('await');
    const result = this.#primary();
    if (this.take('**')) {
      this.#depth += 1;
      if (this.#depth > MAX_DEPTH) throw new PythonSyntaxError('it is nested too deeply');
      this.#factor();
      this.#depth -= 1;
      return OTHER;
    }
    return row > 0 || isAwaited ? OTHER : result;
  }

  #primary(): Expression {
    let result = this.#atom();
    for (let row = 0; ; row = inRow(row)) {
      if (this.take('.')) {
        this.name();
        result = TARGET;
      } else if (this.take('[')) {
        this.#slices();
        result = TARGET;
      } else if (this.take('(')) {
        this.calls += 1;
        result = { kind: 'call', isTarget: false, called: result, first: this.#arguments() };
      } else {
        return result;
      }
    }
  }

  #atom(): Expression {
    const token = this.tokens.next();
    switch (token.type) {
      case 'string':
        return this.#strings(token);
      case 'number':
        return OTHER;
      case 'name':
        if (!isKeyword(token.text)) return { kind: 'name', isTarget: true, name: token };
        if (/^(?:True|False|None)$/.test(token.text)) return OTHER;
        break;
      case 'operator':
        if (token.text === '(') return this.#parenthesised();
        if (token.text === '[') return this.#listed();
        if (token.text === '{') return this.#braced();
        if (token.text === '...') return OTHER;
        break;
      default:
        break;
    }
    throw unexpected(token);
  }

  #strings(first: Token): Expression {
    let kind: Expression['kind'] = 'string';
    const isBytes = takeApart(first.text).prefix.includes('b');
    for (let token = first; ; token = this.tokens.next()) {
      const literal = takeApart(token.text);
      const { prefix, body } = literal;
      if (prefix.includes('b') !== isBytes) throw new PythonSyntaxError('bytes stand beside a str');
      if (prefix.includes('f')) {
        new FString(body, prefix.includes('r'), (text) => this.#field(text)).walk();
      } else if (!isSoundLiteral(literal)) {
        throw new PythonSyntaxError('a string has a bad escape or a character that it cannot hold');
      }
      if (prefix.includes('f') || isBytes) kind = 'other';
      if (this.tokens.peek().type !== 'string')
        return kind === 'string' ? { kind, isTarget: false } : OTHER;
    }
  }

  /** The expression of an f-string's field, which CPython puts into parentheses. */
  #field(text: string): void {
    const inner = new PythonExpressions(new PythonTokens(`(${text})`));
    inner.#depth = this.#depth;
    inner.expression();
    const rest = inner.tokens.next();
    if (rest.type !== 'newline') throw unexpected(rest);
    this.calls += inner.calls;
  }

  /** After `(`: a tuple, a generator, or something in parentheses, which is what it is. */
  #parenthesised(): Expression {
    if (this.take(')')) return TARGET;
    if (this.is('yield')) {
      this.#yield();
      this.expect(')');
      return OTHER;
    }
    const first = this.#item();
    if (this.#isComprehension()) return this.#comprehension(first, ')');
    if (this.is(',')) return this.#items(first, ')');
    this.expect(')');
    if (first.kind === 'starred') throw new PythonSyntaxError('a starred expression stands alone');
    return first.kind === 'assignment' ? OTHER : first;
  }

  /** After `[`. */
  #listed(): Expression {
    if (this.take(']')) return TARGET;
    const first = this.#item();
    return this.#isComprehension() ? this.#comprehension(first, ']') : this.#items(first, ']');
  }

  /** After `{`. */
  #braced(): Expression {
    if (this.take('}')) return OTHER;
    const isUnpacked = this.is('**');
    const first = isUnpacked ? OTHER : this.#item();
    if (!isUnpacked && !this.is(':')) {
      if (this.#isComprehension()) return this.#comprehension(first, '}');
      this.#items(first, '}');
      return OTHER;
    }
    if (first.kind === 'starred' || first.kind === 'assignment')
      throw unexpected(this.tokens.peek());
    if (this.take(':')) {
      this.expression();
      if (this.#isComprehension()) return this.#comprehension(OTHER, '}');
    } else {
      this.take('**');
      this.#arithmetic();
    }
    while (this.take(',') && !this.is('}')) {
      if (this.take('**')) {
        this.#arithmetic();
        continue;
      }
      this.expression();
      this.expect(':');
      this.expression();
    }
    this.expect('}');
    return OTHER;
  }

  /** The rest of a tuple, list or set after its first item. */
  #items(first: Expression, close: string): Expression {
    let isTarget = first.isTarget;
    while (this.take(',') && !this.is(close)) isTarget = this.#item().isTarget && isTarget;
    this.expect(close);
    return isTarget ? TARGET : OTHER;
  }

  /** `star_named_expression` of the grammar. */
  #item(): Expression {
    if (!this.take('*')) return this.#named();
    return this.#arithmetic().isTarget ? STARRED_TARGET : STARRED;
  }

  /** `named_expression`, or an `assignment_expression`. */
  #named(): Expression {
    const { type, text } = this.tokens.peek();
    if (type !== 'name' || isKeyword(text) || !this.is(':=', 1)) return this.expression();
    this.tokens.next();
    this.tokens.next();
    this.expression();
    return { kind: 'assignment', isTarget: false };
  }

  #isComprehension(): boolean {
    return this.is('for') || (this.is('async') && this.is('for', 1));
  }

  #comprehension(element: Expression, close: string): Expression {
    if (element.kind === 'starred') throw unexpected(this.tokens.peek());
    while (this.#isComprehension()) {
      this.take('async');
      this.expect('for');
      do {
        this.take('*');
        if (!this.#primary().isTarget) throw new PythonSyntaxError("a 'for' cannot assign to that");
      } while (this.take(',') && !this.is('in'));
      this.expect('in');
      this.#disjunction();
      while (this.take('if')) this.#disjunction();
    }
    this.expect(close);
    return OTHER;
  }

  #yield(): void {
    this.expect('yield');
    if (this.take('from')) {
      this.expression();
      return;
    }
    if (this.is(')')) return;
    do {
      if (this.take('*')) this.#arithmetic();
      else this.expression();
    } while (this.take(',') && !this.is(')'));
  }

  /** After `(`, up to and with `)`. @returns what the first positional argument is */
  #arguments(): Expression['kind'] | undefined {
    let first: Expression['kind'] | undefined;
    let count = 0;
    let mayBe: 'anything' | 'keyword or starred' | 'keyword' = 'anything';
    while (!this.take(')')) {
      if (this.take('**')) {
        this.expression();
        mayBe = 'keyword';
      } else if (this.is('*')) {
        const star = this.tokens.next();
        if (mayBe === 'keyword') throw unexpected(star);
        this.expression();
        first ??= 'starred';
      } else if (this.tokens.peek().type === 'name' && this.is('=', 1)) {
        this.name();
        this.expect('=');
        this.expression();
        if (mayBe === 'anything') mayBe = 'keyword or starred';
      } else {
        const argument = this.#named();
        if (mayBe !== 'anything') throw new PythonSyntaxError('a positional argument is too late');
        first ??= argument.kind;
        if (this.#isComprehension()) {
          if (count > 0) throw new PythonSyntaxError('a generator needs parentheses');
          return this.#comprehension(argument, ')').kind;
        }
      }
      count += 1;
      if (!this.is(')')) this.expect(',');
    }
    return first;
  }

  /** After `[`, up to and with `]`. */
  #slices(): void {
    do {
      if (this.take('*')) {
        this.expression();
        continue;
      }
      const isOpen = this.is(':');
      const start = isOpen ? OTHER : this.#named();
      if (start.kind === 'assignment') continue;
      for (let colons = 0; colons < 2 && this.take(':'); colons += 1) {
        if (!this.is(':') && !this.is(',') && !this.is(']')) this.expression();
      }
    } while (this.take(',') && !this.is(']'));
    this.expect(']');
  }

  /** Of a lambda, up to and with the colon. */
  #parameters(): void {
    let [names, hasSlash, hasStar, hasDefault] = [0, false, false, false];
    while (!this.take(':')) {
      if (this.take('**')) {
        this.name();
        this.take(',');
        this.expect(':');
        return;
      }
      if (this.is('/')) {
        if (names === 0 || hasSlash || hasStar) throw unexpected(this.tokens.peek());
        this.tokens.next();
        hasSlash = true;
      } else if (this.is('*')) {
        if (hasStar) throw unexpected(this.tokens.peek());
        this.tokens.next();
        hasStar = true;
        // A bare star must be followed by a parameter.
        if (!this.is(',')) this.name();
        else if (this.tokens.peek(1).type !== 'name') throw unexpected(this.tokens.peek(1));
      } else {
        this.name();
        names += 1;
        if (this.take('=')) {
          this.expression();
          hasDefault = true;
        } else if (hasDefault && !hasStar) {
          throw new PythonSyntaxError('a parameter without a default follows one with a default');
        }
      }
      if (!this.is(':')) this.expect(',');
    }
  }
}

function inRow(row: number): number {
  if (row >= MAX_ROW) throw new PythonSyntaxError('it has too many operators in a row');
  return row + 1;
}
