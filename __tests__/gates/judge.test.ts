import { describe, expect, it, test } from '@jest/globals';
import { ENGINE_DEFAULT_GATES, ENGINE_METRICS } from '../../src/gates/engine-metrics.js';
import { type How, judge, measure, worst } from '../../src/gates/judge.js';
import { parseGates } from '../../src/gates/parse.js';
import type { Metric } from '../../src/model/benchmark.js';
import type { Gate, Interval, Verdict } from '../../src/model/gate.js';
import type { Counts } from '../../src/model/observation.js';
import { ratioInterval } from '../../src/statistics/intervals.js';

const of = (counts: Counts, name: string): number => counts[name] ?? 0;

const F1: Metric = {
  name: 'f1',
  title: 'tool-call decision (F1)',
  kind: 'f1',
  range: [0, 1],
  better: 'higher',
  terms: (c) => ({ num: 2 * of(c, 'tp'), den: 2 * of(c, 'tp') + of(c, 'fp') + of(c, 'fn') }),
};
const VALID: Metric = {
  name: 'valid',
  title: 'valid tool calls',
  kind: 'rate',
  range: [0, 1],
  better: 'higher',
  terms: (c) => ({ num: of(c, 'ok'), den: of(c, 'all') }),
};
const CALLS: Metric = {
  name: 'calls',
  title: 'responses with tool calls',
  kind: 'count',
  range: [0, Number.POSITIVE_INFINITY],
  better: 'neither',
  value: (c) => ({ value: of(c, 'all'), n: of(c, 'engine.run') }),
};
const RATIO: Metric = {
  name: 'ratio',
  title: 'trigger rate ratio',
  kind: 'ratio',
  range: [0, Number.POSITIVE_INFINITY],
  better: 'neither',
  value: (c) => {
    const n = of(c, 'tp') + of(c, 'fn');
    return { value: n === 0 ? null : (of(c, 'tp') + of(c, 'fp')) / n, n };
  },
  interval: (c, level) => ratioInterval(of(c, 'tp'), of(c, 'fp'), of(c, 'fn'), level),
};
const MEAN: Metric = {
  name: 'likeness',
  title: 'likeness',
  kind: 'mean',
  range: [0, 1],
  better: 'higher',
  // Held in millionths, as sums of fractions would depend on their order.
  terms: (c) => ({ num: of(c, 'millionths') / 1_000_000, den: of(c, 'n') }),
  whyUndefined: (c) => `nobody recorded it on ${of(c, 'engine.run')} samples`,
};
const METRICS = [F1, VALID, CALLS, RATIO, MEAN, ...ENGINE_METRICS];

const PART: How = { decision: 'auto', confidence: 0.95, complete: false, rows: 2000, run: 200 };
const WHOLE: How = { ...PART, complete: true, run: 2000 };

function gateOf(line: string): Gate {
  const { gates, problems } = parseGates(line, 'user', 'thresholds');
  expect(problems).toEqual([]);
  return gates[0] as Gate;
}

function judged(line: string, counts: Counts, how: How) {
  const gate = gateOf(line);
  const metric = METRICS.find(({ name }) => name === gate.metric) as Metric;
  return judge(gate, metric, counts, how);
}

/** A metric that has this value and interval whatever was counted. */
function fixed(value: number | null, interval: readonly [number, number] | null): Metric {
  const ends = (level: number): Interval | null =>
    interval && { level, low: interval[0], high: interval[1], method: 'bootstrap' };
  return {
    name: 'f1',
    title: 'fixed',
    kind: 'coefficient',
    range: [-1, 1],
    better: 'higher',
    value: () => ({ value, n: 10 }),
    interval: (_, level) => ends(level),
  };
}

