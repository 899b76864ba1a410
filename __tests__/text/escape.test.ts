import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import { marked, type Token, type Tokens } from 'marked';
import {
  forCodeBlock,
  forCodeSpan,
  forLog,
  forTableCell,
  forTerminal,
  forText,
} from '../../src/text/escape.js';
import { untrusted } from '../../src/text/untrusted.js';

const ESC = '\u001b';
const WIDE = 1_000_000;

/** What vendors, or those who write through them, may send. */
const HOSTILE = [
  '::error file=a.js::you are hacked',
  '  ::add-mask::secret',
  '\u00a0\u3000::stop-commands::x',
  'fine\n::set-output name=a::b',
  'fine\r::warning::b',
  'see ##[error]here ##[group]',
  `${ESC}[31mred${ESC}[0m ${ESC}]8;;http://evil.example${ESC}\\link${ESC}]8;;${ESC}\\`,
  '\u009b31m c1',
  'bell\u0007 back\u0008space nul\u0000 del\u007f',
  'abc\u202edcba\u202c \u2066x\u2069 \u200e\u200f\u061c',
  'zero\u200bwidth\u200djoin\ufeffbom\u2060',
  'tag\u{e0041}\u{e007f} lone\ud800 pair\u{1f600} \udc00',
  'line\u2028sep\u2029par\u0085nel',
  '@octocat @org/team-a (@a) x@y.org mailto:a@b.co',
  'fixes #12, GH-34, gh-5, owner/repo#7, GHSA-abcd-efgh-ijkl, owner@0123456789abcdef0123456789abcdef01234567',
  'commit 0123abcd and 0123456789abcdef0123456789abcdef01234567',
  'https://evil.example/x?y=1 http://a.b www.evil.example ftp://x.y HTTPS://UP.example',
  '<https://evil.example> <a@b.example> <script>alert(1)</script> <!-- c --> <?php ?> <![CDATA[x]]>',
  '<img src=https://evil.example/beacon.png> &lt;b&gt; &#64;octocat &amp;',
  '![x](https://evil.example/p.png) [y](https://evil.example) [z][1]\n\n[1]: https://evil.example',
  '[^1]\n\n[^1]: note',
  '*a* **b** _c_ __d__ ~~e~~ `f` ``g`` ***',
  '# heading\n## two\nsetext\n===\n---',
  '- item\n* item\n+ item\n1. one\n2) two\n- [ ] task',
  '1. one',
  '12) two',
  '+ plus',
  '= equal',
  '-',
  '> quote\n> [!WARNING]',
  '    indented code',
  '\ttabbed',
  '```js\ncode\n```\n~~~\nx\n~~~',
  '`````` six ``` three ` one',
  '`',
  '``',
  '` a `',
  '\\`a\\`',
  '| a | b |\n|---|---|\n| c | d |',
  'a | b \\| c \\\\| d ||| \\',
  '</td></tr></table></details>\n\n# out',
  '$x$ $$y$$ $`z`$ costs $5 and $6 `$q`',
  ':octocat: :+1: 12:30:45 a::b',
  '\\*a\\* \\<b> \\',
  'trailing  ',
  '',
  ' ',
  '\n\n\n',
  'ünï 中文 😀 é̂',
].map((text): [string] => [text]);

const hidden = new RegExp(
  '[\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\xad\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\u{e0000}-\\u{e007f}]' +
    '|\\p{Surrogate}',
  'u',
);

/** All tokens of a document, nested ones included. */
function tokensOf(markdown: string): Token[] {
  const found: Token[] = [];
  void marked.walkTokens(marked.lexer(markdown, { gfm: true }), (token) => {
    found.push(token);
  });
  return found;
}

const typesOf = (markdown: string) => new Set(tokensOf(markdown).map((token) => token.type));

