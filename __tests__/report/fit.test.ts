import { describe, expect, test } from '@jest/globals';
import type { BenchmarkReport, GateReport, RunReport } from '../../src/model/report.js';
import { renderComment } from '../../src/report/comment.js';
import { COMMENT_BYTES, cut, SUMMARY_BYTES, utf8Bytes } from '../../src/report/fit.js';
import type { Links } from '../../src/report/links.js';
import { renderSummary } from '../../src/report/summary.js';
import { untrusted } from '../../src/text/untrusted.js';
import { hostileReport } from '../support/hostile-report.js';
import { CASES } from '../support/report-cases.js';
import { benchmarkReport, reportOf, runReport } from '../support/reports.js';

const LINKS: Links = {
  run: 'https://github.com/a/b/actions/runs/1',
  report: 'out/report.json',
  docs: null,
};
const MARKER = '<!-- vendor-gate id=x run=1 attempt=1 sha= verdict=fail gates= -->';

const summary = (report: RunReport, maxBytes = SUMMARY_BYTES): string =>
  renderSummary(report, { maxBytes, links: LINKS });
const comment = (report: RunReport, maxBytes = COMMENT_BYTES): string =>
  renderComment(report, { maxBytes, marker: MARKER, links: LINKS });

/** A failing run with `n` more gates that hold, `m` more that do not, and texts of `chars` characters. */
function giant({ holding = 0, failing = 0, chars = 10, benchmarks = 1 }): RunReport {
  const base = CASES['fail-schema']?.().benchmarks[0];
  if (base === undefined) throw new Error('no case');
  const [failed] = base.gates.filter((gate) => gate.verdict === 'fail');
  const [held] = base.gates.filter((gate) => gate.verdict === 'pass');
  if (failed === undefined || held === undefined) throw new Error('no gates');
  const many = (gate: GateReport, n: number): GateReport[] =>
    Array.from({ length: n }, (_, i) => ({
      ...gate,
      metric: `metric_${gate.verdict}_${i}_${'字'.repeat(40)}`,
    }));
  const text = untrusted('漢'.repeat(chars));
  const benchmark: BenchmarkReport = {
    ...base,
    gates: [...base.gates, ...many(held, holding), ...many(failed, failing)],
    examples: base.examples.map((each) => ({
      ...each,
      prompt: text,
      official: text,
      vendor: text,
    })),
  };
  return reportOf(Array.from({ length: benchmarks }, () => benchmark));
}

describe('stages', () => {
  test('a report that fits is whole and says nothing about leaving out', () => {
    const text = summary(giant({}));
    expect(text).not.toContain('Left out');
    expect(text).toContain('### Data and settings');
  });

  test('first the gates that hold go', () => {
    const text = comment(giant({ holding: 1000 }));
    expect(utf8Bytes(text)).toBeLessThanOrEqual(COMMENT_BYTES);
    expect(text).toContain('valid tool calls ≥\u00a090\u00a0% | 871/998');
    expect(text).not.toContain('metric_pass_');
    // 1,000 made here and the three rows of the run itself.
    expect(text).toContain(
      '*Left out to fit 63.5\u00a0KiB: 1,003 gates that hold. The whole report is in `out/report.json`.*',
    );
    expect(text).toContain('<details>');
  });

  test('then samples', () => {
    // Three samples of three texts of 1,200 characters of 3 bytes are 32 KB.
    const text = comment(giant({ chars: 5000 }), 20_000);
    expect(utf8Bytes(text)).toBeLessThanOrEqual(20_000);
    expect(text).toContain('some samples and the ends of long ones');
    expect(text.match(/<details>/g)).toHaveLength(2);
    const less = comment(giant({ chars: 5000 }), 4000);
    expect(less).toContain('all samples');
    expect(less).not.toContain('<details>');
  });

  test('then sections of the summary', () => {
    const text = summary(giant({ chars: 5000 }), 3000);
    expect(text).toContain('the tables of failures, decisions, latency and settings');
    expect(text).not.toContain('### What failed');
    expect(text).toContain('❌ fail');
  });

  test('then all but the worst gates', () => {
    const text = comment(giant({ failing: 1000 }));
    expect(utf8Bytes(text)).toBeLessThanOrEqual(COMMENT_BYTES);
    expect(text).toMatch(/9\d\d gates that do not hold/);
    expect(text.match(/❌ fail/g)?.length).toBe(50);
  });

  test('many benchmarks', () => {
    const text = comment(giant({ benchmarks: 200 }));
    expect(utf8Bytes(text)).toBeLessThanOrEqual(COMMENT_BYTES);
    expect(text).toContain('the tables of 180 benchmarks');
  });
});

