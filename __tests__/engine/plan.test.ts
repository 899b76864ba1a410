import { describe, expect, test } from '@jest/globals';
import { openRuns, type PlannedRun } from '../../src/engine/open-runs.js';
import { planOf } from '../../src/engine/plan.js';
import { parseGates } from '../../src/gates/parse.js';
import type { Config } from '../../src/model/config.js';
import { configFor, echoBenchmark, fakeEndpoint, fakeWorld, says } from '../support/fake-world.js';
import { tempDir } from '../support/temp-dir.js';

async function opened(change: Partial<Config>): Promise<{ run: PlannedRun; config: Config }> {
  const config = configFor(tempDir(), change);
  const benchmarks = [echoBenchmark({ rows: 120 })];
  const world = fakeWorld(fakeEndpoint(() => says('x')));
  const [run] = await openRuns(config, { ...world, benchmarks, note: () => {} });
  if (run === undefined) throw new Error('no run');
  return { run, config };
}

describe('the plan', () => {
  test.each<[string, Partial<Config>, number, number]>([
    ['a half', { shard: { index: 1, of: 2 } }, 60, 120],
    // 50 samples are shared by three as 17, 17 and 16.
    ['a third of a limit', { shard: { index: 3, of: 3 }, limit: 50 }, 16, 50],
    ['a limit beyond the rows', { shard: { index: 2, of: 2 }, limit: 500 }, 60, 120],
  ])('of a shard: %s', async (_, change, own, all) => {
    const { run, config } = await opened(change);
    const plan = planOf(run, config);
    expect([plan.samples, plan.requests]).toEqual([own, own]);
    expect(plan.shard).toEqual({ ...config.shard, samples: all });
  });

  test('of a run that may stop early: which gates cannot be followed', async () => {
    const lines = [
      'hit_rate >= 80%',
      'hit_rate >= 85% @ 90%',
      'hit_rate >= 95% @ 90% warn',
      'unmeasured_rate <= 2%',
    ];
    const { gates } = parseGates(lines.join('\n'), 'user', 'thresholds');
    const { run, config } = await opened({ gates, earlyStop: true });
    expect(planOf(run, config).earlyStop?.unfollowed.map(({ text }) => text)).toEqual([lines[1]]);
    expect(planOf(run, { ...config, earlyStop: false }).earlyStop).toBeNull();
  });
});
