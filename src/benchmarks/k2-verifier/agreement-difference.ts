import type { ToolCall } from '../../model/completion.js';
import { canonicalNumber, membersOf } from '../../text/canonical-json.js';
import { type JsonNode, sliceOf } from '../../text/json-text.js';
import { type Arguments, type Pair, pairCalls } from './agreement.js';
import { head } from './head.js';
import type { Official } from './official.js';

/** How the calls of an answer differ from the official ones. */
export interface Disagreement {
  readonly about: 'count' | 'tools' | 'arguments';
  /** What differs, for people; the vendor's side first. */
  readonly detail: string;
}

/** Texts within a detail, in UTF-16 units. */
const MAX_VALUE = 100;
const MAX_PATH = 100;
const MAX_NAMES = 3;

/**
 * The first of these that differs: the number of calls, the tools, the arguments. null when nothing does, and when the
 * official calls are not recorded.
 */
export function disagreementOf(
  official: Official['calls'],
  vendor: readonly ToolCall[],
): Disagreement | null {
  if (official.length === 0) return null;
  if (official.length !== vendor.length) {
    const calls = vendor.length === 1 ? '1 call' : `${vendor.length} calls`;
    return { about: 'count', detail: `${calls}, officially ${official.length}` };
  }
  const pairs = pairCalls(official, vendor);
  if (pairs.length < official.length) {
    const [theirs, ours] = [namesLeft(vendor, official), namesLeft(official, vendor)];
    return { about: 'tools', detail: `${theirs}, officially ${ours}` };
  }
  const pair = pairs.find(({ equal }) => !equal);
  if (pair === undefined) return null;
  const which = official.length === 1 ? '' : `call ${pair.index + 1} of ${official.length}, `;
  return { about: 'arguments', detail: `${which}${inWords(pair)}` };
}

/** Names of the calls on one side that have no counterpart on the other. */
function namesLeft(
  calls: readonly { readonly name: string }[],
  others: readonly { readonly name: string }[],
): string {
  const waiting = new Map<string, number>();
  for (const { name } of others) waiting.set(name, (waiting.get(name) ?? 0) + 1);
  const left = calls.filter(({ name }) => {
    const same = waiting.get(name) ?? 0;
    waiting.set(name, same - 1);
    return same <= 0;
  });
  const named = left.slice(0, MAX_NAMES).map(({ name }) => head(name, MAX_VALUE));
  return [...named, ...(left.length > MAX_NAMES ? ['…'] : [])].join(' and ');
}

function inWords({ official, vendor }: Pair): string {
  const found = firstDifference(official, vendor);
  if (found === null) return 'the texts differ; one of them is not JSON, or they are too long';
  const at = found.path === '' ? '/' : found.path;
  // The path ends with the place itself, so its end is kept.
  const place =
    at.length > MAX_PATH ? `…${at.slice(-MAX_PATH).replace(/^[\udc00-\udfff]/, '')}` : at;
  const [theirs, ours] = [found.vendor, found.official].map((text) =>
    text === null ? 'nothing' : head(text, MAX_VALUE),
  );
  return `${place}: ${theirs}, officially ${ours}`;
}

/** A place in which two JSON values differ. */
interface Difference {
  /** JSON pointer (RFC 6901); empty for the whole. */
  readonly path: string;
  /** The text that stands there; null where there is nothing. */
  readonly official: string | null;
  readonly vendor: string | null;
}

/**
 * The first place in which two arguments differ as JSON values, in the order of the official ones and then of what only
 * the vendor has. null when they are equal, and when one of them could not be read as JSON.
 */
export function firstDifference(official: Arguments, vendor: Arguments): Difference | null {
  if (official.node === null || vendor.node === null) return null;
  const path: (string | number)[] = [];
  const found = descend(official.node, vendor.node, path);
  if (found === null) return null;
  const steps = path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`);
  return {
    path: steps.join(''),
    official: found.ours && sliceOf(official.text, found.ours),
    vendor: found.theirs && sliceOf(vendor.text, found.theirs),
  };
}

interface Found {
  readonly ours: JsonNode | null;
  readonly theirs: JsonNode | null;
}

/** One pass over both; when something is found `path` leads to it, else it is as it was. */
function descend(ours: JsonNode, theirs: JsonNode, path: (string | number)[]): Found | null {
  if (ours.type === 'object' && theirs.type === 'object') {
    const [mine, others] = [membersOf(ours), membersOf(theirs)];
    return inOrder(new Set([...mine.keys(), ...others.keys()]), mine, others, path);
  }
  if (ours.type === 'array' && theirs.type === 'array') {
    const [mine, others] = [new Map(ours.items.entries()), new Map(theirs.items.entries())];
    const longer = mine.size > others.size ? mine : others;
    return inOrder(longer.keys(), mine, others, path);
  }
  return isSame(ours, theirs) ? null : { ours, theirs };
}

function inOrder<K extends string | number>(
  keys: Iterable<K>,
  mine: ReadonlyMap<K, JsonNode>,
  others: ReadonlyMap<K, JsonNode>,
  path: (string | number)[],
): Found | null {
  for (const key of keys) {
    const ours = mine.get(key) ?? null;
    const theirs = others.get(key) ?? null;
    path.push(key);
    const found = ours === null || theirs === null ? { ours, theirs } : descend(ours, theirs, path);
    if (found !== null) return found;
    path.pop();
  }
  return null;
}

function isSame(a: JsonNode, b: JsonNode): boolean {
  if (a.type === 'number' && b.type === 'number') {
    return canonicalNumber(a.raw) === canonicalNumber(b.raw);
  }
  return 'value' in a && 'value' in b && a.type === b.type && a.value === b.value;
}
