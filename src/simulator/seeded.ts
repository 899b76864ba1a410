import { createHash } from 'node:crypto';

/**
 * A number in [0, 1) that depends on the seed and the words alone, never on the order of requests; so a run is
 * the same however its requests are scheduled.
 */
export function seeded(seed: number, ...words: readonly string[]): number {
  const digest = createHash('sha1')
    .update(JSON.stringify([seed, ...words]))
    .digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}

/** One of `choices`, chosen by the same rule. `choices` must not be empty. */
export function seededChoice<T>(
  choices: readonly [T, ...T[]],
  seed: number,
  ...words: readonly string[]
): T {
  return choices[Math.floor(seeded(seed, ...words) * choices.length)] ?? choices[0];
}
