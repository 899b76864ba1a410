import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContext } from 'playwright-core';

/** Whether a page may load `url`. */
export type Fence = (url: string) => Promise<boolean>;

/** What a page has in itself. */
const OWN = new Set(['data:', 'blob:', 'about:']);

/**
 * A fence around the pages' folder: a page, which Chromium would let show any file of the disk in an image or a frame,
 * loads files below the folder and nothing else. Links are followed before they are judged.
 */
export async function fenceAround(folder: string): Promise<Fence> {
  const inside = (await realpath(folder)) + sep;
  const verdicts = new Map<string, Promise<boolean>>();
  const judge = async (pathname: string): Promise<boolean> => {
    try {
      return (await realpath(fileURLToPath(`file://${pathname}`))).startsWith(inside);
    } catch {
      return false;
    }
  };
  return (url) => {
    const { protocol, host, pathname } = new URL(url);
    if (OWN.has(protocol)) return Promise.resolve(true);
    if (protocol !== 'file:' || host !== '') return Promise.resolve(false);
    const verdict = verdicts.get(pathname) ?? judge(pathname);
    verdicts.set(pathname, verdict);
    return verdict;
  };
}

/** Lets the pages of a context load what the fence allows; windows and frames that they open are held too. */
export async function putUp(fence: Fence, context: BrowserContext): Promise<void> {
  await context.route('**/*', async (route) => {
    const allowed = await fence(route.request().url());
    // The page may be gone by now.
    await (allowed ? route.continue() : route.abort('accessdenied')).catch(() => {});
  });
}
