import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { annotationsOf } from '../../src/report/annotations.js';
import { renderComment } from '../../src/report/comment.js';
import { COMMENT_BYTES, SUMMARY_BYTES, utf8Bytes } from '../../src/report/fit.js';
import type { Links } from '../../src/report/links.js';
import { outputsOf } from '../../src/report/outputs.js';
import { renderSkipped } from '../../src/report/skipped.js';
import { renderSummary } from '../../src/report/summary.js';
import { renderTerminal } from '../../src/report/terminal.js';
import { difference, matchGolden } from '../support/golden.js';
import { CASES } from '../support/report-cases.js';

const GOLDEN = join('__tests__', 'report', 'golden');
const MARKER =
  '<!-- vendor-gate id=kimi-staging run=4242 attempt=1 sha=0ddba11 verdict=x gates=y -->';
const LINKS: Links = {
  run: 'https://github.com/acme/serving/actions/runs/4242',
  report: 'vendor-gate-output/report.json',
  docs: 'https://github.com/acme/vendor-gate/blob/v0/docs',
};

describe.each(Object.keys(CASES))('%s', (name) => {
  const report = CASES[name]?.();
  if (report === undefined) throw new Error(`no case ${name}`);

  test('summary', () => {
    const text = renderSummary(report, { maxBytes: SUMMARY_BYTES, links: LINKS });
    matchGolden(join(GOLDEN, `${name}.summary.md`), text);
  });

  test('comment', () => {
    const opts = { maxBytes: COMMENT_BYTES, marker: MARKER, links: LINKS };
    const text = renderComment(report, opts);
    expect(text.startsWith(`${MARKER}\n`)).toBe(true);
    expect(utf8Bytes(text)).toBeLessThanOrEqual(COMMENT_BYTES);
    matchGolden(join(GOLDEN, `${name}.comment.md`), text);
  });

  test('terminal', () => {
    const text = renderTerminal(report, { color: false, width: 100 });
    matchGolden(join(GOLDEN, `${name}.terminal.txt`), text);
  });

  test('annotations and outputs', () => {
    const text = JSON.stringify(
      { annotations: annotationsOf(report), outputs: outputsOf(report) },
      null,
      2,
    );
    matchGolden(join(GOLDEN, `${name}.workflow.txt`), `${text}\n`);
  });
});

test.each(['fork', 'dependabot', 'unset'] as const)('skipped: %s', (cause) => {
  const skipped = {
    cause,
    endpoint: 'https://kimi-staging.example.com/v1',
    model: 'kimi-k2-thinking',
  };
  const text = renderSkipped(skipped, { marker: MARKER, links: LINKS });
  matchGolden(join(GOLDEN, `skipped-${cause}.comment.md`), text);
});

test('a golden mismatch shows the lines that differ', () => {
  expect(difference('a\nb\nc\nd', 'a\nb\nX\nd')).toBe('  a\n  b\n- c\n+ X');
});
