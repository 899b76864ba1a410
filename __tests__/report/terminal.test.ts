import { describe, expect, test } from '@jest/globals';
import { renderTerminal } from '../../src/report/terminal.js';
import { pad, widthOf, wrap } from '../../src/report/width.js';
import { CASES } from '../support/report-cases.js';

test.each([
  ['', 0],
  ['abc', 3],
  ['上海', 4],
  ['한글', 4],
  ['カナ', 4],
  ['ｱ', 1],
  ['Ａ', 2],
  ['é', 1],
  ['e\u0301', 1],
  ['✓', 1],
  ['≥', 1],
  ['😀', 2],
  ['a\u200db', 2],
])('%s takes %i columns', (text, width) => {
  expect(widthOf(text)).toBe(width);
});

test('pad counts columns, not characters', () => {
  expect(pad('上海', 6)).toBe('上海  ');
  expect(pad('上海', 6, 'right')).toBe('  上海');
  expect(pad('too long', 3)).toBe('too long');
});

test.each<[string, number, string[]]>([
  ['', 10, ['']],
  ['one two three', 7, ['one two', 'three']],
  ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
  // Never half of a wide character: three fit in seven columns.
  ['上海天气预报', 7, ['上海天', '气预报']],
  ['to 上海天气', 6, ['to', '上海天', '气']],
  ['gate ≥\u00a090\u00a0% holds', 10, ['gate', '≥\u00a090\u00a0%', 'holds']],
])('wrap %s at %i', (text, width, lines) => {
  expect(wrap(text, width)).toEqual(lines);
});

describe.each(Object.keys(CASES))('%s', (name) => {
  const report = CASES[name]?.();
  if (report === undefined) throw new Error(`no case ${name}`);

  test.each([20, 30, 45, 60, 80, 100, 160])('no line is wider than %i columns', (width) => {
    const text = renderTerminal(report, { color: false, width });
    for (const line of text.trimEnd().split('\n')) {
      expect(widthOf(line)).toBeLessThanOrEqual(Math.min(120, Math.max(30, width)));
      expect(line).toBe(line.trimEnd());
    }
    expect(text).toMatch(/^(PASS|FAIL|ERROR|INCONCLUSIVE) {2}/);
    expect(text.endsWith('\n') && !text.endsWith('\n\n')).toBe(true);
  });

  test('colour changes nothing but the colour', () => {
    const plain = renderTerminal(report, { color: false, width: 80 });
    const coloured = renderTerminal(report, { color: true, width: 80 });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: our own colour codes
    const codes = /\u001b\[\d+m/g;
    expect(plain).not.toMatch(codes);
    expect(coloured).toMatch(codes);
    expect(coloured.replace(codes, '')).toBe(plain);
  });
});

test('a table that does not fit becomes a list', () => {
  const report = CASES['fail-broken-templates']?.();
  if (report === undefined) throw new Error('no case');
  const text = renderTerminal(report, { color: false, width: 44 });
  expect(text).toContain('trigger rate ratio 0.80–1.25\n');
  expect(text.replace(/\s+/g, ' ')).toContain(
    'measured: 0.23, 95 % interval: 0.08–0.65, official: 1, verdict: ✗ fail',
  );
});

test('a width that is not known gives a readable one', () => {
  const report = CASES['pass-full']?.();
  if (report === undefined) throw new Error('no case');
  const text = renderTerminal(report, { color: false, width: Number.NaN });
  expect(Math.max(...text.split('\n').map(widthOf))).toBeLessThanOrEqual(120);
});
