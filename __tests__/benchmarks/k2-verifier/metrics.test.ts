import { describe, expect, it, test } from '@jest/globals';
import { k2Verifier } from '../../../src/benchmarks/k2-verifier/index.js';
import { METRICS } from '../../../src/benchmarks/k2-verifier/metrics.js';
import { SUBSETS } from '../../../src/benchmarks/k2-verifier/subsets.js';
import { checkGates } from '../../../src/gates/check.js';
import { measure } from '../../../src/gates/measure.js';
import { parseGates } from '../../../src/gates/parse.js';
import type { Counts } from '../../../src/model/observation.js';

function figure(name: string, counts: Counts): number | null {
  const metric = METRICS.find((each) => each.name === name);
  if (metric === undefined) throw new Error(name);
  return measure(metric, counts, 0.95).value;
}

// 40 both, 10 vendor only, 20 official only, 30 neither; 5 of the 20 and 1 of the 30 had no answer, 2 were refused.
const TABLE: Counts = {
  tp: 40,
  fp: 10,
  fn: 20,
  tn: 30,
  fn_unmeasured: 5,
  tn_unmeasured: 1,
  refused: 2,
  finish_tool_calls: 50,
  successful_tool_call: 45,
  calls_without_finish: 3,
  reasoning_only: 4,
  'engine.run': 100,
  'engine.unmeasured': 6,
  'agreement.known': 30,
  'agreement.call_count': 27,
  'agreement.tool_names': 24,
  'agreement.arguments': 12,
  'agreement.argument_tokens': 17_333_333,
};

describe('metrics by hand', () => {
  test.each<[string, number]>([
    ['trigger_similarity', 80 / 110],
    ['trigger_similarity_answered', 80 / 105],
    ['trigger_precision', 40 / 50],
    ['trigger_recall', 40 / 60],
    // agreement .70; by chance .5*.6 + .5*.4 = .50
    ['trigger_kappa', 0.4],
    ['trigger_rate_ratio', 50 / 60],
    ['count_finish_reason_tool_calls', 50],
    ['count_successful_tool_call', 45],
    ['schema_accuracy', 0.9],
    // Of the 40 that both called the official calls are known for 30.
    ['tool_name_agreement', 24 / 30],
    ['call_count_agreement', 27 / 30],
    ['argument_agreement', 12 / 30],
    ['argument_token_f1', 17.333333 / 30],
    ['error_rate', 0.06],
    ['rejected_rate', 0.02],
    // 100 run, 6 without answer, 2 refused
    ['reasoning_only_rate', 4 / 92],
    ['count_calls_without_finish_reason', 3],
  ])('%s is %d', (name, expected) => {
    expect(figure(name, TABLE)).toBeCloseTo(expected, 12);
  });

  it('covers every metric there is', () => {
    expect(METRICS).toHaveLength(17);
  });
});

describe('zero denominators', () => {
  const NONE = null;
  test.each<[string, Counts, Readonly<Record<string, number | null>>]>([
    [
      'nothing run',
      {},
      {
        trigger_similarity: NONE,
        trigger_similarity_answered: NONE,
        trigger_precision: NONE,
        trigger_recall: NONE,
        trigger_kappa: NONE,
        trigger_rate_ratio: NONE,
        schema_accuracy: NONE,
        error_rate: NONE,
        rejected_rate: NONE,
        reasoning_only_rate: NONE,
        count_finish_reason_tool_calls: 0,
        count_successful_tool_call: 0,
      },
    ],
    [
      'nobody triggered',
      { tn: 5, 'engine.run': 5 },
      {
        trigger_similarity: NONE,
        trigger_precision: NONE,
        trigger_recall: NONE,
        trigger_kappa: NONE,
        trigger_rate_ratio: NONE,
        schema_accuracy: NONE,
        error_rate: 0,
        rejected_rate: 0,
      },
    ],
    [
      'only the vendor triggered',
      { fp: 5, finish_tool_calls: 5 },
      {
        trigger_similarity: 0,
        trigger_precision: 0,
        trigger_recall: NONE,
        trigger_kappa: 0,
        trigger_rate_ratio: NONE,
        schema_accuracy: 0,
      },
    ],
    [
      'only the official model triggered',
      { fn: 5 },
      {
        trigger_similarity: 0,
        trigger_precision: NONE,
        trigger_recall: 0,
        trigger_kappa: 0,
        trigger_rate_ratio: 0,
        schema_accuracy: NONE,
      },
    ],
    [
      'both always triggered',
      { tp: 5, finish_tool_calls: 5, successful_tool_call: 5 },
      {
        trigger_similarity: 1,
        trigger_precision: 1,
        trigger_recall: 1,
        trigger_kappa: NONE,
        trigger_rate_ratio: 1,
        schema_accuracy: 1,
      },
    ],
    [
      'no answer at all',
      { fn: 3, tn: 2, fn_unmeasured: 3, tn_unmeasured: 2, 'engine.run': 5, 'engine.unmeasured': 5 },
      {
        trigger_similarity: 0,
        trigger_similarity_answered: NONE,
        error_rate: 1,
        reasoning_only_rate: NONE,
      },
    ],
  ])('%s', (_name, counts, expected) => {
    const values = Object.keys(expected).map((name) => [name, figure(name, counts)]);
    expect(Object.fromEntries(values)).toEqual(expected);
  });
});

