import { isKeyword, PythonSyntaxError, type PythonTokens, type Token } from './tokens.js';

/** Looks for operators and keywords in a row of tokens. */
export class TokenReader {
  constructor(readonly tokens: PythonTokens) {}

  /** Takes a name that is no keyword. */
  protected name(): void {
    const token = this.tokens.next();
    if (token.type !== 'name' || isKeyword(token.text)) throw unexpected(token);
  }

  /** The next token where it is an operator or a keyword, else nothing that is one. */
  protected word(ahead = 0): string {
    const { type, text } = this.tokens.peek(ahead);
    return type === 'operator' || type === 'name' ? text : '';
  }

  protected is(word: string, ahead = 0): boolean {
    return this.word(ahead) === word;
  }

  /** Whether it stood there; then it is gone. */
  protected take(word: string): boolean {
    if (!this.is(word)) return false;
    this.tokens.next();
    return true;
  }

  protected expect(word: string): void {
    if (!this.take(word)) throw unexpected(this.tokens.peek());
  }
}

/** What is said of a token that cannot stand where it stands. */
export function unexpected({ type, text }: Token): PythonSyntaxError {
  if (type === 'end' || type === 'newline') return new PythonSyntaxError('it ends too early');
  return new PythonSyntaxError(`unexpected ${JSON.stringify(text.slice(0, 40))}`);
}
