import type { Shard } from '../model/config.js';
import { shuffledIndices } from '../statistics/shuffle.js';

/**
 * The ids to run, in draw order.
 * `random` draws without replacement from the whole data set, so that any prefix is a fair sample of it;
 * `file` takes the first ones as EvalScope does. `limit` only cuts the list: it never changes the draw.
 */
export function drawOrder(
  ids: readonly string[],
  how: { order: 'random' | 'file'; seed: number; limit: number | null },
): string[] {
  const count = Math.min(how.limit ?? ids.length, ids.length);
  if (how.order === 'file') return ids.slice(0, count);
  const drawn: string[] = [];
  for (const index of shuffledIndices(ids.length, how.seed).subarray(0, count)) {
    drawn.push(ids[index] as string);
  }
  return drawn;
}

/** Every n-th id of the draw: parts of equal size, each a fair sample of what the whole plan is a sample of. */
export function shardOf(ids: readonly string[], shard: Shard | null): readonly string[] {
  if (shard === null) return ids;
  return ids.filter((_, place) => place % shard.of === shard.index - 1);
}
