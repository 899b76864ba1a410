import { describe, expect, it, test } from '@jest/globals';
import {
  barProgress,
  describeArriving,
  lineProgress,
  describe as say,
} from '../../src/engine/progress.js';
import type { Arriving } from '../../src/model/downloads.js';

describe('the words', () => {
  test.each([
    [{ done: 0, total: 2000, before: 0, errors: 0, elapsedMs: 0 }, 'k2 0/2000 · 0 errors'],
    [
      { done: 100, total: 2000, before: 0, errors: 1, elapsedMs: 10_000 },
      'k2 100/2000 · 10.0/s · 1 error · 3 m 10 s left',
    ],
    [
      { done: 1, total: 2000, before: 0, errors: 0, elapsedMs: 60_000 },
      'k2 1/2000 · 0.0167/s · 0 errors · 33 h 19 m left',
    ],
    [
      { done: 1990, total: 2000, before: 0, errors: 3, elapsedMs: 199_000 },
      'k2 1990/2000 · 10.0/s · 3 errors · 1 s left',
    ],
    [
      { done: 2000, total: 2000, before: 0, errors: 3, elapsedMs: 200_000 },
      'k2 2000/2000 · 10.0/s · 3 errors',
    ],
  ])('%j', (state, text) => {
    expect(say('k2', state)).toBe(text);
  });
});

it('counts what an earlier run had measured, but not for the rate', () => {
  const state = { done: 100, total: 1000, before: 1000, errors: 0, elapsedMs: 10_000 };
  expect(say('k2', state)).toBe('k2 1100/2000 · 10.0/s · 0 errors · 1 m 30 s left');
});

describe('in a log', () => {
  it('says a line every 15 seconds and at the end', () => {
    let written = '';
    const progress = lineProgress((text) => {
      written += text;
    });
    for (let second = 1; second <= 40; second += 1) {
      progress.update('k2', {
        done: second,
        total: 40,
        before: 0,
        errors: 0,
        elapsedMs: second * 1000,
      });
    }
    expect(written.split('\n').map((line) => line.split(' ')[1] ?? '')).toEqual([
      '15/40',
      '30/40',
      '40/40',
      '',
    ]);
  });
});

describe('on a terminal', () => {
  it('redraws one line within the width and ends it', () => {
    const written: string[] = [];
    const progress = barProgress(
      (text) => written.push(text),
      () => 40,
    );
    progress.update('k2', { done: 10, total: 20, before: 0, errors: 0, elapsedMs: 1000 });
    progress.update('k2', { done: 11, total: 20, before: 0, errors: 0, elapsedMs: 1050 });
    progress.update('k2', { done: 20, total: 20, before: 0, errors: 0, elapsedMs: 1060 });
    progress.end();
    progress.end();
    expect(written).toHaveLength(3);
    const clear = '\r\u001b[2K';
    expect(written[0]).toContain(`${clear}${'━'.repeat(12)}${'╌'.repeat(12)} k2 10/20`);
    expect(written[0]?.replace(clear, '').length).toBeLessThanOrEqual(39);
    expect(written[2]).toBe('\n');
  });
});

describe('a download', () => {
  const arriving = (seconds: number, rest: Partial<Arriving> = {}): Arriving => ({
    received: seconds * 2_000_000,
    total: 100_000_000,
    before: 0,
    elapsedMs: seconds * 1000,
    ended: false,
    ...rest,
  });

  test.each<[Partial<Arriving>, string]>([
    [{}, 'rows 20.0/100.0 MB · 2.00 MB/s · 40 s left'],
    [{ total: null }, 'rows 20.0 MB · 2.00 MB/s'],
    [{ elapsedMs: 0 }, 'rows 20.0/100.0 MB'],
    [{ before: 15_000_000 }, 'rows 20.0/100.0 MB · 0.50 MB/s · 2 m 40 s left'],
    [{ received: 100_000_000, ended: true }, 'rows 100.0/100.0 MB · 10.00 MB/s'],
    [{ ended: true }, 'rows 20.0/100.0 MB · 2.00 MB/s'],
  ])('in words: %j', (state, text) => {
    expect(describeArriving('rows', arriving(10, state))).toBe(text);
  });

  it('has a line every 15 seconds in a log, and one at the end', () => {
    const lines: string[] = [];
    const progress = lineProgress((text) => lines.push(text));
    for (let second = 1; second < 50; second += 1) progress.arrive('rows', arriving(second));
    progress.arrive('rows', arriving(50, { ended: true }));
    expect(lines.map((line) => line.split(' ')[1])).toEqual([
      '30.0/100.0',
      '60.0/100.0',
      '90.0/100.0',
      '100.0/100.0',
    ]);
    expect(lines.at(-1)).toMatch(/\n$/);
  });

  it('starts from nothing after another one', () => {
    const lines: string[] = [];
    const progress = lineProgress((text) => lines.push(text));
    progress.arrive('one', arriving(16));
    progress.arrive('one', arriving(17, { ended: true }));
    progress.arrive('two', arriving(14));
    progress.arrive('two', arriving(15));
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['one', 'one', 'two']);
  });

  it('that takes less than a second is not worth a word', () => {
    const written: string[] = [];
    for (const progress of [
      lineProgress((text) => written.push(text)),
      barProgress(
        (text) => written.push(text),
        () => 80,
      ),
    ]) {
      progress.arrive('rows', arriving(0.5));
      progress.arrive('rows', arriving(0.9, { ended: true }));
    }
    expect(written).toEqual([]);
  });

  it('is a bar on a terminal, which ends by itself', () => {
    const written: string[] = [];
    const progress = barProgress(
      (text) => written.push(text),
      () => 80,
    );
    progress.arrive('rows', arriving(12.5));
    progress.arrive('rows', arriving(12.55));
    progress.arrive('rows', arriving(25, { total: null }));
    progress.arrive('rows', arriving(50, { ended: true }));
    progress.end();
    const clear = '\r\u001b[2K';
    expect(written).toEqual([
      `${clear}${'━'.repeat(6)}${'╌'.repeat(18)} rows 25.0/100.0 MB · 2.00 MB/s · 38 s left`,
      `${clear}${'╌'.repeat(24)} rows 50.0 MB · 2.00 MB/s`,
      `${clear}${'━'.repeat(24)} rows 100.0/100.0 MB · 2.00 MB/s`,
      '\n',
    ]);
  });
});
