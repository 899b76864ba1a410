import { describe, expect, it, test } from '@jest/globals';
import { schedule } from '../../src/engine/schedule.js';
import { FIRST_WAVE } from '../../src/engine/stop.js';

const ids = (n: number): string[] => Array.from({ length: n }, (_, i) => String(i));
const never = new AbortController().signal;
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('schedule', () => {
  test.each([
    [1, 5],
    [3, 10],
    [16, 100],
    [64, 10],
  ])('runs every id once, at most %i at a time of %i', async (concurrency, n) => {
    const seen: string[] = [];
    let running = 0;
    let most = 0;
    await schedule(
      ids(n),
      async (id) => {
        running += 1;
        most = Math.max(most, running);
        await tick();
        seen.push(id);
        running -= 1;
      },
      { concurrency, opened: () => true, signal: never },
    );
    expect([...seen].sort()).toEqual(ids(n).sort());
    expect(most).toBe(Math.min(concurrency, n));
  });

  it('takes an id only when there is room for it', async () => {
    let taken = 0;
    function* counting(): Generator<string> {
      for (const id of ids(1000)) {
        taken += 1;
        yield id;
      }
    }
    let ended = 0;
    let furthestAhead = 0;
    await schedule(
      counting(),
      async () => {
        furthestAhead = Math.max(furthestAhead, taken - ended);
        await tick();
        ended += 1;
      },
      { concurrency: 4, opened: () => true, signal: never },
    );
    expect(furthestAhead).toBeLessThanOrEqual(5);
  });

  it('starts no more than the first wave until the endpoint has answered', async () => {
    let opened = false;
    let started = 0;
    const release: (() => void)[] = [];
    const done = schedule(
      ids(30),
      () => {
        started += 1;
        return new Promise<void>((resolve) => release.push(resolve));
      },
      { concurrency: 20, opened: () => opened, signal: never },
    );
    await tick();
    expect(started).toBe(FIRST_WAVE);
    for (const end of release.splice(0, FIRST_WAVE - 1)) end();
    await tick();
    expect(started).toBe(FIRST_WAVE);
    opened = true;
    release.splice(0, 1)[0]?.();
    await tick();
    expect(started).toBe(FIRST_WAVE + 20);
    while (release.length > 0) {
      release.shift()?.();
      await tick();
    }
    await done;
    expect(started).toBe(30);
  });

  it('takes no more ids once aborted and waits for what is running', async () => {
    const controller = new AbortController();
    let started = 0;
    let ended = 0;
    await schedule(
      ids(100),
      async () => {
        started += 1;
        if (started === 3) controller.abort();
        await tick();
        ended += 1;
      },
      { concurrency: 2, opened: () => true, signal: controller.signal },
    );
    expect(started).toBe(3);
    expect(ended).toBe(3);
  });

  it('passes a failure of ours on after the others have ended', async () => {
    let ended = 0;
    await expect(
      schedule(
        ids(50),
        async (id) => {
          await tick();
          if (id === '1') throw new Error('ours');
          ended += 1;
        },
        { concurrency: 4, opened: () => true, signal: never },
      ),
    ).rejects.toThrow('ours');
    expect(ended).toBeGreaterThanOrEqual(3);
    expect(ended).toBeLessThan(10);
  });

  it('ends at once when there is nothing to do', async () => {
    await schedule([], () => Promise.reject(new Error('never called')), {
      concurrency: 4,
      opened: () => false,
      signal: never,
    });
  });
});
