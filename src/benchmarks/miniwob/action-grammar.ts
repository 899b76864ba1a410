import type { Action, ActionName, ActionValue } from './action.js';
import { decodeEscapes, endOfString } from './python/strings.js';

/**
 * Reads a call as BrowserGym's own grammar does, which is much smaller than Python's: literals, lists, tuples, dicts
 * with string keys, keywords. Anything in parentheses is a tuple. No prefixes and no joining of strings, no arithmetic,
 * no other numbers than decimal ones.
 *
 * BrowserGym then goes on to look for calls further on, within strings too; here a call that cannot be read is an
 * empty action.
 *
 * @param source a text that `checkStatement` let pass
 * @param start where the call's name begins
 */
export function readCall(source: string, start: number, name: ActionName): Action {
  try {
    return new CallReader(source, start).call(name);
  } catch (error) {
    if (error instanceof NotInGrammar) return { kind: 'error', message: error.message };
    throw error;
  }
}

class NotInGrammar extends Error {
  constructor(message = 'ValueError: Received an empty action.') {
    super(message);
  }
}

const SPACE = /(?:[ \t\n]|#[^\n]*)*/y;
/** Names of Latin-1 letters are all that pyparsing knows. */
const WORD =
  /[A-Za-z_\xaa\xb5\xba\xc0-\xd6\xd8-\xf6\xf8-\xff][\w\xaa\xb5\xb7\xba\xc0-\xd6\xd8-\xf6\xf8-\xff]*/y;
const NUMBER = /[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y;
const CONSTANTS: Readonly<Record<string, ActionValue>> = {
  True: { type: 'bool', value: true },
  False: { type: 'bool', value: false },
  None: { type: 'none' },
};

/** Recursion is bounded by the brackets that Python's own parser lets pass. */
class CallReader {
  constructor(
    private readonly source: string,
    private at: number,
  ) {}

  call(name: ActionName): Action {
    if (this.word() !== name) throw new NotInGrammar();
    this.expect('(');
    const positional: ActionValue[] = [];
    const keywords: (readonly [string, ActionValue])[] = [];
    this.list(')', () => {
      const keyword = this.keyword();
      if (keyword === null) positional.push(this.value());
      else keywords.push([keyword, this.value()]);
    });
    return { kind: 'call', name, positional, keywords };
  }

  /** The name before an equals sign; null, and nothing is taken, where there is none. */
  private keyword(): string | null {
    const start = this.at;
    const word = this.word();
    if (word !== null && this.take('=')) return word.normalize('NFKC');
    this.at = start;
    return null;
  }

  private value(): ActionValue {
    if (this.take('(')) return { type: 'tuple', items: this.items(')') };
    if (this.take('[')) return { type: 'list', items: this.items(']') };
    if (this.take('{')) return this.dict();
    const c = this.source.charAt(this.at);
    if (c === '"' || c === "'") return { type: 'string', value: this.string() };
    const number = this.match(NUMBER);
    if (number !== null) {
      // Ints know no minus zero.
      return /[.eE]/.test(number)
        ? { type: 'float', value: Number(number) }
        : { type: 'int', value: Number(number) + 0 };
    }
    const word = this.word() ?? '';
    const constant = Object.hasOwn(CONSTANTS, word) ? CONSTANTS[word] : undefined;
    if (constant === undefined) throw new NotInGrammar();
    return constant;
  }

  private items(close: string): ActionValue[] {
    const items: ActionValue[] = [];
    this.list(close, () => items.push(this.value()));
    return items;
  }

  /** Of equal keys the first one's place and the last one's value hold. */
  private dict(): ActionValue {
    const entries = new Map<string, ActionValue>();
    this.list('}', () => {
      this.space();
      const key = this.string();
      this.expect(':');
      entries.set(key, this.value());
    });
    return { type: 'dict', entries: [...entries] };
  }

  /** Items with commas between them, up to and with the closing bracket. */
  private list(close: string, readItem: () => void): void {
    while (!this.take(close)) {
      readItem();
      if (this.take(close)) return;
      this.expect(',');
    }
  }

  private string(): string {
    const { source, at } = this;
    const quote = source.charAt(at);
    const end = quote === '"' || quote === "'" ? endOfString(source, at) : null;
    if (end === null) throw new NotInGrammar();
    const quotes = source.startsWith(quote.repeat(3), at) ? 3 : 1;
    const decoded = decodeEscapes(source.slice(at + quotes, end - quotes));
    if (decoded === null) throw new NotInGrammar();
    if (decoded.hasNames) {
      throw new NotInGrammar('ValueError: \\N{...} is not supported, write the character itself.');
    }
    this.at = end;
    return decoded.text;
  }

  private word(): string | null {
    this.space();
    return this.match(WORD);
  }

  private take(character: string): boolean {
    this.space();
    if (this.source.charAt(this.at) !== character) return false;
    this.at += 1;
    return true;
  }

  private expect(character: string): void {
    if (!this.take(character)) throw new NotInGrammar();
  }

  private space(): void {
    this.match(SPACE);
  }

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.source);
    if (match === null) return null;
    this.at = pattern.lastIndex;
    return match[0];
  }
}
