/**
 * Where num/den lies against a bound: negative below, 0 equal, positive above. Exact: the bound is taken as the decimal
 * number that was written, so that 9 of 10 meets 90 % and 73 of 100 meets 0.73 although neither has an exact binary form.
 * `den` is positive. Terms that are not whole numbers are compared as plain numbers.
 */
export function compareRatio(num: number, den: number, bound: number): number {
  if (!Number.isSafeInteger(num) || !Number.isSafeInteger(den)) {
    return compareValue(num / den, bound);
  }
  const { digits, exponent } = decimal(bound);
  const left = BigInt(num) * 10n ** BigInt(Math.max(0, -exponent));
  const right = digits * BigInt(den) * 10n ** BigInt(Math.max(0, exponent));
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Rounding of a handful of operations on doubles. */
const ROUNDING = 8 * Number.EPSILON;

/**
 * The same for a value that was computed as a whole (kappa, a percentile). A difference of a few units in the last place
 * is rounding, not a difference.
 */
export function compareValue(value: number, bound: number): number {
  const slack = ROUNDING * Math.max(1, Math.abs(value), Math.abs(bound));
  return Math.abs(value - bound) <= slack ? 0 : Math.sign(value - bound);
}

/** The shortest decimal number that reads back as `value`: digits times ten to the exponent. */
function decimal(value: number): { digits: bigint; exponent: number } {
  const [mantissa = '0', power = '0'] = value.toExponential().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}
