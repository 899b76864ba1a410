import type { Fence } from './fence.js';
import type { LaunchedBrowser } from './launch-browser.js';
import { type OpenPage, openPage } from './open-page.js';

/** One browser at a time, for one episode at a time. */
export class Worker {
  readonly #launch: () => Promise<LaunchedBrowser>;
  readonly #fence: Fence;
  readonly #closeMs: number;
  #browser: Promise<LaunchedBrowser> | null = null;
  /** Whether an episode has been played in the browser. */
  #used = false;
  /** For the next episode. */
  #spare: Promise<OpenPage> | null = null;

  constructor(launch: () => Promise<LaunchedBrowser>, fence: Fence, closeMs: number) {
    this.#launch = launch;
    this.#fence = fence;
    this.#closeMs = closeMs;
  }

  /**
   * Version of the browser, which is started when there is none.
   * Rejects with EnvironmentError when it does not start.
   */
  async version(): Promise<string> {
    return (await this.#started()).version;
  }

  /** @param fresh in a browser that has seen no other page */
  async open(fresh: boolean): Promise<OpenPage> {
    if (fresh && this.#used) await this.discard();
    const spare = this.#spare;
    this.#spare = null;
    if (spare !== null) {
      // The episode before may have ended the browser, which is not this one's fault.
      const open = await spare.catch(() => null);
      if (open?.page.isClosed() === false) return open;
      await this.discard();
    }
    return await this.#newPage();
  }

  /**
   * Opens a page for the next episode, which takes as long as all the rest of a reset: best done while a model thinks.
   * Rejects when the browser is not up to it.
   */
  async prepare(): Promise<void> {
    this.#spare ??= this.#newPage();
    await this.#spare;
  }

  /** Ends the browser; the next page starts another. Never rejects. */
  async discard(): Promise<void> {
    const browser = this.#browser;
    this.#browser = null;
    this.#spare = null;
    this.#used = false;
    await browser?.then(
      ({ close }) => close(this.#closeMs),
      () => {},
    );
  }

  async #newPage(): Promise<OpenPage> {
    const { browser } = await this.#started();
    this.#used = true;
    return await openPage(browser, this.#fence);
  }

  async #started(): Promise<LaunchedBrowser> {
    const launched = await this.#browser;
    if (launched?.browser.isConnected() === false) await this.discard();
    this.#browser ??= this.#launch();
    return await this.#browser;
  }
}
