/** A decimal number as gates are written: `0.73`, `.73`, `-0.2`, `1e-3`. No thousands separators. */
export const NUMBER = '[+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?';

const PARTS = /^([+-]?)([0-9.]+)(?:[eE]([+-]?[0-9]+))?$/;

/**
 * The double nearest to the number as written, in per cent or not: 99.9% is 0.999, where dividing by 100 can miss it by
 * one unit in the last place. Minus zero is zero. Null when a double cannot hold it (1e999, and 1e-999, which would
 * silently become the gate 0) or when it is not such a number.
 */
export function decimalNumber(text: string, percent: boolean): number | null {
  const parts = PARTS.exec(text);
  if (parts === null) return null;
  const [, sign = '', mantissa = '', exponent = '0'] = parts;
  const value = Number(`${sign}${mantissa}e${Number(exponent) - (percent ? 2 : 0)}`);
  const lost = value === 0 && /[1-9]/.test(mantissa);
  return Number.isFinite(value) && !lost ? value + 0 : null;
}
