import { category, literal } from './characters.js';
import { codeOf, Source } from './source.js';
import { type PythonRegexError, type RegexNode, type Width, widthOf } from './tree.js';

/** Flags in force at a place of the pattern: ignore case, multi-line, dot matches all, verbose, ASCII categories. */
type Flags = Readonly<Record<'i' | 'm' | 's' | 'x' | 'a', boolean>>;

const NO_FLAGS: Flags = { i: false, m: false, s: false, x: false, a: false };
/** Python's MAXREPEAT: a count at or above it is refused. */
const MAX_REPEAT = 4294967295;
/** Groups inside each other. Python's recursion limit ends deeper patterns too. */
const MAX_NESTING = 150;
const DIGIT = /^[0-9]$/;
const EMPTY: RegexNode = { type: 'sequence', items: [] };

export interface ParsedRegex {
  readonly root: RegexNode;
  /** Number of capturing groups. */
  readonly groups: number;
}

/** Follows CPython 3.11's Lib/re/_parser.py construct by construct, so that the same patterns are refused. */
class Parser {
  private readonly source: Source;
  private depth = 0;
  private globalFlags = NO_FLAGS;
  /** Width of each group; null while it is open. Group 0, the whole, never closes. */
  private readonly groups: (Width | null)[] = [null];
  private readonly names = new Map<string, number>();
  private readonly conditions: number[] = [];
  /** Inside a look-behind: the first group that may not be referred to there. */
  private lookbehindGroups: number | null = null;

  constructor(pattern: string) {
    this.source = new Source(pattern);
  }

  parse(): ParsedRegex {
    const root = this.choice(NO_FLAGS, true);
    if (this.source.next !== undefined) throw this.error('unbalanced parenthesis');
    const missing = this.conditions.find((group) => group >= this.groups.length);
    if (missing !== undefined) throw this.error(`invalid group reference ${missing}`);
    return { root, groups: this.groups.length - 1 };
  }

  private error(what: string): PythonRegexError {
    return this.source.error(what);
  }

  private width(node: RegexNode): Width {
    return widthOf(node, (group) => this.groups[group] ?? [0, 0]);
  }

  private choice(flags: Flags, outermost = false): RegexNode {
    this.depth += 1;
    if (this.depth > MAX_NESTING) throw this.error(`nested deeper than ${MAX_NESTING} groups`);
    const first = this.sequence(flags, outermost);
    const items = [first];
    // Flags that the first branch set for the whole pattern hold in the others.
    const others = outermost ? this.globalFlags : flags;
    while (this.source.take('|')) items.push(this.sequence(others, false));
    this.depth -= 1;
    return items.length === 1 ? first : { type: 'choice', items };
  }

  private sequence(given: Flags, mayStart: boolean): RegexNode {
    let flags = given;
    const items: RegexNode[] = [];
    for (;;) {
      const char = this.source.next;
      if (char === undefined || char === '|' || char === ')') return { type: 'sequence', items };
      this.source.at += 1;
      if (flags.x && this.skipped(char)) continue;
      switch (char) {
        case '\\':
          items.push(this.escape(flags));
          break;
        case '[':
          items.push({ type: 'one', test: this.source.bracketed(flags.i, flags.a) });
          break;
        case '.':
          items.push({ type: 'one', test: flags.s ? () => true : (code) => code !== 10 });
          break;
        case '^':
          items.push({ type: 'at', where: flags.m ? 'line start' : 'start' });
          break;
        case '$':
          items.push({ type: 'at', where: flags.m ? 'line end' : 'end' });
          break;
        case '*':
          this.repeat(items, 0, Number.POSITIVE_INFINITY);
          break;
        case '+':
          this.repeat(items, 1, Number.POSITIVE_INFINITY);
          break;
        case '?':
          this.repeat(items, 0, 1);
          break;
        case '{': {
          const bounds = this.bounds();
          if (bounds === null) items.push({ type: 'one', test: literal(codeOf(char), flags.i) });
          else this.repeat(items, bounds[0], bounds[1]);
          break;
        }
        case '(': {
          const group = this.group(flags, mayStart && items.length === 0);
          if (group === 'global flags') flags = this.globalFlags;
          else if (group !== 'comment') items.push(group);
          break;
        }
        default:
          items.push({ type: 'one', test: literal(codeOf(char), flags.i) });
      }
    }
  }

