import { describe, expect, test } from '@jest/globals';
import { METRICS } from '../../src/benchmarks/k2-verifier/metrics.js';
import { EarlyStop } from '../../src/engine/early-stop.js';
import { ENGINE_METRICS } from '../../src/gates/engine-metrics.js';
import { parseGates } from '../../src/gates/parse.js';
import type { Gate } from '../../src/model/gate.js';
import type { Counts } from '../../src/model/observation.js';
import { Mt19937 } from '../../src/statistics/mt19937.js';
import { shuffledIndices } from '../../src/statistics/shuffle.js';

function following(lines: string, rows: number): EarlyStop {
  return followingGates(parseGates(lines, 'user', 'test').gates, rows);
}

function followingGates(gates: readonly Gate[], rows: number): EarlyStop {
  return new EarlyStop({ gates, metrics: [...METRICS, ...ENGINE_METRICS], rows, confidence: 0.95 });
}

const TP = { tp: 1, finish_tool_calls: 1, successful_tool_call: 1 };
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
    ['too few samples', 'trigger_similarity >= 0.73', many(3, TP), false],
  ])('%s', (_, lines, scores, decided) => {
    const early = following(lines, 2000);
    for (const [place, score] of scores.entries()) early.add(place, score);
    expect(early.decided).toBe(decided);
  });
});

test('a sample waits for all that were drawn before it', () => {
  const early = following('trigger_similarity >= 0.73', 2000);
  for (let place = 1; place < 200; place += 1) early.add(place, TP);
  expect([early.used, early.decided]).toEqual([0, false]);
  early.add(0, TP);
  expect(early.decided).toBe(true);
  expect(early.used).toBeLessThan(30);
});

/**
 * The K2-thinking set (2,000 rows, 979 official calls, FP = FN) behind 64 workers. Calls end four times as fast as
 * texts: judged in the order of arrival, a deployment below the gate passes in nearly half of the runs.
 */
const ROWS = 2000;
const POSITIVES = 979;
const WORKERS = 64;
const RUNS = 2000;

/** Places of the draw in the order in which their answers end. */
function arrivals(kinds: Uint8Array, random: Mt19937): number[] {
  // Ends in a calendar of whole ticks: cheap, and ties are broken by the draw.
  const calendar = new Map<number, number[]>();
  const order: number[] = [];
  let next = 0;
  const start = (now: number): void => {
    if (next >= kinds.length) return;
    const isCall = kinds[next] === TP_KIND || kinds[next] === FP_KIND;
    const end = now + 1 + (random.next() % (isCall ? 10 : 40));
    calendar.set(end, [...(calendar.get(end) ?? []), next]);
    next += 1;
  };
  for (let worker = 0; worker < WORKERS; worker += 1) start(0);
  for (let now = 1; order.length < kinds.length; now += 1) {
    for (const place of calendar.get(now) ?? []) {
      order.push(place);
      start(now);
    }
    calendar.delete(now);
  }
  return order;
}

const [GATE] = parseGates('trigger_similarity >= 0.73', 'user', 'test').gates as [Gate];
const [TP_KIND, FP_KIND, FN_KIND, TN_KIND] = [0, 1, 2, 3] as const;
const SCORES: readonly Counts[] = [{ tp: 1 }, { fp: 1 }, { fn: 1 }, { tn: 1 }];

describe(`${RUNS} runs behind ${WORKERS} workers`, () => {
  test.each([
    { f1: 0.76, verdict: 'pass' },
    { f1: 0.72, verdict: 'fail' },
    { f1: 0.67, verdict: 'fail' },
  ] as const)('F1 $f1 against 0.73: wrong at most as often as promised', ({ f1, verdict }) => {
    const misses = Math.round(POSITIVES * (1 - f1));
    const rows = new Uint8Array(ROWS).fill(TN_KIND);
    rows.fill(TP_KIND, 0, POSITIVES - misses);
    rows.fill(FP_KIND, POSITIVES - misses, POSITIVES);
    rows.fill(FN_KIND, POSITIVES, POSITIVES + misses);
    let wrong = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const kinds = Uint8Array.from(shuffledIndices(ROWS, run), (row) => rows[row] ?? TN_KIND);
      const early = followingGates([GATE], ROWS);
      for (const place of arrivals(kinds, new Mt19937(run))) {
        early.add(place, SCORES[kinds[place] ?? TN_KIND] ?? {});
        if (early.decided) break;
      }
      if (early.verdictOf(GATE) !== verdict) wrong += 1;
    }
    expect(wrong / RUNS).toBeLessThanOrEqual(0.05 + 3 * Math.sqrt((0.05 * 0.95) / RUNS));
  });
});
