import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from '@jest/globals';
import { create, Header } from 'tar';
import {
  type FetchContext,
  type FetchFile,
  givenPages,
  type Pin,
  pinnedPages,
} from '../../../src/benchmarks/miniwob/assets.js';
import { digestOfPages } from '../../../src/benchmarks/miniwob/pages-digest.js';
import { unpackPages } from '../../../src/benchmarks/miniwob/unpack-pages.js';
import { ConfigError } from '../../../src/model/errors.js';
import { tempDir } from '../../support/temp-dir.js';

/** What of a checkout the tests need; the page is in a folder of its own, its script beside that. */
const FILES: Readonly<Record<string, string>> = {
  'README.md': 'about',
  'miniwob/environment.py': 'code',
  'miniwob/html/.gitignore': 'x',
  'miniwob/html/core/core.js': 'core',
  'miniwob/html/miniwob/click-dialog.html': 'dialog',
};
/** SHA-256 of 'core' and of 'dialog' as `sha256sum` prints them, hashed again. */
const DIGEST = createHash('sha256')
  .update(`${sha256('core')}  core/core.js\n${sha256('dialog')}  miniwob/click-dialog.html\n`)
  .digest('hex');

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function checkout(): string {
  const dir = tempDir();
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(dir, path, '..'), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
}

async function archive(): Promise<string> {
  const file = join(tempDir(), 'archive.tar.gz');
  const prefix = 'miniwob-plusplus-0123';
  await create({ file, cwd: checkout(), prefix, gzip: true }, ['README.md', 'miniwob']);
  return file;
}

/** An archive with one entry that GitHub would never make. */
function archiveOf(
  path: string,
  type: 'File' | 'SymbolicLink' | 'Link',
  linkpath?: string,
): string {
  const block = Buffer.alloc(512);
  const header = new Header({ path, type, size: 0, mode: 0o644, ...(linkpath && { linkpath }) });
  header.encode(block);
  const file = join(tempDir(), 'archive.tar');
  writeFileSync(file, Buffer.concat([block, Buffer.alloc(1024)]));
  return file;
}

async function failureOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ConfigError);
  return String(error);
}

describe('pages that the user has', () => {
  test.each(['.', 'miniwob', 'miniwob/html', 'miniwob/html/miniwob'])('in %s', async (below) => {
    const dir = checkout();
    expect(await givenPages(join(dir, below), 'assets')).toEqual({
      dir: join(dir, 'miniwob', 'html'),
      sha256: DIGEST,
      pinned: false,
    });
  });

  it('are missed by name', async () => {
    const dir = tempDir();
    const failure = await failureOf(givenPages(dir, 'datasets.miniwob.assets'));
    expect(failure).toContain(`datasets.miniwob.assets: \`${dir}\` holds no pages of MiniWoB++`);
  });

  it('have a digest of names and bytes, whatever else lies there', async () => {
    const dir = join(checkout(), 'miniwob', 'html');
    symlinkSync(join(dir, 'core'), join(dir, 'link'));
    expect(await digestOfPages(dir)).toBe(DIGEST);
    writeFileSync(join(dir, 'core', 'core.js'), 'changed');
    expect(await digestOfPages(dir)).not.toBe(DIGEST);
  });
});

