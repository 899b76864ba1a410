import { pour, type UnpackContext } from './gunzip.js';
import { writeLines } from './line-writer.js';
import { problem } from './problem.js';
import { utf8Text } from './utf8.js';

const MAX_ELEMENT_CHARS = 64 * 2 ** 20;

/**
 * Converts a file that is one JSON array to JSON lines, an element a line, each with its very text: only line breaks
 * between tokens are dropped. Whether an element is valid JSON is for whoever reads the line.
 * @throws ConfigError when the array does not end, or something follows it.
 */
export async function jsonArrayToLines(
  path: string,
  to: string,
  ctx: UnpackContext,
): Promise<void> {
  await writeLines(to, ctx.maxBytes, (writer) =>
    pour(
      path,
      false,
      async (chunks) => {
        const elements = new Elements((line) => writer.line(line), ctx);
        for await (const text of utf8Text(chunks, ctx)) elements.take(text);
        elements.end();
      },
      ctx,
    ),
  );
}

/** Splits the text of an array at the commas of its own level. */
class Elements {
  readonly #emit: (line: string) => void;
  readonly #ctx: UnpackContext;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #done = false;
  #element = '';
  #count = 0;

  constructor(emit: (line: string) => void, ctx: UnpackContext) {
    this.#emit = emit;
    this.#ctx = ctx;
  }

  take(text: string): void {
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (code === BACKSLASH) this.#escaped = true;
        else if (code === QUOTE) this.#inString = false;
        else if (code === LF) {
          throw this.#problem('has a line break inside a string.', 'Write it as \\n.');
        }
        continue;
      }
      if (this.#depth === 0) {
        this.#outside(code);
        from = at + 1;
      } else if (code === QUOTE) this.#inString = true;
      else if (code === OPEN_LIST || code === OPEN_OBJECT) this.#depth += 1;
      else if (code === LF || code === CR) {
        this.#gather(text.slice(from, at));
        from = at + 1;
      } else if (code === COMMA && this.#depth === 1) {
        this.#gather(text.slice(from, at));
        from = at + 1;
        this.#finish();
      } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
        this.#depth -= 1;
        if (this.#depth === 0) {
          this.#gather(text.slice(from, at));
          from = at + 1;
          if (this.#count > 0 || this.#element.trim() !== '') this.#finish();
          this.#done = true;
        }
      }
    }
    if (this.#depth > 0) this.#gather(text.slice(from));
  }

  end(): void {
    if (this.#done) return;
    throw this.#problem('is cut off: its JSON array does not end.', 'Fetch it again.');
  }

  /** Before the array only a byte order mark and white space may stand, after it only white space. */
  #outside(code: number): void {
    if (!this.#done && code === OPEN_LIST) this.#depth = 1;
    else if (code > SPACE && code !== MARK) {
      throw this.#problem('goes on after its JSON array.', 'Give one array, or JSON lines.');
    }
  }

  #gather(text: string): void {
    this.#element += text;
    if (this.#element.length <= MAX_ELEMENT_CHARS) return;
    throw this.#problem('has an element of more than 64 MiB.', 'Give a file with smaller rows.');
  }

  #finish(): void {
    this.#count += 1;
    this.#emit(this.#element.trim());
    this.#element = '';
  }

  #problem(what: string, fix: string): Error {
    return problem(this.#ctx.where, `${this.#ctx.label} ${what}`, fix);
  }
}

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const MARK = 0xfeff;
