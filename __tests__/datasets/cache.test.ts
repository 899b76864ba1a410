import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, test } from '@jest/globals';
import { cacheDir } from '../../src/datasets/cache-dir.js';
import { fetchFile } from '../../src/datasets/fetch.js';
import { type Fetching, failureOf, fetching } from '../support/fetching.js';
import { type FileServer, fileServer, sha256, stored } from '../support/file-server.js';
import { tempDir } from '../support/temp-dir.js';

const ROWS = Buffer.from('{"a":1}\n');
const NEWER = Buffer.from('{"a":1}\n{"a":2}\n');

const rows = ({ origin }: FileServer): URL => new URL('/rows.jsonl?sig=s3cret', origin);

/** Names of the copies of the one address in the cache. */
function copies(dir: string): string[] {
  const cache = join(dir, 'downloads');
  const [folder = ''] = readdirSync(cache);
  return readdirSync(join(cache, folder)).filter((name) => /^[0-9a-f]{64}$/.test(name));
}

async function fetched(server: FileServer, dir: string, rest: Partial<Fetching> = {}) {
  const ctx = fetching(dir, rest);
  const got = await fetchFile(rows(server), ctx);
  return { ...got, text: readFileSync(got.path, 'utf8'), notes: ctx.notes };
}

describe('a file that was fetched', () => {
  it('is named by its digest, in a folder for its address, with a record that gives nothing away', async () => {
    const server = await fileServer(stored(ROWS, { etag: '"1"' }));
    const dir = tempDir();
    const { path } = await fetched(server, dir);
    expect(basename(path)).toBe(sha256(ROWS));
    expect(basename(dirname(path))).toBe(sha256(rows(server).href).slice(0, 32));
    const record = JSON.parse(readFileSync(`${path}.json`, 'utf8')) as Record<string, unknown>;
    expect(record).toEqual({
      url: `${server.origin}/rows.jsonl?…`,
      sha256: sha256(ROWS),
      size: ROWS.length,
      etag: '"1"',
      last_modified: null,
      fetched_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      checked_at: record['fetched_at'],
    });
    for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
      expect(name).not.toContain('s3cret');
    }
  });

  it('is another one for another query', async () => {
    const server = await fileServer((response, { url }) => response.end(url));
    const dir = tempDir();
    const one = await fetchFile(new URL('/a?v=1', server.origin), fetching(dir));
    const two = await fetchFile(new URL('/a?v=2', server.origin), fetching(dir));
    expect(dirname(one.path)).not.toBe(dirname(two.path));
  });

  it('needs no network when its digest is known', async () => {
    const server = await fileServer(stored(ROWS));
    const dir = tempDir();
    await fetched(server, dir);
    await server.close();
    for (const known of [{ sha256: sha256(ROWS) }, { expected: sha256(ROWS).toUpperCase() }]) {
      expect(await fetched(server, dir, known)).toMatchObject({ text: `${ROWS}`, notes: [] });
    }
  });

  it('is fetched when another digest is asked for', async () => {
    const server = await fileServer(stored(ROWS, { etag: '"1"' }));
    const dir = tempDir();
    await fetched(server, dir);
    server.answering = stored(NEWER, { etag: '"2"' });
    expect((await fetched(server, dir, { sha256: sha256(NEWER) })).text).toBe(`${NEWER}`);
    expect(server.asked[1]?.headers).not.toHaveProperty('if-none-match');
    // And the older one is there still.
    expect((await fetched(server, dir, { sha256: sha256(ROWS) })).text).toBe(`${ROWS}`);
    expect(server.asked).toHaveLength(2);
  });

  test.each<[string, { etag?: string; lastModified?: string }, string, string]>([
    ['its tag', { etag: 'W/"1"' }, 'if-none-match', 'W/"1"'],
    [
      'its date',
      { lastModified: 'Wed, 01 Jan 2025 00:00:00 GMT' },
      'if-modified-since',
      'Wed, 01 Jan 2025 00:00:00 GMT',
    ],
  ])(
    'is asked about by %s, and used when the server has no other',
    async (_name, how, header, value) => {
      const server = await fileServer(stored(ROWS, how));
      const dir = tempDir();
      const first = await fetched(server, dir);
      const again = await fetched(server, dir);
      expect(again).toEqual(first);
      expect(server.asked[1]?.headers[header]).toBe(value);
    },
  );

  it('is fetched again from a server that has nothing to ask by, and kept once', async () => {
    const server = await fileServer(stored(ROWS));
    const dir = tempDir();
    const first = await fetched(server, dir);
    expect(await fetched(server, dir)).toEqual(first);
    expect(server.asked).toHaveLength(2);
    expect(copies(dir)).toEqual([sha256(ROWS)]);
  });

  it('is followed by its successor, and by its predecessor when that comes back', async () => {
    const server = await fileServer(stored(ROWS, { etag: '"1"' }));
    const dir = tempDir();
    await fetched(server, dir);
    server.answering = stored(NEWER, { etag: '"2"' });
    expect((await fetched(server, dir)).sha256).toBe(sha256(NEWER));
    server.answering = stored(ROWS, { etag: '"1"' });
    expect((await fetched(server, dir)).sha256).toBe(sha256(ROWS));
    await fetched(server, dir);
    expect(server.asked[3]?.headers['if-none-match']).toBe('"1"');
    expect(copies(dir).sort()).toEqual([sha256(ROWS), sha256(NEWER)].sort());
  });

  it('is one of at most three for an address: those used last', async () => {
    const server = await fileServer((response) => response.end());
    const dir = tempDir();
    const at = async (n: number) => {
      server.answering = stored(Buffer.from(`row ${n}`));
      const { path } = await fetched(server, dir);
      utimesSync(path, n, n);
    };
    for (const n of [1, 2, 3]) await at(n);
    await fetched(server, dir, { sha256: sha256('row 1') });
    await at(4);
    expect(copies(dir).sort()).toEqual(['row 1', 'row 3', 'row 4'].map(sha256).sort());
    expect(
      existsSync(
        join(dir, 'downloads', sha256(rows(server).href).slice(0, 32), `${sha256('row 2')}.json`),
      ),
    ).toBe(false);
  });
});

