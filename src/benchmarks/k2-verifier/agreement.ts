import { deeperThan } from '../../endpoint/shape.js';
import type { ToolCall } from '../../model/completion.js';
import { canonicalJson } from '../../text/canonical-json.js';
import {
  type JsonNode,
  JsonTextError,
  MAX_JSON_DEPTH,
  parseJsonText,
} from '../../text/json-text.js';
import { tokenF1 } from './agreement-tokens.js';
import type { Official } from './official.js';

/** How far two answers to one prompt make the same tool calls, where both make some. */
export interface Agreement {
  /** Both call the same tools as often; their order does not count. */
  readonly toolNames: boolean;
  /** Both make as many calls. Follows from `toolNames`. */
  readonly callCount: boolean;
  /** `toolNames`, and the arguments of every call equal those of its counterpart. */
  readonly arguments: boolean;
  /**
   * Token F1 of the arguments, averaged over the calls of the side that makes more, in millionths: a whole number, so
   * that sums over samples are exact and the same in any order.
   */
  readonly argumentTokens: number;
}

/** Full agreement in `argumentTokens`. */
export const WHOLE = 1_000_000;

/**
 * Arguments of one sample, both sides together, in UTF-16 units, that are still read as JSON; beyond it they are
 * compared as texts. An answer of 64,000 tokens, the longest that the benchmark asks for, holds about a quarter of it.
 */
const MAX_TEXT = 1_000_000;

/** Arguments as they were sent, and what they are as JSON. */
export interface Arguments {
  readonly text: string;
  /** null where they are not JSON, nest beyond all reason or are too long to be read; nothing is ever repaired. */
  readonly node: JsonNode | null;
}

/** Two calls of one tool that are held against each other. */
export interface Pair {
  /** Which of the official calls it is, from 0. */
  readonly index: number;
  readonly official: Arguments;
  readonly vendor: Arguments;
  readonly equal: boolean;
}

/**
 * Holds the calls of an answer against the official ones. Arguments are equal when they are as JSON values (see
 * `canonicalJson`); such that are not JSON, when their texts are the same. An answer without calls agrees in nothing.
 *
 * @returns null when the official side makes no calls, or they are not recorded: then there is nothing to agree with.
 */
export function agreementOf(
  official: Official['calls'],
  vendor: readonly ToolCall[],
): Agreement | null {
  if (official.length === 0) return null;
  const pairs = pairCalls(official, vendor);
  const most = Math.max(official.length, vendor.length);
  const tokens = pairs.reduce((sum, pair) => sum + likeness(pair), 0);
  return {
    // Calls are paired by name, so that all are paired says that both sides name the same tools.
    toolNames: pairs.length === most,
    callCount: official.length === vendor.length,
    arguments: pairs.length === most && pairs.every(({ equal }) => equal),
    argumentTokens: Math.round(tokens / most),
  };
}

/**
 * Pairs calls of the same tool: those with equal arguments first, as many as there are, then the rest in their order.
 * @returns the pairs in the order of the official calls; calls without a counterpart are in none.
 */
export function pairCalls(official: Official['calls'], vendor: readonly ToolCall[]): Pair[] {
  const theirs = indicesByName(vendor);
  const groups = [...indicesByName(official)].flatMap(([name, ours]) => {
    const others = theirs.get(name);
    return others === undefined ? [] : [{ ours, others }];
  });
  const read = readerOf(
    groups.flatMap(({ ours, others }) => [
      ...ours.map((index) => official[index]?.arguments ?? null),
      ...others.map((index) => textOf(vendor[index])),
    ]),
  );
  return groups
    .flatMap(({ ours, others }) =>
      pairGroup(
        ours.map((index) => ({ index, read: read(official[index]?.arguments ?? null) })),
        others.map((index) => ({ index, read: read(textOf(vendor[index])) })),
      ),
    )
    .sort((a, b) => a.index - b.index);
}

interface Read extends Arguments {
  /** Shared by equal arguments alone; null for those that equal nothing. */
  readonly identity: string | null;
}

interface Entry {
  readonly index: number;
  readonly read: Read;
}

function pairGroup(ours: readonly Entry[], theirs: readonly Entry[]): Pair[] {
  const waiting = new Map<string, Entry[]>();
  for (const entry of theirs.toReversed()) {
    const { identity } = entry.read;
    if (identity === null) continue;
    const same = waiting.get(identity);
    if (same === undefined) waiting.set(identity, [entry]);
    else same.push(entry);
  }
  const taken = new Set<Entry>();
  const equal = new Map<Entry, Entry>();
  for (const entry of ours) {
    const found = waiting.get(entry.read.identity ?? '')?.pop();
    if (found === undefined) continue;
    taken.add(found);
    equal.set(entry, found);
  }
  const rest = theirs.filter((entry) => !taken.has(entry)).values();
  return ours.flatMap((entry) => {
    const match = equal.get(entry);
    const vendor = match ?? rest.next().value;
    if (vendor === undefined) return [];
    const pair = { index: entry.index, official: entry.read, vendor: vendor.read };
    return [{ ...pair, equal: match !== undefined }];
  });
}

/** In millionths. */
function likeness({ equal, official, vendor }: Pair): number {
  if (equal) return WHOLE;
  if (official.node === null || vendor.node === null) return 0;
  return Math.round(tokenF1(official.node, vendor.node) * WHOLE);
}

function indicesByName(calls: readonly { readonly name: string }[]): Map<string, number[]> {
  const indices = new Map<string, number[]>();
  for (const [index, { name }] of calls.entries()) {
    const known = indices.get(name);
    if (known === undefined) indices.set(name, [index]);
    else known.push(index);
  }
  return indices;
}

/** The arguments as text; null for a value nested so deeply that it cannot be written. */
function textOf(call: ToolCall | undefined): string | null {
  const given = call?.arguments ?? null;
  if (typeof given === 'string') return given;
  return deeperThan(given, MAX_JSON_DEPTH) ? null : JSON.stringify(given);
}

/** Reads arguments as JSON, unless those of the whole sample are too long: so the same texts are always equal. */
function readerOf(texts: readonly (string | null)[]): (text: string | null) => Read {
  const length = texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
  return (text) => {
    if (text === null) return { text: '', node: null, identity: null };
    const node = length > MAX_TEXT ? null : parsed(text);
    return { text, node, identity: node === null ? `text ${text}` : `json ${canonicalJson(node)}` };
  };
}

function parsed(text: string): JsonNode | null {
  try {
    return parseJsonText(text);
  } catch (error) {
    if (error instanceof JsonTextError) return null;
    throw error;
  }
}
