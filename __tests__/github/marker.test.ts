import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import {
  digestOfGates,
  encodeReportId,
  formatMarker,
  isNewer,
  type Marker,
  parseMarker,
  replaceMarker,
} from '../../src/github/marker.js';

const marker: Marker = {
  reportId: 'nightly kimi/k2',
  runId: 9876543210,
  attempt: 2,
  headSha: 'ec26c3e57ca3a959ca5aad62de7213c562f8c821',
  verdict: 'fail',
  failedGates: [],
};
// The first sixteen digits of SHA-256 of nothing.
const NONE = 'e3b0c44298fc1c14';
const TEXT = `<!-- vendor-gate id=nightly%20kimi%2Fk2 run=9876543210 attempt=2 sha=ec26c3e57ca3a959ca5aad62de7213c562f8c821 verdict=fail gates=${NONE} -->`;

it('is one readable line', () => {
  expect(formatMarker(marker)).toBe(TEXT);
});

it('says what is not known by leaving it empty', () => {
  const unknown = formatMarker({ ...marker, runId: null, headSha: null });
  expect(unknown).toContain(' run=0 attempt=2 sha= verdict');
  expect(parseMarker(unknown)).toMatchObject({ runId: null });
});

it('is read back', () => {
  expect(parseMarker(`${TEXT}\n**❌ Vendor Gate**`)).toEqual({
    id: 'nightly%20kimi%2Fk2',
    runId: 9876543210,
    attempt: 2,
    verdict: 'fail',
    gates: NONE,
  });
});

test.each([
  ['not at the start', `x ${TEXT}`],
  ['in a code block of the vendor', `**Fail**\n\n\`\`\`\n${TEXT}\n\`\`\``],
  ['of something else', '<!-- other-action id=x -->'],
  ['without an id', '<!-- vendor-gate run=1 -->'],
  ['not closed', '<!-- vendor-gate id=x run=1'],
  ['empty body', ''],
])('does not count: %s', (_, body) => {
  expect(parseMarker(body)).toBeNull();
});

it('may have keys of a later version, and may lack all but the id', () => {
  expect(parseMarker('<!-- vendor-gate id=x new=1 -->')).toEqual({
    id: 'x',
    runId: null,
    attempt: 1,
    verdict: null,
    gates: '',
  });
});

it('ignores values that cannot be', () => {
  expect(parseMarker('<!-- vendor-gate id=x run=-5 attempt=1e9 verdict=great -->')).toMatchObject({
    runId: null,
    attempt: 1,
    verdict: null,
  });
});

describe('hostile report-ids', () => {
  test.each([
    ['-->', '--%3E'],
    ['--!>\n# heading', '--!%3E%0A%23%20heading'],
    ['a run=1 verdict=pass', 'a%20run%3D1%20verdict%3Dpass'],
    ['@everyone', '%40everyone'],
    ['日本', '%E6%97%A5%E6%9C%AC'],
    ['\ud800', '%EF%BF%BD'],
    ['', ''],
  ])('%j', (reportId, encoded) => {
    expect(encodeReportId(reportId)).toBe(encoded);
    expect(parseMarker(formatMarker({ ...marker, reportId }))).toMatchObject({
      id: encoded,
      runId: 9876543210,
    });
  });

  it('becomes a digest when it is long', () => {
    expect(encodeReportId('x'.repeat(200))).toBe('x'.repeat(200));
    expect(encodeReportId('x'.repeat(201))).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('never ends the HTML comment, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (reportId, headSha) => {
        const text = formatMarker({ ...marker, reportId, headSha });
        expect(text.indexOf('>')).toBe(text.length - 1);
        expect(parseMarker(text)?.id).toBe(encodeReportId(reportId));
      }),
    );
  });
});

test.each([
  [{ runId: 2, attempt: 1 }, { runId: 1, attempt: 9 }, true],
  [{ runId: 1, attempt: 2 }, { runId: 1, attempt: 1 }, true],
  [{ runId: 1, attempt: 1 }, { runId: 1, attempt: 1 }, false],
  [{ runId: 1, attempt: 9 }, { runId: 2, attempt: 1 }, false],
  [{ runId: 10, attempt: 1 }, { runId: 9, attempt: 1 }, true],
  [{ runId: null, attempt: 2 }, { runId: 1, attempt: 1 }, false],
  [{ runId: 5, attempt: 2 }, { runId: null, attempt: 1 }, false],
])('%j newer than %j: %s', (one, other, newer) => {
  expect(isNewer(one, other)).toBe(newer);
});

it('has one digest for the same gates in any order', () => {
  expect(digestOfGates(['a >= 1', 'b <= 2'])).toBe(digestOfGates(['b <= 2', 'a >= 1']));
  expect(digestOfGates(['a >= 1'])).not.toBe(digestOfGates(['a >= 2']));
  expect(digestOfGates([])).toBe(NONE);
});

it('is replaced without touching the rest, `$` included', () => {
  expect(replaceMarker(`${TEXT}\n$& costs $1`, '<!-- vendor-gate id=$& -->')).toBe(
    '<!-- vendor-gate id=$& -->\n$& costs $1',
  );
});
