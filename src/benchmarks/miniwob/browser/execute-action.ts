import { setTimeout as delay } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import type { Action } from '../action.js';
import { type BoundAction, bindArguments, type Checked } from '../bind-arguments.js';
import { findElement } from './find-element.js';
import { refuseMalformed } from './page-scripts.js';
import { clickWasSent, isTimeout, pythonError } from './python-error.js';
import { SCALE } from './screenshot.js';

/** BrowserGym runs Playwright in slow motion: pages with animations depend on the pause after each input. */
const SLOW_MOTION_MS = 100;
/** How long an element may take to be ready for a click or a text. */
const PATIENCE_MS = 500;
const TYPING_MS = 5_000;
/** BrowserGym waits for as long as the model says. */
export const LONGEST_WAIT_MS = 30_000;

/** An error that is fed back to the model, in Python's words. */
class ActionError extends Error {}

/**
 * Executes an action as BrowserGym's function of the same name does. The position of the mouse, pressed buttons and
 * held keys live in the page and last from one action to the next.
 * @param signal ends a long `noop`
 * @returns `ErrorType: message` for the model; empty when it worked
 */
export async function executeAction(
  page: Page,
  action: Action,
  signal: AbortSignal,
): Promise<string> {
  if (action.kind === 'error') return action.message;
  const binding = bindArguments(action);
  if (!binding.ok) return binding.error;
  try {
    await perform(page, binding.values, signal);
    return '';
  } catch (error) {
    return error instanceof ActionError ? error.message : pythonError(error);
  }
}

async function perform(page: Page, action: BoundAction, signal: AbortSignal): Promise<void> {
  switch (action.name) {
    case 'noop': {
      const wait = checked(action.waitMs);
      await delay(Math.min(Math.max(wait, 0), LONGEST_WAIT_MS), undefined, { signal });
      return;
    }
    case 'mouse_move':
      return await slowly(page.mouse.move(action.x / SCALE, action.y / SCALE));
    case 'mouse_click':
    case 'mouse_dblclick': {
      const button = checked(action.button);
      const how = { button, clickCount: action.name === 'mouse_click' ? 1 : 2 };
      return await slowly(page.mouse.click(action.x / SCALE, action.y / SCALE, how));
    }
    case 'mouse_down':
      await slowly(page.mouse.move(action.x / SCALE, action.y / SCALE));
      return await slowly(page.mouse.down({ button: checked(action.button) }));
    case 'mouse_up':
      await slowly(page.mouse.move(action.x / SCALE, action.y / SCALE));
      return await slowly(page.mouse.up({ button: checked(action.button) }));
    case 'scroll':
      return await slowly(page.mouse.wheel(action.deltaX / SCALE, action.deltaY / SCALE));
    case 'keyboard_press':
      return await slowly(page.keyboard.press(checked(action.key)));
    case 'keyboard_type':
      return await slowly(page.keyboard.type(checked(action.text)));
    case 'click':
      return await click(page, action);
    case 'fill':
      return await fill(page, action);
  }
}

async function click(page: Page, action: BoundAction & { name: 'click' }): Promise<void> {
  const element = await existing(page, action.bid);
  const button = checked(action.button);
  const modifiers = [...checked(action.modifiers)];
  await withForceRetry(async (how) => {
    try {
      await element.click({ ...how, button, modifiers });
    } catch (error) {
      // On a busy machine the page may take long to answer; a second click would be one too many.
      if (!clickWasSent(error)) throw error;
    }
  });
}

async function fill(page: Page, action: BoundAction & { name: 'fill' }): Promise<void> {
  const element = await existing(page, action.bid);
  const value = checked(action.value);
  if (await isMalformed(element, value)) {
    throw new ActionError('Error: Locator.fill: Error: Malformed value');
  }
  if (!action.autocomplete) {
    await withForceRetry((how) => element.fill(value, how));
    return;
  }
  const characters = [...value];
  const last = characters.pop() ?? '';
  await withForceRetry(async (how) => {
    await slowly(element.fill('', how));
    await slowly(element.fill(characters.join(''), how));
    await element.pressSequentially(last, { timeout: TYPING_MS });
  });
}

async function isMalformed(element: Locator, value: string): Promise<boolean> {
  try {
    return await element.first().evaluate(refuseMalformed, value, { timeout: PATIENCE_MS });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    // The element is gone; filling it will say so.
    return false;
  }
}

/** What is not ready in time is tried once more without looking whether it is ready. */
async function withForceRetry(
  act: (how: { force: boolean; timeout: number }) => Promise<void>,
): Promise<void> {
  try {
    await slowly(act({ force: false, timeout: PATIENCE_MS }));
  } catch (error) {
    if (!isTimeout(error)) throw error;
    await slowly(act({ force: true, timeout: PATIENCE_MS }));
  }
}

async function existing(page: Page, bid: string): Promise<Locator> {
  const element = await findElement(page, bid);
  if (element !== null) return element;
  throw new ActionError(`ValueError: Could not find element with bid "${bid}"`);
}

async function slowly(input: Promise<void>): Promise<void> {
  await input;
  await delay(SLOW_MOTION_MS);
}

function checked<T>(argument: Checked<T>): T {
  if (argument.ok) return argument.value;
  throw new ActionError(argument.error);
}
