import type { Clock } from '../../src/model/clock.js';

/** A clock that stands still except for sleeping, which takes no real time; `slept` keeps the milliseconds. */
export function stoppedClock(startMs = Date.UTC(2026, 0, 1)): Clock & { readonly slept: number[] } {
  let now = startMs;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    elapsed: () => now - startMs,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      slept.push(ms);
      now += ms;
    },
  };
}
