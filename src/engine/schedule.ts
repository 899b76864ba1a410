import pLimit from 'p-limit';
import { FIRST_WAVE } from './stop.js';

/**
 * Runs `work` for every id, at most `concurrency` at a time, taking ids only when there is room, so that memory does
 * not grow with their number. Until `opened()` says so, no more than FIRST_WAVE are started: a wrong key or model
 * must not cost a full wave of requests.
 *
 * Resolves when all started work has ended. Stops taking ids when `signal` is aborted. `work` should not reject; if
 * it does, no more ids are taken and the first rejection is passed on after the others have ended.
 */
export async function schedule(
  ids: Iterable<string>,
  work: (id: string) => Promise<void>,
  how: { concurrency: number; opened: () => boolean; signal: AbortSignal },
): Promise<void> {
  const limit = pLimit(how.concurrency);
  const failures: unknown[] = [];
  let started = 0;
  let wake: () => void = () => {};
  const change = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
    });
  const running = (): number => limit.activeCount + limit.pendingCount;
  const mustWait = (): boolean =>
    running() >= how.concurrency || (started >= FIRST_WAVE && running() > 0 && !how.opened());
  const over = (): boolean => how.signal.aborted || failures.length > 0;
  const run = async (id: string): Promise<void> => {
    try {
      if (!over()) await work(id);
    } catch (error) {
      failures.push(error);
    } finally {
      // Not at once: the limiter counts this one as running until it has seen it end.
      setImmediate(() => wake());
    }
  };
  const onAbort = (): void => wake();
  how.signal.addEventListener('abort', onAbort);
  try {
    for (const id of ids) {
      while (mustWait() && !over()) await change();
      if (over()) break;
      started += 1;
      void limit(run, id);
    }
    while (running() > 0) await change();
  } finally {
    how.signal.removeEventListener('abort', onAbort);
  }
  if (failures.length > 0) throw failures[0];
}
