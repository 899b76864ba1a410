import { twoSidedZ } from './normal.js';

/*
 * Confidence intervals from counts, in closed form. Counts may be fractional (a count scaled to another number of
 * samples) but never negative. Each interval contains the measured value, lies within the metric's range, and is null
 * where the measured value is undefined. An interval is about the rows drawn: what another draw of as many rows, from
 * the same source, would give.
 */

/** A confidence interval with how it was made. */
export interface ConfidenceInterval {
  /** Confidence level in (0, 1). */
  readonly level: number;
  readonly low: number;
  readonly high: number;
  readonly method: 'wilson' | 'wilson-f1' | 'delta-log';
}

/**
 * Wilson's score interval for a rate (Wilson 1927). Never degenerate: 5 of 5 gives 0.57 to 1.
 * @param level confidence level in (0, 1)
 */
export function wilson(successes: number, n: number, level: number): ConfidenceInterval | null {
  const z = twoSidedZ(level);
  checkCounts(successes, n - successes);
  if (n === 0) return null;
  const { low, high } = wilsonEnds(successes, n, z);
  return { level, low, high, method: 'wilson' };
}

/**
 * For F1 = 2TP / (2TP + FP + FN): Wilson's interval for J = TP / (TP + FP + FN), mapped by F1 = 2J / (1 + J), which
 * rises with J. J is a plain rate over the samples in which either side triggered. 5 of 5 gives 0.72 to 1.
 */
export function f1Interval(
  tp: number,
  fp: number,
  fn: number,
  level: number,
): ConfidenceInterval | null {
  const z = twoSidedZ(level);
  checkCounts(tp, fp, fn);
  const n = tp + fp + fn;
  if (n === 0) return null;
  const { low, high } = wilsonEnds(tp, n, z);
  const f1 = (j: number): number => (2 * j) / (1 + j);
  return { level, low: f1(low), high: f1(high), method: 'wilson-f1' };
}

/**
 * For the ratio of two counts over the same samples, V/O with V = TP + FP (vendor triggers) and O = TP + FN (official
 * triggers). Delta method on the logarithm: both counts are sums over the same samples, so TP appears in both and
 * var(log V/O) = 1/V + 1/O - 2TP/(VO) = (FP + FN) / (VO).
 *
 * Small-count correction: half a disagreement is added to each of FP and FN in the variance, giving
 * (FP + FN + 1) / ((V + 1/2)(O + 1/2)), so that full agreement still has a width; and V = 0 is centred at half a
 * trigger, with the lower end at 0. The centre is otherwise the measured ratio, so the interval always contains it.
 * Coverage at 95 %, simulated: 94 to 97 % for ordinary tables; 98 % and more where the two sides hardly ever differ; about
 * 91 % in the worst case tried (20 samples, a vendor that almost never triggers).
 */
export function ratioInterval(
  tp: number,
  fp: number,
  fn: number,
  level: number,
): ConfidenceInterval | null {
  const z = twoSidedZ(level);
  checkCounts(tp, fp, fn);
  const vendor = tp + fp;
  const official = tp + fn;
  if (official === 0) return null;
  const sd = Math.sqrt((fp + fn + 1) / ((vendor + 0.5) * (official + 0.5)));
  const centre = (vendor === 0 ? 0.5 : vendor) / official;
  return {
    level,
    low: vendor === 0 ? 0 : centre * Math.exp(-z * sd),
    high: centre * Math.exp(z * sd),
    method: 'delta-log',
  };
}

/**
 * For Cohen's kappa of the 2x2 table. Delta method on Fisher's transform, log((1 + k) / (1 - k)) / 2, which keeps both
 * ends within (-1, 1) and lets the interval be skewed near them; the variance of kappa is that of Fleiss, Cohen and
 * Everitt (1969). Half a sample is added to each cell, so that full agreement still has a width; the end nearer to the
 * measured kappa is stretched to contain it. Null where kappa is undefined: no samples, or all in one cell of the
 * diagonal.
 * Coverage at 95 %, simulated: 94 to 96 % at 200 samples for ordinary tables. It errs on the wide side where one side
 * almost always or almost never triggers (98 % and more), and on the narrow side near full agreement (91 % at 50 samples).
 */
export function kappaInterval(
  tp: number,
  fp: number,
  fn: number,
  tn: number,
  level: number,
): ConfidenceInterval | null {
  const z = twoSidedZ(level);
  checkCounts(tp, fp, fn, tn);
  const measured = kappa(tp, fp, fn, tn);
  if (measured === null) return null;
  const cells = [tp + 0.5, fp + 0.5, fn + 0.5, tn + 0.5] as const;
  const adjusted = kappa(...cells) as number;
  const sd = Math.sqrt(kappaVariance(...cells, adjusted)) / (1 - adjusted * adjusted);
  const centre = Math.atanh(adjusted);
  return {
    level,
    low: Math.min(measured, Math.tanh(centre - z * sd)),
    high: Math.max(measured, Math.tanh(centre + z * sd)),
    method: 'delta-log',
  };
}

/**
 * Cohen's kappa of the table (TP, FP, FN, TN): agreement beyond what the two trigger rates alone would give.
 * 1 full agreement, 0 none beyond chance. Null when chance agreement is 1 (no samples, or all in one cell of the
 * diagonal): 0/0.
 */
export function kappa(tp: number, fp: number, fn: number, tn: number): number | null {
  // (po - pe) / (1 - pe) multiplied out (Cohen 1960), so that whole numbers are divided only once.
  const num = 2 * (tp * tn - fp * fn);
  const den = (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn);
  return den === 0 ? null : num / den;
}

function kappaVariance(tp: number, fp: number, fn: number, tn: number, k: number): number {
  const n = tp + fp + fn + tn;
  const vendor = [(tp + fp) / n, (fn + tn) / n] as const;
  const official = [(tp + fn) / n, (fp + tn) / n] as const;
  const chance = vendor[0] * official[0] + vendor[1] * official[1];
  const agree =
    (tp / n) * (1 - (vendor[0] + official[0]) * (1 - k)) ** 2 +
    (tn / n) * (1 - (vendor[1] + official[1]) * (1 - k)) ** 2;
  const differ =
    (1 - k) ** 2 *
    ((fp / n) * (official[0] + vendor[1]) ** 2 + (fn / n) * (official[1] + vendor[0]) ** 2);
  const offset = (k - chance * (1 - k)) ** 2;
  return Math.max(0, agree + differ - offset) / ((1 - chance) ** 2 * n);
}

function wilsonEnds(successes: number, n: number, z: number): { low: number; high: number } {
  const p = successes / n;
  const zz = (z * z) / n;
  const centre = (p + zz / 2) / (1 + zz);
  const half = (z * Math.sqrt((p * (1 - p)) / n + zz / (4 * n))) / (1 + zz);
  // At the edges the ends are exactly 0 and 1; rounding must not say otherwise.
  return {
    low: successes === 0 ? 0 : Math.min(p, Math.max(0, centre - half)),
    high: successes === n ? 1 : Math.max(p, Math.min(1, centre + half)),
  };
}

function checkCounts(...counts: readonly number[]): void {
  for (const count of counts) {
    if (!(count >= 0 && count < Infinity)) {
      throw new RangeError(`counts are finite and never negative, not ${count}`);
    }
  }
}
