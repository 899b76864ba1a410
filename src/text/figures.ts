/** Figures as text: the rules that every sentence and table shares. Units and signs are added by whoever prints. */

/** More digits than a double holds say nothing, and a difference below this is the arithmetic's, not the value's. */
const MOST_DIGITS = 12;
const SAME = 1e-12;

/** '12,345.678': commas between thousands; a number in exponent form stays as it is. */
export function grouped(text: string): string {
  if (text.includes('e')) return text;
  const [whole = '', fraction] = text.split('.');
  const thousands = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? thousands : `${thousands}.${fraction}`;
}

/** Per cent without the noise of binary fractions: 0.07 * 100 is 7.000000000000001. */
export function perCent(value: number): number {
  return Number((value * 100).toPrecision(14));
}

/**
 * Rounded to `digits` after the point, but with as many more as it takes to stand on the same side of every fence as
 * the value does: 0.7299 beside 0.73, and 99.97 beside 100.
 */
export function roundedBeside(value: number, fences: readonly number[], digits: number): string {
  for (let more = digits; more <= MOST_DIGITS; more += 1) {
    const text = value.toFixed(more);
    if (fences.every((fence) => side(Number(text), fence) === side(value, fence)))
      return grouped(text);
  }
  return grouped(String(value));
}

/** -1, 0 or 1: where `value` lies of `fence`. */
function side(value: number, fence: number): number {
  const slack = SAME * Math.max(1, Math.abs(value), Math.abs(fence));
  return Math.abs(value - fence) <= slack ? 0 : Math.sign(value - fence);
}

/** Two significant digits, upwards: an estimate must not look exact. */
export function roughly(n: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, n))) - 1);
  return Math.ceil(n / step) * step;
}

/** With a capital first letter, to begin a sentence. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
