import type { Frame, Locator, Page } from 'playwright-core';

/**
 * The element with a bid, or null. The bid of an element in a frame starts with that of the frame's element, whose own
 * starts with that of the frame around it: a small letter, then capitals, for each.
 */
export async function findElement(page: Page, bid: string): Promise<Locator | null> {
  let frame: Frame = page.mainFrame();
  let end = 0;
  while (end < bid.length && !/^\p{N}+$/u.test(bid.slice(end))) {
    end += 1;
    while (/^\p{Lu}/u.test(bid.slice(end))) end += 1;
    const [owner] = await frame.getByTestId(bid.slice(0, end)).elementHandles();
    const inner = await owner?.contentFrame();
    if (!inner) return null;
    frame = inner;
  }
  const element = frame.getByTestId(bid);
  return (await element.count()) === 0 ? null : element;
}
