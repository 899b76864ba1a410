import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fenceAround } from '../../../../src/benchmarks/miniwob/browser/fence.js';
import {
  type LaunchedBrowser,
  launchBrowser,
} from '../../../../src/benchmarks/miniwob/browser/launch-browser.js';
import { type OpenPage, openPage } from '../../../../src/benchmarks/miniwob/browser/open-page.js';
import { testBrowser } from '../../../support/miniwob-browser.js';

const HOSTILE = fileURLToPath(
  new URL('../../../fixtures/miniwob-pages/hostile.html', import.meta.url),
);
/** A picture of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let launched: LaunchedBrowser;
let home: string;
/** What reached the sockets of this machine. */
const arrived: string[] = [];
const tcp = createServer((socket) => {
  arrived.push('tcp');
  socket.on('error', () => {});
  socket.end('HTTP/1.1 200 OK\r\naccess-control-allow-origin: *\r\ncontent-length: 2\r\n\r\nhi');
});
const udp = createSocket('udp4', () => arrived.push('udp'));

beforeAll(async () => {
  tcp.listen(0, '127.0.0.1');
  udp.bind(0, '127.0.0.1');
  await Promise.all([once(tcp, 'listening'), once(udp, 'listening')]);
  home = mkdtempSync(join(tmpdir(), 'vendor-gate-test-fence-'));
  mkdirSync(join(home, 'pages'));
  copyFileSync(HOSTILE, join(home, 'pages', 'hostile.html'));
  writeFileSync(join(home, 'secret.txt'), 'TOP SECRET');
  writeFileSync(join(home, 'secret.js'), 'window.leaked = true;');
  for (const name of ['secret.png', 'pages/own.png']) writeFileSync(join(home, name), PNG);
  writeFileSync(join(home, 'pages', 'own.js'), 'window.own = true;');
  for (const name of ['secret.png', 'secret.js']) {
    symlinkSync(join(home, name), join(home, 'pages', `link-${name}`));
  }
  launched = await launchBrowser(testBrowser(), process.env, 120_000);
});
afterAll(async () => {
  await launched.close(20_000);
  rmSync(home, { recursive: true, force: true });
  tcp.close();
  udp.close();
});

/** Lets the page try everything; what it could get is in its `found`, under the name of the way. */
async function attack(open: OpenPage): Promise<Record<string, string>> {
  const page = pathToFileURL(join(home, 'pages', 'hostile.html'));
  page.search = String(
    new URLSearchParams({
      tcp: String((tcp.address() as AddressInfo).port),
      udp: String(udp.address().port),
      outside: pathToFileURL(join(home, 'secret')).href,
    }),
  );
  await open.page.goto(page.href);
  await open.page.waitForFunction('window.finished', null, { timeout: 150_000 });
  return (await open.page.evaluate('found')) as Record<string, string>;
}

describe('a hostile page', () => {
  it('reaches its own files, but neither the disk nor the network', async () => {
    const open = await openPage(launched.browser, await fenceAround(join(home, 'pages')));
    const found = await attack(open);
    // Whatever is in `found` has been got; the two are the page's own.
    expect(found).toEqual({ 'image own.png': 'loaded', 'script own.js': 'loaded' });
    expect(await open.page.evaluate('window.leaked')).toBeUndefined();
    // The first frame and the first window are the page itself.
    const elsewhere = [...open.page.frames().slice(1), ...open.context.pages().slice(1)];
    expect(
      elsewhere.map((each) => each.url()).filter((url) => /^(file|https?):/.test(url)),
    ).toEqual([]);
    await open.context.close();
    expect(arrived).toEqual([]);
  });

  it('would reach the disk without the fence, and still not the network', async () => {
    const open = await openPage(launched.browser, async () => true);
    const found = await attack(open);
    expect(found).toMatchObject({
      'image secret.png': 'loaded',
      'script secret.js': 'loaded',
      'image link-secret.png': 'loaded',
    });
    expect(open.page.frames().map((frame) => frame.url())).toContain(
      pathToFileURL(join(home, 'secret.txt')).href,
    );
    await open.context.close();
    expect(arrived).toEqual([]);
  });
});

describe('the browser', () => {
  it('knows nothing of the environment it was started from', async () => {
    const other = await launchBrowser(
      testBrowser(),
      { ...process.env, INPUT_API_KEY: 'sk-1', OPENAI_API_KEY: 'sk-2', GITHUB_TOKEN: 'ghs' },
      120_000,
    );
    const session = await other.browser.newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const environments = processInfo
      .filter(() => process.platform === 'linux')
      .map(({ id }) => readFileSync(`/proc/${id}/environ`, 'latin1'));
    await other.close(20_000);
    for (const text of environments) expect(text).not.toMatch(/sk-1|sk-2|ghs|INPUT_/);
  });
});
