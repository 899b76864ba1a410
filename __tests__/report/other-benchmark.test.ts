import { describe, expect, test } from '@jest/globals';
import { conclude } from '../../src/engine/conclude.js';
import { Tally } from '../../src/engine/tally.js';
import { effectiveGates } from '../../src/gates/effective.js';
import { parseGates } from '../../src/gates/parse.js';
import type { BenchmarkSpec, Metric } from '../../src/model/benchmark.js';
import type { Observation } from '../../src/model/observation.js';
import type { BenchmarkReport, Confusion, RunReport } from '../../src/model/report.js';
import { renderComment } from '../../src/report/comment.js';
import { NO_LINKS } from '../../src/report/links.js';
import { renderSummary } from '../../src/report/summary.js';
import { renderTerminal } from '../../src/report/terminal.js';
import { untrusted } from '../../src/text/untrusted.js';
import { openedFor, reportOf } from '../support/reports.js';

/* A benchmark that no renderer knows: quiz questions, right or wrong. */

const RIGHT: Metric = {
  name: 'accuracy',
  title: 'right answers',
  kind: 'rate',
  range: [0, 1],
  better: 'higher',
  terms: (counts) => ({ num: counts['right'] ?? 0, den: counts['engine.run'] ?? 0 }),
};
const STEPS: Metric = {
  name: 'mean_steps',
  title: 'steps to an answer',
  kind: 'ratio',
  range: [0, Number.POSITIVE_INFINITY],
  better: 'lower',
  value: (counts) => ({
    value: (counts['steps'] ?? 0) / (counts['engine.run'] ?? 0),
    n: counts['engine.run'] ?? 0,
  }),
};
const QUIZ: BenchmarkSpec = {
  name: 'quiz',
  title: 'Quiz',
  version: '1',
  optionsSchema: true,
  defaultSubset: 'easy',
  subsets: [{ name: 'easy', defaultGates: [], sampling: {}, references: {} }],
  metrics: [RIGHT, STEPS],
  defaultOrder: 'random',
};

function quiz(gates: string, right: number, run: number, confusion: Confusion | null): RunReport {
  const tally = new Tally();
  for (let i = 0; i < run; i += 1) {
    const observation: Observation<unknown> = {
      kind: 'measured',
      payload: null,
      id: `${i}`,
      attempt: 1,
      startedAt: 0,
      durationMs: 1000,
      exchanges: [],
    };
    const wrong = i === run - 1;
    const example = wrong
      ? {
          id: `${i}`,
          kind: 'wrong_answer',
          rank: 1,
          title: 'the answer is wrong',
          prompt: untrusted('user: 2 + 2?'),
          official: untrusted('4'),
          vendor: untrusted('5'),
          detail: untrusted(''),
        }
      : null;
    tally.add(observation, { right: i < right ? 1 : 0, steps: 3 }, example, i);
  }
  const [subset] = QUIZ.subsets;
  if (subset === undefined) throw new Error('a benchmark has a subset');
  const user = parseGates(gates, 'user', 'thresholds').gates;
  const benchmark: BenchmarkReport = conclude({
    spec: QUIZ,
    subset,
    data: openedFor({ rows: 400 }),
    detail: () => ({ confusion, reasons: [], warnings: [] }),
    shard: null,
    tally,
    planned: run,
    gates: effectiveGates(user, [], QUIZ, 'easy'),
    decision: 'auto',
    confidence: 0.95,
    stopped: null,
    early: null,
    prices: { priceIn: null, priceOut: null },
  });
  return reportOf([benchmark]);
}

const GATES = 'accuracy >= 80%\nmean_steps <= 2.5';
const TABLE: Confusion = { tp: 200, fp: 40, fn: 60, tn: 100, fn_unmeasured: 0, tn_unmeasured: 0 };

function surfaces(report: RunReport): string[] {
  return [
    renderSummary(report, { maxBytes: 1e6, links: NO_LINKS }),
    renderComment(report, { maxBytes: 1e6, marker: '<!-- m -->', links: NO_LINKS }),
    renderTerminal(report, { color: false, width: 100 }),
  ].map((text) => text.replaceAll('\u00a0', ' '));
}

describe('a benchmark without words of its own', () => {
  test('a failure: title, figures and gate of each metric', () => {
    for (const text of surfaces(quiz(GATES, 240, 400, null))) {
      // 240 of 400 is 60 %.
      expect(text).toContain('steps to an answer misses its gate');
      expect(text).toContain('Right answers: 240/400 = 60.0 %, gate ≥ 80 %.');
      expect(text).toContain('Steps to an answer: 3.00, gate ≤ 2.50.');
      expect(text).toContain('the answer is wrong');
    }
  });

  test('undecided: the figure and its interval', () => {
    for (const text of surfaces(quiz('accuracy >= 80%', 82, 100, null))) {
      // Wilson on 82 of 100: 0.7333 to 0.8830.
      expect(text.replaceAll('\n', ' ')).toContain(
        'Right answers 82/100 = 82.0 %: the 95 % interval 73.3–88.3 % contains the gate ≥ 80 %',
      );
    }
  });

  test.each([
    ['pass', 380, null],
    ['fail', 240, TABLE],
    ['pass', 380, TABLE],
  ])('a %s with %i right speaks of no tool', (verdict, right, confusion) => {
    const report = quiz('accuracy >= 80%', right, 400, confusion);
    expect(report.verdict).toBe(verdict);
    for (const text of surfaces(report)) expect(text).not.toMatch(/\btools?\b|called|\bcalls?\b/i);
    const [summary = '', , terminal = ''] = surfaces(report);
    expect(summary.includes('### Decisions')).toBe(confusion !== null);
    expect(terminal.includes('vendor yes')).toBe(confusion !== null);
  });
});
