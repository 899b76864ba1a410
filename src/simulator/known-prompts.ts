import type { LineFile } from '../datasets/lines.js';
import type { Json, JsonObject } from '../model/json.js';
import { isObject } from './prompt.js';

/** A row of the data set. */
export interface KnownConversation {
  readonly messages: readonly JsonObject[];
  readonly tools: readonly Json[];
}

/**
 * Finds the row of a data set that a prompt was rendered from, whatever the template: the row whose texts all stand in
 * the prompt, in their order. Of several the one with the most text is meant, since a longer conversation holds the
 * texts of its own beginning. Only the last text of each row is held in memory.
 */
export class KnownPrompts {
  readonly #file: LineFile;
  /** The last text of each row that has any, by its line. */
  readonly #last = new Map<number, string>();

  constructor(file: LineFile) {
    this.#file = file;
    for (let line = 1; line <= file.lines; line += 1) {
      if (!file.has(line)) continue;
      const last = textsOf(readConversation(file, line)).at(-1);
      if (last !== undefined) this.#last.set(line, last);
    }
  }

  /** null for a prompt of no row. Of rows with the same texts the first counts. */
  find(prompt: string): KnownConversation | null {
    let best: { readonly row: KnownConversation; readonly length: number } | null = null;
    for (const [line, last] of this.#last) {
      if (!prompt.includes(last)) continue;
      const row = readConversation(this.#file, line);
      const texts = textsOf(row);
      const length = texts.reduce((sum, text) => sum + text.length, 0);
      if (length > (best?.length ?? 0) && holdsInOrder(prompt, texts)) best = { row, length };
    }
    return best?.row ?? null;
  }
}

function readConversation(file: LineFile, line: number): KnownConversation {
  const row = JSON.parse(file.read(line)) as JsonObject;
  return { messages: listOf(row.messages).filter(isObject), tools: listOf(row.tools) };
}

/** A column that is a list or the JSON text of one. */
function listOf(column: Json | undefined): readonly Json[] {
  const value = typeof column === 'string' ? (JSON.parse(column) as Json) : column;
  return Array.isArray(value) ? value : [];
}

/** The texts of a conversation, without the white space around them, which templates may trim. */
function textsOf({ messages }: KnownConversation): string[] {
  const parts = messages.flatMap(({ content }): readonly Json[] =>
    Array.isArray(content)
      ? content.filter(isObject).map(({ text }) => text ?? null)
      : [content ?? null],
  );
  return parts
    .filter((part) => typeof part === 'string')
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

function holdsInOrder(prompt: string, texts: readonly string[]): boolean {
  let from = 0;
  return texts.every((text) => {
    const at = prompt.indexOf(text, from);
    from = at + text.length;
    return at !== -1;
  });
}
