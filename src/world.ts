import { homedir } from 'node:os';
import { BENCHMARKS } from './benchmarks/index.js';
import { cacheDir } from './datasets/cache-dir.js';
import { openEndpoint } from './endpoint/open.js';
import { systemClock } from './engine/clock.js';
import type { Progress } from './engine/progress.js';
import type { RemoteCache } from './model/downloads.js';
import type { Links } from './report/links.js';
import type { World } from './verify.js';
import { VERSION } from './version.js';

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** A cache of data sets beyond this machine; null where there is none. */
  readonly remoteCache: RemoteCache | null;
  readonly links: Links;
  readonly runKey: string | null;
  log(text: string): void;
}

/** The real world: this machine's clock, network and benchmarks. */
export function realWorld(around: Surroundings): World {
  return {
    ...around,
    benchmarks: BENCHMARKS,
    clock: systemClock,
    downloads: {
      dir: cacheDir(around.env, process.platform, homedir()),
      remote: around.remoteCache,
      progress: around.progress.arrive,
    },
    version: VERSION,
    openEndpoint: (config, deadlineAt) =>
      openEndpoint(
        {
          baseUrl: config.endpoint,
          apiKey: config.apiKey,
          headers: config.headers,
          model: config.request.model,
          requestTimeoutMs: config.requestTimeoutMs,
          maxRetries: config.maxRetries,
          concurrency: config.concurrency,
          maxRequestsPerMinute: config.maxRequestsPerMinute,
          deadlineAt,
          userAgent: `vendor-gate/${VERSION}`,
        },
        { clock: systemClock, random: Math.random, env: around.env },
      ),
  };
}
