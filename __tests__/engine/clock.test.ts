import { describe, expect, it } from '@jest/globals';
import { systemClock } from '../../src/engine/clock.js';

describe('the machine’s clock', () => {
  it('sleeps at least as long as asked', async () => {
    const start = systemClock.elapsed();
    await systemClock.sleep(20);
    expect(systemClock.elapsed() - start).toBeGreaterThanOrEqual(19);
  });

  it('wakes with the reason when it is aborted', async () => {
    const controller = new AbortController();
    const sleeping = systemClock.sleep(60_000, controller.signal);
    controller.abort('enough');
    await expect(sleeping).rejects.toBe('enough');
    await expect(systemClock.sleep(60_000, controller.signal)).rejects.toBe('enough');
  });
});
