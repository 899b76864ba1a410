import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, EnvironmentError, type EpisodeRequest } from '../environment.js';
import { type Deadlines, Episode } from './episode.js';
import { fenceAround } from './fence.js';
import { launchBrowser } from './launch-browser.js';
import { Worker } from './worker.js';

/** A machine under load is slow; a page that hangs is not there after a minute either. */
const DEADLINES: Deadlines = {
  launchMs: 30_000,
  resetMs: 30_000,
  stepMs: 60_000,
  closeMs: 5_000,
};

/** The clipboard of a browser belongs to all its contexts, so these begin with a new one. */
const CLIPBOARD_TASKS = new Set(['miniwob.copy-paste', 'miniwob.copy-paste-2']);

export interface PoolOptions {
  /** Path of Chrome or Chromium. */
  readonly executable: string;
  /**
   * The folder with the pages, and all that they may load: `html` of MiniWoB++, with the pages in its `miniwob`; or
   * pages and their scripts side by side.
   */
  readonly assetsDir: string;
  readonly workers: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly deadlines?: Partial<Deadlines>;
}

/** Browsers for as many episodes at a time as there are workers. */
export interface Pool {
  /** Of the browser: `156.0.8078.114`. */
  readonly version: string;
  /**
   * Waits for a free worker, which is the episode's until its `close` has resolved.
   * Rejects with EnvironmentError when the pool is closed.
   */
  episode(request: EpisodeRequest): Promise<Environment>;
  /** Ends all episodes and browsers. Never rejects; afterwards no process is left. */
  close(): Promise<void>;
}

/**
 * Starts the first browser; the others start when they are wanted.
 * @throws EnvironmentError when it does not start
 */
export async function openPool(options: PoolOptions): Promise<Pool> {
  const { executable, assetsDir, env } = options;
  const deadlines = { ...DEADLINES, ...options.deadlines };
  const fence = await fenceAround(assetsDir);
  const subfolder = join(assetsDir, 'miniwob');
  const pages = existsSync(subfolder) ? subfolder : assetsDir;
  const launch = () => launchBrowser(executable, env, deadlines.launchMs);
  const workers = Array.from(
    { length: options.workers },
    () => new Worker(launch, fence, deadlines.closeMs),
  );
  const free = [...workers];
  const version = await workers[0]?.version();
  if (version === undefined) throw new RangeError('a pool needs a worker');
  const waiting: { take(worker: Worker): void; giveUp(error: Error): void }[] = [];
  const open = new Set<Episode>();
  let closed: EnvironmentError | null = null;

  const worker = (): Promise<Worker> => {
    const idle = free.shift();
    if (idle !== undefined) return Promise.resolve(idle);
    return new Promise((take, giveUp) => {
      waiting.push({ take, giveUp });
    });
  };
  const release = (worker: Worker): void => {
    const next = waiting.shift();
    if (next === undefined) free.unshift(worker);
    else next.take(worker);
  };

  return {
    version,
    async episode(request) {
      if (closed !== null) throw closed;
      const mine = await worker();
      const needsFresh = CLIPBOARD_TASKS.has(request.task);
      const episode: Episode = new Episode(request, pages, deadlines, {
        open: () => mine.open(needsFresh),
        prepare: async () => (needsFresh ? undefined : await mine.prepare()),
        async leave(spent) {
          if (spent) await mine.discard();
          open.delete(episode);
          release(mine);
        },
      });
      open.add(episode);
      return episode;
    },
    async close() {
      closed ??= new EnvironmentError('the run is ending');
      for (const { giveUp } of waiting.splice(0)) giveUp(closed);
      await Promise.all([...open].map((episode) => episode.close()));
      await Promise.all(workers.map((worker) => worker.discard()));
    },
  };
}
