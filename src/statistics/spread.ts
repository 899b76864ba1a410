/** How far values lie apart. */
export interface Spread {
  readonly n: number;
  readonly mean: number;
  readonly min: number;
  readonly max: number;
  /** Standard deviation with the divisor n - 1; null for a single value. */
  readonly sd: number | null;
}

/** Of plain values; null of none. Values that share a source (pairs of the same files) vary more than the SD says. */
export function spreadOf(values: readonly number[]): Spread | null {
  const n = values.length;
  if (n === 0) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  // Summed from the mean, since a sum of squares loses the small differences of nearly equal values.
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return {
    n,
    mean,
    min: Math.min(...values),
    max: Math.max(...values),
    sd: n === 1 ? null : Math.sqrt(squares / (n - 1)),
  };
}
