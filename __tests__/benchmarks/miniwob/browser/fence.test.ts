import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, test } from '@jest/globals';
import { fenceAround } from '../../../../src/benchmarks/miniwob/browser/fence.js';
import { tempDir } from '../../../support/temp-dir.js';

/** `pages` with a page, a folder and links; `pages-2` and `secret.txt` beside it. */
function laidOut(): string {
  const dir = tempDir();
  for (const folder of ['pages/core', 'pages-2']) mkdirSync(join(dir, folder), { recursive: true });
  for (const file of ['pages/a b.html', 'pages/core/core.js', 'pages-2/x.html', 'secret.txt']) {
    writeFileSync(join(dir, file), '');
  }
  symlinkSync(join(dir, 'secret.txt'), join(dir, 'pages', 'link.txt'));
  symlinkSync(join(dir, 'pages-2'), join(dir, 'pages', 'folder'));
  symlinkSync(join(dir, 'pages', 'core', 'core.js'), join(dir, 'pages', 'inner.js'));
  return dir;
}

describe('the fence', () => {
  test.each([
    [true, 'pages/a%20b.html'],
    [true, 'pages/a%20b.html?task=1#top'],
    [true, 'pages/core/core.js'],
    [true, 'pages/core/../core/core.js'],
    [true, 'pages/inner.js'],
    [false, 'secret.txt'],
    [false, 'pages-2/x.html'],
    [false, 'pages/../secret.txt'],
    [false, 'pages/%2e%2e/secret.txt'],
    [false, 'pages/..%2fsecret.txt'],
    [false, 'pages/link.txt'],
    [false, 'pages/folder/x.html'],
    [false, 'pages/absent.html'],
    [false, 'pages'],
    [false, ''],
  ])('%j: %s', async (allowed, path) => {
    const dir = laidOut();
    const fence = await fenceAround(join(dir, 'pages'));
    expect(await fence(`${pathToFileURL(dir).href}/${path}`)).toBe(allowed);
  });

  test.each([
    [true, 'data:text/plain,x'],
    [true, 'about:blank'],
    [true, 'blob:null/0b0e'],
    [false, 'http://127.0.0.1/'],
    [false, 'https://example.com/'],
    [false, 'file://server/share/pages/core/core.js'],
    [false, 'chrome://version/'],
    [false, 'view-source:file:///etc/passwd'],
    [false, 'filesystem:file:///temporary/x'],
    [false, 'ftp://example.com/'],
  ])('%j: %s', async (allowed, url) => {
    const fence = await fenceAround(join(laidOut(), 'pages'));
    expect(await fence(url)).toBe(allowed);
  });

  it('stands around a folder that is reached by a link', async () => {
    const dir = laidOut();
    symlinkSync(join(dir, 'pages'), join(dir, 'alias'));
    const fence = await fenceAround(join(dir, 'alias'));
    expect(await fence(pathToFileURL(join(dir, 'alias', 'core', 'core.js')).href)).toBe(true);
    expect(await fence(pathToFileURL(join(dir, 'alias', 'link.txt')).href)).toBe(false);
  });
});
