import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it, test } from '@jest/globals';
import { fetchFile, fetchJson } from '../../src/datasets/fetch.js';
import type { RemoteCache } from '../../src/model/downloads.js';
import { type Fetching, failureOf, fetching } from '../support/fetching.js';
import { type FileServer, fileServer, sha256, stored } from '../support/file-server.js';
import { tempDir } from '../support/temp-dir.js';

const ROWS = Buffer.from('{"a":1}\n');
const NEWER = Buffer.from('{"a":1}\n{"a":2}\n');

interface Entry {
  readonly key: string;
  readonly files: Readonly<Record<string, Buffer>>;
}

/** Keeps entries as the Actions cache does: never changed, the newest of a beginning found first. */
class Remembering implements RemoteCache {
  readonly entries: Entry[] = [];
  readonly asked: [string, string | null][] = [];
  async restore(key: string, prefix: string | null, dir: string): Promise<string | null> {
    this.asked.push([key, prefix]);
    const found =
      this.entries.find((entry) => entry.key === key) ??
      this.entries.findLast((entry) => prefix !== null && entry.key.startsWith(prefix));
    for (const [name, bytes] of Object.entries(found?.files ?? {})) {
      writeFileSync(join(dir, name), bytes);
    }
    return found?.key ?? null;
  }
  async save(key: string, paths: readonly string[]): Promise<void> {
    if (this.entries.some((entry) => entry.key === key)) return;
    const files = paths.map((path) => [basename(path), readFileSync(path)] as const);
    this.entries.push({ key, files: Object.fromEntries(files) });
  }
}

const url = ({ origin }: FileServer): URL => new URL('/rows.jsonl?sig=s3cret', origin);
const prefixFor = (server: FileServer): string =>
  `vendor-gate-data-${sha256(url(server).href).slice(0, 16)}-`;
/** On a machine that has nothing yet. */
const elsewhere = (remote: RemoteCache, rest: Partial<Fetching> = {}, offline = false): Fetching =>
  fetching(tempDir(), rest, { remote, offline });

describe('a cache beyond this machine', () => {
  it('gets a file and its record once it was downloaded', async () => {
    const server = await fileServer(stored(ROWS, { etag: '"1"' }));
    const remote = new Remembering();
    const ctx = elsewhere(remote);
    await fetchFile(url(server), ctx);
    expect(remote.asked).toEqual([[`${prefixFor(server)}newest`, prefixFor(server)]]);
    expect(remote.entries.map(({ key }) => key)).toEqual([`${prefixFor(server)}${sha256(ROWS)}`]);
    expect(Object.keys(remote.entries[0]?.files ?? {})).toEqual([
      sha256(ROWS),
      `${sha256(ROWS)}.json`,
    ]);
    // What is here already is neither sought nor saved again.
    await fetchFile(url(server), ctx);
    expect([remote.asked.length, remote.entries.length]).toEqual([1, 1]);
  });

  it('gives a file whose digest is known without the network', async () => {
    const server = await fileServer(stored(ROWS));
    const remote = new Remembering();
    await fetchFile(url(server), elsewhere(remote));
    await server.close();
    for (const known of [{ sha256: sha256(ROWS) }, { expected: sha256(ROWS) }]) {
      const got = await fetchFile(url(server), elsewhere(remote, known));
      expect(readFileSync(got.path)).toEqual(ROWS);
    }
    expect(remote.asked.at(-1)).toEqual([`${prefixFor(server)}${sha256(ROWS)}`, null]);
    expect(remote.entries).toHaveLength(1);
  });

  it('gives the newest file otherwise, about which the server is asked', async () => {
    const server = await fileServer(stored(ROWS, { etag: '"1"' }));
    const remote = new Remembering();
    await fetchFile(url(server), elsewhere(remote));
    await fetchFile(url(server), elsewhere(remote));
    expect(server.asked[1]?.headers['if-none-match']).toBe('"1"');
    server.answering = stored(NEWER, { etag: '"2"' });
    const got = await fetchFile(url(server), elsewhere(remote));
    expect(got.sha256).toBe(sha256(NEWER));
    expect(remote.entries.map(({ key }) => key.slice(-64))).toEqual([sha256(ROWS), sha256(NEWER)]);
  });

  it('serves offline too', async () => {
    const server = await fileServer(stored(ROWS));
    const remote = new Remembering();
    await fetchFile(url(server), elsewhere(remote));
    const got = await fetchFile(url(server), elsewhere(remote, {}, true));
    expect(got.sha256).toBe(sha256(ROWS));
    expect(server.asked).toHaveLength(1);
  });

  it('is not waited for when the run is to end', async () => {
    const server = await fileServer(stored(ROWS));
    const never = new Promise<never>(() => {});
    const abort = new AbortController();
    for (const remote of [
      { restore: () => never, save: async () => {} },
      { restore: async () => null, save: () => never },
    ]) {
      const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(100)]);
      await expect(fetchFile(url(server), elsewhere(remote, { signal }))).rejects.toThrow(
        'timeout',
      );
    }
  });

  it('does not get what the pin does not want', async () => {
    const server = await fileServer(stored(ROWS));
    const remote = new Remembering();
    const ctx = elsewhere(remote, { sha256: sha256(NEWER) });
    expect(await failureOf(fetchFile(url(server), ctx))).toMatchObject({ unreachable: false });
    expect(remote.entries).toEqual([]);
  });
});

