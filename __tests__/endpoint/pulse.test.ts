import { expect, test } from '@jest/globals';
import { type Finding, failed } from '../../src/endpoint/finding.js';
import { Pulse } from '../../src/endpoint/pulse.js';
import type { Cause } from '../../src/model/completion.js';

const of = (cause: Cause): Finding => failed(cause, null, 'x');
const REFUSED: Finding = { kind: 'refused', status: 400, body: '' };

test.each<[string, readonly (readonly [number, Finding])[], number, boolean]>([
  ['nothing was asked', [], 100_000, false],
  ['16 attempts fail over 40 s', spread(16, 'network', 40_000), 40_000, true],
  [
    'mixed failures count together',
    [...spread(8, 'network', 20_000), ...spread(8, 'server_error', 20_000, 20_000)],
    40_000,
    true,
  ],
  ['one attempt fewer', spread(15, 'network', 60_000), 60_000, false],
  ['many at once say little', spread(100, 'network', 5000), 5000, false],
  [
    'a refusal in between is a sign of life',
    [...spread(10, 'network', 30_000), [31_000, REFUSED], ...spread(10, 'network', 9000, 31_000)],
    40_000,
    false,
  ],
  [
    'so is a rate limit',
    [...spread(15, 'timeout', 39_000), [39_500, of('rate_limited')], [40_000, of('timeout')]],
    80_000,
    false,
  ],
])('%s: gone %#', (_, attempts, now, gone) => {
  const pulse = new Pulse();
  for (const [at, finding] of attempts) pulse.after(finding, at);
  expect(pulse.isGone(now)).toBe(gone);
});

test('while an answer is coming nobody is gone', () => {
  const pulse = new Pulse();
  pulse.begins();
  for (const [at, finding] of spread(20, 'server_error', 60_000)) pulse.after(finding, at);
  expect(pulse.isGone(60_000)).toBe(false);
  pulse.ends();
  expect(pulse.isGone(60_000)).toBe(true);
});

/** `n` attempts that fail alike, evenly over `ms` from `start`. */
function spread(n: number, cause: Cause, ms: number, start = 0): (readonly [number, Finding])[] {
  return Array.from({ length: n }, (_, i) => [start + (ms * i) / n, of(cause)] as const);
}