describe('every row was run: the point decides', () => {
  test.each<[string, Counts, Verdict, boolean, string]>([
    [
      'f1 >= 0.73',
      // 1488 / 1958 = 0.7600; Wilson on 744 of 1214 gives 0.738 to 0.780.
      { tp: 744, fp: 235, fn: 235 },
      'pass',
      false,
      'Tool-call decision (F1) 0.760 over all 2,000 samples is at least 0.73.',
    ],
    [
      // 1800 / 2000 is 90 % to the last digit; Wilson 0.8861 to 0.9124.
      'valid >= 90%',
      { ok: 1800, all: 2000 },
      'pass',
      true,
      'Valid tool calls 1,800 of 2,000 (90 %) over all 2,000 samples is at least 90 %; borderline: the 95 % interval 88.6 to 91.2 % contains 90 %.',
    ],
    [
      'valid > 90%',
      { ok: 1800, all: 2000 },
      'fail',
      true,
      'Valid tool calls 1,800 of 2,000 (90 %) over all 2,000 samples is not above 90 %; borderline: the 95 % interval 88.6 to 91.2 % contains 90 %.',
    ],
    [
      // 89.95 % must not be printed as 90.0 %. Wilson 0.8855 to 0.9119.
      'valid >= 0.9',
      { ok: 1799, all: 2000 },
      'fail',
      true,
      'Valid tool calls 1,799 of 2,000 (89.95 %) over all 2,000 samples is below 90 %; borderline: the 95 % interval 88.6 to 91.2 % contains 90 %.',
    ],
    [
      'f1 >= 0.73',
      // 60 / 150 = 0.4.
      { tp: 30, fp: 40, fn: 50 },
      'fail',
      false,
      'Tool-call decision (F1) 0.400 over all 2,000 samples is below 0.73.',
    ],
    [
      'calls <= 1000',
      { all: 1204 },
      'fail',
      false,
      'Responses with tool calls 1,204 over all 2,000 samples is above 1,000.',
    ],
    [
      // 4,998 of 5,000 is not 100.0 %.
      'valid >= 90%',
      { ok: 4998, all: 5000 },
      'pass',
      false,
      'Valid tool calls 4,998 of 5,000 (99.96 %) over all 2,000 samples is at least 90 %.',
    ],
    [
      'f1 >= 0.73',
      { tp: 900, fp: 0, fn: 0 },
      'pass',
      false,
      'Tool-call decision (F1) 1 over all 2,000 samples is at least 0.73.',
    ],
    // A bound of 0 is a bound.
    [
      'calls <= 0',
      { all: 1 },
      'fail',
      false,
      'Responses with tool calls 1 over all 2,000 samples is above 0.',
    ],
    [
      'calls > 0',
      { all: 0 },
      'fail',
      false,
      'Responses with tool calls 0 over all 2,000 samples is not above 0.',
    ],
    [
      'valid >= 0%',
      { ok: 0, all: 9 },
      'pass',
      false,
      'Valid tool calls 0 of 9 (0 %) over all 2,000 samples is at least 0 %.',
    ],
    [
      'ratio < 1.25',
      // 150 / 100 = 1.5.
      { tp: 100, fp: 50, fn: 0 },
      'fail',
      false,
      'Trigger rate ratio 1.50 over all 2,000 samples is not below 1.25.',
    ],
  ])('%s of %j is %s', (line, counts, verdict, borderline, reason) => {
    const report = judged(line, counts, WHOLE);
    expect(report).toMatchObject({
      gate: line,
      verdict,
      borderline,
      reason,
      decided_by: 'point',
      samples_to_settle: null,
    });
  });

  it.each([
    [9, 10, 'valid >= 90%'],
    [9, 10, 'valid >= 0.9'],
    [73, 100, 'valid >= 73%'],
    [29, 100, 'valid <= 29%'],
    [999, 1000, 'valid >= 99.9%'],
  ])('%i of %i meets %s exactly', (ok, all, line) => {
    expect(judged(line, { ok, all }, WHOLE).verdict).toBe('pass');
  });
});

