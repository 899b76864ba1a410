import { describe, expect, test } from '@jest/globals';
import { BENCHMARKS } from '../../src/benchmarks/index.js';
import { mergeReports, type Part } from '../../src/engine/merge.js';
import { ConfigError } from '../../src/model/errors.js';
import type { RunReport, Stopped } from '../../src/model/report.js';
import { toPlain } from '../../src/report/prose.js';
import { wordsOf } from '../../src/report/words.js';
import { untrusted } from '../../src/text/untrusted.js';
import { benchmarkReport, type Made, reportOf } from '../support/reports.js';

const OF = 3;
const MADE: readonly Made[] = [
  { tp: 240, fp: 80, fn: 79, tn: 268, invalid: { schema_violation: 2 } },
  { tp: 250, fp: 82, fn: 80, tn: 255, unmeasured: { timeout: 1 } },
  { tp: 252, fp: 81, fn: 78, tn: 255, invalid: { unknown_tool: 1 } },
];

function shard(index: number, change: Partial<RunReport> = {}, made: Partial<Made> = {}): Part {
  const part = { index, of: OF };
  const benchmark = benchmarkReport({ ...(MADE[index - 1] as Made), ...made, shard: part });
  const whole = reportOf([benchmark]);
  const settings = { ...whole.settings, limit: null };
  const report = { ...whole, settings, shard: part, ...change };
  // As it comes back from a file.
  return { path: `shard-${index}/report.json`, report: JSON.parse(JSON.stringify(report)) };
}

const merged = (...parts: Part[]): RunReport => mergeReports(parts, BENCHMARKS);

function problemsOf(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    if (error instanceof ConfigError)
      return error.problems.map(({ where, what }) => `${where}: ${what}`);
    throw error;
  }
  return [];
}

describe('shards of one run', () => {
  test('a shard judges nothing itself', () => {
    const { benchmarks, verdict } = shard(1).report;
    expect(verdict).toBe('inconclusive');
    const judged = benchmarks[0]?.gates.filter((gate) => gate.decided_by !== 'none');
    // Whether it could measure is its own affair.
    expect(judged?.map(({ metric }) => metric)).toEqual(['unmeasured_rate']);
  });

  test('together give the report of the whole run', () => {
    const report = merged(shard(3), shard(1), shard(2));
    // 742 TP, 243 FP, 237 FN, 778 TN: F1 = 1484 / 1964
    expect(report.benchmarks[0]?.confusion).toMatchObject({ tp: 742, fp: 243, fn: 237, tn: 778 });
    expect(report.benchmarks[0]?.samples).toEqual({
      planned: 2000,
      run: 2000,
      answered: 1999,
      errors: 1,
    });
    expect(report.benchmarks[0]?.metrics['trigger_similarity']?.value).toBeCloseTo(1484 / 1964, 12);
    expect(report.verdict).toBe('pass');
    expect(report.shard).toBeNull();
    expect(report.stopped).toBeNull();
    // Every row was run, so the point decides, as it would have without shards.
    expect(
      report.benchmarks[0]?.gates.find(({ metric }) => metric === 'trigger_similarity'),
    ).toMatchObject({ decided_by: 'point', verdict: 'pass' });
  });

  test('the order does not matter', () => {
    const parts = [shard(1), shard(2), shard(3)];
    expect(merged(...parts.toReversed())).toEqual(merged(...parts));
  });

  test('durations are those of all answers', () => {
    const parts = [shard(1), shard(2), shard(3)];
    const total = merged(...parts).benchmarks[0]?.latency.total;
    const n = parts.map(({ report }) => report.benchmarks[0]?.latency.total?.n ?? 0);
    expect(total?.n).toBe(n.reduce((sum, each) => sum + each, 0));
  });

  test('of one that ran twice the newest counts', () => {
    const old = {
      ...shard(2, { finished_at: '2026-11-01T00:00:00.000Z' }, { tp: 0, fn: 330 }),
      path: 'old',
    };
    const report = merged(shard(1), old, shard(2), shard(3));
    expect(report.benchmarks[0]?.confusion?.tp).toBe(742);
    expect(report.notes).toContain(
      'Shard 2 ran more than once; the newest run counts (old does not).',
    );
  });

  test('with some missing the verdict is inconclusive at best, and they are named', () => {
    const report = merged(shard(1), shard(3));
    expect(report.stopped).toMatchObject({
      kind: 'shards',
      message: 'Shard 2 of 3 is missing.',
    });
    expect(report.verdict).toBe('inconclusive');
    expect(merged(shard(2)).stopped?.message).toBe('2 of 3 shards are missing: 1, 3.');
  });

  test('the headline names those that are missing, and no sentence says it again', () => {
    const report = merged(shard(1), shard(3));
    const { headline, sentences } = wordsOf(report);
    expect(toPlain(headline)).toBe('shard 2 of 3 is missing');
    expect(sentences.map(toPlain).filter((text) => /missing/.test(text))).toEqual([]);
    expect(toPlain(sentences[0] ?? [])).toBe('Run the jobs that failed again, then merge again.');
  });

  test('with some missing, a failed run still says so in a sentence', () => {
    const report = merged(shard(1, {}, { tp: 20, fn: 299 }), shard(3, {}, { tp: 20, fn: 310 }));
    expect(wordsOf(report).sentences.map(toPlain)[0]).toBe('Shard 2 of 3 is missing.');
  });

  test('a note that all shards have stands once, others with their shards', () => {
    const notes = ['Row 7 was left out.', 'The cache was used.'];
    const [one, two, three] = [
      shard(1, { notes }),
      shard(2, { notes: notes.slice(0, 1) }),
      shard(3, { notes: [...notes, 'Own.'] }),
    ];
    expect(merged(one, two, three).notes).toEqual([
      'Row 7 was left out.',
      'Shards 1, 3 of 3: The cache was used.',
      'Shard 3 of 3: Own.',
    ]);
  });

  test('it says which reports count', () => {
    expect(merged(shard(2), shard(1), shard(3)).settings['merged']).toEqual([
      'shard-1/report.json',
      'shard-2/report.json',
      'shard-3/report.json',
    ]);
  });

  test('a failure shows even so', () => {
    const report = merged(shard(1, {}, { tp: 20, fn: 299 }), shard(3, {}, { tp: 20, fn: 310 }));
    expect(report.verdict).toBe('fail');
  });
});

