import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { LaunchedBrowser } from '../../../../src/benchmarks/miniwob/browser/launch-browser.js';
import { Worker } from '../../../../src/benchmarks/miniwob/browser/worker.js';
import { EnvironmentError } from '../../../../src/benchmarks/miniwob/environment.js';

interface FakeBrowser {
  pages: number;
  closed: boolean;
  connected: boolean;
  /** Opens no more pages. */
  broken: boolean;
}

let browsers: FakeBrowser[];
let worker: Worker;

beforeEach(() => {
  browsers = [];
  worker = new Worker(
    async () => launched(),
    async () => true,
    1000,
  );
});

/** A browser that counts its pages; a page is named by its browser and its place there. */
function launched(): LaunchedBrowser {
  const fake: FakeBrowser = { pages: 0, closed: false, connected: true, broken: false };
  const number = browsers.push(fake);
  const newPage = async (): Promise<Page> => {
    if (fake.broken) throw new Error('no more pages');
    fake.pages += 1;
    const name = `${number}.${fake.pages}`;
    return { url: () => name, isClosed: () => !fake.connected } as unknown as Page;
  };
  const context = {
    newPage,
    setDefaultTimeout() {},
    route: async () => {},
    newCDPSession: async () => ({}),
  };
  const browser = { isConnected: () => fake.connected, newContext: async () => context };
  return {
    browser: browser as unknown as Browser,
    version: `${number}.0`,
    async close() {
      fake.closed = true;
    },
  };
}

async function next(fresh = false): Promise<string> {
  return (await worker.open(fresh)).page.url();
}

describe('a worker', () => {
  it('starts a browser when it is wanted, and keeps it', async () => {
    expect(browsers).toEqual([]);
    expect(await worker.version()).toBe('1.0');
    expect([await next(), await next()]).toEqual(['1.1', '1.2']);
  });

  it('starts another for whoever needs a fresh one, unless it is fresh', async () => {
    await worker.version();
    expect([await next(true), await next(true), await next()]).toEqual(['1.1', '2.1', '2.2']);
    expect(browsers.map(({ closed }) => closed)).toEqual([true, false]);
  });

  it('gives the page that was prepared', async () => {
    expect(await next()).toBe('1.1');
    await worker.prepare();
    await worker.prepare();
    expect(browsers[0]?.pages).toBe(2);
    expect([await next(), await next()]).toEqual(['1.2', '1.3']);
  });

  it('does not give a prepared page of a browser that is gone', async () => {
    await next();
    await worker.prepare();
    Object.assign(browsers[0] ?? {}, { connected: false });
    expect(await next()).toBe('2.1');
  });

  it('replaces a browser that could not prepare a page', async () => {
    await next();
    Object.assign(browsers[0] ?? {}, { broken: true });
    await expect(worker.prepare()).rejects.toThrow('no more pages');
    expect(await next()).toBe('2.1');
    expect(browsers[0]?.closed).toBe(true);
  });

  it('replaces a browser that died while nobody used it', async () => {
    await next();
    Object.assign(browsers[0] ?? {}, { connected: false });
    expect(await next()).toBe('2.1');
  });

  it('starts anew after a browser that did not start', async () => {
    let tries = 0;
    const unlucky = new Worker(
      async () => {
        tries += 1;
        if (tries === 1) throw new EnvironmentError('the browser did not start');
        return launched();
      },
      async () => true,
      1000,
    );
    await expect(unlucky.open(false)).rejects.toThrow('did not start');
    await unlucky.discard();
    expect((await unlucky.open(false)).page.url()).toBe('1.1');
  });
});