describe('a server that cannot be asked', () => {
  async function copied(): Promise<{ server: FileServer; dir: string; path: string }> {
    const server = await fileServer(stored(ROWS, { etag: '"1"' }));
    const dir = tempDir();
    const { path } = await fetched(server, dir);
    const record = JSON.parse(readFileSync(`${path}.json`, 'utf8')) as object;
    const dated = { ...record, checked_at: '2026-01-02T03:04:05.000Z' };
    writeFileSync(`${path}.json`, JSON.stringify(dated));
    return { server, dir, path };
  }

  test.each<[string, number, string]>([
    ['is out of order', 503, 'cannot be downloaded: the server answered 503'],
    ['has lost it', 404, 'there is nothing at'],
    ['refuses', 403, 'needs a login or refuses this machine (403)'],
  ])('because it %s: the copy is used, and the report says so', async (_name, status, why) => {
    const { server, dir } = await copied();
    server.answering = (response) => response.writeHead(status).end();
    const { text, notes } = await fetched(server, dir);
    expect(text).toBe(`${ROWS}`);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toContain(why);
    expect(notes[0]).toMatch(
      new RegExp(`\\. The copy of 2026-01-02 is used, SHA-256 ${sha256(ROWS)}\\.$`),
    );
  });

  it('because nobody is there', async () => {
    const { server, dir } = await copied();
    await server.close();
    const { text, notes } = await fetched(server, dir);
    expect([text, notes.length]).toEqual([`${ROWS}`, 1]);
  });

  it('cannot be stood in for by another file than the one that was promised or pinned', async () => {
    const { server, dir } = await copied();
    await server.close();
    for (const known of [{ expected: sha256(NEWER) }, { sha256: sha256(NEWER) }]) {
      const failure = await failureOf(fetchFile(rows(server), fetching(dir, known)));
      expect(failure.unreachable).toBe(true);
    }
  });
});

describe('a damaged cache', () => {
  test.each<[string, (path: string) => void]>([
    ['other bytes', (path) => writeFileSync(path, 'x'.repeat(ROWS.length))],
    ['an end cut off', (path) => writeFileSync(path, ROWS.subarray(0, 3))],
  ])('with %s: the copy is thrown away and fetched anew', async (_name, damage) => {
    const server = await fileServer(stored(ROWS, { etag: '"1"' }));
    const dir = tempDir();
    const { path } = await fetched(server, dir);
    damage(path);
    const { text, notes } = await fetched(server, dir, { sha256: sha256(ROWS) });
    expect(text).toBe(`${ROWS}`);
    expect(notes).toEqual([
      `The copy of ${server.origin}/rows.jsonl?… in the cache is damaged and is not used.`,
    ]);
    expect(server.asked[1]?.headers).not.toHaveProperty('if-none-match');
  });

  test.each([
    '',
    '{',
    '[]',
    'null',
    '{"etag":5,"checked_at":"yesterday"}',
    '{"etag":"\\"1\\"\\r\\nx: y"}',
  ])('with the record %j: the copy is fetched anew', async (record) => {
    const server = await fileServer(stored(ROWS, { etag: '"1"' }));
    const dir = tempDir();
    const { path } = await fetched(server, dir);
    writeFileSync(`${path}.json`, record);
    const { text, notes } = await fetched(server, dir);
    expect([text, notes]).toEqual([`${ROWS}`, []]);
    expect(server.asked[1]?.headers).not.toHaveProperty('if-none-match');
    expect(JSON.parse(readFileSync(`${path}.json`, 'utf8'))).toMatchObject({ etag: '"1"' });
  });

  it('that cannot be written says which variable names another', async () => {
    const server = await fileServer(stored(ROWS));
    const dir = tempDir();
    writeFileSync(join(dir, 'downloads'), 'a file');
    const failure = await failureOf(fetchFile(rows(server), fetching(dir)));
    expect(failure).toMatchObject({ where: 'VENDOR_GATE_CACHE', unreachable: false });
    expect(failure.what).toContain(join(dir, 'downloads'));
    expect(failure.what).toContain('cannot be written');
  });

  it('gets rid of what dead downloads left in it, and of nothing else', async () => {
    const server = await fileServer(stored(ROWS));
    const dir = tempDir();
    const folder = dirname((await fetched(server, dir)).path);
    const old = new Date(Date.now() - 3_600_000);
    for (const name of ['a.part', 'a.part.json', 'b.tmp', 'c.part.json']) {
      writeFileSync(join(folder, name), 'x');
      utimesSync(join(folder, name), old, old);
    }
    // A download that is long under way: its note is old, its bytes are not.
    writeFileSync(join(folder, 'd.part'), 'x');
    writeFileSync(join(folder, 'd.part.json'), 'x');
    utimesSync(join(folder, 'd.part.json'), old, old);
    await fetched(server, dir);
    await fetched(server, dir, { sha256: null });
    server.answering = stored(NEWER);
    await fetched(server, dir);
    const left = readdirSync(folder).filter((name) => /part|tmp/.test(name));
    expect(left.sort()).toEqual(['d.part', 'd.part.json']);
  });
});

