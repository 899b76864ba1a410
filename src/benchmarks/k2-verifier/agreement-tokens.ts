import { canonicalNumber, membersOf } from '../../text/canonical-json.js';
import type { JsonNode } from '../../text/json-text.js';

/** Tokens of one call's arguments that are looked at: some 100 KB of text, and a few milliseconds. */
const MAX_TOKENS = 20_000;

/** A word, a single character of scripts that put no spaces between words, or a single other sign. */
const UNSPACED = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}';
const WORD = new RegExp(`[${UNSPACED}]|(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}_])+|\\S`, 'gu');

/**
 * How much two JSON values have in common: the F1 of their tokens, from 0 to 1. A token is a path and a word of the
 * text there, or the number, true, false, null, or emptiness there; each counts as often as it occurs. The place in a
 * list is no part of the path, so that one more item in front does not make all others differ. Of longer values the
 * first 20,000 tokens, in the order of the keys, are compared.
 */
export function tokenF1(a: JsonNode, b: JsonNode): number {
  const paths = new Paths();
  const ours = tokensOf(a, paths);
  const theirs = tokensOf(b, paths);
  let common = 0;
  for (const [token, times] of ours.tokens) {
    common += Math.min(times, theirs.tokens.get(token) ?? 0);
  }
  return (2 * common) / (ours.size + theirs.size);
}

/** Numbers for paths: a long key, or a deep one, is written once and not before each word below it. */
class Paths {
  readonly #known = new Map<string, number>();

  /** @param step `.KEY` of an object, `[]` of a list */
  below(path: number, step: string): number {
    const name = `${path}${step}`;
    const known = this.#known.get(name) ?? this.#known.size + 1;
    this.#known.set(name, known);
    return known;
  }
}

interface Bag {
  readonly tokens: Map<string, number>;
  size: number;
}

function tokensOf(node: JsonNode, paths: Paths): Bag {
  const bag: Bag = { tokens: new Map(), size: 0 };
  collect(node, 0, paths, bag);
  return bag;
}

/** The first letter of a token tells "1" from 1. */
function collect(node: JsonNode, path: number, paths: Paths, bag: Bag): void {
  if (bag.size >= MAX_TOKENS) return;
  switch (node.type) {
    case 'object': {
      const members = membersOf(node);
      if (members.size === 0) add(bag, path, '{}');
      for (const key of [...members.keys()].sort()) {
        if (bag.size >= MAX_TOKENS) return;
        collect(members.get(key) as JsonNode, paths.below(path, `.${key}`), paths, bag);
      }
      return;
    }
    case 'array': {
      if (node.items.length === 0) add(bag, path, '[]');
      const below = paths.below(path, '[]');
      for (const item of node.items) collect(item, below, paths, bag);
      return;
    }
    case 'string': {
      const before = bag.size;
      for (const [word] of node.value.matchAll(WORD)) {
        if (bag.size >= MAX_TOKENS) return;
        add(bag, path, `s${word}`);
      }
      if (bag.size === before) add(bag, path, 's');
      return;
    }
    case 'number':
      add(bag, path, `n${canonicalNumber(node.raw)}`);
      return;
    case 'literal':
      add(bag, path, `l${node.value}`);
  }
}

function add(bag: Bag, path: number, what: string): void {
  const token = `${path} ${what}`;
  bag.tokens.set(token, (bag.tokens.get(token) ?? 0) + 1);
  bag.size += 1;
}