describe('a part was run: the interval decides', () => {
  test.each<[string, Counts, Verdict, number | null, string]>([
    [
      // Wilson on 97 of 98: 0.9444 to 0.9982.
      'valid >= 90%',
      { ok: 97, all: 98 },
      'pass',
      null,
      'Valid tool calls 97 of 98 (99.0 %) over 200 of 2,000 samples; the whole 95 % interval 94.4 to 99.8 % is at least 90 %.',
    ],
    [
      // Wilson on 170 of 200: 0.7939 to 0.8929.
      'valid >= 90%',
      { ok: 170, all: 200 },
      'fail',
      null,
      'Valid tool calls 170 of 200 (85.0 %) over 200 of 2,000 samples; the whole 95 % interval 79.4 to 89.3 % is below 90 %.',
    ],
    [
      // Wilson on 185 of 200: 0.8800 to 0.9540; 3.8415 x 0.09 / 0.025^2 = 553.2, so 554 samples, 354 more.
      'valid >= 90%',
      { ok: 185, all: 200 },
      'inconclusive',
      354,
      'Valid tool calls 185 of 200 (92.5 %) over 200 of 2,000 samples; 95 % interval 88.0 to 95.4 % contains 90 %; about 360 more samples would settle it.',
    ],
    [
      // 140 / 195 = 0.7179; Wilson on 70 of 125 gives 0.6417 to 0.7834; 6,856 samples would be needed, 1,800 are left.
      'f1 >= 0.73',
      { tp: 70, fp: 30, fn: 25 },
      'inconclusive',
      1800,
      'Tool-call decision (F1) 0.718 over 200 of 2,000 samples; 95 % interval 0.642 to 0.783 contains 0.73; the other 1,800 samples of the data set would settle it.',
    ],
    [
      // The measured value equals the gate: only the rest of the data set can tell.
      'valid >= 90%',
      { ok: 180, all: 200 },
      'inconclusive',
      1800,
      'Valid tool calls 180 of 200 (90 %) over 200 of 2,000 samples; 95 % interval 85.1 to 93.4 % contains 90 %; the other 1,800 samples of the data set would settle it.',
    ],
    [
      // 95 / 95; s^2 = 56 / (100.5 x 95.5), c = 100 / 95: 0.9063 to 1.2226.
      'ratio >= 0.8',
      { tp: 70, fp: 30, fn: 25 },
      'pass',
      null,
      'Trigger rate ratio 1.05 over 200 of 2,000 samples; the whole 95 % interval 0.91 to 1.22 is at least 0.8.',
    ],
    [
      // A count has no interval.
      'calls >= 50',
      { all: 49 },
      'fail',
      null,
      'Responses with tool calls 49 over 200 of 2,000 samples is below 50.',
    ],
    [
      'calls >= 50 @ 95%',
      { all: 51 },
      'pass',
      null,
      'Responses with tool calls 51 over 200 of 2,000 samples is at least 50; it has no interval, so the value itself decides.',
    ],
  ])('%s of %j is %s', (line, counts, verdict, settle, reason) => {
    const report = judged(line, counts, PART);
    expect(report).toMatchObject({
      verdict,
      reason,
      borderline: false,
      samples_to_settle: settle,
      decided_by: line.startsWith('calls') ? 'point' : 'interval',
    });
  });

  it('estimates what would settle it from the proportions measured', () => {
    // b = 0.73 as J is 0.574803: 3.841459 x 0.244404 / 0.014803^2 = 4284.5 triggers, 125 a 200 samples: 6,855.2 samples.
    const how = { ...PART, rows: 100_000 };
    const report = judged('f1 >= 0.73', { tp: 70, fp: 30, fn: 25 }, how);
    expect(report.samples_to_settle).toBe(6656);
    expect(report.reason).toMatch(/ contains 0\.73; about 6,700 more samples would settle it\.$/);
  });

  const touching = [0.5, 0.9] as const;
  const above = [0.9, 0.95] as const;
  test.each<[string, readonly [number, number], Verdict]>([
    ['f1 >= 0.9', above, 'pass'],
    ['f1 > 0.9', above, 'inconclusive'],
    ['f1 < 0.9', above, 'fail'],
    ['f1 <= 0.9', above, 'inconclusive'],
    ['f1 >= 0.9', touching, 'inconclusive'],
    ['f1 > 0.9', touching, 'fail'],
    ['f1 < 0.9', touching, 'inconclusive'],
    ['f1 <= 0.9', touching, 'pass'],
    ['f1 >= 0', [0, 0.2], 'pass'],
    ['f1 > 0', [0, 0.2], 'inconclusive'],
    ['f1 <= 1', [0.9, 1], 'pass'],
    ['f1 >= 1', [0.9, 1], 'inconclusive'],
  ])('%s with the interval %j is %s', (line, interval, verdict) => {
    const metric = fixed((interval[0] + interval[1]) / 2, interval);
    expect(judge(gateOf(line), metric, {}, PART).verdict).toBe(verdict);
  });
});

