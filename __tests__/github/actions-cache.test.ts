import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest, test } from '@jest/globals';
import { actionsCache } from '../../src/github/actions-cache.js';
import type { RemoteCache } from '../../src/model/downloads.js';
import { type FakeCacheService, startFakeCacheService } from '../support/fake-cache-service.js';
import { tempDir } from '../support/temp-dir.js';

const TOKEN = 'runtime-token';
const PREFIX = 'vendor-gate-data-0123456789abcdef-';
const KEY = `${PREFIX}${'a'.repeat(64)}`;
const NEWER = `${PREFIX}${'b'.repeat(64)}`;

let service: FakeCacheService;
let env: Record<string, string>;
let logged: string[];
const before = { ...process.env };

beforeEach(async () => {
  service = await startFakeCacheService(TOKEN);
  logged = [];
  const dir = tempDir();
  env = {
    ACTIONS_CACHE_SERVICE_V2: 'true',
    ACTIONS_RESULTS_URL: service.url,
    ACTIONS_RUNTIME_TOKEN: TOKEN,
    RUNNER_TEMP: join(dir, 'temp'),
    GITHUB_WORKSPACE: join(dir, 'work', 'repo', 'repo'),
  };
  mkdirSync(env['RUNNER_TEMP'] ?? '', { recursive: true });
  mkdirSync(env['GITHUB_WORKSPACE'] ?? '', { recursive: true });
  // The library looks at the process itself, and writes to its output.
  Object.assign(process.env, env);
  jest.spyOn(process.stdout, 'write').mockImplementation(() => true);
});

afterEach(async () => {
  jest.restoreAllMocks();
  for (const name of Object.keys(env)) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
  await service.close();
});

function opened(): RemoteCache {
  const cache = actionsCache(env, (text) => logged.push(text));
  if (cache === null) throw new Error('there is no cache');
  return cache;
}

/** Files of a data set's copy, with `text` in it. */
function files(text: string): string[] {
  const dir = tempDir();
  const paths = [join(dir, 'data'), join(dir, 'data.json')];
  writeFileSync(paths[0] ?? '', text);
  writeFileSync(paths[1] ?? '', '{}');
  return paths;
}

const temporary = (): string[] =>
  readdirSync(env['RUNNER_TEMP'] ?? '').filter((name) => /vendor/.test(name));

describe('the Actions cache', () => {
  it('gives back what was saved, to another job', async () => {
    await opened().save(KEY, files('rows'));
    expect(service.asked).toEqual(['CreateCacheEntry', 'PUT', 'FinalizeCacheEntryUpload']);
    expect(service.entries).toMatchObject([{ key: KEY, finished: true }]);

    const dir = tempDir();
    expect(await opened().restore(KEY, null, dir)).toBe(KEY);
    expect(readdirSync(dir).sort()).toEqual(['data', 'data.json']);
    expect(readFileSync(join(dir, 'data'), 'utf8')).toBe('rows');
    expect(service.asked.slice(3)).toEqual(['GetCacheEntryDownloadURL', 'GET']);
    expect([temporary(), logged]).toEqual([[], []]);
  });

  it('gives the newest entry that begins as asked, and says which', async () => {
    const cache = opened();
    await cache.save(KEY, files('older'));
    await cache.save(NEWER, files('newer'));
    await cache.save(`vendor-gate-data-fedcba9876543210-${'c'.repeat(64)}`, files('another'));
    const dir = tempDir();
    expect(await cache.restore(`${PREFIX}newest`, PREFIX, dir)).toBe(NEWER);
    expect(readFileSync(join(dir, 'data'), 'utf8')).toBe('newer');
  });

  it('gives nothing where nothing was saved', async () => {
    const dir = tempDir();
    expect(await opened().restore(KEY, PREFIX, dir)).toBeNull();
    expect([readdirSync(dir), service.asked]).toEqual([[], ['GetCacheEntryDownloadURL']]);
  });

  it('leaves the files that it saves alone', async () => {
    const paths = files('rows');
    await opened().save(KEY, paths);
    expect(paths.map((path) => existsSync(path))).toEqual([true, true]);
    expect(readFileSync(paths[0] ?? '', 'utf8')).toBe('rows');
  });

  it('keeps apart what is asked of it at the same time', async () => {
    const cache = opened();
    await Promise.all([cache.save(KEY, files('one')), cache.save(NEWER, files('two'))]);
    const dirs = [tempDir(), tempDir()];
    const found = await Promise.all([
      cache.restore(KEY, null, dirs[0] ?? ''),
      cache.restore(NEWER, null, dirs[1] ?? ''),
    ]);
    expect(found).toEqual([KEY, NEWER]);
    expect(dirs.map((dir) => readFileSync(join(dir, 'data'), 'utf8'))).toEqual(['one', 'two']);
  });

  it('does not mind that another job saved the same', async () => {
    await opened().save(KEY, files('rows'));
    await opened().save(KEY, files('rows'));
    expect(service.entries).toHaveLength(1);
  });

  it('that refuses is only of no use', async () => {
    service.refusal = 403;
    const dir = tempDir();
    const cache = opened();
    expect(await cache.restore(KEY, PREFIX, dir)).toBeNull();
    await cache.save(KEY, files('rows'));
    expect([readdirSync(dir), temporary()]).toEqual([[], []]);
  });

  it('that never answers is given up, and not asked again', async () => {
    service.refusal = 0;
    const cache = actionsCache(env, (text) => logged.push(text), 300);
    expect(await cache?.restore(KEY, PREFIX, tempDir())).toBeNull();
    expect(logged).toEqual(['The Actions cache is not used: it did not answer in 0.3 s']);
    await cache?.save(KEY, files('rows'));
    expect(service.asked).toEqual(['GetCacheEntryDownloadURL']);
  });

  it('that is handed a file which is gone is only of no use', async () => {
    await opened().save(KEY, [join(tempDir(), 'gone')]);
    expect(logged).toEqual([expect.stringMatching(/^The Actions cache is not used: ENOENT/)]);
    expect(service.asked).toEqual([]);
  });
});

describe('where there is no Actions cache', () => {
  test.each(['ACTIONS_RESULTS_URL', 'ACTIONS_RUNTIME_TOKEN', 'RUNNER_TEMP'])(
    'because %s is missing: none is opened',
    (name) => {
      expect(actionsCache({ ...env, [name]: '' }, () => {})).toBeNull();
    },
  );

  it('in the eyes of its own library: nothing is asked', async () => {
    delete process.env['ACTIONS_CACHE_SERVICE_V2'];
    expect(await opened().restore(KEY, PREFIX, tempDir())).toBeNull();
    await opened().save(KEY, files('rows'));
    expect([service.asked, logged]).toEqual([[], []]);
  });
});
