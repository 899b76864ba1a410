import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { EnvironmentError } from '../environment.js';
import { isReady, readGoal, startEpisode } from './page-scripts.js';

/** Replaces the 10 to 30 s that pages give a human player. */
const EPISODE_MS = 1_000_000;
/** BrowserGym's slow motion after a navigation. */
const SLOW_MOTION_MS = 100;
const READY_MS = 5_000;
const POLL_MS = 20;

/**
 * Opens a task's page, seeds it and starts its episode.
 * @param url of the page
 * @param seed what the page's Math.seedrandom is given
 * @returns the goal
 */
export async function startTask(page: Page, url: string, seed: number): Promise<string> {
  await page.goto(url);
  await delay(SLOW_MOTION_MS);
  let ready = await page.evaluate(startEpisode, { seed, maxTime: EPISODE_MS });
  for (let waited = 0; !ready; waited += POLL_MS) {
    if (waited >= READY_MS) throw new EnvironmentError('the page did not get ready within 5 s');
    await delay(POLL_MS);
    ready = await page.evaluate(isReady);
  }
  return await page.evaluate(readGoal);
}