describe('a mean of values from 0 to 1', () => {
  test.each<[string, Counts, How, object]>([
    [
      // 160.6 / 200 = 0.803; Wilson on 160.6 of 200: 0.7424 to 0.8522.
      'likeness >= 0.7',
      { millionths: 160_600_000, n: 200 },
      PART,
      {
        verdict: 'pass',
        value: expect.closeTo(0.803, 12),
        interval: { low: expect.closeTo(0.7424, 4), high: expect.closeTo(0.8522, 4) },
        reason:
          'Likeness 0.803 over 200 of 2,000 samples; the whole 95 % interval 0.742 to 0.852 is at least 0.7.',
      },
    ],
    [
      'likeness >= 0.9',
      { millionths: 160_600_000, n: 200 },
      PART,
      { verdict: 'fail', samples_to_settle: null },
    ],
    [
      // Wilson's end meets the bound 0.8 at 3.841459 x 0.8 x 0.2 / 0.003^2 = 68,292.6: 68,293 samples, 68,093 more.
      'likeness >= 0.8',
      { millionths: 160_600_000, n: 200 },
      { ...PART, rows: 1_000_000 },
      { verdict: 'inconclusive', samples_to_settle: 68_093 },
    ],
    [
      // Exactly the bound, although 586.18 / 742 is not 0.79 in binary.
      'likeness >= 0.79',
      { millionths: 586_180_000, n: 742 },
      WHOLE,
      { verdict: 'pass', borderline: true },
    ],
    ['likeness > 0.79', { millionths: 586_180_000, n: 742 }, WHOLE, { verdict: 'fail' }],
    [
      'likeness >= 0.79',
      { millionths: 586_179_999, n: 742 },
      WHOLE,
      { verdict: 'fail', reason: expect.stringContaining('Likeness 0.789999999 over') },
    ],
    [
      'likeness >= 1',
      { millionths: 742_000_000, n: 742 },
      WHOLE,
      { verdict: 'pass', reason: expect.stringContaining('Likeness 1 over') },
    ],
    [
      'likeness >= 80%',
      { millionths: 160_600_000, n: 200 },
      WHOLE,
      { verdict: 'pass', reason: expect.stringContaining('Likeness 80.3 % over') },
    ],
    [
      'likeness >= 0.8',
      { 'engine.run': 2000 },
      WHOLE,
      {
        verdict: 'inconclusive',
        decided_by: 'none',
        reason: 'Likeness has no value over all 2,000 samples: nobody recorded it on 2000 samples.',
      },
    ],
  ])('%s of %j', (line, counts, how, expected) => {
    expect(judged(line, counts, how)).toMatchObject(expected);
  });

  it('has the interval of a share with the same mean', () => {
    const interval = (metric: Metric, counts: Counts) => measure(metric, counts, 0.95).interval;
    expect(interval(MEAN, { millionths: 97_000_000, n: 98 })).toEqual(
      interval(VALID, { ok: 97, all: 98 }),
    );
  });
});