describe('shards that ended early', () => {
  const ended = (index: number, kind: Stopped['kind']): Part =>
    shard(index, {
      stopped: {
        kind,
        message: `Stopped: ${kind}.`,
        advice: '',
        detail: untrusted(''),
        detail_from: 'here',
      },
    });

  test.each<[string, () => Part[], string, string]>([
    ['a deadline', () => [ended(1, 'deadline'), shard(2), shard(3)], 'deadline', 'pass'],
    [
      'a budget after it',
      () => [ended(1, 'deadline'), ended(2, 'budget'), shard(3)],
      'budget',
      'inconclusive',
    ],
    [
      'a budget before it',
      () => [ended(1, 'budget'), ended(2, 'deadline'), shard(3)],
      'budget',
      'inconclusive',
    ],
    [
      'one stopped by hand',
      () => [ended(1, 'deadline'), ended(2, 'interrupted'), shard(3)],
      'interrupted',
      'inconclusive',
    ],
    ['an outage beside a missing one', () => [ended(1, 'outage'), shard(3)], 'outage', 'error'],
  ])('%s', (_, parts, kind, verdict) => {
    const report = merged(...parts());
    expect([report.stopped?.kind, report.verdict]).toEqual([kind, verdict]);
  });
});

test('a gate that this version cannot judge is refused, not dropped', () => {
  const strange = shard(1);
  const [benchmark] = strange.report.benchmarks;
  Object.assign(benchmark?.gates[0] ?? {}, { gate: 'no_such_metric >= 0.99' });
  const others = [2, 3].map((index) => {
    const part = shard(index);
    Object.assign(part.report.benchmarks[0]?.gates[0] ?? {}, { gate: 'no_such_metric >= 0.99' });
    return part;
  });
  expect(problemsOf(() => merged(strange, ...others))).toEqual([
    'shard-1/report.json: This version cannot judge the recorded gate "no_such_metric >= 0.99".',
  ]);
});

describe('what does not belong together is refused, the difference named', () => {
  test.each<[string, () => Part[], string]>([
    [
      'another model',
      () => [
        shard(1),
        shard(2, {
          endpoint: { url: 'https://kimi-staging.example.com/v1', model: 'other', served: [] },
        }),
      ],
      'model is "other", not "kimi-k2-thinking"',
    ],
    [
      'another seed',
      () => [shard(1), shard(2, { settings: { ...shard(2).report.settings, seed: 7 } })],
      'seed is 7, not 42',
    ],
    [
      'other gates',
      () => [shard(1), shard(2, {}, { gates: 'schema_accuracy >= 99%' })],
      'k2_verifier: gates is',
    ],
    [
      'another number of shards',
      () => [shard(1), shard(2, { shard: { index: 2, of: 4 } })],
      'the number of shards is 4, not 3',
    ],
  ])('%s', (_, parts, said) => {
    expect(problemsOf(() => merged(...parts())).join('\n')).toContain(said);
  });

  test('how fast it went is no difference', () => {
    const other = shard(2, { settings: { ...shard(2).report.settings, concurrency: 4 } });
    expect(merged(shard(1), other, shard(3)).verdict).toBe('pass');
  });

  test('a whole run is no shard', () => {
    expect(problemsOf(() => merged(shard(1, { shard: null })))).toEqual([
      'shard-1/report.json: It is the report of a whole run, not of a shard.',
    ]);
  });
});
