import { expect, it } from '@jest/globals';
import { closeRuns, openRuns } from '../../src/engine/open-runs.js';
import type { Benchmark, OpenContext } from '../../src/model/benchmark.js';
import { configFor, echoBenchmark, fakeEndpoint, fakeWorld, says } from '../support/fake-world.js';
import { tempDir } from '../support/temp-dir.js';

it.each([true, false])(
  'a benchmark gets the cache of the world, offline as configured: %j',
  async (offline) => {
    const contexts: OpenContext[] = [];
    const echo = echoBenchmark();
    const benchmark: Benchmark = {
      ...echo,
      open: (options, ctx) => {
        contexts.push(ctx);
        return echo.open(options, ctx);
      },
    };
    const world = fakeWorld(
      fakeEndpoint(() => says('')),
      { benchmarks: [benchmark] },
    );
    const config = configFor(tempDir(), { offline });
    await closeRuns(await openRuns(config, { ...world, note: world.log }));
    expect(contexts).toMatchObject([{ downloads: { ...world.downloads, offline } }]);
  },
);