describe('who decides', () => {
  const counts = { ok: 185, all: 200 };
  test.each<[string, Partial<How>, 'point' | 'interval', Verdict]>([
    ['valid >= 90%', {}, 'interval', 'inconclusive'],
    ['valid >= 90%', { complete: true, run: 2000 }, 'point', 'pass'],
    ['valid >= 90% @ 95%', { complete: true, run: 2000 }, 'interval', 'inconclusive'],
    ['valid >= 90%', { decision: 'point' }, 'point', 'pass'],
    ['valid >= 90% @ 95%', { decision: 'point' }, 'interval', 'inconclusive'],
    [
      'valid >= 90%',
      { decision: 'interval', complete: true, run: 2000 },
      'interval',
      'inconclusive',
    ],
    // At 50 % z is 0.6745: 0.9139 to 0.9343.
    ['valid >= 90% @ 50%', {}, 'interval', 'pass'],
    ['valid >= 90%', { confidence: 0.5 }, 'interval', 'pass'],
    ['valid >= 90% @ 95%', { confidence: 0.5 }, 'interval', 'inconclusive'],
  ])('%s under %j: %s, %s', (line, how, decidedBy, verdict) => {
    expect(judged(line, counts, { ...PART, ...how })).toMatchObject({
      decided_by: decidedBy,
      verdict,
    });
  });

  it('a forced interval can be too wide for the whole data set', () => {
    // 554 samples would settle it.
    const how: How = { ...PART, decision: 'interval', rows: 500 };
    expect(judged('valid >= 90%', counts, how)).toMatchObject({
      samples_to_settle: null,
      reason:
        'Valid tool calls 185 of 200 (92.5 %) over 200 of 500 samples; 95 % interval 88.0 to 95.4 % contains 90 %; the data set of 500 is too small to settle it.',
    });
    expect(judged('valid >= 90%', counts, { ...how, rows: 554 }).samples_to_settle).toBe(354);
  });

  it('a forced interval never settles when the value equals the gate', () => {
    const report = judged('valid >= 90% @ 95%', { ok: 180, all: 200 }, PART);
    expect(report.samples_to_settle).toBeNull();
    expect(report.reason).toMatch(
      /; the value equals the gate, so no number of samples would settle it\.$/,
    );
  });

  it('the point is borderline on a part too', () => {
    expect(judged('valid >= 90%', counts, { ...PART, decision: 'point' })).toMatchObject({
      verdict: 'pass',
      borderline: true,
      reason:
        'Valid tool calls 185 of 200 (92.5 %) over 200 of 2,000 samples is at least 90 %; borderline: the 95 % interval 88.0 to 95.4 % contains 90 %.',
    });
  });
});

describe('nothing to judge', () => {
  test.each<[string, Counts, How, string]>([
    [
      'valid >= 90%',
      { ok: 0, all: 0 },
      PART,
      'Valid tool calls has no value over 200 of 2,000 samples: there is nothing to divide by.',
    ],
    [
      'f1 >= 0',
      {},
      WHOLE,
      'Tool-call decision (F1) has no value over all 2,000 samples: there is nothing to divide by.',
    ],
    [
      'ratio <= 1.25',
      {},
      { ...PART, run: 0 },
      'Trigger rate ratio has no value: no sample was run.',
    ],
  ])('%s of %j is inconclusive', (line, counts, how, reason) => {
    expect(judged(line, counts, how)).toMatchObject({
      verdict: 'inconclusive',
      value: null,
      decided_by: 'none',
      borderline: false,
      samples_to_settle: null,
      reason,
    });
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, null])(
    'a value of %p never passes',
    (value) => {
      for (const line of ['f1 >= 0', 'f1 > -1', 'f1 <= 1', 'f1 < 1']) {
        for (const how of [PART, WHOLE]) {
          const report = judge(gateOf(line), fixed(value, [0, 1]), {}, how);
          expect(report).toMatchObject({ verdict: 'inconclusive', value: null });
        }
      }
    },
  );

  it('an interval that is not a number does not decide', () => {
    const metric = fixed(0.5, [Number.NaN, Number.NaN]);
    expect(judge(gateOf('f1 >= 0.6'), metric, {}, PART)).toMatchObject({
      verdict: 'fail',
      decided_by: 'point',
      borderline: false,
    });
  });
});

