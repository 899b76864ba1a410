import type { Opened } from '../model/benchmark.js';
import type { Shard } from '../model/config.js';
import { shuffledIndices } from '../statistics/shuffle.js';

/**
 * The ids to run, in draw order.
 * `random` draws without replacement from the whole data set, so that any prefix is a fair sample of it;
 * `file` takes the first ones as EvalScope does. `limit` only cuts the list: it never changes the draw.
 *
 * Drawn and limited are groups: the repetitions of a task stay together and count as one, as in EvalScope, where a
 * limit is taken before tasks are repeated.
 */
export function drawOrder(
  keys: Opened['keys'],
  how: { order: 'random' | 'file'; seed: number; limit: number | null },
): string[] {
  const byGroup = new Map<string, string[]>();
  for (const { id, group } of keys) {
    const ids = byGroup.get(group);
    if (ids === undefined) byGroup.set(group, [id]);
    else ids.push(id);
  }
  const groups = [...byGroup.values()];
  const count = Math.min(how.limit ?? groups.length, groups.length);
  if (how.order === 'file') return groups.slice(0, count).flat();
  const drawn: string[] = [];
  for (const index of shuffledIndices(groups.length, how.seed).subarray(0, count)) {
    drawn.push(...(groups[index] as string[]));
  }
  return drawn;
}

/** Every n-th id of the draw: parts of equal size, each a fair sample of what the whole plan is a sample of. */
export function shardOf(ids: readonly string[], shard: Shard | null): readonly string[] {
  if (shard === null) return ids;
  return ids.filter((_, place) => place % shard.of === shard.index - 1);
}
