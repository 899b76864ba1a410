import { describe, expect, test } from '@jest/globals';
import { METRICS } from '../../src/benchmarks/k2-verifier/metrics.js';
import { parseGates } from '../../src/gates/parse.js';
import { SequentialGate } from '../../src/gates/sequential.js';
import type { Counts } from '../../src/model/observation.js';

const ALPHA = { pass: 0.05, fail: 0.05 };

function gateOn(line: string, rows: number): SequentialGate | null {
  const [gate] = parseGates(line, 'user', 'test').gates;
  const metric = METRICS.find(({ name }) => name === gate?.metric);
  if (gate === undefined || metric === undefined) throw new Error(line);
  return SequentialGate.of(gate, metric, rows, ALPHA);
}

const TP = { tp: 1, finish_tool_calls: 1, successful_tool_call: 1 };
const INVALID = { tp: 1, finish_tool_calls: 1 };
const FP = { fp: 1, finish_tool_calls: 1, successful_tool_call: 1 };
const FN = { fn: 1 };
const TN = { tn: 1 };

describe('what a whole data set of four rows says, on every side of every operator', () => {
  test.each<[string, readonly Counts[], 'pass' | 'fail']>([
    // F1 = 2TP / (2TP + FP + FN)
    ['trigger_similarity >= 0.8', [TP, TP, FN, TN], 'pass'], // 4/5
    ['trigger_similarity > 0.8', [TP, TP, FN, TN], 'fail'],
    ['trigger_similarity <= 0.8', [TP, TP, FP, TN], 'pass'],
    ['trigger_similarity < 0.8', [TP, TP, FP, TN], 'fail'],
    ['trigger_similarity >= 0.81', [TP, TP, FN, TN], 'fail'],
    ['trigger_similarity < 0.81', [TP, TP, FN, TN], 'pass'],
    // valid / with finish_reason tool_calls
    ['schema_accuracy >= 75%', [TP, TP, FP, INVALID], 'pass'], // 3/4
    ['schema_accuracy >= 76%', [TP, TP, FP, INVALID], 'fail'],
    ['schema_accuracy >= 100%', [TP, TP, TP, TN], 'pass'],
    ['schema_accuracy >= 100%', [TP, TP, TP, INVALID], 'fail'],
    // (TP + FP) / (TP + FN)
    ['trigger_rate_ratio <= 1.5', [TP, TP, FP, TN], 'pass'], // 3/2
    ['trigger_rate_ratio <= 1.49', [TP, TP, FP, TN], 'fail'],
    ['trigger_rate_ratio >= 0.5', [TP, FN, TN, TN], 'pass'], // 1/2
    ['trigger_rate_ratio >= 0.51', [TP, FN, TN, TN], 'fail'],
  ])('%s', (line, samples, expected) => {
    const gate = gateOn(line, samples.length);
    for (const sample of samples) gate?.add(sample);
    expect(gate?.settled).toBe(expected);
  });
});

test.each([
  ['a broken call can never be made up for', 'schema_accuracy >= 100%', [INVALID]],
  ['nor can the fourth miss of five rows', 'trigger_similarity >= 0.9', [FN, FN, FN, FN]],
])('%s', (_, line, samples) => {
  const gate = gateOn(line, 5);
  for (const sample of samples) gate?.add(sample);
  expect(gate?.settled).toBe('fail');
});

test.each([
  'trigger_kappa >= 0.5',
  'trigger_similarity >= 0.73 @ 95%',
  'count_successful_tool_call >= 3',
])('%s cannot be followed sample by sample', (line) => {
  expect(gateOn(line, 100)).toBeNull();
});