describe('limits', () => {
  test.each(
    Object.entries({
      'many gates': giant({ holding: 1000, failing: 1000 }),
      'many benchmarks': giant({ benchmarks: 40 }),
      'long texts': giant({ chars: 3_000_000 }),
      hostile: hostileReport(),
      'long names': runReport(
        { tp: 600, fp: 100, fn: 379, tn: 921 },
        {
          report_id: 'r'.repeat(1_000_000),
          endpoint: {
            url: `https://h/${'u'.repeat(2_000_000)}`,
            model: '模'.repeat(2_000_000),
            served: [],
          },
        },
      ),
      'many notes': runReport(
        { tp: 600, fp: 100, fn: 379, tn: 921 },
        {
          notes: Array.from({ length: 100_000 }, (_, i) => `note ${i}`),
          settings: { big: 's'.repeat(3_000_000) },
        },
      ),
    }),
  )('%s: every budget is kept, the marker never lost', (_name, report) => {
    for (const budget of [300, 1000, 5000, 20_000, COMMENT_BYTES, 10 * COMMENT_BYTES]) {
      const text = comment(report, budget);
      expect(utf8Bytes(text)).toBeLessThanOrEqual(Math.min(budget, COMMENT_BYTES));
      expect(text.length).toBeLessThanOrEqual(65_536);
      expect(text.split('\n')[0]).toBe(MARKER);
      expect(balance(text)).toEqual({ fence: null, details: 0, headless: 0 });
    }
    for (const budget of [300, 5000, 100_000, SUMMARY_BYTES, 10 * SUMMARY_BYTES]) {
      const text = summary(report, budget);
      expect(utf8Bytes(text)).toBeLessThanOrEqual(Math.min(budget, SUMMARY_BYTES));
      expect(balance(text)).toEqual({ fence: null, details: 0, headless: 0 });
    }
  });

  test('a budget below the marker still gives the marker', () => {
    expect(comment(giant({}), 10)).toBe(`${MARKER}\n`);
  });

  test('several benchmarks one by one', () => {
    const one = benchmarkReport({ tp: 600, fp: 100, fn: 379, tn: 921 });
    expect(comment(reportOf([one, one]))).toContain('2 of 2 benchmarks');
  });
});

describe('cut', () => {
  const notice = '*cut*';
  const text = [
    'marker',
    '',
    '| a | b |',
    '|:--|--:|',
    '| 1 | 2 |',
    '| 3 | 4 |',
    '',
    '<details><summary>x</summary>',
    '',
    '````text',
    '```',
    '<details>',
    '````',
    '',
    '</details>',
    '',
    'the end',
    '',
  ].join('\n');

  test('at every length the rest is well formed and ends with the notice', () => {
    for (let max = 0; max <= utf8Bytes(text) + 20; max += 1) {
      const short = cut(text, max, notice);
      expect(short.split('\n')[0]).toBe('marker');
      expect(balance(short)).toEqual({ fence: null, details: 0, headless: 0 });
      if (max >= 16) expect(utf8Bytes(short)).toBeLessThanOrEqual(max);
      if (max >= 16) expect(short.endsWith(`\n${notice}\n`)).toBe(true);
    }
  });

  test('a fence that is open is closed with its own length', () => {
    // Up to and with the line '```' inside the fence of four.
    const upTo = text.indexOf('<details>\n````');
    const short = cut(
      text,
      upTo + utf8Bytes(`\n\n${notice}\n`) + '````\n\n</details>\n'.length,
      notice,
    );
    expect(short).toBe(`${text.slice(0, upTo)}\`\`\`\`\n\n</details>\n\n${notice}\n`);
  });
});

/** Open fences and <details> at the end, and table headers without a delimiter row. */
function balance(text: string): { fence: string | null; details: number; headless: number } {
  let fence: string | null = null;
  let details = 0;
  let headless = 0;
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const mark = /^(`{3,}|~{3,})(.*)$/.exec(line);
    if (fence !== null) {
      if (mark?.[1]?.startsWith(fence) && mark[2] === '') fence = null;
      continue;
    }
    if (mark?.[1] !== undefined) fence = mark[1];
    if (line.startsWith('<details>')) details += 1;
    if (line === '</details>') details -= 1;
    const starts = line.startsWith('|') && !lines[index - 1]?.startsWith('|');
    if (starts && !/^\|[:|-]+\|$/.test(lines[index + 1] ?? '')) headless += 1;
  }
  return { fence, details, headless };
}
