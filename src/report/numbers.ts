import { grouped, perCent, roundedBeside } from '../text/figures.js';

/**
 * Figures as people read them. Two rules hold everywhere: a figure is never rounded across a gate it is shown beside
 * (0.7299 next to a gate >= 0.73 stays 0.7299), and never rounded to a perfect or an empty score that it is not
 * (99.97 % does not become 100 %).
 */

/** How a metric's values are written. */
export type Style = 'percent' | 'f1' | 'ratio' | 'coefficient' | 'seconds' | 'count';

/** Between a number and its unit, so that a line never breaks there. */
export const NBSP = '\u00a0';
/** Stands where there is no figure. */
export const NONE = '–';

const DIGITS: Record<Style, number> = {
  percent: 1,
  f1: 3,
  ratio: 2,
  coefficient: 2,
  seconds: 2,
  count: 0,
};
/** Values that must be printed only when they are exact. */
const EXTREMES: Record<Style, readonly number[]> = {
  percent: [0, 1],
  f1: [0, 1],
  ratio: [0],
  coefficient: [-1, 0, 1],
  seconds: [],
  count: [],
};

/** The style of a metric by its `kind`; a gate written in per cent is shown in per cent. */
/** What tokens cost, to follow their number; empty when prices are not known. Three digits of what is below one. */
export function costWords(cost: number | null): string {
  if (cost === null) return '';
  const digits = cost > 0 && cost < 1 ? Number(cost.toPrecision(3)).toString() : cost.toFixed(2);
  return `, cost ${grouped(digits)}`;
}

export function styleOf(kind: string, percent = false): Style {
  if (percent || kind === 'rate') return 'percent';
  // A mean of values in [0, 1] is no share of anything: 61 of 70 would be made up.
  if (kind === 'mean') return 'f1';
  if (kind === 'f1' || kind === 'ratio' || kind === 'seconds' || kind === 'count') return kind;
  return 'coefficient';
}

/** '2,000'. */
export function count(n: number): string {
  if (!Number.isFinite(n)) return NONE;
  return minus(plain(Math.round(n)));
}

/** '1 sample', '2,000 samples'. */
export function counted(n: number, singular: string, plural = `${singular}s`): string {
  return `${count(n)} ${n === 1 ? singular : plural}`;
}

/**
 * A value in its style, with its unit: '0.759', '99.0 %', '1.01'. `bounds` are the gates it is shown beside, as plain
 * numbers; digits are added until the printed figure lies on the same side of each as the value does.
 */
export function figure(value: number | null, style: Style, bounds: readonly number[] = []): string {
  return value === null || !Number.isFinite(value)
    ? NONE
    : `${bare(value, style, bounds)}${unit(style)}`;
}

/** An interval's ends, the unit once: '0.688–0.823', '94.4–99.8 %'. `bounds` as for figure(). */
export function span(
  low: number,
  high: number,
  style: Style,
  bounds: readonly number[] = [],
): string {
  return `${bare(low, style, bounds)}–${bare(high, style, bounds)}${unit(style)}`;
}

/** A bound or an official figure exactly as it was given: '0.73', '0.80', '90 %', '97.5 %'. */
export function exact(value: number, style: Style): string {
  const text = plain(scaled(value, style));
  const decimals = text.split('.')[1]?.length ?? 0;
  const short = style === 'f1' || style === 'ratio' || style === 'coefficient';
  // 0.8 and 1.25 side by side read better as 0.80 and 1.25; a whole 1 stays 1.
  const shown = short && decimals === 1 ? `${text}0` : text;
  return `${minus(shown)}${unit(style)}`;
}

/** '7 m 50 s', '55 s', '3 h 05 m', '850 ms'. */
export function duration(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return NONE;
  if (ms < 1000) return `${Math.round(ms)}${NBSP}ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds}${NBSP}s`;
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  if (minutes < 60)
    return rest === 0 ? `${minutes}${NBSP}m` : `${minutes}${NBSP}m${NBSP}${rest}${NBSP}s`;
  const hours = Math.floor(minutes / 60);
  return `${count(hours)}${NBSP}h${NBSP}${String(minutes % 60).padStart(2, '0')}${NBSP}m`;
}

/** A latency: '120 ms', '4.1 s', '42 s', '7 m 50 s'. */
export function latency(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return NONE;
  if (ms < 999.5) return `${Math.round(ms)}${NBSP}ms`;
  // 9,950 ms and more would print as '10.0 s'.
  if (ms < 9950) return `${(ms / 1000).toFixed(1)}${NBSP}s`;
  return duration(ms);
}

/** '512 B', '1.4 MiB'. */
export function byteSize(n: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let size = n;
  let step = 0;
  while (size >= 1024 && step < units.length - 1) {
    size /= 1024;
    step += 1;
  }
  return `${step === 0 ? String(size) : size.toFixed(1)}${NBSP}${units[step] ?? ''}`;
}

/** A confidence level: '95 %', '99.9 %'. */
export function level(value: number): string {
  return exact(value, 'percent');
}

function bare(value: number, style: Style, bounds: readonly number[]): string {
  // A perfect or empty score that is exact reads best without decimals.
  if (EXTREMES[style].includes(value)) return minus(plain(scaled(value, style)));
  const fences = [...EXTREMES[style], ...bounds].map((fence) => scaled(fence, style));
  return minus(roundedBeside(scaled(value, style), fences, DIGITS[style]));
}

function unit(style: Style): string {
  if (style === 'percent') return `${NBSP}%`;
  return style === 'seconds' ? `${NBSP}s` : '';
}

function scaled(value: number, style: Style): number {
  return style === 'percent' ? perCent(value) : value;
}

function plain(value: number): string {
  return grouped(value.toString());
}

function minus(text: string): string {
  return text.replace(/^-/, '−');
}
