import type { Downloads } from '../model/downloads.js';
import type { Json } from '../model/json.js';
import { publicUrl } from '../text/public-url.js';
import { AddressCache, type Copy, digestOf } from './cache.js';
import { type Downloaded, download } from './download.js';
import {
  type FileKind,
  JSON_DOCUMENT,
  MAX_JSON_BYTES,
  PLAIN_FILE,
  readJson,
} from './file-kinds.js';
import { checkAddress } from './get.js';
import { removePart } from './part.js';
import { checkPin } from './pin.js';
import { restoreCopy, saveCopy } from './remote-copies.js';
import { ONLINE_ONCE, SourceUnreachable, unreachable } from './unreachable.js';

export { SourceUnreachable } from './unreachable.js';

export interface FetchContext {
  readonly downloads: Downloads;
  /** Proxy settings. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** The option that names the source, for errors. */
  readonly where: string;
  /** The user's pin (hex), or null. */
  readonly sha256: string | null;
  /** The digest that a hub's listing promises. */
  readonly expected?: string | null;
  /** Default 4 GiB. */
  readonly maxBytes?: number;
  /** Waits before the second, third ... attempt of a failed download. */
  readonly retryDelaysMs?: readonly number[];
  /** Without a byte for so long a server counts as gone. Default 60 s. */
  readonly silenceMs?: number;
  note(text: string): void;
}

export interface Fetched {
  /** In the cache; never to be changed or deleted. */
  readonly path: string;
  /** Of the bytes as they came, in hex. */
  readonly sha256: string;
  /** The address as it may be shown. */
  readonly label: string;
}

const MAX_BYTES = 4 * 2 ** 30;

/**
 * Brings a file onto this machine by way of the cache. With a digest that is known beforehand a copy of it needs no
 * network; without one the server is asked whether the copy is current, and the copy stands in, with a note, when it
 * cannot be asked. No copy is used before its digest has been checked.
 * @throws SourceUnreachable when it cannot be had, so that another source may be tried; another ConfigError for
 *   addresses that are not allowed, a digest that is not the pinned one, too many bytes, and a cache that cannot be
 *   written. Rejects with the signal's reason when aborted.
 */
export async function fetchFile(url: URL, ctx: FetchContext): Promise<Fetched> {
  const { path, sha256 } = await obtainCopy(url, PLAIN_FILE, ctx);
  return { path, sha256, label: publicUrl(url) };
}

/** A JSON document of at most 8 MiB, such as a hub's listing, in the same way. */
export async function fetchJson(url: URL, ctx: FetchContext): Promise<Json> {
  const maxBytes = Math.min(ctx.maxBytes ?? MAX_JSON_BYTES, MAX_JSON_BYTES);
  const { path } = await obtainCopy(url, JSON_DOCUMENT, { ...ctx, maxBytes });
  return readJson(path);
}

async function obtainCopy(url: URL, kind: FileKind, ctx: FetchContext): Promise<Copy> {
  checkAddress(url, ctx.where);
  const { dir, offline } = ctx.downloads;
  const cache = new AddressCache(dir, url);
  const known = (ctx.sha256 ?? ctx.expected ?? null)?.toLowerCase() ?? null;
  const here =
    (await intactCopy(cache, known, kind, url, ctx)) ??
    (await restoredCopy(cache, known, kind, ctx));
  if (here !== null && (known !== null || offline)) {
    await cache.touch(here);
    return here;
  }
  if (offline) throw notInCache(url, known, ctx);
  try {
    return await fromServer(url, kind, cache, here, ctx);
  } catch (error) {
    if (!(error instanceof SourceUnreachable) || here === null) throw error;
    const reason = error.problems.map(({ what }) => what.replace(/\.$/, '')).join('; ');
    const date = here.checkedAt === null ? 'unknown date' : here.checkedAt.slice(0, 10);
    ctx.note(`${reason}. The copy of ${date} is used, SHA-256 ${here.sha256}.`);
    await cache.touch(here);
    return here;
  }
}

