import type { ObserveContext, OpenContext } from '../../model/benchmark.js';
import { ConfigError } from '../../model/errors.js';
import type { Outcome } from '../../model/observation.js';
import { playEpisode } from './agent-loop.js';
import { findBrowser } from './browser/find-browser.js';
import { openPool, type Pool } from './browser/pool.js';
import { EnvironmentError } from './environment.js';
import { Evidence } from './evidence.js';
import type { Options } from './options.js';
import type { Payload } from './payload.js';
import type { Episode } from './schedule.js';

const BROWSER_OPTION = 'datasets.miniwob.browser';

/** Plays the episodes of one run in browsers that are started when the first of them begins. */
export class Episodes {
  readonly #assetsDir: string;
  readonly #workers: number;
  readonly #options: Options;
  readonly #ctx: OpenContext;
  readonly #executable: string;
  #pool: Promise<Pool> | null = null;
  #evidenceLost = false;

  /**
   * @param assetsDir folder with the pages
   * @throws ConfigError when there is no browser, so that it is known before the first request
   */
  constructor(assetsDir: string, workers: number, options: Options, ctx: OpenContext) {
    this.#assetsDir = assetsDir;
    this.#workers = workers;
    this.#options = options;
    this.#ctx = ctx;
    this.#executable = findBrowser(options.browser, ctx.env, BROWSER_OPTION);
  }

  /** Rejects with ConfigError when not even the first browser starts, and with the signal's reason when it is aborted. */
  async play(episode: Episode, ask: ObserveContext): Promise<Outcome<Payload>> {
    this.#pool ??= this.#open();
    const pool = await this.#pool;
    const { maxSteps, successThreshold, urlCheck, image, history } = this.#options;
    const environment = await pool.episode({
      task: episode.task.name,
      mathSeed: episode.mathSeed,
      maxSteps,
      successThreshold,
      urlCheck,
    });
    const evidence = new Evidence(this.#ctx.scratch, episode, ask.clock);
    // When the run ends nobody waits for a page any more.
    const abandon = (): void => void environment.close();
    ask.signal.addEventListener('abort', abandon, { once: true });
    try {
      const rules = { request: this.#ctx.request, image, history, maxSteps };
      const outcome = await playEpisode(environment, ask, rules, evidence.record);
      if (outcome.kind === 'unmeasured') return outcome;
      const payload = { ...outcome.payload, browser: pool.version, trace: evidence.path };
      return { kind: 'measured', payload };
    } finally {
      ask.signal.removeEventListener('abort', abandon);
      await environment.close();
      this.#noteLoss(await evidence.close());
    }
  }

  async close(): Promise<void> {
    const pool = await this.#pool?.catch(() => null);
    await pool?.close();
  }

  async #open(): Promise<Pool> {
    try {
      const pool = await openPool({
        executable: this.#executable,
        assetsDir: this.#assetsDir,
        workers: this.#workers,
        env: this.#ctx.env,
      });
      this.#ctx.note(`the pages are shown by ${this.#executable}, version ${pool.version}.`);
      return pool;
    } catch (error) {
      if (!(error instanceof EnvironmentError)) throw error;
      throw new ConfigError([
        {
          where: BROWSER_OPTION,
          what: `${this.#executable} was found, but ${error.message}.`,
          fix: 'Start it by hand with --headless and see what it says; a container may lack libraries, or name another one.',
        },
      ]);
    }
  }

  #noteLoss(fault: Error | null): void {
    if (fault === null || this.#evidenceLost) return;
    this.#evidenceLost = true;
    this.#ctx.note(`not all traces and screenshots could be written: ${fault.message}.`);
  }
}