describe('offline', () => {
  it('takes the copy that the server confirmed last, or the one that is pinned, and asks nobody', async () => {
    const server = await fileServer(stored(ROWS, { etag: '"1"' }));
    const dir = tempDir();
    await fetched(server, dir);
    server.answering = stored(NEWER, { etag: '"2"' });
    await fetched(server, dir);
    const offline = fetching(dir, {}, { offline: true });
    const newest = await fetchFile(rows(server), offline);
    expect(newest.sha256).toBe(sha256(NEWER));
    const pinned = await fetchFile(rows(server), { ...offline, sha256: sha256(ROWS) });
    expect(pinned.sha256).toBe(sha256(ROWS));
    expect(server.asked).toHaveLength(2);
    expect(offline.notes).toEqual([]);
  });

  it('without a copy says what is missing', async () => {
    const server = await fileServer(stored(ROWS));
    const dir = tempDir();
    const ctx = fetching(dir, {}, { offline: true });
    expect(await failureOf(fetchFile(rows(server), ctx))).toEqual({
      what: `offline is set, and the cache (${join(dir, 'downloads')}) has no copy of ${server.origin}/rows.jsonl?….`,
      where: 'datasets.x.source',
      unreachable: true,
    });
    const pinned = { ...ctx, sha256: sha256(ROWS) };
    const { what } = await failureOf(fetchFile(rows(server), pinned));
    expect(what).toContain(`with the SHA-256 ${sha256(ROWS)}.`);
    expect(server.asked).toEqual([]);
    expect(existsSync(join(dir, 'downloads'))).toBe(false);
  });
});

describe('where the cache is', () => {
  const runner = { GITHUB_ACTIONS: 'true', RUNNER_TOOL_CACHE: '/opt/tools' };
  test.each<[Record<string, string>, NodeJS.Platform, string]>([
    [{}, 'linux', '/home/ada/.cache/vendor-gate'],
    [{}, 'darwin', '/home/ada/.cache/vendor-gate'],
    [{ XDG_CACHE_HOME: '/var/caches' }, 'linux', '/var/caches/vendor-gate'],
    [{ XDG_CACHE_HOME: 'relative' }, 'linux', '/home/ada/.cache/vendor-gate'],
    [{ LOCALAPPDATA: '/c/local' }, 'win32', '/c/local/vendor-gate'],
    [{}, 'win32', '/home/ada/AppData/Local/vendor-gate'],
    [runner, 'linux', '/opt/tools/vendor-gate'],
    [{ RUNNER_TOOL_CACHE: '/opt/tools' }, 'linux', '/home/ada/.cache/vendor-gate'],
    [{ ...runner, VENDOR_GATE_CACHE: '/mnt/sets' }, 'linux', '/mnt/sets'],
    [{ ...runner, VENDOR_GATE_CACHE: '  ' }, 'linux', '/opt/tools/vendor-gate'],
  ])('%j on %s: %s', (env, platform, dir) => {
    expect(cacheDir(env, platform, '/home/ada')).toBe(dir);
  });

  it('is absolute', () => {
    const dir = cacheDir({ VENDOR_GATE_CACHE: 'sets' }, 'linux', '/home/ada');
    expect(dir).toBe(join(process.cwd(), 'sets'));
  });
});

it('keeps a copy that is used from being the next to go', async () => {
  const server = await fileServer(stored(ROWS, { etag: '"1"' }));
  const dir = tempDir();
  const { path } = await fetched(server, dir);
  utimesSync(path, 1, 1);
  await fetched(server, dir);
  expect(statSync(path).mtimeMs).toBeGreaterThan(Date.now() - 60_000);
});
