import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Action } from '../action.js';
import {
  type Environment,
  EnvironmentError,
  type EpisodeRequest,
  type View,
} from '../environment.js';
import { executeAction, LONGEST_WAIT_MS } from './execute-action.js';
import { observe } from './observe.js';
import type { OpenPage } from './open-page.js';
import { readOutcome } from './page-scripts.js';
import { pythonError } from './python-error.js';
import { startTask } from './start-task.js';
import { within } from './within.js';

/** BrowserGym's pause between an action and the look at what came of it; animations and suggestions need it. */
const PRE_OBSERVATION_MS = 500;
const LOAD_MS = 3_000;

/** Most milliseconds for each kind of call; whoever takes longer hangs. */
export interface Deadlines {
  /** Starting a browser. */
  readonly launchMs: number;
  readonly resetMs: number;
  /** A step, not counting what `noop` is told to wait. */
  readonly stepMs: number;
  readonly closeMs: number;
}

/** What an episode needs of the worker it runs on. */
export interface Stage {
  /** An empty page in a context of its own. */
  open(): Promise<OpenPage>;
  /** Makes ready what the next episode will need. Called when this one has begun and the model thinks. */
  prepare(): Promise<void>;
  /** Called once, when the episode is over. `spent`: the browser is not to be used again. Never rejects. */
  leave(spent: boolean): Promise<void>;
}

/** Whatever may copy, or leave a key pressed with which the next letter copies: the clipboard outlives the episode. */
const CLIPBOARD_KEYS = /Control|Meta|Insert|Shift.*Delete|Copy|Cut/;

/** An episode of one task. After the first fault it is over, and so is its browser. */
export class Episode implements Environment {
  readonly #request: EpisodeRequest;
  readonly #pages: string;
  readonly #deadlines: Deadlines;
  readonly #stage: Stage;
  #open: OpenPage | null = null;
  #crash: Promise<never> = new Promise(() => {});
  #goal = '';
  #url = '';
  #step = 0;
  #preparing: Promise<void> | null = null;
  #picture: Buffer = Buffer.alloc(0);
  #spent = false;
  #calls = 0;
  #left: Promise<void> | null = null;
  readonly #over = new AbortController();

  /** @param pages the folder with the tasks' pages */
  constructor(request: EpisodeRequest, pages: string, deadlines: Deadlines, stage: Stage) {
    this.#request = request;
    this.#pages = pages;
    this.#deadlines = deadlines;
    this.#stage = stage;
  }

  reset(): Promise<View> {
    const { launchMs, resetMs } = this.#deadlines;
    return this.#guarded(launchMs + resetMs, 'opening the page', async () => {
      const open = await this.#stage.open();
      this.#open = open;
      this.#crash = crashOf(open);
      const { task, mathSeed } = this.#request;
      const file = join(this.#pages, `${task.replace(/^miniwob\./, '')}.html`);
      const starting = startTask(open.page, pathToFileURL(file).href, mathSeed);
      this.#goal = await Promise.race([starting, this.#crash]);
      this.#url = open.page.url();
      const view = await this.#view(open, { rawReward: 0, done: false }, '');
      this.#preparing = this.#stage.prepare();
      // Told by the first step.
      this.#preparing.catch(() => {});
      return view;
    });
  }

  step(action: Action): Promise<View> {
    const ms = this.#deadlines.stepMs + longestWait(action);
    return this.#guarded(ms, 'the step', async () => {
      const open = this.#open;
      if (open === null) throw new EnvironmentError('the episode is not open');
      // Never while a page is acted on: windows take the focus from each other.
      await this.#preparing;
      this.#spent ||= touchesClipboard(action);
      return await Promise.race([this.#act(open, action), this.#crash]);
    });
  }

  close(): Promise<void> {
    // What is still under way would go on in a browser that others use.
    this.#spent ||= this.#calls > 0;
    this.#left ??= this.#leave();
    return this.#left;
  }

  async #act(open: OpenPage, action: Action): Promise<View> {
    const { page, context } = open;
    const actionError = await executeAction(page, action, this.#over.signal);
    await delay(PRE_OBSERVATION_MS);
    const frames = context.pages().flatMap((each) => each.frames());
    await Promise.all(
      frames.map((frame) =>
        frame.waitForLoadState('domcontentloaded', { timeout: LOAD_MS }).catch(() => {}),
      ),
    );
    this.#step += 1;
    const outcome = this.#onTaskPage(open)
      ? await page.evaluate(readOutcome)
      : { rawReward: 0, done: true };
    return await this.#view(open, outcome, actionError);
  }

  /** A page that went elsewhere, or opened another window, has lost its episode. */
  #onTaskPage({ page, context }: OpenPage): boolean {
    if (page.isClosed() || context.pages().length !== 1) return false;
    if (this.#request.urlCheck === 'strict') return page.url() === this.#url;
    return withoutHash(page.url()) === withoutHash(this.#url);
  }

  async #view(
    { page, session }: OpenPage,
    { rawReward, done }: { rawReward: number; done: boolean },
    actionError: string,
  ): Promise<View> {
    const { maxSteps, successThreshold } = this.#request;
    const seen = page.isClosed() ? { tree: '', screenshot: this.#picture } : await observe(session);
    this.#picture = seen.screenshot;
    return {
      goal: this.#goal,
      url: page.url(),
      step: this.#step,
      reward: rawReward > successThreshold ? 1 : 0,
      rawReward,
      done: done || this.#step >= maxSteps,
      actionError,
      ...seen,
    };
  }

  async #guarded(ms: number, what: string, work: () => Promise<View>): Promise<View> {
    if (this.#left !== null) throw new EnvironmentError('the episode is over');
    this.#calls += 1;
    try {
      return await within(ms, what, work());
    } catch (error) {
      this.#spent = true;
      this.#left ??= this.#leave();
      throw asEnvironmentError(error);
    } finally {
      this.#calls -= 1;
    }
  }

  async #leave(): Promise<void> {
    this.#over.abort();
    if (!this.#spent && this.#open !== null) {
      const closing = within(this.#deadlines.closeMs, 'closing', this.#open.context.close());
      await closing.catch(() => {
        this.#spent = true;
      });
    }
    await this.#stage.leave(this.#spent);
  }
}

function longestWait(action: Action): number {
  return action.kind === 'call' && action.name === 'noop' ? LONGEST_WAIT_MS : 0;
}

function touchesClipboard(action: Action): boolean {
  if (action.kind === 'error' || action.name !== 'keyboard_press') return false;
  return action.positional
    .concat(action.keywords.map(([, value]) => value))
    .some((value) => value.type === 'string' && CLIPBOARD_KEYS.test(value.value));
}

function withoutHash(url: string): string {
  return url.replace(/#.*$/, '');
}

/** Rejects when the page's process or the whole browser dies, which not every call would notice. */
function crashOf({ page, context }: OpenPage): Promise<never> {
  const crash = new Promise<never>((_, reject) => {
    page.once('crash', () => reject(new EnvironmentError('the page crashed')));
    context.once('close', () => reject(new EnvironmentError('the browser is gone')));
  });
  // Between two calls nobody waits for it.
  crash.catch(() => {});
  return crash;
}

/** What Playwright says, without its log. */
function asEnvironmentError(error: unknown): EnvironmentError {
  if (error instanceof EnvironmentError) return error;
  return new EnvironmentError(pythonError(error).split('\nCall log:')[0]);
}
