import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Downloads } from '../../model/downloads.js';
import { ConfigError } from '../../model/errors.js';
import { digestOfPages } from './pages-digest.js';
import { unpackPages } from './unpack-pages.js';

/** A state of MiniWoB++. */
export interface Pin {
  readonly commit: string;
  /** SHA-256 of GitHub's archive of it. */
  readonly archive: string;
  /** `digestOfPages` of its `miniwob/html`. */
  readonly pages: string;
}

/** What EvalScope pins: 2023-07-24, 360 files. */
const EVALSCOPE: Pin = {
  commit: '7fd85d71a4b60325c6585396ec4f48377d049838',
  archive: '89cc878fc4769d8815630f5367c5c53b0ad4ae0a98b6fa9663eba83cf99a3807',
  pages: '28d34feb886387e9f9e27a78136867968344d5dc7e621240eefefbff75770f7b',
};
const REPOSITORY = 'https://github.com/Farama-Foundation/miniwob-plusplus';
const MAX_ARCHIVE_BYTES = 64 * 2 ** 20;

/** A page that every version has; where it lies, the others lie too. */
const SENTINEL = 'click-dialog.html';
/** Where the pages may lie below the folder that somebody names: a checkout, its parts, or the pages' own folder. */
const PLACES = ['miniwob/html/miniwob', 'html/miniwob', 'miniwob', '.'];

/** What brings a file onto this machine by way of the cache. */
export type FetchFile = (url: URL, ctx: FetchContext) => Promise<{ readonly path: string }>;

export interface FetchContext {
  readonly downloads: Downloads;
  /** Proxy settings. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** The option's name, for error messages. */
  readonly where: string;
  readonly sha256: string | null;
  readonly expected: string;
  readonly maxBytes: number;
  note(text: string): void;
}

export interface Pages {
  /** The folder `html`, with the tasks in its `miniwob`. */
  readonly dir: string;
  /** Of all their files: what two runs must share to be compared. */
  readonly sha256: string;
  /** Whether they are those of the pinned commit, file for file. */
  readonly pinned: boolean;
}

/**
 * The pages in a folder that the user named.
 * @throws ConfigError when they are not there
 */
export async function givenPages(folder: string, where: string): Promise<Pages> {
  const place = PLACES.find((below) => existsSync(join(folder, below, SENTINEL)));
  if (place !== undefined) return await described(dirname(resolve(folder, place)), EVALSCOPE);
  const what = `\`${folder}\` holds no pages of MiniWoB++: there is no ${SENTINEL} in it or its miniwob/html/miniwob.`;
  const fix = 'Give the folder of a checkout of miniwob-plusplus, or its `miniwob/html`.';
  throw new ConfigError([{ where, what, fix }]);
}

/**
 * The pages of the pinned commit, from the project's own archive: downloaded once, checked, and unpacked once into the
 * cache. Several jobs may do so at the same time.
 * @throws ConfigError when they cannot be had, or are not what they should be
 */
export async function pinnedPages(
  fetchFile: FetchFile,
  ctx: Omit<FetchContext, 'sha256' | 'expected' | 'maxBytes'>,
  pin: Pin = EVALSCOPE,
): Promise<Pages> {
  const { downloads, where, note } = ctx;
  const dir = join(downloads.dir, `miniwob-${pin.commit.slice(0, 12)}`);
  if (existsSync(dir)) {
    const pages = await described(dir, pin);
    if (pages.pinned) return pages;
    note(`The pages of MiniWoB++ in the cache (${dir}) are damaged and are unpacked again.`);
  }
  const { path } = await fetchFile(new URL(`${REPOSITORY}/archive/${pin.commit}.tar.gz`), {
    ...ctx,
    sha256: null,
    expected: pin.archive,
    maxBytes: MAX_ARCHIVE_BYTES,
  });
  const part = join(downloads.dir, `.miniwob-${randomUUID()}.part`);
  try {
    await mkdir(part, { recursive: true });
    await unpackPages(path, part, where);
    const pages = await described(part, pin);
    if (!pages.pinned) throw notThePages(pin, where);
    await moveTo(dir, part, pin);
    return { ...pages, dir };
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}

/** Into its place at once, so that nobody meets half of it. */
async function moveTo(dir: string, part: string, pin: Pin): Promise<void> {
  try {
    await rename(part, dir);
  } catch (error) {
    if (!existsSync(dir)) throw error;
    // Another job was faster, or what is there is damaged; a folder never replaces one that is not empty.
    if ((await described(dir, pin)).pinned) return;
    await rename(dir, `${part}.old`);
    await rename(part, dir);
    await rm(`${part}.old`, { recursive: true, force: true });
  }
}

async function described(dir: string, pin: Pin): Promise<Pages> {
  const sha256 = await digestOfPages(dir);
  return { dir, sha256, pinned: sha256 === pin.pages };
}

function notThePages({ commit }: Pin, where: string): ConfigError {
  const what = 'the archive of MiniWoB++ does not hold the pages it should.';
  const fix = `Check out ${commit} of miniwob-plusplus yourself and give its folder in this option.`;
  return new ConfigError([{ where, what, fix }]);
}
