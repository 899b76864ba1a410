import { describe, expect, test } from '@jest/globals';
import { METRICS } from '../../src/benchmarks/k2-verifier/metrics.js';
import { EarlyStop } from '../../src/engine/early-stop.js';
import { ENGINE_METRICS } from '../../src/gates/engine-metrics.js';
import { parseGates } from '../../src/gates/parse.js';
import type { Gate } from '../../src/model/gate.js';
import type { Counts } from '../../src/model/observation.js';

function following(lines: string, rows: number): EarlyStop {
  return followingGates(parseGates(lines, 'user', 'test').gates, rows);
}

function followingGates(gates: readonly Gate[], rows: number): EarlyStop {
  return new EarlyStop({
    gates,
    metrics: [...METRICS, ...ENGINE_METRICS],
    rows,
    planned: rows,
    confidence: 0.95,
  });
}

const TP = { tp: 1, finish_tool_calls: 1, successful_tool_call: 1 };
const INVALID = { tp: 1, finish_tool_calls: 1 };
const FN = { fn: 1 };

describe('when a verdict is settled', () => {
  const many = (n: number, score: Counts): Counts[] => Array.from({ length: n }, () => score);
  test.each<[string, string, Counts[], boolean]>([
    ['all gates hold', 'trigger_similarity >= 0.73\nschema_accuracy >= 90%', many(60, TP), true],
    [
      'one gate fails, whatever the others',
      'trigger_similarity >= 0.73\ntrigger_kappa >= 0.5',
      many(40, FN),
      true,
    ],
    [
      'one gate cannot be followed, the others hold',
      'trigger_similarity >= 0.73\ntrigger_kappa >= 0.5',
      many(60, TP),
      false,
    ],
    ['only a warning failed', 'trigger_similarity >= 0.73 warn', many(60, FN), false],
    ['only the run itself is judged', 'unmeasured_rate <= 1%', many(60, TP), false],
    ['a handful, however clear', 'schema_accuracy >= 100%', many(19, INVALID), false],
    ['one more', 'schema_accuracy >= 100%', many(20, INVALID), true],
    ['too few samples', 'trigger_similarity >= 0.73', many(3, TP), false],
  ])('%s', (_, lines, scores, decided) => {
    const early = following(lines, 2000);
    for (const [place, score] of scores.entries()) early.add(place, score, true);
    expect(early.decided).toBe(decided);
  });
});

test('a sample waits for all that were drawn before it', () => {
  const early = following('trigger_similarity >= 0.73', 2000);
  for (let place = 1; place < 200; place += 1) early.add(place, TP, true);
  expect([early.used, early.decided]).toEqual([0, false]);
  early.add(0, TP, true);
  expect(early.decided).toBe(true);
  expect(early.used).toBeLessThan(30);
});
