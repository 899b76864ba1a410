import { distance } from 'fastest-levenshtein';

/** Longer than any name of ours; comparing more would only cost time. */
const LONGEST_WORD = 80;
/** A shorter piece is part of too many names to mean one. */
const SHORTEST_PART = 4;

/**
 * The candidate a misspelt word most likely means, for messages such as 'did you mean ...'. Case and the choice between
 * '-', '_' and ' ' do not count. A word that is part of a candidate counts as near ('similarity' for
 * 'trigger_similarity'). Of equally near ones the first. Null when nothing is near.
 */
export function nearest(word: string, candidates: readonly string[]): string | null {
  const wanted = plain(word);
  if (wanted.length === 0 || wanted.length > LONGEST_WORD) return null;
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const apart = distance(wanted, plain(candidate));
    if (apart < least && apart <= allowed(wanted.length)) {
      best = candidate;
      least = apart;
    }
  }
  if (best !== null || wanted.length < SHORTEST_PART) return best;
  return candidates.find((candidate) => plain(candidate).includes(wanted)) ?? null;
}

/** Two slips in a short word (swapped letters are two), about a third of a long one. */
function allowed(length: number): number {
  if (length < 4) return length - 1 < 1 ? 0 : 1;
  return Math.max(2, Math.floor(length / 3));
}

function plain(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replace(/[-_\s]+/g, '_');
}
