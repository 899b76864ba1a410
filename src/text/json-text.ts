/**
 * Lossless JSON: a tree that remembers where each value stands in its text. JSON.parse moves integer-like keys to the
 * front, drops duplicate keys, turns 1.0 into 1 and rounds large integers; all of that matters to a model that reads
 * the text and to the hash of a request, so texts are edited in place (`splice`) and never re-serialised.
 */
export type JsonNode =
  | {
      type: 'object';
      start: number;
      end: number;
      /** In source order, duplicate keys kept. */
      members: { key: string; value: JsonNode }[];
    }
  | { type: 'array'; start: number; end: number; items: JsonNode[] }
  | { type: 'string'; start: number; end: number; value: string }
  | { type: 'number'; start: number; end: number; raw: string }
  | { type: 'literal'; start: number; end: number; value: true | false | null };

/** The text is not JSON. */
export class JsonTextError extends Error {
  override readonly name = 'JsonTextError';
  /** UTF-16 offset of the first character that cannot stand there; the length of the text when it ends too early. */
  readonly offset: number;
  constructor(what: string, offset: number) {
    super(`${what} at offset ${offset}`);
    this.offset = offset;
  }
}

/** Arrays and objects inside each other; CPython's own parser gives up at about the same depth. */
export const MAX_JSON_DEPTH = 1000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Sticky, so that one match at `lastIndex` reads a whole number. */
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
/** The longest piece of a string that stands for itself. Much faster than looking at each character. */
const PLAIN = /[ !#-[\]-\uffff]*/y;
const HEX4 = /^[0-9a-fA-F]{4}$/;
const NON_FINITE = ['NaN', 'Infinity', '-Infinity'];
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Recursive descent over one text. Recursion is bounded by MAX_JSON_DEPTH. */
class Parser {
  private at = 0;
  private depth = 0;
  constructor(
    private readonly text: string,
    private readonly takesNonFinite: boolean,
  ) {}

  document(): JsonNode {
    this.space();
    const node = this.value();
    this.space();
    if (this.at < this.text.length) throw this.unexpected();
    return node;
  }

  private unexpected(): JsonTextError {
    if (this.at >= this.text.length) return new JsonTextError('the text ends too early', this.at);
    return new JsonTextError('unexpected character', this.at);
  }

  private space(): void {
    let code = this.text.charCodeAt(this.at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      this.at += 1;
      code = this.text.charCodeAt(this.at);
    }
  }

  private value(): JsonNode {
    const start = this.at;
    switch (this.text.charCodeAt(start)) {
      case OPEN_OBJECT:
        return this.object();
      case OPEN_ARRAY:
        return this.array();
      case QUOTE: {
        const value = this.string();
        return { type: 'string', start, end: this.at, value };
      }
      case 0x74:
        return this.literal('true', true);
      case 0x66:
        return this.literal('false', false);
      case 0x6e:
        return this.literal('null', null);
      default:
        return this.number();
    }
  }

  private literal(word: string, value: true | false | null): JsonNode {
    const start = this.at;
    if (!this.text.startsWith(word, start)) {
      // A text cut in mid-word ends too early; any other difference is a wrong character.
      const cut = word.startsWith(this.text.slice(start));
      throw cut
        ? new JsonTextError('the text ends too early', this.text.length)
        : this.unexpected();
    }
    this.at = start + word.length;
    return { type: 'literal', start, end: this.at, value };
  }

  private number(): JsonNode {
    const start = this.at;
    NUMBER.lastIndex = start;
    if (!NUMBER.test(this.text)) {
      const word = this.takesNonFinite ? nonFiniteAt(this.text, start) : undefined;
      if (word !== undefined) {
        this.at = start + word.length;
        return { type: 'number', start, end: this.at, raw: word };
      }
      if (this.text.slice(start) === '-') this.at = this.text.length;
      throw this.unexpected();
    }
    this.at = NUMBER.lastIndex;
    return { type: 'number', start, end: this.at, raw: this.text.slice(start, this.at) };
  }

  private enter(): void {
    this.depth += 1;
    if (this.depth > MAX_JSON_DEPTH) {
      throw new JsonTextError(`nested deeper than ${MAX_JSON_DEPTH} levels`, this.at);
    }
    this.at += 1;
    this.space();
  }

  private object(): JsonNode {
    const start = this.at;
    const members: { key: string; value: JsonNode }[] = [];
    this.enter();
    if (this.text.charCodeAt(this.at) !== CLOSE_OBJECT) {
      for (;;) {
        if (this.text.charCodeAt(this.at) !== QUOTE) throw this.unexpected();
        const key = this.string();
        this.space();
        if (this.text.charCodeAt(this.at) !== COLON) throw this.unexpected();
        this.at += 1;
        this.space();
        members.push({ key, value: this.value() });
        this.space();
        const code = this.text.charCodeAt(this.at);
        if (code === CLOSE_OBJECT) break;
        if (code !== COMMA) throw this.unexpected();
        this.at += 1;
        this.space();
      }
    }
    this.at += 1;
    this.depth -= 1;
    return { type: 'object', start, end: this.at, members };
  }

  private array(): JsonNode {
    const start = this.at;
    const items: JsonNode[] = [];
    this.enter();
    if (this.text.charCodeAt(this.at) !== CLOSE_ARRAY) {
      for (;;) {
        items.push(this.value());
        this.space();
        const code = this.text.charCodeAt(this.at);
        if (code === CLOSE_ARRAY) break;
        if (code !== COMMA) throw this.unexpected();
        this.at += 1;
        this.space();
      }
    }
    this.at += 1;
    this.depth -= 1;
    return { type: 'array', start, end: this.at, items };
  }

  /** Reads a string whose opening quote is at `at`, and steps past its closing quote. */
  private string(): string {
    const text = this.text;
    let value = '';
    let from = this.at + 1;
    for (;;) {
      PLAIN.lastIndex = from;
      PLAIN.test(text);
      const at = PLAIN.lastIndex;
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.at = at + 1;
        return value === '' ? text.slice(from, at) : value + text.slice(from, at);
      }
      if (code === BACKSLASH) {
        value += text.slice(from, at);
        this.at = at + 1;
        value += this.escape();
        from = this.at;
      } else {
        // A raw control character, or NaN: past the end.
        this.at = at;
        throw at < text.length
          ? new JsonTextError('control character in a string', at)
          : this.unexpected();
      }
    }
  }

  /** Reads what follows a backslash. */
  private escape(): string {
    const letter = this.text.charAt(this.at);
    if (letter === 'u') {
      const hex = this.text.slice(this.at + 1, this.at + 5);
      if (!HEX4.test(hex)) {
        if (this.at + 1 + hex.length === this.text.length) this.at = this.text.length;
        throw this.unexpected();
      }
      this.at += 5;
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    const value = ESCAPES[letter];
    if (value === undefined) throw this.unexpected();
    this.at += 1;
    return value;
  }
}

/**
 * Parses strict RFC 8259 JSON.
 * @returns the tree; `start` (inclusive) and `end` (exclusive) are UTF-16 offsets into `text`. A string's value may
 *   hold lone surrogates when the text escapes them.
 * @throws JsonTextError for anything else, a byte-order mark and NaN included, and for more than MAX_JSON_DEPTH levels.
 */
export function parseJsonText(text: string): JsonNode {
  return new Parser(text, false).document();
}

function nonFiniteAt(text: string, at: number): string | undefined {
  return NON_FINITE.find((word) => text.startsWith(word, at));
}

/**
 * Whether a text that parseJsonText refused is JSON but for NaN, Infinity and -Infinity in place of numbers, which
 * Python's json module writes and reads. Linear in the length of the text.
 */
export function isJsonButForNonFinite(text: string, { offset }: JsonTextError): boolean {
  // The refusal is about the first thing that is not JSON; most texts need no second look.
  if (nonFiniteAt(text, offset) === undefined) return false;
  try {
    new Parser(text, true).document();
    return true;
  } catch (error) {
    if (error instanceof JsonTextError) return false;
    throw error;
  }
}

/** The value of `key`, where the last duplicate wins, as in every parser of note; undefined when absent or no object. */
export function member(node: JsonNode, key: string): JsonNode | undefined {
  if (node.type !== 'object') return undefined;
  for (let i = node.members.length - 1; i >= 0; i -= 1) {
    const found = node.members[i];
    if (found?.key === key) return found.value;
  }
  return undefined;
}

/** The text of a node as it was written. */
export function sliceOf(text: string, node: JsonNode): string {
  return text.slice(node.start, node.end);
}

/**
 * Replaces parts of a text; everything else stays as it was, byte for byte.
 * @param edits in any order; `[start, end)` is replaced by `text`, an empty range inserts.
 * @throws RangeError when two edits overlap or one lies outside the text.
 */
export function splice(
  text: string,
  edits: readonly { start: number; end: number; text: string }[],
): string {
  const ordered = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  let out = '';
  let from = 0;
  for (const edit of ordered) {
    if (edit.start < from || edit.end < edit.start || edit.end > text.length) {
      throw new RangeError(`edit [${edit.start}, ${edit.end}) overlaps another or leaves the text`);
    }
    out += text.slice(from, edit.start) + edit.text;
    from = edit.end;
  }
  return out + text.slice(from);
}
