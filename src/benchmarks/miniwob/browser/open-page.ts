import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { type Fence, putUp } from './fence.js';
import { VIEWPORT } from './screenshot.js';

/** A page of its own context, empty at first. */
export interface OpenPage {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Lives as long as the page: what it sets ends with it. */
  readonly session: CDPSession;
}

/** Opens an empty page that shares nothing with earlier ones and loads only what the fence allows. */
export async function openPage(browser: Browser, fence: Fence): Promise<OpenPage> {
  const context = await browser.newContext({
    viewport: VIEWPORT,
    deviceScaleFactor: 1,
    locale: 'en-US',
    timezoneId: 'UTC',
    offline: true,
    acceptDownloads: false,
  });
  // Deadlines are the episode's.
  context.setDefaultTimeout(0);
  await putUp(fence, context);
  const page = await context.newPage();
  return { context, page, session: await context.newCDPSession(page) };
}
