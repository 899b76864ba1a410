import type { CDPSession } from 'playwright-core';

/** Of the page, in CSS pixels; the model's coordinates are `SCALE` times that. */
export const VIEWPORT = { width: 332, height: 214 };

/** The model sees the page enlarged; the page itself never knows. */
export const SCALE = 1.5;

/**
 * The page as the model sees it: a PNG of 498x321 pixels.
 *
 * The session must live as long as the page: when it ends, Chromium takes back what it set, and the page shrinks. A
 * capture with `clip.scale` gives other scroll bars and text areas.
 */
export async function screenshot(session: CDPSession): Promise<Buffer> {
  await setScale(session, SCALE);
  try {
    const { data } = await session.send('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(data, 'base64');
  } finally {
    await setScale(session, 1);
  }
}

async function setScale(session: CDPSession, deviceScaleFactor: number): Promise<void> {
  await session.send('Emulation.setDeviceMetricsOverride', {
    ...VIEWPORT,
    deviceScaleFactor,
    mobile: false,
  });
}
