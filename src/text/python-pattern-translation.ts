import {
  boundary,
  CATEGORIES,
  END,
  LINE_END,
  LINE_START,
  noBoundary,
} from './python-pattern-spelling.js';

/** Python's `re.compile` would raise, or the pattern has one of the constructs that are not translated. */
export class PythonPatternError extends Error {
  override readonly name = 'PythonPatternError';
}

export interface Translation {
  /** For JavaScript under the flags `sv`. */
  readonly text: string;
  readonly ignoreCase: boolean;
  /** It has `(?i:` or `(?-i:`, which RE2 knows and JavaScript in Node 20 does not. */
  readonly scopedCase: boolean;
  /** Whether RE2 has every construct of it. */
  readonly linear: boolean;
  /** It asks for word boundaries, which RE2 knows in ASCII text only. */
  readonly wordBoundary: boolean;
}

/** Flags in force: ignore case, multi-line, dot matches all, verbose, ASCII categories. */
type Flags = Readonly<Record<'i' | 'm' | 's' | 'x' | 'a', boolean>>;

interface Part {
  readonly text: string;
  /** Least and greatest number of characters it takes. */
  readonly min: number;
  readonly max: number;
  /** It has a `$`, which for RE2 takes the final newline: right only where nothing follows. */
  readonly end: boolean;
}

/** Groups inside each other. Python's recursion limit ends deeper patterns too. */
const MAX_NESTING = 150;

const REPEAT = /[*+?]|\{(?=[\d,])(\d*)(,?)(\d*)\}/y;
const CODES = new Map(Object.entries({ a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 }));

const codeOf = (char: string) => char.codePointAt(0) ?? 0;
const literal = (code: number) => `\\u{${code.toString(16)}}`;
const part = (text: string, min = 1, max = min, end = false): Part => ({ text, min, max, end });
const hasEnd = (parts: readonly Part[]) => parts.some(({ end }) => end);

function either(parts: readonly Part[]): Part {
  return part(
    parts.map(({ text }) => text).join('|'),
    Math.min(...parts.map(({ min }) => min)),
    Math.max(...parts.map(({ max }) => max)),
    hasEnd(parts),
  );
}

/** Reads as CPython 3.11's Lib/re/_parser.py does. What JavaScript refuses as well is left to it. */
class Translator {
  private at = 0;
  private depth = 0;
  /** Null while a group is open. Group 0, the whole, never closes. */
  private readonly groups: (Part | null)[] = [null];
  private readonly names = new Map<string, number>();
  private atomics = 0;
  /** Inside a look-behind: the first group that may not be referred to there. */
  private lookbehind = Number.POSITIVE_INFINITY;
  private linear = true;
  private scopedCase = false;
  private wordBoundary = false;

  constructor(private readonly pattern: string) {}

  translation(): Translation {
    let flags: Flags = { i: false, m: false, s: false, x: false, a: false };
    for (let set = this.take(/\(\?([imsxau]+)\)/y); set; set = this.take(/\(\?([imsxau]+)\)/y)) {
      flags = this.changed(flags, set[1]);
    }
    const { text } = this.choice(flags);
    if (this.at < this.pattern.length) throw this.error('unbalanced parenthesis');
    const { linear, scopedCase, wordBoundary } = this;
    return { text, ignoreCase: flags.i, linear, scopedCase, wordBoundary };
  }

  private error(what: string): PythonPatternError {
    return new PythonPatternError(`${what} at position ${this.at}`);
  }

  /** Reads what a sticky expression matches here. */
  private take(token: RegExp): RegExpExecArray | null {
    token.lastIndex = this.at;
    const found = token.exec(this.pattern);
    this.at += found?.[0].length ?? 0;
    return found;
  }

  private char(): string {
    const taken = this.take(/./suy);
    if (taken === null) throw this.error('unexpected end of pattern');
    return taken[0];
  }

  private choice(flags: Flags): Part {
    this.depth += 1;
    if (this.depth > MAX_NESTING) throw this.error(`nested deeper than ${MAX_NESTING} groups`);
    const branches = [this.sequence(flags)];
    while (this.take(/\|/y)) branches.push(this.sequence(flags));
    this.depth -= 1;
    return either(branches);
  }

