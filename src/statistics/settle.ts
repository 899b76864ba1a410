import type { ConfidenceInterval } from './intervals.js';

/** Beyond this nobody will ask. */
const MOST_SAMPLES = 2 ** 48;

/**
 * How many samples it takes, in all, until the interval at the measured value lies wholly on one side of a bound:
 * what would settle an inconclusive gate if the metric kept the value it has. An estimate, since it will not quite.
 *
 * @param run samples run so far, at least 1
 * @param value the metric as measured
 * @param bound the gate's bound, on the scale of the metric
 * @param intervalAt the interval if all counts were those of `samples` samples in the same proportions
 * @returns a whole number above `run`; `run` when it is settled already; null when value equals bound (no number of
 * samples would do) or there is no interval
 */
export function samplesThatSettle(
  run: number,
  value: number,
  bound: number,
  intervalAt: (samples: number) => Pick<ConfidenceInterval, 'low' | 'high'> | null,
): number | null {
  if (value === bound || !Number.isFinite(value) || !(run >= 1)) return null;
  const settled = (samples: number): boolean => {
    const interval = intervalAt(samples);
    return interval !== null && (interval.low > bound || interval.high < bound);
  };
  if (settled(run)) return run;
  let below = run;
  let above = run * 2;
  while (!settled(above)) {
    if (above > MOST_SAMPLES) return null;
    below = above;
    above *= 2;
  }
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2);
    if (settled(middle)) above = middle;
    else below = middle;
  }
  return above;
}