describe('unmeasured_rate', () => {
  const line = ENGINE_DEFAULT_GATES[0] ?? '';

  test.each<[number, number, Verdict, string]>([
    [0, 200, 'pass', 'Request errors 0 of 200 (0 %) over 200 of 2,000 samples is at most 1 %.'],
    [2, 200, 'pass', 'Request errors 2 of 200 (1 %) over 200 of 2,000 samples is at most 1 %.'],
    [
      41,
      200,
      'error',
      'Request errors 41 of 200 (20.5 %) over 200 of 2,000 samples is above 1 %, so this run could not measure the endpoint.',
    ],
    [
      21,
      2000,
      'error',
      'Request errors 21 of 2,000 (1.1 %) over all 2,000 samples is above 1 %, so this run could not measure the endpoint.',
    ],
  ])('%i of %i is %s', (unmeasured, run, verdict, reason) => {
    const counts = { 'engine.run': run, 'engine.unmeasured': unmeasured };
    const how = { ...PART, run, complete: run === 2000 };
    expect(judged(line, counts, how)).toMatchObject({
      verdict,
      reason,
      decided_by: 'point',
      borderline: false,
      samples_to_settle: null,
    });
  });

  it.each([`${line} @ 95%`, line])('%s is decided by the point whatever is asked', (asked) => {
    const counts = { 'engine.run': 200, 'engine.unmeasured': 2 };
    const how: How = { ...PART, decision: 'interval' };
    expect(judged(asked, counts, how)).toMatchObject({ verdict: 'pass', decided_by: 'point' });
  });

  test.each<[string, boolean, Verdict]>([
    ['lost <= 5%', false, 'error'],
    ['lost <= 5% @ 95%', false, 'error'],
    ['lost <= 5%', true, 'error'],
    ['lost <= 50%', true, 'pass'],
  ])('a metric of a benchmark that says the same, %s, whole %s: %s', (asked, complete, verdict) => {
    const metric: Metric = { ...VALID, name: 'lost', better: 'lower', measuresTheRun: true };
    const how: How = { ...PART, complete, run: 200 };
    const report = judge(gateOf(asked), metric, { ok: 40, all: 200 }, how);
    expect(report).toMatchObject({ verdict, decided_by: 'point', borderline: false });
    expect(judge(gateOf(asked), metric, {}, { ...how, run: 0 }).verdict).toBe('error');
  });

  it('as a warning says what was measured and draws no conclusion', () => {
    const counts = { 'engine.run': 200, 'engine.unmeasured': 3 };
    expect(judged(`${line} warn`, counts, PART).reason).toBe(
      'Request errors 3 of 200 (1.5 %) over 200 of 2,000 samples is above 1 %.',
    );
  });

  it('is an error when nothing was run', () => {
    expect(judged(line, {}, { ...PART, run: 0 })).toMatchObject({
      verdict: 'error',
      value: null,
      decided_by: 'none',
      reason: 'No sample was run, so nothing was measured.',
    });
  });
});

it('a warning gate keeps its own verdict', () => {
  const report = judged('valid >= 95% warn', { ok: 93, all: 100 }, WHOLE);
  expect(report).toMatchObject({ verdict: 'fail', warn: true, gate: 'valid >= 95% warn' });
});

