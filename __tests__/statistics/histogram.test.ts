import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import { DurationHistogram } from '../../src/statistics/histogram.js';

function of(durations: readonly number[]): DurationHistogram {
  const histogram = new DurationHistogram();
  for (const ms of durations) histogram.add(ms);
  return histogram;
}

describe('DurationHistogram', () => {
  it('has no percentile when empty', () => {
    expect(of([]).percentile(50)).toBeNull();
    expect(of([]).n).toBe(0);
  });

  // Nearest rank: the ceil(p n / 100)-th smallest.
  test.each([
    [0, 15],
    [5, 15],
    [20, 15],
    [30, 20],
    [40, 20],
    [50, 35],
    [80, 40],
    [80.1, 50],
    [100, 50],
  ])('percentile %p of 15, 20, 35, 40, 50 is %p', (p, expected) => {
    expect(of([50, 15, 40, 20, 35]).percentile(p)).toBe(expected);
  });

  test.each([
    [99.9, 1000, 999],
    [7, 100, 7],
    [99, 200, 198],
    [90, 10, 9],
  ])('percentile %p of 1 to %i ms is exactly %i', (p, n, expected) => {
    expect(of(Array.from({ length: n }, (_, i) => i + 1)).percentile(p)).toBe(expected);
  });

  it('rounds to whole milliseconds up to 10 s', () => {
    expect(of([0.4]).percentile(50)).toBe(0);
    expect(of([1234.5]).percentile(50)).toBe(1235);
    expect(of([9999.4]).percentile(50)).toBe(9999);
    expect(of([10_000]).percentile(50)).toBe(10_000);
  });

  it('is within 0.1 % above 10 s', () => {
    let worst = 0;
    for (let ms = 10_000.5; ms < 1e9; ms *= 1.0007) {
      const found = of([ms]).percentile(100) ?? 0;
      worst = Math.max(worst, Math.abs(found - ms) / ms);
    }
    expect(worst).toBeGreaterThan(0);
    expect(worst).toBeLessThan(0.001);
  });

  it('stays small however many and however long the durations are', () => {
    const histogram = new DurationHistogram();
    for (let ms = 0; ms < 11_000; ms += 0.5) histogram.add(ms);
    for (let ms = 10_000; ms < 1e12; ms *= 1.0005) histogram.add(ms);
    histogram.add(Number.MAX_VALUE);
    expect(histogram.toJSON().buckets.length).toBeLessThan(17_000);
    expect(Math.abs((histogram.percentile(100) ?? 0) - 1e9) / 1e9).toBeLessThan(0.001);
  });

  it('merges to the histogram of all durations, in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.double({ min: 0, max: 1e7, noNaN: true }))), (parts) => {
        const merged = new DurationHistogram();
        for (const part of [...parts].reverse()) merged.merge(of(part));
        expect(merged.toJSON()).toEqual(of(parts.flat()).toJSON());
        expect(merged.n).toBe(parts.flat().length);
      }),
      { seed: 1, numRuns: 50 },
    );
  });

  it('can be merged with itself', () => {
    const histogram = of([1, 1, 2]);
    histogram.merge(histogram);
    expect(histogram.n).toBe(6);
    expect(histogram.toJSON().buckets).toEqual([
      [1, 4],
      [2, 2],
    ]);
  });

  it('comes back whole from JSON text', () => {
    const histogram = of([0, 1, 1, 9_999, 10_000, 12_345, 600_000, 1e9]);
    const copy = DurationHistogram.fromJSON(JSON.parse(JSON.stringify(histogram)));
    expect(copy.n).toBe(8);
    expect(copy.toJSON()).toEqual(histogram.toJSON());
    for (const p of [0, 50, 90, 100]) expect(copy.percentile(p)).toBe(histogram.percentile(p));
  });

  const scheme = new DurationHistogram().toJSON().scheme;
  test.each([
    ['null', null],
    ['a number', 7],
    ['another scheme', { scheme: 'other', buckets: [] }],
    ['no buckets', { scheme }],
    ['a bucket that is no pair', { scheme, buckets: [[1]] }],
    ['a negative count', { scheme, buckets: [[1, -1]] }],
    ['a zero count', { scheme, buckets: [[1, 0]] }],
    ['a fraction', { scheme, buckets: [[1.5, 1]] }],
    ['a bucket out of range', { scheme, buckets: [[1e9, 1]] }],
    ['text', { scheme, buckets: [['1', 1]] }],
  ])('refuses %s', (_, value) => {
    expect(() => DurationHistogram.fromJSON(value)).toThrow(RangeError);
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('refuses a duration of %p', (ms) => {
    expect(() => of([ms])).toThrow(RangeError);
  });

  test.each([-1, 101, Number.NaN])('refuses percentile %p', (p) => {
    expect(() => of([1]).percentile(p)).toThrow(RangeError);
  });
});
