import { describe, expect, it, test } from '@jest/globals';
import { chooseFaults, FAULTS, faultsHitting } from '../../src/simulator/faults.js';

describe('the table of faults', () => {
  it('has names that can be typed, each once, and one line of text each', () => {
    const names = FAULTS.map((fault) => fault.name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, text } of FAULTS) {
      expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(text).toMatch(/^[^\n]{4,100}$/);
    }
  });

  it('covers all 46 rows of what endpoints really send', () => {
    const rows = new Set(FAULTS.flatMap((fault) => fault.row ?? []));
    expect([...rows].sort((a, b) => a - b)).toEqual(Array.from({ length: 46 }, (_, at) => at + 1));
  });
});

describe('choosing faults', () => {
  it('keeps the order of the table, whatever order they are named in', () => {
    const { chosen, problems } = chooseFaults({ hang: 0.5, 'no-done': 1, 'missed-calls': 0 });
    expect(problems).toEqual([]);
    expect(chosen.map(({ fault, rate }) => [fault.name, rate])).toEqual([
      ['missed-calls', 0],
      ['no-done', 1],
      ['hang', 0.5],
    ]);
  });

  test.each([
    ['rate 0 hits nothing', 0, 0, 0],
    ['rate 1 hits everything', 1, 2000, 2000],
    // Five standard deviations round a quarter of 2,000.
    ['rate 0.25 hits a quarter', 0.25, 403, 597],
  ])('%s', (_name, rate, least, most) => {
    const { chosen } = chooseFaults({ hang: rate });
    const rows = Array.from({ length: 2000 }, (_, at) => `row ${at}`);
    const hit = rows.filter((row) => faultsHitting(chosen, row, 1, 7).length > 0);
    expect(hit.length).toBeGreaterThanOrEqual(least);
    expect(hit.length).toBeLessThanOrEqual(most);
    expect(rows.filter((row) => faultsHitting(chosen, row, 2, 7).length > 0)).toEqual(hit);
  });

  it('hits the same rows and more when the rate grows', () => {
    const rows = Array.from({ length: 500 }, (_, at) => `row ${at}`);
    const hit = (rate: number) =>
      rows.filter((row) => faultsHitting(chooseFaults({ reset: rate }).chosen, row, 1, 7).length);
    const more = new Set(hit(0.4));
    expect(hit(0.1).every((row) => more.has(row))).toBe(true);
    expect(more.size).toBeGreaterThan(hit(0.1).length);
  });

  it('lets a retry through where the fault comes but once', () => {
    const { chosen } = chooseFaults({ 'http-500-once': 1, 'http-500': 1 });
    const names = (attempt: number) => faultsHitting(chosen, 'row', attempt, 7).map((f) => f.name);
    expect(names(1)).toEqual(['http-500', 'http-500-once']);
    expect(names(2)).toEqual(['http-500']);
  });
});