it('a gate report carries the gate', () => {
  expect(judged('k2_verifier.valid >= 95%', { ok: 96, all: 100 }, WHOLE)).toEqual({
    gate: 'k2_verifier.valid >= 95%',
    metric: 'valid',
    operator: '>=',
    bound: 0.95,
    percent: true,
    warn: false,
    origin: 'user',
    verdict: 'pass',
    value: 0.96,
    decided_by: 'point',
    interval: {
      // Wilson on 96 of 100.
      level: 0.95,
      low: expect.closeTo(0.9016, 4),
      high: expect.closeTo(0.9843, 4),
      method: 'wilson',
    },
    reason:
      'Valid tool calls 96 of 100 (96.0 %) over all 2,000 samples is at least 95 %; borderline: the 95 % interval 90.2 to 98.4 % contains 95 %.',
    borderline: true,
    samples_to_settle: null,
  });
});

describe('the interval a gate was held against', () => {
  const counts = { ok: 96, all: 100, 'engine.run': 100, 'engine.unmeasured': 4 };
  test.each<[string, number, number, number]>([
    ['valid >= 95%', 0.95, 0.9016, 0.9843],
    // At 99 % z is 2.5758, z^2 6.6349: (96 + 3.3174 -+ 2.5758 sqrt(96 x 4 / 100 + 1.6587)) / 106.6349.
    ['valid >= 95% @ 99%', 0.99, 0.8747, 0.988],
    // The point decides; the interval is shown all the same.
    ['unmeasured_rate <= 5%', 0.95, 0.0157, 0.0984],
  ])('%s', (line, level, low, high) => {
    for (const how of [PART, WHOLE]) {
      const { interval } = judged(line, counts, how);
      expect(interval?.level).toBe(level);
      expect(interval?.low).toBeCloseTo(low, 4);
      expect(interval?.high).toBeCloseTo(high, 4);
    }
  });

  test.each(['calls >= 1', 'calls >= 1 @ 99%', 'ratio >= 0.8'])('%s has none', (line) => {
    expect(judged(line, { all: 5 }, WHOLE).interval).toBeNull();
  });
});

describe('measure', () => {
  test.each<[string, Metric, Counts, number | null, number, [number, number] | null]>([
    ['a rate', VALID, { ok: 97, all: 98 }, 97 / 98, 98, [0.944445, 0.998196]],
    ['an F1', F1, { tp: 76, fp: 24, fn: 24 }, 0.76, 124, [0.688532, 0.819371]],
    ['an F1 of unequal errors', F1, { tp: 3, fp: 0, fn: 10 }, 0.375, 13, [0.151221, 0.668942]],
    ['a ratio', RATIO, { tp: 3, fp: 0, fn: 10 }, 3 / 13, 13, [0.089634, 0.594129]],
    ['a count', CALLS, { all: 12, 'engine.run': 200 }, 12, 200, null],
    ['an undefined rate', VALID, {}, null, 0, null],
    ['an undefined F1', F1, { tn: 7 }, null, 0, null],
    ['an undefined ratio', RATIO, { fp: 7 }, null, 0, null],
    ['what is not a number', fixed(Number.NaN, [0, 1]), {}, null, 10, null],
  ])('%s', (_, metric, counts, value, n, ends) => {
    const measured = measure(metric, counts, 0.95);
    expect(measured).toMatchObject({ value, n });
    expect('interval' in measured).toBe(ends !== null);
    if (ends !== null) {
      expect(measured.interval?.level).toBe(0.95);
      expect(measured.interval?.low).toBeCloseTo(ends[0], 5);
      expect(measured.interval?.high).toBeCloseTo(ends[1], 5);
    }
  });
});

describe('worst', () => {
  test.each<[Verdict[], Verdict]>([
    [[], 'error'],
    [['pass'], 'pass'],
    [['pass', 'inconclusive'], 'inconclusive'],
    [['inconclusive', 'fail', 'pass'], 'fail'],
    [['fail', 'error', 'pass'], 'error'],
  ])('of %j is %s', (verdicts, expected) => {
    expect(worst(verdicts)).toBe(expected);
  });
});