describe('a poisoned cache beyond this machine', () => {
  const digest = sha256(ROWS);
  test.each<[string, (prefix: string, dir: string) => string]>([
    [
      'other bytes than its name says',
      (prefix, dir) => {
        writeFileSync(join(dir, digest), 'evil');
        return `${prefix}${digest}`;
      },
    ],
    ['no file', (prefix) => `${prefix}${digest}`],
    [
      'a link',
      (prefix, dir) => {
        writeFileSync(join(dir, 'target'), ROWS);
        symlinkSync(join(dir, 'target'), join(dir, digest));
        return `${prefix}${digest}`;
      },
    ],
    [
      'a directory',
      (prefix, dir) => {
        mkdirSync(join(dir, digest));
        return `${prefix}${digest}`;
      },
    ],
    [
      'a key that is no digest',
      (prefix, dir) => {
        writeFileSync(join(dir, 'x'), ROWS);
        return `${prefix}../x`;
      },
    ],
    [
      'a key of another address',
      (_prefix, dir) => {
        writeFileSync(join(dir, digest), ROWS);
        return `vendor-gate-data-0123456789abcdef-${digest}`;
      },
    ],
  ])('with %s is not used', async (_name, restored) => {
    const server = await fileServer(stored(ROWS));
    const remote: RemoteCache = {
      restore: async (_key, prefix, dir) => restored(prefix ?? '', dir),
      save: async () => {},
    };
    const ctx = elsewhere(remote);
    const got = await fetchFile(url(server), ctx);
    expect(readFileSync(got.path)).toEqual(ROWS);
    expect(server.asked).toHaveLength(1);
    expect(ctx.notes).toEqual([
      'What the cache of the workflow holds for a data set is damaged; it is not used.',
    ]);
    const folder = join(got.path, '..');
    expect(readdirSync(folder).sort()).toEqual([digest, `${digest}.json`]);
  });

  it('with another file than the pinned one is not used', async () => {
    const server = await fileServer(stored(ROWS));
    const remote: RemoteCache = {
      async restore(_key, _prefix, dir) {
        writeFileSync(join(dir, sha256(NEWER)), NEWER);
        return `${prefixFor(server)}${sha256(NEWER)}`;
      },
      save: async () => {},
    };
    const ctx = elsewhere(remote, { sha256: digest });
    expect((await fetchFile(url(server), ctx)).sha256).toBe(digest);
    expect(ctx.notes).toHaveLength(1);
  });
});

describe('a JSON document', () => {
  const listing = (files: number, id: string): string =>
    JSON.stringify({
      Code: 200,
      Data: { Files: Array.from({ length: files }, (_, n) => n) },
      RequestId: id,
    });
  const tree = ({ origin }: FileServer): URL => new URL('/tree', origin);

  it('is read, and kept for when the server cannot be reached', async () => {
    const server = await fileServer((response) => response.end(`\ufeff${listing(2, 'a')}`));
    const ctx = fetching(tempDir());
    expect(await fetchJson(tree(server), ctx)).toMatchObject({ Data: { Files: [0, 1] } });
    const offline = { ...ctx, downloads: { ...ctx.downloads, offline: true } };
    expect(await fetchJson(tree(server), offline)).toMatchObject({ Data: { Files: [0, 1] } });
    await server.close();
    expect(await fetchJson(tree(server), ctx)).toMatchObject({ Data: { Files: [0, 1] } });
    expect(ctx.notes).toHaveLength(1);
  });

  it('that says the same under another request id is not kept again, here or beyond', async () => {
    const server = await fileServer((response, _request, nth) =>
      response.end(listing(2, `id-${nth}`)),
    );
    const remote = new Remembering();
    const ctx = elsewhere(remote);
    for (let n = 0; n < 3; n += 1) await fetchJson(tree(server), ctx);
    await fetchJson(tree(server), elsewhere(remote));
    expect(remote.entries).toHaveLength(1);
    const names = readdirSync(ctx.downloads.dir, { recursive: true, encoding: 'utf8' });
    expect(names.filter((name) => /[0-9a-f]{64}$/.test(name))).toHaveLength(1);
    server.answering = (response) => response.end(listing(3, 'x'));
    expect(await fetchJson(tree(server), ctx)).toMatchObject({ Data: { Files: [0, 1, 2] } });
    expect(remote.entries).toHaveLength(2);
  });

  test.each<[string, string, string]>([
    ['a web page', '<!DOCTYPE html><html>', 'gave a web page instead of JSON.'],
    ['text', 'no such thing', 'gave something that is not JSON'],
    ['half of it', '{"Code":200,', 'gave something that is not JSON'],
    ['bytes that are not UTF-8', '"\xff"', 'gave something that is not JSON'],
  ])('that is %s counts as unreachable, and is not kept', async (_name, body, what) => {
    const server = await fileServer((response) => response.end(Buffer.from(body, 'latin1')));
    const ctx = fetching(tempDir());
    const failure = await failureOf(fetchJson(tree(server), ctx));
    expect(failure.what).toContain(what);
    expect(failure.unreachable).toBe(true);
    const names = readdirSync(ctx.downloads.dir, { recursive: true, encoding: 'utf8' });
    expect(names).toHaveLength(1);
  });

  it('of more than 8 MiB is cut off', async () => {
    const server = await fileServer((response) => response.end(`"${'x'.repeat(9 << 20)}"`));
    const failure = await failureOf(fetchJson(tree(server), fetching(tempDir())));
    expect(failure.what).toContain(`has more than ${8 << 20} bytes`);
  });

  it('does not come from a copy of the address that is no JSON', async () => {
    const server = await fileServer(stored(Buffer.from('a,b\n'), { etag: '"1"' }));
    const ctx = fetching(tempDir());
    await fetchFile(tree(server), ctx);
    server.answering = stored(Buffer.from('[1]'), { etag: '"2"' });
    expect(await fetchJson(tree(server), ctx)).toEqual([1]);
    rmSync(ctx.downloads.dir, { recursive: true });
    expect(await fetchJson(tree(server), ctx)).toEqual([1]);
  });
});
