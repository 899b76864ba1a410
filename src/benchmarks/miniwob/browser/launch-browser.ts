import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { EnvironmentError } from '../environment.js';
import { browserEnvironment } from './browser-environment.js';
import { isDescendant } from './descendant.js';
import { killTree } from './kill-tree.js';
import { loadPlaywright } from './load-playwright.js';
import { withoutColours } from './python-error.js';
import { within } from './within.js';

/** One browser process and what belongs to it. */
export interface LaunchedBrowser {
  readonly browser: Browser;
  /** `156.0.8078.114` */
  readonly version: string;
  /** Asks the browser to end and kills it when it does not. Never rejects; afterwards no process of it is left. */
  close(ms: number): Promise<void>;
}

/**
 * Scroll bars must take room and be seen, as in BrowserGym. The suggestions of the address bar are pages themselves,
 * which nobody sees here; without them a window costs a quarter less. Chromium heeds only the last
 * `--disable-features`, so this one replaces Playwright's, in BrowserGym as here.
 */
const FEATURES_OFF = [
  'OverlayScrollbars',
  'ExtendedOverlayScrollbars',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
];
const LOOKS = [`--disable-features=${FEATURES_OFF.join(',')}`, '--lang=en-US'];

/** Nothing leaves the machine, whatever a page or the browser itself tries; `fence.ts` has the rest. */
const NO_NETWORK = [
  // Names and addresses alike lead nowhere, and what does not ask the resolver ends at a proxy that is not there.
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=socks5://127.0.0.1:1',
  '--proxy-bypass-list=<-loopback>',
  '--disable-quic',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
];

/** A browser that cannot start may say very much. */
const LINES_OF_REASON = 3;

/**
 * Starts a browser without a window.
 * @param ms most time to take
 * @throws EnvironmentError when it does not start
 */
export async function launchBrowser(
  executable: string,
  env: Readonly<Record<string, string | undefined>>,
  ms: number,
): Promise<LaunchedBrowser> {
  const { chromium, selectors } = loadPlaywright();
  selectors.setTestIdAttribute('bid');
  const home = await mkdtemp(join(tmpdir(), 'vendor-gate-browser-'));
  const launch = chromium.launch({
    executablePath: executable,
    headless: true,
    ignoreDefaultArgs: ['--hide-scrollbars'],
    args: [...LOOKS, ...NO_NETWORK],
    env: browserEnvironment(env, home),
    timeout: ms,
    // The run ends in its own way and closes the browsers itself.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  try {
    const browser = await launch;
    const pid = await within(ms, 'starting the browser', pidOf(browser));
    return { browser, version: browser.version(), close: (ms) => close(browser, pid, home, ms) };
  } catch (error) {
    await launch.then((browser) => browser.close()).catch(() => {});
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
    throw new EnvironmentError(`the browser did not start: ${reasonOf(error)}`);
  }
}

/** null: not to be had. */
async function pidOf(browser: Browser): Promise<number | null> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const pid = processInfo.find(({ type }) => type === 'browser')?.id ?? 0;
  return (await isDescendant(pid)) ? pid : null;
}

async function close(
  browser: Browser,
  pid: number | null,
  home: string,
  ms: number,
): Promise<void> {
  await within(ms, 'closing the browser', browser.close()).catch(() => {});
  if (pid !== null) await killTree(pid);
  await rm(home, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
}

/** What the browser itself said, where Playwright has heard it, without the command line and the log around it. */
function reasonOf(error: unknown): string {
  const text = withoutColours(error instanceof Error ? error.message : String(error));
  const said = new Set([...text.matchAll(/\]\[err\] (.+)/g)].map((match) => match[1]?.trim()));
  if (said.size > 0) return [...said].slice(-LINES_OF_REASON).join('; ');
  const code = /<process did exit: (.+)>/.exec(text)?.[1];
  if (code !== undefined) return `it ended at once (${code})`;
  return text.split('\n')[0]?.replace(/^browserType\.launch: /, '') ?? '';
}
