/**
 * Functions that run inside a page, in its own world: sent as their source text, so they may use nothing from outside
 * themselves.
 */

interface WobCore {
  EPISODE_MAX_TIME: number;
  startEpisodeReal(): void;
  endEpisode(reward: number, timeProportional: boolean, reason: unknown): void;
  getUtterance(): unknown;
  createDisplay(): void;
  clearTimer(): void;
  canvasDrawClick(event: Event): void;
}

/** What a MiniWoB page offers. */
interface WobWindow {
  core: WobCore;
  Math: { seedrandom(seed: number): void };
  WOB_TASK_READY?: unknown;
  WOB_DONE_GLOBAL?: unknown;
  WOB_RAW_REWARD_GLOBAL?: unknown;
}

/**
 * Hides what is meant for human players (goal, score, countdown, start cover), seeds the page and starts the episode.
 * The goal must be read from the screen by nobody: the model gets it as text. While the page's own functions run, the
 * display is put back, because they write into it.
 * @returns whether the page is ready already
 */
export function startEpisode({ seed, maxTime }: { seed: number; maxTime: number }): boolean {
  const page = window as unknown as WobWindow;
  const { core } = page;
  const find = (id: string): HTMLElement => {
    const element = document.getElementById(id);
    if (element === null) throw new Error(`the page has no #${id}`);
    return element;
  };
  let hidden: { query: string; nodes: HTMLElement[] } | null = null;
  const hide = (): void => {
    core.clearTimer();
    document.body.removeEventListener('click', core.canvasDrawClick);
    const query = find('query');
    const goal = query.innerHTML;
    query.replaceChildren();
    const nodes = ['reward-display', 'click-canvas', 'sync-task-cover'].map(find);
    for (const node of nodes) node.remove();
    hidden = { query: goal, nodes };
  };
  const show = (): void => {
    if (hidden === null) return;
    find('query').innerHTML = hidden.query;
    document.body.append(...hidden.nodes);
    hidden = null;
    core.createDisplay();
  };
  let running = 0;
  const withDisplay = <A extends unknown[], R>(inner: (...args: A) => R): ((...args: A) => R) => {
    return (...args) => {
      if (running === 0) show();
      running += 1;
      try {
        return inner.apply(core, args);
      } finally {
        running -= 1;
        if (running === 0) hide();
      }
    };
  };
  core.getUtterance = withDisplay(core.getUtterance);
  core.endEpisode = withDisplay(core.endEpisode);
  core.startEpisodeReal = withDisplay(core.startEpisodeReal);
  hide();

  page.Math.seedrandom(seed);
  core.EPISODE_MAX_TIME = maxTime;
  core.startEpisodeReal();
  return Boolean(page.WOB_TASK_READY);
}

export function isReady(): boolean {
  return Boolean((window as unknown as WobWindow).WOB_TASK_READY);
}

/** Some pages give an object with the sentence in `utterance`. */
export function readGoal(): string {
  const utterance = (window as unknown as WobWindow).core.getUtterance();
  if (typeof utterance === 'object' && utterance !== null && 'utterance' in utterance) {
    return String(utterance.utterance);
  }
  return String(utterance);
}

/** A page that is no MiniWoB page (any more) has given no reward and is not done. */
export function readOutcome(): { rawReward: number; done: boolean } {
  const page = window as unknown as WobWindow;
  const raw = page.WOB_RAW_REWARD_GLOBAL;
  return {
    rawReward: typeof raw === 'number' && Number.isFinite(raw) ? raw : 0,
    done: Boolean(page.WOB_DONE_GLOBAL),
  };
}

/**
 * Whether an input that is set as a whole (a date, a colour) will not take a value. It is left with what it makes of the
 * value and without an event, as the Playwright of BrowserGym leaves it; newer ones tell the page as if all were well.
 */
export function refuseMalformed(element: Element, value: string): boolean {
  const input = element instanceof HTMLInputElement ? element : element.closest('label')?.control;
  const kinds = ['color', 'date', 'time', 'datetime-local', 'month', 'range', 'week'];
  if (!(input instanceof HTMLInputElement) || !kinds.includes(input.type)) return false;
  const probe = input.cloneNode() as HTMLInputElement;
  probe.value = value.trim();
  if (probe.value === value.trim()) return false;
  input.focus();
  input.value = value.trim();
  return true;
}