/** The copy with this digest, or the newest, whose bytes are what they should be. Damaged ones are thrown away. */
async function intactCopy(
  cache: AddressCache,
  known: string | null,
  kind: FileKind,
  url: URL,
  { signal, note }: FetchContext,
): Promise<Copy | null> {
  for (const copy of await cache.copies()) {
    if (known !== null && copy.sha256 !== known) continue;
    const found = await digestOf(copy.path, signal).catch((error: NodeJS.ErrnoException) => {
      return error.code === 'ENOENT' ? 'gone' : 'unreadable';
    });
    signal.throwIfAborted();
    if (found === copy.sha256) {
      if (known !== null || (await kind.refuse(copy.path)) === null) return copy;
      continue;
    }
    if (found === 'gone') continue;
    note(`The copy of ${publicUrl(url)} in the cache is damaged and is not used.`);
    await cache.remove(copy);
  }
  return null;
}

async function restoredCopy(
  cache: AddressCache,
  known: string | null,
  kind: FileKind,
  ctx: FetchContext,
): Promise<Copy | null> {
  const copy = await restoreCopy(cache, known, ctx);
  if (copy === null || known !== null) return copy;
  return (await kind.refuse(copy.path)) === null ? copy : null;
}

async function fromServer(
  url: URL,
  kind: FileKind,
  cache: AddressCache,
  here: Copy | null,
  ctx: FetchContext,
): Promise<Copy> {
  await cache.prepare();
  const got = await downloadChecked(url, kind, cache, here, ctx);
  const checkedAt = new Date().toISOString();
  if (here !== null && (got === null || (await holdsTheSame(kind, here, got)))) {
    const { etag, lastModified } = got ?? here;
    if (got !== null) await removePart(got.path);
    await cache.confirm({ ...here, etag, lastModified });
    await cache.touch(here);
    return here;
  }
  if (got === null) throw new Error('a server confirmed a copy that is not there');
  const { path, sha256, etag, lastModified } = got;
  const record = { etag, lastModified, fetchedAt: checkedAt, checkedAt };
  const copy = await cache.add(path, sha256, record);
  await removePart(path);
  checkPin(sha256, publicUrl(url), ctx);
  await saveCopy(cache, copy, ctx);
  return copy;
}

async function holdsTheSame(kind: FileKind, here: Copy, got: Downloaded): Promise<boolean> {
  return (await kind.content(here)) === (await kind.content(got));
}

/** Null when the copy that is here is current. */
async function downloadChecked(
  url: URL,
  kind: FileKind,
  { dir }: AddressCache,
  here: Copy | null,
  ctx: FetchContext,
): Promise<Downloaded | null> {
  const label = publicUrl(url);
  const known = (ctx.sha256 ?? ctx.expected ?? null)?.toLowerCase() ?? null;
  for (let fresh = false; ; fresh = true) {
    const got = await download(url, dir, here, {
      ...ctx,
      maxBytes: ctx.maxBytes ?? MAX_BYTES,
      fresh,
      onProgress: (state) => ctx.downloads.progress(label, state),
    });
    if (got === null || got.sha256 === known) return got;
    const refused = await kind.refuse(got.path);
    if (refused !== null) {
      await removePart(got.path);
      const fix =
        'Open the address in a browser: a login page, a proxy or an error page may have answered.';
      throw unreachable(ctx.where, `${label} gave ${refused}.`, fix);
    }
    // A pin can be wrong where nothing else is, so other bytes are no reason to fetch them twice.
    if (known === null || (ctx.sha256 !== null && !got.resumed)) return got;
    if (fresh && ctx.sha256 !== null) return got;
    await removePart(got.path);
    if (fresh) throw otherBytes(label, got.sha256, known, ctx.where);
  }
}

function otherBytes(label: string, found: string, promised: string, where: string): Error {
  return unreachable(
    where,
    `${label} gave other bytes (SHA-256 ${found}) than the listing of its server says (${promised}).`,
    'Try again later, or download it and give its path.',
  );
}

function notInCache(url: URL, known: string | null, { downloads, where }: FetchContext): Error {
  const digest = known === null ? '' : ` with the SHA-256 ${known}`;
  return unreachable(
    where,
    `offline is set, and the cache (${downloads.dir}) has no copy of ${publicUrl(url)}${digest}.`,
    ONLINE_ONCE,
  );
}