  /** In a verbose pattern: white space, and comments to the end of the line. */
  private skipped(char: string): boolean {
    if (/^[ \t\n\r\v\f]$/.test(char)) return true;
    if (char !== '#') return false;
    while (this.source.next !== undefined) if (this.source.get() === '\n') break;
    return true;
  }

  private repeat(items: RegexNode[], min: number, max: number): void {
    const body = items.pop();
    if (body === undefined || body.type === 'at' || body.type === 'boundary') {
      throw this.error('nothing to repeat');
    }
    if (body.type === 'repeat') throw this.error('multiple repeat');
    const mode = this.source.take('?') ? 'lazy' : this.source.take('+') ? 'possessive' : 'greedy';
    items.push({ type: 'repeat', body, min, max, mode });
  }

  /** Reads `m}`, `m,}`, `,n}` or `m,n}`. Null, and nothing read, when the brace stands for itself. */
  private bounds(): [number, number] | null {
    const { source } = this;
    if (source.next === '}') return null;
    const start = source.at;
    const low = source.takeWhile(Number.POSITIVE_INFINITY, DIGIT);
    const high = source.take(',') ? source.takeWhile(Number.POSITIVE_INFINITY, DIGIT) : low;
    if (!source.take('}')) {
      source.at = start;
      return null;
    }
    const min = Number(low);
    const max = high === '' ? Number.POSITIVE_INFINITY : Number(high);
    if (Math.max(min, Number(high)) >= MAX_REPEAT) {
      throw this.error('the repetition number is too large');
    }
    if (max < min) throw this.error('min repeat greater than max repeat');
    return [min, max];
  }

  private group(flags: Flags, atStart: boolean): RegexNode | 'comment' | 'global flags' {
    const { source } = this;
    if (!source.take('?')) return this.capture(flags, null);
    const char = source.get();
    switch (char) {
      case 'P':
        return this.named(flags);
      case ':':
        return this.closed({ type: 'group', capture: null, body: this.choice(flags) });
      case '>':
        return this.closed({ type: 'atomic', body: this.choice(flags) });
      case '#':
        while (source.get() !== ')');
        return 'comment';
      case '=':
      case '!':
        return this.look(flags, char === '!', false);
      case '<': {
        const sign = source.get();
        if (sign !== '=' && sign !== '!') throw this.error(`unknown extension ?<${sign}`);
        return this.look(flags, sign === '!', true);
      }
      case '(':
        return this.condition(flags);
      default:
        return this.flagGroup(char, flags, atStart);
    }
  }

  private closed(node: RegexNode): RegexNode {
    if (!this.source.take(')')) throw this.error('missing ), unterminated subpattern');
    return node;
  }

  private capture(flags: Flags, name: string | null): RegexNode {
    const capture = this.groups.length;
    this.groups.push(null);
    if (name !== null) {
      if (this.names.has(name)) throw this.error(`redefinition of group name '${name}'`);
      this.names.set(name, capture);
    }
    const body = this.choice(flags);
    this.groups[capture] = this.width(body);
    return this.closed({ type: 'group', capture, body });
  }

  private named(flags: Flags): RegexNode {
    if (this.source.take('<')) return this.capture(flags, this.identifier('>'));
    if (!this.source.take('=')) throw this.error(`unknown extension ?P${this.source.get()}`);
    const name = this.identifier(')');
    const group = this.names.get(name);
    if (group === undefined) throw this.error(`unknown group name '${name}'`);
    return this.reference(group, flags);
  }

  private identifier(end: string): string {
    const name = this.source.until(end);
    if (/^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(name)) return name;
    throw this.error(`bad character in group name '${name}'`);
  }

  private reference(group: number, flags: Flags): RegexNode {
    if (group >= this.groups.length) throw this.error(`invalid group reference ${group}`);
    if (this.groups[group] === null) throw this.error('cannot refer to an open group');
    this.checkLookbehind(group);
    return { type: 'reference', group, caseless: flags.i };
  }

