import { f1Interval } from './intervals.js';
import { normalCdf, normalQuantile } from './normal.js';

/*
 * What a number of samples can and cannot tell about F1, for planning.
 *
 * SPREAD is a simulation in which prompts differ in how likely a call is (official re-runs of one prompt agree on it
 * more or less often): the standard deviation of F1 of a deployment whose true F1 is 0.76, in runs of n rows. `rows`:
 * over random rows; `reruns`: over the same rows asked again. Times sqrt(n) both are nearly constant, so between the
 * sizes simulated that product is interpolated in log n, and beyond them it stays what it was at the end.
 */
const SPREAD = [
  { n: 100, rows: 0.047, reruns: 0.034 },
  { n: 200, rows: 0.036, reruns: 0.025 },
  { n: 500, rows: 0.022, reruns: 0.016 },
  { n: 2000, rows: 0.01, reruns: 0.008 },
] as const;
const SPREAD_F1 = 0.76;
/** The official model calls a tool in 979 of the 2,000 rows of the k2 set. */
const OFFICIAL_SHARE = 979 / 2000;
/** Official re-runs exceed the accepted F1 by about this much: 0.76 against 0.73. */
const USUAL_MARGIN = 0.03;
const POWER = 0.8;
/** One-sided: the question is whether the deployment is worse. */
const ALPHA = 0.05;

/** Figures about F1 for a planned number of samples; all on the scale 0 to 1. */
export interface SampleSizeTells {
  /** Samples that would be run: n, or the population when that is smaller. */
  readonly n: number;
  /** Whether that is every row of the data set; then the point estimate decides. */
  readonly whole: boolean;
  /** Standard deviation of the measured F1 over random rows. */
  readonly sd: number;
  /** Standard deviation of the measured F1 when the same rows are asked again. */
  readonly sdReruns: number;
  /** Half the width of the 95 % interval to expect. */
  readonly halfWidth: number;
  /** Probability that a deployment whose true F1 is `truth` measures below `t`. */
  readonly chanceBelow: number;
  /** Random rows that tell `truth` from `t` with 80 % power in a one-sided test at 5 %. */
  readonly rowsToTell: number;
}

/**
 * What a run of n random rows says about the gate F1 >= t.
 * At t = 0.73 and truth 0.76: SD 0.047, 0.036, 0.022, 0.010 and 26, 20, 9 and under 1 % below the gate at 100, 200, 500
 * and 2,000 rows; about 1,600 rows for 80 % power.
 *
 * @param n samples planned, at least 1
 * @param population rows of the data set; it only caps n, because the spread is over rows like these, not over which of
 * these were drawn
 * @param t the gate, in (0, 1)
 * @param truth true F1 of the deployment asked about, in (t, 1); by default 0.03 above the gate, as the official model
 */
export function whatSampleSizeTells(
  n: number,
  population: number,
  t: number,
  truth: number = Math.min(t + USUAL_MARGIN, (1 + t) / 2),
): SampleSizeTells {
  const size = Math.min(n, population);
  if (!(size >= 1)) throw new RangeError(`a run has at least one sample, not ${size}`);
  if (!(t > 0 && t < truth && truth < 1)) {
    throw new RangeError(`expected 0 < gate < truth < 1, got ${t} and ${truth}`);
  }
  const sd = spreadAt(size, 'rows', truth);
  return {
    n: size,
    whole: n >= population,
    sd,
    sdReruns: spreadAt(size, 'reruns', truth),
    halfWidth: expectedHalfWidth(size, truth),
    chanceBelow: normalCdf((t - truth) / sd),
    rowsToTell: rowsForPower(t, truth),
  };
}

function spreadAt(n: number, kind: 'rows' | 'reruns', f1: number): number {
  const scaled = SPREAD.map((point) => ({ n: point.n, c: point[kind] * Math.sqrt(point.n) }));
  return (interpolate(scaled, n) / Math.sqrt(n)) * (rowSd(f1) / rowSd(SPREAD_F1));
}

function interpolate(points: readonly { n: number; c: number }[], n: number): number {
  const right = points.findIndex((point) => point.n >= n);
  const above = points[right === -1 ? points.length - 1 : right];
  const below = points[right === -1 ? points.length - 1 : Math.max(0, right - 1)];
  if (above === undefined || below === undefined) throw new RangeError('no points');
  if (above === below) return above.c;
  const share = Math.log(n / below.n) / Math.log(above.n / below.n);
  return below.c + share * (above.c - below.c);
}

/**
 * Random rows after which a one-sided test at 5 % finds with 80 % power that a deployment of true F1 `truth` is better
 * than `t`: ((z95 + z80) s / (truth - t))^2 with s the standard deviation of one row; 1,588 for 0.76 against 0.73.
 */
function rowsForPower(t: number, truth: number): number {
  const z = normalQuantile(1 - ALPHA) + normalQuantile(POWER);
  return Math.ceil(((z * rowSd(truth)) / (truth - t)) ** 2);
}

/**
 * sqrt(n) times the standard deviation of F1 over n independent rows, by the delta method: F1 = 2J / (1 + J), and J is a
 * rate over the share of rows in which either side triggers. FP = FN is assumed.
 */
function rowSd(f1: number): number {
  const j = f1 / (2 - f1);
  const slope = 2 / (1 + j) ** 2;
  return slope * Math.sqrt((j * (1 - j)) / eitherTriggers(f1));
}

/** Share of rows in which either side triggers, when both trigger equally often: TP + FP + FN = (2 - F1) x official. */
function eitherTriggers(f1: number): number {
  return (2 - f1) * OFFICIAL_SHARE;
}

function expectedHalfWidth(n: number, f1: number): number {
  const tp = f1 * OFFICIAL_SHARE * n;
  const missed = (1 - f1) * OFFICIAL_SHARE * n;
  const interval = f1Interval(tp, missed, missed, 0.95);
  return interval === null ? 1 : (interval.high - interval.low) / 2;
}