describe('agreement of payloads', () => {
  const NAMES = [
    'tool_name_agreement',
    'call_count_agreement',
    'argument_agreement',
    'argument_token_f1',
  ];
  const metricNamed = (name: string): (typeof METRICS)[number] => {
    const metric = METRICS.find((each) => each.name === name);
    if (metric === undefined) throw new Error(name);
    return metric;
  };

  test.each(NAMES)('%s: nothing to divide by has a reason', (name) => {
    const metric = metricNamed(name);
    expect(measure(metric, { tn: 5 }, 0.95)).toEqual({ value: null, n: 0 });
    expect(metric.whyUndefined?.({ tn: 5 })).toBe('on no sample did both call a tool');
    expect(metric.whyUndefined?.({ tp: 12, fp: 3 })).toBe(
      'the data set records no official calls for any of the samples on which both called a tool',
    );
    expect(metric.whyUndefined?.({ tp: 1 })).toBe(
      'the data set records no official calls for the one sample on which both called a tool',
    );
  });

  test.each(NAMES)('%s: full agreement is 1, and none is 0', (name) => {
    const full = {
      'agreement.known': 7,
      'agreement.call_count': 7,
      'agreement.tool_names': 7,
      'agreement.arguments': 7,
      'agreement.argument_tokens': 7_000_000,
    };
    // Wilson on 7 of 7: 7 / (7 + 3.8415) = 0.6457.
    expect(measure(metricNamed(name), full, 0.95)).toMatchObject({
      value: 1,
      n: 7,
      interval: { low: expect.closeTo(0.6457, 4), high: 1 },
    });
    expect(measure(metricNamed(name), { 'agreement.known': 7 }, 0.95)).toMatchObject({
      value: 0,
      n: 7,
    });
  });

  it('sums likenesses exactly, in any order', () => {
    const millionths = Array.from({ length: 2000 }, (_, i) => (i * 7919) % 1_000_001);
    const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);
    const figureOf = (list: readonly number[]): number | null =>
      figure('argument_token_f1', {
        'agreement.known': list.length,
        'agreement.argument_tokens': sum(list),
      });
    expect(figureOf(millionths)).toBe(figureOf(millionths.toReversed()));
    expect(figureOf(millionths)).toBe(figureOf(millionths.toSorted((a, b) => a - b)));
  });

  it('is gated only by who asks for it', () => {
    for (const { defaultGates, references } of SUBSETS) {
      for (const name of NAMES) {
        expect(defaultGates.join()).not.toContain(name);
        expect(references).not.toHaveProperty(name);
      }
    }
    const { gates, problems } = parseGates(
      NAMES.map((name) => `${name} >= 90%`).join('\n'),
      'user',
      'thresholds',
    );
    expect(problems).toEqual([]);
    expect(checkGates(gates, [{ spec: k2Verifier.spec, subset: 'k2_thinking' }])).toEqual([]);
  });
});

describe('published figures', () => {
  // README of K2 Vendor Verifier: triggers and valid responses of vendors on the 4,000-row set.
  test.each<[string, number, number, string]>([
    ['InfiniAI', 1827, 1825, '99.89'],
    ['vLLM', 2128, 1856, '87.22'],
    ['Together', 1893, 1602, '84.63'],
    ['Chutes', 3657, 3037, '83.05'],
  ])('schema_accuracy of %s', (_vendor, triggered, valid, percent) => {
    const counts = { finish_tool_calls: triggered, successful_tool_call: valid };
    expect(((figure('schema_accuracy', counts) ?? 0) * 100).toFixed(2)).toBe(percent);
  });
});

describe('subsets', () => {
  it('are EvalScope’s, with the sampling conditions published', () => {
    expect(SUBSETS.map(({ name, sampling }) => [name, sampling])).toEqual([
      ['k2_thinking', { temperature: 1, max_tokens: 64000 }],
      ['k2_0905', { temperature: 0.6 }],
    ]);
    expect(k2Verifier.spec.defaultSubset).toBe('k2_thinking');
  });

  test.each([
    ['k2_thinking', 0.73],
    ['k2_0905', 0.8],
  ])('%s has default gates that parse, name metrics and lie in their ranges', (subset, f1) => {
    const lines = SUBSETS.find(({ name }) => name === subset)?.defaultGates.join('\n') ?? '';
    const { gates, problems } = parseGates(lines, 'default', 'defaults');
    expect(problems).toEqual([]);
    expect(checkGates(gates, [{ spec: k2Verifier.spec, subset }])).toEqual([]);
    expect(
      gates.map(({ metric, operator, bound, warn }) => [metric, operator, bound, warn]),
    ).toEqual([
      ['trigger_similarity', '>=', f1, false],
      ['schema_accuracy', '>=', 0.9, false],
      ['schema_accuracy', '>=', 0.95, true],
      ['trigger_rate_ratio', '>=', 0.8, false],
      ['trigger_rate_ratio', '<=', 1.25, false],
    ]);
  });

  it('have references for metrics that exist', () => {
    const names = new Set(METRICS.map(({ name }) => name));
    for (const { references } of SUBSETS) {
      for (const name of Object.keys(references)) expect(names).toContain(name);
    }
    expect(SUBSETS[0]?.references['trigger_similarity']).toMatchObject({ mean: 0.76, min: 0.7581 });
    expect(SUBSETS[1]?.references['trigger_similarity']).toMatchObject({ mean: 0.84, min: 0.8271 });
  });
});
