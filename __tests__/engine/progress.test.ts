import { describe, expect, it, test } from '@jest/globals';
import { barProgress, lineProgress, describe as say } from '../../src/engine/progress.js';

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
