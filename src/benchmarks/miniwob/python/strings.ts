/**
 * The end of the string literal whose opening quote is at `from`: the offset behind its closing quote, or null when it
 * is not closed. A string in single quotes ends with its line at the latest.
 */
export function endOfString(source: string, from: number): number | null {
  const quote = source.charAt(from);
  const triple = quote.repeat(3);
  const isTriple = source.startsWith(triple, from);
  let at = from + (isTriple ? 3 : 1);
  while (at < source.length) {
    const c = source.charAt(at);
    if (c === '\\') at += 2;
    else if (c === '\n' && !isTriple) return null;
    else if (c !== quote) at += 1;
    else if (!isTriple) return at + 1;
    else if (source.startsWith(triple, at)) return at + 3;
    else at += 1;
  }
  return null;
}

/** A string token taken apart. */
export interface StringToken {
  /** In lower case: '', 'r', 'b', 'u', 'f', 'br', 'rb', 'fr' or 'rf'. */
  readonly prefix: string;
  /** Between the quotes, as written. */
  readonly body: string;
}

export function takeApart(token: string): StringToken {
  const prefix = /^[a-zA-Z]*/.exec(token)?.[0] ?? '';
  const quote = token.charAt(prefix.length);
  const quotes = token.startsWith(quote.repeat(3), prefix.length) ? 3 : 1;
  return {
    prefix: prefix.toLowerCase(),
    body: token.slice(prefix.length + quotes, token.length - quotes),
  };
}

/** Whether a literal's escapes and characters are such that CPython takes it; the names in `\N{…}` are not looked up. */
export function isSoundLiteral({ prefix, body }: StringToken): boolean {
  if (prefix.includes('b')) {
    const isAscii = !/[^\0-\x7f]/.test(body);
    return isAscii && (prefix.includes('r') || !/(?<!\\)(?:\\\\)*\\x(?![0-9a-fA-F]{2})/.test(body));
  }
  return prefix.includes('r') || decodeEscapes(body) !== null;
}

const ESCAPE =
  /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(N\{[^}]+\})|([^xuUN]))/gy;
const SINGLE: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** The text of a literal without prefix, and whether characters by name, which are left out, were in it. */
export interface Decoded {
  readonly text: string;
  readonly hasNames: boolean;
}

/** Replaces escapes as Python does, where an unknown escape stays as it is; null for one that Python refuses. */
export function decodeEscapes(body: string): Decoded | null {
  const parts: string[] = [];
  let hasNames = false;
  let from = 0;
  for (let at = body.indexOf('\\'); at !== -1; at = body.indexOf('\\', from)) {
    ESCAPE.lastIndex = at;
    const match = ESCAPE.exec(body);
    if (match === null) return null;
    const [whole, octal, byte, short, long, named, single] = match;
    const hex = byte ?? short ?? long;
    const code = hex === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(hex, 16);
    if (code > 0x10ffff) return null;
    hasNames ||= named !== undefined;
    parts.push(body.slice(from, at));
    if (!Number.isNaN(code)) parts.push(String.fromCodePoint(code));
    else if (single !== undefined) parts.push(SINGLE[single] ?? whole);
    from = at + whole.length;
  }
  parts.push(body.slice(from));
  return { text: parts.join(''), hasNames };
}