function decode(html: string): string {
  return html
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

/** The text outside code in which GitHub looks for mentions, references and the rest. */
function textNodes(markdown: string): string {
  const html = marked.parse(markdown, { gfm: true, async: false });
  return decode(html.replace(/<(code)[^>]*>[\s\S]*?<\/\1>/g, '').replace(/<[^>]*>/g, '\0'));
}

const FILTERED: readonly [string, RegExp][] = [
  ['mention', /(?:^|[^a-z0-9_])@[a-z0-9]/i],
  ['mail address', /[a-z0-9]@[a-z0-9]/i],
  ['issue', /#\d/],
  ['GH reference', /\bgh(?:sa)?-\w/i],
  ['commit', /\b(?=\d*[a-f])[0-9a-f]{7,40}\b/i],
  ['URL', /:\/\/|www\./i],
  ['mathematics', /\$/],
  ['emoji', /:[\w+-]+:/],
];

/** What a paragraph, cell or list item of plain words may consist of. */
const PLAIN = new Set(['paragraph', 'text', 'escape', 'space']);

describe('forLog', () => {
  test.each(HOSTILE)('%j starts no command and hides nothing', (text) => {
    const line = forLog(untrusted(text), WIDE);
    expect(line).not.toMatch(/^\s*::/);
    expect(line).not.toContain('##[');
    expect(line).not.toMatch(/[\r\n]/);
    expect(line).not.toMatch(hidden);
  });

  test.each([
    ['::error::x', '\\::error::x'],
    ['a\n::error::x', 'a ⏎ ::error::x'],
    ['std::string', 'std::string'],
    ['x ##[error]y', 'x ##\\[error]y'],
    [`${ESC}[31mred`, '\\u{1b}[31mred'],
    ['a\r\nb\rc', 'a ⏎ b\\u{d}c'],
    ['a\u202eb', 'a\\u{202e}b'],
    ['kept \ufffd and 😀', 'kept \ufffd and 😀'],
  ])('%j becomes %j', (text, line) => {
    expect(forLog(untrusted(text))).toBe(line);
  });
});

describe('forTerminal', () => {
  test.each(HOSTILE)('%j holds nothing a terminal obeys', (text) => {
    const line = forTerminal(untrusted(text), WIDE);
    expect(line).not.toMatch(hidden);
    expect(line).not.toMatch(/[\r\n\t]/);
  });

  it('leaves ordinary text alone', () => {
    expect(forTerminal(untrusted('Wetter in 東京: 21 °C 😀'))).toBe('Wetter in 東京: 21 °C 😀');
  });
});

describe('forText', () => {
  test.each(HOSTILE)('%j is one paragraph of plain words', (text) => {
    const out = forText(untrusted(text), WIDE);
    expect(out).not.toMatch(/[\r\n]/);
    expect(out).not.toMatch(hidden);
    for (const type of typesOf(out)) expect(PLAIN).toContain(type);
    for (const type of typesOf(`Vendor said: ${out}.`)) expect(PLAIN).toContain(type);
    for (const [what, filter] of FILTERED)
      expect([what, textNodes(out).match(filter)]).toEqual([what, null]);
  });

  test.each([
    ['a *b* <c>', 'a \\*b\\* &lt;c&gt;'],
    ['@octocat', '@&#8203;octocat'],
    ['see #12', 'see \\#&#8203;12'],
    ['1. one', '1\\. one'],
    ['- x', '\\- x'],
    ['https://a.b', 'https:&#8203;//a.b'],
    ['$5', '＄5'],
    ['a|b', 'a&#124;b'],
    ['a\u202eb', 'a\\\\u{202e}b'],
    ['commit 0123abcd', 'commit 0123ab&#8203;cd'],
    ['A1234567,', 'A12345&#8203;67,'],
    ['from 0 to 1000000000', 'from 0 to 1000000000'],
    [`SHA-256 ${'a1'.repeat(32)}`, `SHA-256 ${'a1'.repeat(32)}`],
    ['unfaced0123abcdz', 'unfaced0123abcdz'],
    ['two\nlines', 'two ⏎ lines'],
  ])('%j becomes %j', (text, out) => {
    expect(forText(untrusted(text), WIDE)).toBe(out);
  });

  it('renders as the text itself', () => {
    const text = 'a *b* _c_ [d](e) <f> & "g" `h` ~i~ 1. #x \\ end';
    const shown = textNodes(forText(untrusted(text), WIDE))
      .replaceAll('\0', '')
      .replaceAll('\u200b', '');
    expect(shown.trim()).toBe(text);
  });
});

/** The body rows of the first table of a document, as numbers of cells; null when there is no table. */
function tableOf(markdown: string): { header: number; rows: number[] } | null {
  const table = marked
    .lexer(markdown)
    .find((token): token is Tokens.Table => token.type === 'table');
  return table === undefined
    ? null
    : { header: table.header.length, rows: table.rows.map((row) => row.length) };
}

/** GitHub splits rows before it reads inline syntax: a pipe not behind a backslash ends a cell, code or not. */
const cellsOf = (row: string) => row.split(/(?<!\\)(?:\\\\)*\|/).length;

describe('in tables', () => {
  test.each(HOSTILE)('%j splits no row, as text or as code', (text) => {
    const cell = forTableCell(untrusted(text), WIDE);
    const code = forCodeSpan(untrusted(text), WIDE, 'table');
    const row = `| ${cell} | ${code} | end |`;
    const markdown = `| a | b | c |\n|---|---|---|\n${row}\n| 1 | 2 | 3 |\n`;
    expect(cellsOf(row)).toBe(5);
    expect(tableOf(markdown)).toEqual({ header: 3, rows: [3, 3] });
    for (const type of typesOf(markdown)) {
      expect(['table', 'text', 'escape', 'codespan']).toContain(type);
    }
    for (const [what, filter] of FILTERED) {
      expect([what, textNodes(markdown).match(filter)]).toEqual([what, null]);
    }
  });

  test.each([
    ['a|b', '`a\\|b`'],
    ['a\\|b', '`a\\\\u{7c}b`'],
  ])('code %j is written %j', (text, out) => {
    expect(forCodeSpan(untrusted(text), WIDE, 'table')).toBe(out);
  });
});

describe('forCodeSpan', () => {
  test.each(HOSTILE)('%j is one code span', (text) => {
    const out = forCodeSpan(untrusted(text), WIDE);
    expect(out).not.toMatch(hidden);
    const inline = tokensOf(`x ${out} y`).filter((token) => token.type !== 'paragraph');
    expect(inline.map((token) => token.type)).toEqual(['text', 'codespan', 'text']);
  });

  test.each([
    ['plain', '`plain`'],
    ['a`b', '``a`b``'],
    ['`a`', '`` `a` ``'],
    ['``', '``` `` ```'],
    ['', '` `'],
    ['a\n  b', '`a ⏎ b`'],
    ['<b>&', '`<b>&`'],
    ['a|b', '`a|b`'],
  ])('%j becomes %j', (text, out) => {
    expect(forCodeSpan(untrusted(text), WIDE)).toBe(out);
  });
});

describe('forCodeBlock', () => {
  const SURROUNDINGS: readonly [string, (block: string) => string][] = [
    ['at the left edge', (block) => `before\n${block}\nafter`],
    ['in details', (block) => `<details><summary>s</summary>\n${block}\n</details>`],
    ['in a list', (block) => `- item\n${block.replace(/^(?=.)/gm, '  ')}\n- next`],
    ['after a list item', (block) => `- item\n${block}\n`],
  ];

  test.each(HOSTILE)('%j stays inside its fence', (text) => {
    const block = forCodeBlock(untrusted(text), WIDE);
    expect(block).not.toMatch(hidden);
    for (const [where, surround] of SURROUNDINGS) {
      const types = tokensOf(surround(block)).map((token) => token.type);
      expect([where, types.filter((type) => type === 'code').length]).toEqual([where, 1]);
      const own = tokensOf(surround(forCodeBlock(untrusted('x'), WIDE))).map((token) => token.type);
      expect([where, types]).toEqual([where, own]);
    }
  });

  it('keeps lines and sizes the fence', () => {
    expect(forCodeBlock(untrusted('a\n````\nb\tc'), WIDE)).toBe(
      '\n`````text\na\n````\nb\tc\n`````\n',
    );
  });
});

describe('limits', () => {
  const surfaces = { forLog, forTerminal, forText, forTableCell, forCodeSpan, forCodeBlock };

  test.each(Object.entries(surfaces))('%s says what it cut', (_name, surface) => {
    expect(surface(untrusted('x'.repeat(10)), 10)).not.toContain('…');
    const out = surface(untrusted('x'.repeat(1510)), 10);
    expect(out).toContain('x'.repeat(10));
    expect(out).not.toContain('x'.repeat(11));
    expect(out).toContain('… (+1,500 characters)');
  });

  test.each(Object.entries(surfaces))('%s cuts no surrogate pair', (_name, surface) => {
    const out = surface(untrusted('ab😀😀'), 3);
    expect(out).toContain('ab');
    expect(out).toContain('… (+4 characters)');
    expect(out).not.toContain('\\u{d83d}');
  });
});

it('holds for any mixture of hostile pieces', () => {
  const piece = fc.oneof(
    fc.constantFrom(...HOSTILE.map(([text]) => text)),
    fc.constantFrom(...'`|\\*_~[]()<>!#@$&:=-+.1\n\t '.split(''), '\n\n', '    '),
    fc.string({ unit: 'binary', maxLength: 6 }),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 8 }),
      fc.integer({ min: 1, max: 80 }),
      (pieces, max) => {
        const text = untrusted(pieces.join(''));
        const paragraph = forText(text, max);
        for (const type of typesOf(paragraph)) expect(PLAIN).toContain(type);
        for (const [, filter] of FILTERED) expect(textNodes(paragraph)).not.toMatch(filter);
        const row = `| ${forTableCell(text, max)} | ${forCodeSpan(text, max, 'table')} |`;
        expect(cellsOf(row)).toBe(4);
        expect(tableOf(`| a | b |\n|---|---|\n${row}`)).toEqual({ header: 2, rows: [2] });
        const span = tokensOf(`x ${forCodeSpan(text, max)} y`).map((token) => token.type);
        expect(span).toEqual(['paragraph', 'text', 'codespan', 'text']);
        const block = tokensOf(`a\n${forCodeBlock(text, max)}\nb`).map((token) => token.type);
        expect(block.filter((type) => type !== 'space')).toEqual([
          'paragraph',
          'text',
          'code',
          'paragraph',
          'text',
        ]);
        expect(forLog(text)).not.toMatch(/^\s*::|##\[|[\r\n]/);
        expect(forTerminal(text)).not.toMatch(hidden);
      },
    ),
    { seed: 3, numRuns: 500 },
  );
});
