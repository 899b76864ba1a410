import { setTimeout as delay } from 'node:timers/promises';
import type { CDPSession } from 'playwright-core';
import { accessibilityText } from './accessibility.js';
import { mark } from './marking.js';
import { screenshot } from './screenshot.js';

const TRIES = 5;
const PAUSE_MS = 500;

/** Signs that a frame came or went while it was looked at; the first five are BrowserGym's, the others Chromium's. */
const PASSING = [
  'Frame was detached',
  'Frame with the given frameId is not found',
  'Execution context was destroyed',
  'Frame has been detached',
  'Cannot mark a child frame without a bid',
  'Cannot read properties of undefined',
  'No frame for given id found',
  'Frame with the given id was not found',
  'Cannot find context with specified id',
  'No node with given id found',
  'Inspected target navigated or closed',
];

/** The page's text and picture. Rejects with what the browser says when five tries do not give them. */
export async function observe(
  session: CDPSession,
): Promise<{ readonly tree: string; readonly screenshot: Buffer }> {
  const tree = await treeOf(session, 1);
  return { tree, screenshot: await screenshot(session) };
}

async function treeOf(session: CDPSession, attempt: number): Promise<string> {
  const last = attempt === TRIES;
  try {
    const marks = await mark(session, last);
    try {
      return await accessibilityText(session, marks);
    } finally {
      await marks.remove();
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (last || !PASSING.some((sign) => message.includes(sign))) throw error;
  }
  await delay(PAUSE_MS);
  return await treeOf(session, attempt + 1);
}