  private checkLookbehind(group: number): void {
    if (this.lookbehindGroups === null) return;
    if (!this.groups[group]) throw this.error('cannot refer to an open group');
    if (group >= this.lookbehindGroups) {
      throw this.error('cannot refer to group defined in the same lookbehind subpattern');
    }
  }

  private look(flags: Flags, negate: boolean, behind: boolean): RegexNode {
    const outer = this.lookbehindGroups;
    if (behind && outer === null) this.lookbehindGroups = this.groups.length;
    const body = this.choice(flags);
    this.lookbehindGroups = outer;
    const [low, high] = this.width(body);
    if (behind && low !== high) throw this.error('look-behind requires fixed-width pattern');
    return this.closed({ type: 'look', negate, back: behind ? low : null, body });
  }

  private condition(flags: Flags): RegexNode {
    const name = this.source.until(')');
    let group = this.names.get(name);
    if (group === undefined) {
      if (!/^[0-9]+$/.test(name)) throw this.error(`unknown group name '${name}'`);
      group = Number(name);
      if (group === 0) throw this.error('bad group number');
      this.conditions.push(group);
    }
    this.checkLookbehind(group);
    const yes = this.sequence(flags, false);
    const no = this.source.take('|') ? this.sequence(flags, false) : EMPTY;
    if (this.source.next === '|')
      throw this.error('conditional backref with more than two branches');
    return this.closed({ type: 'condition', group, yes, no });
  }

  /** `(?i)`, legal at the very start only, and `(?i-s:...)`. */
  private flagGroup(first: string, flags: Flags, atStart: boolean): RegexNode | 'global flags' {
    let char = first;
    const letters = () => {
      let read = '';
      for (; /^[imsxau]$/.test(char); char = this.source.get()) read += char;
      return read;
    };
    const on = letters();
    if (on.includes('a') && on.includes('u'))
      throw this.error("flags 'a' and 'u' are incompatible");
    if (char === ')' && on !== '') {
      if (!atStart) throw this.error('global flags not at the start of the expression');
      this.globalFlags = changed(this.globalFlags, on, '');
      return 'global flags';
    }
    let off = '';
    if (char === '-') {
      char = this.source.get();
      off = letters();
      if (off === '' || /[au]/.test(off)) throw this.error('missing flag after -');
      if ([...off].some((flag) => on.includes(flag))) throw this.error('flag turned on and off');
    }
    if (char !== ':') throw this.error(`unknown extension ?${first}`);
    const body = this.choice(changed(flags, on, off));
    return this.closed({ type: 'group', capture: null, body });
  }

  private escape(flags: Flags): RegexNode {
    const { source } = this;
    const letter = source.get();
    const one = (code: number): RegexNode => ({ type: 'one', test: literal(code, flags.i) });
    if (letter === 'A') return { type: 'at', where: 'start' };
    if (letter === 'Z') return { type: 'at', where: 'very end' };
    if (letter === 'b' || letter === 'B') {
      const word = category('w', flags.a) ?? (() => false);
      return { type: 'boundary', negate: letter === 'B', word };
    }
    const test = category(letter, flags.a);
    if (test !== null) return { type: 'one', test };
    if (letter === '0') return one(source.octal(`0${source.takeWhile(2, /^[0-7]$/)}`));
    if (!DIGIT.test(letter)) return one(source.plainEscape(letter));
    // Three octal digits are a character, anything else refers to a group.
    const digits = letter + source.takeWhile(1, DIGIT);
    const third = /^[0-7]{2}$/.test(digits) ? source.takeWhile(1, /^[0-7]$/) : '';
    return third === '' ? this.reference(Number(digits), flags) : one(source.octal(digits + third));
  }
}

function changed(flags: Flags, on: string, off: string): Flags {
  const set = (flag: keyof Flags) => (flags[flag] || on.includes(flag)) && !off.includes(flag);
  return { i: set('i'), m: set('m'), s: set('s'), x: set('x'), a: set('a') && !on.includes('u') };
}

/**
 * Reads a pattern of Python's `re` for text, as of CPython 3.11.
 * @throws PythonRegexError where `re.compile` raises, and for `\N{NAME}`.
 */
export function parsePythonRegex(pattern: string): ParsedRegex {
  return new Parser(pattern).parse();
}
