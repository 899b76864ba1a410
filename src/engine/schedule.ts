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
  let failure: { error: unknown } | null = null;
  let running = 0;
  let started = 0;
  let wake: () => void = () => {};
  const onAbort = (): void => wake();
  how.signal.addEventListener('abort', onAbort);

  const mustWait = (): boolean =>
    running >= how.concurrency || (started >= FIRST_WAVE && running > 0 && !how.opened());
  const change = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
    });
  const run = async (id: string): Promise<void> => {
    try {
      await work(id);
    } catch (error) {
      failure ??= { error };
    } finally {
      running -= 1;
      wake();
    }
  };
  const over = (): boolean => how.signal.aborted || failure !== null;

  try {
    for (const id of ids) {
      while (mustWait() && !over()) await change();
      if (over()) break;
      running += 1;
      started += 1;
      void limit(run, id);
    }
    while (running > 0) await change();
  } finally {
    how.signal.removeEventListener('abort', onAbort);
  }
  if (failure !== null) throw (failure as { error: unknown }).error;
}