describe('pages from the archive', () => {
  const pin: Pin = { commit: '0123456789abcdef', archive: 'a'.repeat(64), pages: DIGEST };

  function world(file: string): {
    readonly fetchFile: FetchFile;
    readonly asked: FetchContext[];
    readonly urls: string[];
    readonly notes: string[];
    readonly ctx: Omit<FetchContext, 'sha256' | 'expected' | 'maxBytes'>;
  } {
    const asked: FetchContext[] = [];
    const urls: string[] = [];
    const notes: string[] = [];
    const downloads = { dir: tempDir(), offline: false, remote: null, progress: () => {} };
    return {
      asked,
      urls,
      notes,
      fetchFile: async (url, ctx) => {
        urls.push(url.href);
        asked.push(ctx);
        return { path: file };
      },
      ctx: {
        downloads,
        env: {},
        signal: new AbortController().signal,
        where: 'datasets.miniwob.assets',
        note: (text) => notes.push(text),
      },
    };
  }

  it('are fetched and unpacked once', async () => {
    const { fetchFile, urls, asked, ctx, notes } = world(await archive());
    const pages = await pinnedPages(fetchFile, ctx, pin);
    const dir = join(ctx.downloads.dir, 'miniwob-0123456789ab');
    expect(pages).toEqual({ dir, sha256: DIGEST, pinned: true });
    expect(existsSync(join(dir, 'miniwob', 'click-dialog.html'))).toBe(true);
    expect(existsSync(join(dir, 'environment.py'))).toBe(false);
    expect(await pinnedPages(fetchFile, ctx, pin)).toEqual(pages);
    expect(urls).toEqual([
      'https://github.com/Farama-Foundation/miniwob-plusplus/archive/0123456789abcdef.tar.gz',
    ]);
    expect(asked[0]).toMatchObject({ sha256: null, expected: 'a'.repeat(64) });
    expect(readdirSync(ctx.downloads.dir)).toEqual(['miniwob-0123456789ab']);
    expect(notes).toEqual([]);
  });

  it('are unpacked by several jobs at a time', async () => {
    const { fetchFile, ctx } = world(await archive());
    const all = await Promise.all([1, 2, 3].map(() => pinnedPages(fetchFile, ctx, pin)));
    expect(new Set(all.map(({ dir }) => dir)).size).toBe(1);
    expect(readdirSync(ctx.downloads.dir)).toEqual(['miniwob-0123456789ab']);
  });

  it('are unpacked again when the cache is damaged', async () => {
    const { fetchFile, ctx, notes } = world(await archive());
    const { dir } = await pinnedPages(fetchFile, ctx, pin);
    writeFileSync(join(dir, 'core', 'core.js'), 'torn');
    expect(await pinnedPages(fetchFile, ctx, pin)).toMatchObject({ dir, pinned: true });
    expect(notes.join()).toContain('damaged');
    expect(readdirSync(ctx.downloads.dir)).toEqual(['miniwob-0123456789ab']);
  });

  it('are refused when they are others', async () => {
    const { fetchFile, ctx } = world(await archive());
    const failure = await failureOf(pinnedPages(fetchFile, ctx, { ...pin, pages: 'b'.repeat(64) }));
    expect(failure).toContain('does not hold the pages it should');
    expect(readdirSync(ctx.downloads.dir)).toEqual([]);
  });
});

describe('an archive', () => {
  const INSIDE = 'm/miniwob/html/x';

  test.each([
    [archiveOfLink, 'is a SymbolicLink'],
    [() => archiveOf(INSIDE, 'Link', 'm/miniwob/html/y'), 'is a Link'],
    [() => archiveOf('m/miniwob/html/../../../../x', 'File'), 'leads out of the archive'],
    [() => archiveOf('/m/miniwob/html/x', 'File'), 'leads out of the archive'],
    [() => archiveOf('C:\\m\\miniwob\\html\\x', 'File'), 'leads out of the archive'],
    [notAnArchive, 'not unpacked'],
  ])('%p: %s', async (make, message) => {
    const into = tempDir();
    expect(await failureOf(unpackPages(make(), into, 'assets'))).toContain(message);
    expect(readdirSync(into)).toEqual([]);
  });

  function archiveOfLink(): string {
    return archiveOf(INSIDE, 'SymbolicLink', '/etc/passwd');
  }

  function notAnArchive(): string {
    const file = join(tempDir(), 'archive.tar.gz');
    writeFileSync(file, '<!doctype html>'.repeat(100));
    return file;
  }
});
