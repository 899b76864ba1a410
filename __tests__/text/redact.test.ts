import { Buffer } from 'node:buffer';
import { describe, expect, it, test } from '@jest/globals';
import { redactor } from '../../src/text/redact.js';

const KEY = 'sk-Abc/12+"x\\y\'<é>';

describe('redactor', () => {
  const redact = redactor([KEY]);

  test.each([
    ['as it is', KEY],
    ['in JSON', JSON.stringify(KEY).slice(1, -1)],
    ['in JSON that escapes slashes', JSON.stringify(KEY).slice(1, -1).replace('/', '\\/')],
    ['in ASCII-only JSON', JSON.stringify(KEY).slice(1, -1).replace('é', '\\u00e9')],
    ['in a URL', encodeURIComponent(KEY)],
    ['in a URL, lower case', encodeURIComponent(KEY).replace(/%../g, (hex) => hex.toLowerCase())],
    ['in a form', new URLSearchParams({ k: KEY }).toString().slice(2)],
    ['in HTML', 'sk-Abc/12+&quot;x\\y&#39;&lt;é&gt;'],
    ['in HTML, quotes kept', 'sk-Abc/12+"x\\y\'&lt;é&gt;'],
  ])('masks the key %s', (_where, form) => {
    expect(redact(`before ${form} after`)).toBe('before *** after');
  });

  test.each(['', 'u', 'us', 'use', 'user:'])('masks it in base64 after %j', (before) => {
    for (const encoding of ['base64', 'base64url'] as const) {
      const encoded = Buffer.from(`${before}${KEY}!`, 'utf8').toString(encoding);
      const out = redact(`Basic ${encoded}`);
      expect(out).toContain('***');
      // At most the characters that mix with a neighbour are left of the encoded key.
      expect(out.length).toBeLessThanOrEqual(
        'Basic ***'.length + Math.ceil((before.length * 8) / 6) + 5,
      );
    }
  });

  it('masks the token of a header value, with and without its scheme', () => {
    const header = redactor(['Bearer abcdef-123']);
    expect(header('got "Bearer abcdef-123", key abcdef-123.')).toBe('got "***", key ***.');
  });

  it('masks the longest first', () => {
    expect(redactor(['abcdef', 'abcdefghi'])('abcdefghi abcdef')).toBe('*** ***');
  });

  it('masks every line of a value with several', () => {
    expect(redactor(['first-line\nsecond-line'])('x second-line y first-line')).toBe('x *** y ***');
  });

  it('reads nothing in a secret as a pattern', () => {
    expect(redactor(['a.c*(+)$'])('abc a.c*(+)$ $&')).toBe('abc *** $&');
  });

  test.each([[['']], [['x']], [['EMPTY']], [['  a  ']], [[]]])(
    'masks nothing for %j',
    (secrets) => {
      const text = 'x EMPTY a *';
      expect(redactor(secrets)(text)).toBe(text);
    },
  );
});
