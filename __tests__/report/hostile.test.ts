import { describe, expect, test } from '@jest/globals';
import { marked } from 'marked';
import { annotationsOf } from '../../src/report/annotations.js';
import { renderComment } from '../../src/report/comment.js';
import { COMMENT_BYTES, SUMMARY_BYTES } from '../../src/report/fit.js';
import { type Links, link } from '../../src/report/links.js';
import { outputsOf } from '../../src/report/outputs.js';
import { renderProblems } from '../../src/report/problems.js';
import { toPlain } from '../../src/report/prose.js';
import { renderSkipped } from '../../src/report/skipped.js';
import { renderSummary } from '../../src/report/summary.js';
import { renderTerminal } from '../../src/report/terminal.js';
import { wordsOf } from '../../src/report/words.js';
import { HOSTILE, hostileReport } from '../support/hostile-report.js';
import { CASES } from '../support/report-cases.js';

const LINKS: Links = { run: 'https://github.com/a/b/actions/runs/1', report: HOSTILE, docs: null };
const MARKER = '<!-- vendor-gate id=mine run=1 attempt=1 sha= verdict=fail gates= -->';
const report = hostileReport();
const skipped = { cause: 'fork', endpoint: HOSTILE, model: HOSTILE } as const;

const MARKDOWN: Readonly<Record<string, string>> = {
  summary: renderSummary(report, { maxBytes: SUMMARY_BYTES, links: LINKS }),
  comment: renderComment(report, { maxBytes: COMMENT_BYTES, marker: MARKER, links: LINKS }),
  'small comment': renderComment(report, { maxBytes: 6000, marker: MARKER, links: LINKS }),
  skipped: renderSkipped(skipped, { marker: MARKER, links: LINKS }),
  problems: renderProblems([{ where: HOSTILE, what: HOSTILE, fix: HOSTILE }]),
};

describe.each(Object.entries(MARKDOWN))('hostile text in %s', (name, markdown) => {
  const html = marked.parse(markdown, { gfm: true, async: false });
  // What Markdown and HTML made of the text; code is shown as it is, and GitHub looks for nothing in it.
  const outsideCode = html.replace(/<(code|pre|a)\b[^>]*>[\s\S]*?<\/\1>/g, '');

  test('has no element that is not ours', () => {
    const tags = new Set([...html.matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map((match) => match[1]));
    const ours =
      'h2 h3 h4 p ul li a code pre table thead tbody tr th td details summary strong em sub blockquote';
    for (const tag of tags) expect(ours.split(' ')).toContain(tag);
  });

  test('has no link but ours, and no image', () => {
    const links = [...html.matchAll(/href="([^"]*)"/g)].map((match) => match[1]);
    for (const href of links) expect(href).toBe(LINKS.run);
    expect(html.match(/<img/g)).toBeNull();
  });

  test('has no mention, reference, bare URL or command in running text', () => {
    expect(outsideCode).not.toMatch(/@[a-z]/i);
    expect(outsideCode).not.toMatch(/#\d|\bGH-\d|[0-9a-f]{7}/i);
    expect(outsideCode).not.toMatch(/https?:\/\/|www\.[a-z]/i);
    expect(outsideCode).not.toMatch(/\$[^$]+\$/);
  });

  test('leaves every details, fence and table whole', () => {
    expect(html.match(/<details>/g)?.length ?? 0).toBe(html.match(/<\/details>/g)?.length ?? 0);
    for (const row of html.match(/<tr>[\s\S]*?<\/tr>/g) ?? []) {
      expect([3, 4, 5]).toContain(row.match(/<t[hd]/g)?.length);
    }
    expect(html.match(/<h[23]/g)?.length).toBe(headings(name));
  });

  test('keeps one comment marker, on the first line', () => {
    const own = name.includes('comment') || name === 'skipped';
    expect(markdown.startsWith(`${MARKER}\n`)).toBe(own);
    expect(html.match(/<!-- vendor-gate/g)?.length ?? 0).toBe(own ? 1 : 0);
  });
});

/** Headings that each surface writes itself. */
function headings(name: string): number {
  // Title, failures, decisions, samples, latency, oddities, notes, data.
  return name === 'summary' ? 8 : 1;
}

test.each([30, 41, 60, 77, 80, 100, 120, 200])(
  'a terminal of %i columns obeys nothing',
  (width) => {
    const text = renderTerminal(report, { color: false, width });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    for (const line of text.split('\n')) {
      expect(line).not.toMatch(/^\s*::/);
      expect(line).not.toContain('##[');
    }
  },
);

test('a line that begins with a command is broken in every width', () => {
  const base = CASES['fail-schema']?.();
  if (base === undefined) throw new Error('no case');
  const words = `${'a '.repeat(40)}::error::x ##[error]y `.repeat(5);
  for (let width = 30; width <= 120; width += 1) {
    const text = renderTerminal({ ...base, notes: [words] }, { color: false, width });
    expect(text).not.toMatch(/^\s*::/m);
    expect(text).not.toContain('##[');
  }
});

test('annotations and the headline are single plain lines', () => {
  for (const { title, message } of annotationsOf(report)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
    expect(`${title}${message}`).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  }
  expect(toPlain(wordsOf(report).headline)).toBe(
    'the model calls tools too rarely and too many tool calls are invalid',
  );
});

test('outputs stay valid JSON on one line', () => {
  const outputs = outputsOf(report);
  for (const value of Object.values(outputs)) expect(value).not.toContain('\n');
  expect(JSON.parse(outputs['failed-gates'])).toHaveLength(3);
  expect(Object.keys(JSON.parse(outputs.metrics))).toHaveLength(1);
});

test.each([
  ['https://github.com/a/b', '[x](https://github.com/a/b)'],
  ['https://h/a(b)c', '[x](https://h/a%28b%29c)'],
  ['javascript:alert(1)', 'x'],
  ['https://h/ <b>', 'x'],
  [null, 'x'],
])('link to %s', (url, text) => {
  expect(link('x', url)).toBe(text);
});