  /** The branches of a group and its closing parenthesis. */
  private group(flags: Flags, opening = '(?:'): Part {
    const { text, min, max, end } = this.choice(flags);
    if (!this.take(/\)/y)) throw this.error('missing ), unterminated subpattern');
    return part(`${opening}${text})`, min, max, end);
  }

  private sequence(flags: Flags): Part {
    const parts: Part[] = [];
    while (this.at < this.pattern.length && !/[|)]/.test(this.pattern[this.at] ?? '')) {
      if (this.take(/\(\?#[^)]*\)/y)) continue;
      if (flags.x && this.take(/[ \t-\r]+|#[^\n]*/y)) continue;
      const repeat = this.take(REPEAT);
      parts.push(repeat ? this.repeated(parts.pop(), repeat) : this.single(flags));
    }
    if (hasEnd(parts.slice(0, -1))) this.linear = false;
    return part(
      parts.map(({ text }) => text).join(''),
      parts.reduce((sum, { min }) => sum + min, 0),
      parts.reduce((sum, { max }) => sum + max, 0),
      hasEnd(parts),
    );
  }

  private repeated(body = part('', 0), [sign, least = '', comma, most]: RegExpExecArray): Part {
    const low = sign === '+' ? 1 : Number(least);
    const high = sign === '?' ? 1 : Number(comma === '' ? least : most || Number.POSITIVE_INFINITY);
    // MAXREPEAT.
    if ([low, high].some((count) => count >= 4294967295 && count < Number.POSITIVE_INFINITY)) {
      throw this.error('the repetition number is too large');
    }
    if (body.end) this.linear = false;
    const text = `${body.text}{${low},${high < Number.POSITIVE_INFINITY ? high : ''}}`;
    const mode = this.take(/[?+]/y)?.[0] ?? '';
    // Where JavaScript sees a group.
    if (mode === '+' && this.take(REPEAT)) throw this.error('multiple repeat');
    return part(
      mode === '+' ? this.atomic(text) : text + mode,
      body.min * low,
      body.max === 0 || high === 0 ? 0 : body.max * high,
      body.end,
    );
  }

  /** JavaScript does not go back into a look ahead. */
  private atomic(text: string): string {
    this.linear = false;
    // Behind, where JavaScript reads from the right, the width is fixed and there is nothing to give back.
    if (this.lookbehind < Number.POSITIVE_INFINITY) return `(?:${text})`;
    this.atomics += 1;
    return `(?:(?=(?<$a${this.atomics}>${text}))\\k<$a${this.atomics}>)`;
  }

  private single(flags: Flags): Part {
    const char = this.char();
    switch (char) {
      case '\\':
        return this.escape(flags);
      case '[':
        return part(this.bracketed(flags));
      case '(':
        return this.take(/\?/y) ? this.extension(flags) : this.capture(flags);
      case '.':
        return part(flags.s ? '[\\x00-\u{10ffff}]' : '[^\\n]');
      case '^':
        return part(flags.m ? LINE_START : '^', 0);
      case '$':
        return part(flags.m ? LINE_END : END, 0, 0, !flags.m);
      default:
        return part(literal(codeOf(char)));
    }
  }

  private extension(flags: Flags): Part {
    const named = this.take(/P<([^>]+)>/y);
    if (named) return this.capture(flags, named[1]);
    const reference = this.take(/P=([^)]*)\)/y);
    if (reference) return this.reference(this.names.get(reference[1] ?? '') ?? -1);
    if (this.take(/>/y)) {
      const { text, min, max, end } = this.group(flags);
      return part(this.atomic(text), min, max, end);
    }
    const look = this.take(/<?[=!]/y);
    if (look) return this.look(flags, look[0]);
    const condition = this.take(/\(([^)]*)\)/y);
    if (condition) return this.condition(flags, condition[1] ?? '');
    const scoped = this.take(/([imsxau]*)(?:-([imsx]+))?:/y);
    if (!scoped) throw this.error('unknown extension');
    const inner = this.changed(flags, scoped[1], scoped[2]);
    if (inner.i === flags.i) return this.group(inner);
    this.scopedCase = true;
    return this.group(inner, inner.i ? '(?i:' : '(?-i:');
  }

  private changed(flags: Flags, on = '', off = ''): Flags {
    if (/a.*u|u.*a/.test(on) || [...off].some((flag) => on.includes(flag))) {
      throw this.error('incompatible flags');
    }
    const set = (flag: keyof Flags) => (flags[flag] || on.includes(flag)) && !off.includes(flag);
    return { i: set('i'), m: set('m'), s: set('s'), x: set('x'), a: set('a') && !on.includes('u') };
  }

  private capture(flags: Flags, name?: string): Part {
    const index = this.groups.push(null) - 1;
    if (name !== undefined) {
      if (this.names.has(name) || !/^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(name)) {
        throw this.error('bad or repeated group name');
      }
      this.names.set(name, index);
    }
    const body = this.group(flags, `(?<$${index}>`);
    this.groups[index] = body;
    return body;
  }

  private referred(group: number): Part {
    this.linear = false;
    const body = this.groups[group];
    if (!body || group >= this.lookbehind) throw this.error('no such group, or it is open');
    return body;
  }

  /** In JavaScript a group that took no part is empty, and only what is empty is found at the very end. */
  private reference(group: number): Part {
    const { min, max } = this.referred(group);
    const same = `\\k<$${group}>`;
    return part(min === 0 ? same : `(?:(?!.*$${same})${same})`, min, max);
  }

  private condition(flags: Flags, name: string): Part {
    const group = this.names.get(name) ?? (/^\d+$/.test(name) ? Number(name) : -1);
    if (this.referred(group).min === 0) throw this.error('condition on a group that may be empty');
    const yes = this.sequence(flags);
    const no = this.take(/\|/y) ? this.sequence(flags) : part('', 0);
    if (!this.take(/\)/y)) throw this.error('a condition has two branches and ends with )');
    const { min, max, end } = either([yes, no]);
    const empty = `.*$\\k<$${group}>`;
    return part(`(?:(?!${empty})${yes.text}|(?=${empty})${no.text})`, min, max, end);
  }

  private look(flags: Flags, sign: string): Part {
    this.linear = false;
    const outer = this.lookbehind;
    const behind = sign.startsWith('<');
    if (behind) this.lookbehind = Math.min(outer, this.groups.length);
    const { text, min, max } = this.group(flags, `(?${sign}`);
    this.lookbehind = outer;
    if (behind && min !== max) throw this.error('look-behind requires fixed width');
    // Python may repeat it, JavaScript may not.
    return part(`(?:${text})`, 0);
  }

  private escape(flags: Flags): Part {
    const octal = this.take(/0[0-7]{0,2}|[0-7]{3}/y);
    if (octal) return part(this.octal(octal[0]));
    const group = this.take(/[1-9]\d?/y);
    if (group) return this.reference(Number(group[0]));
    const [letter] = this.take(/[AZbBdDsSwW]/y) ?? [];
    if (letter === undefined) return part(literal(this.plain()));
    if (letter === 'A') return part('^', 0);
    if (letter === 'Z') return part('$', 0);
    const word = this.category('w', flags) ?? '';
    if (letter === 'b' || letter === 'B') {
      this.wordBoundary = true;
      return part(letter === 'b' ? boundary(word) : noBoundary(word), 0);
    }
    const lower = letter.toLowerCase();
    return part(`[${letter === lower ? '' : '^'}${this.category(lower, flags)}]`);
  }

  private category(letter: string, flags: Flags): string | undefined {
    return CATEGORIES.get(letter)?.[flags.a ? 1 : 0];
  }

  private octal(digits: string): string {
    const code = Number.parseInt(digits, 8);
    if (code > 0o377) throw this.error('octal escape value outside of range 0-0o377');
    return literal(code);
  }

  /** The code point of an escape that means the same inside and outside of brackets. */
  private plain(): number {
    const hex = this.take(/x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}/y);
    if (hex) return Number.parseInt(hex[0].slice(1), 16);
    const char = this.char();
    const code = CODES.get(char);
    if (code === undefined && /[a-z0-9]/i.test(char)) throw this.error(`bad escape \\${char}`);
    return code ?? codeOf(char);
  }

  /** Brackets, the opening one being read. */
  private bracketed(flags: Flags): string {
    let text = this.take(/\^/y) ? '[^' : '[';
    for (let first = true; first || !this.take(/\]/y); first = false) {
      text += this.member(flags);
      if (this.take(/-(?!\])/y)) text += `-${this.member(flags)}`;
    }
    return `${text}]`;
  }

  private member(flags: Flags): string {
    const char = this.char();
    if (char !== '\\') return literal(codeOf(char));
    const octal = this.take(/[0-7]{1,3}/y);
    if (octal) return this.octal(octal[0]);
    const [letter] = this.take(/[dDsSwWb]/y) ?? [];
    if (letter === undefined) return literal(this.plain());
    return this.category(letter, flags) ?? literal(8);
  }
}

/**
 * Rewrites a pattern of Python's `re` for text, as of CPython 3.11, so that the engine of JavaScript finds the same.
 *
 * Legal in Python and not translated: `\N{NAME}`; global flags after a comment; conditions on a group that may be
 * empty or comes later.
 * @throws PythonPatternError for these and for most of what `re.compile` refuses; JavaScript refuses the rest.
 */
export function translate(pattern: string): Translation {
  return new Translator(pattern).translation();
}
