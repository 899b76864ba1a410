import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { start } from '../support/bundle.js';
import { startFetchJob, writeFetchJob } from '../support/fetch-job.js';
import { fileServer, noise, sha256, stored } from '../support/file-server.js';
import { tempDir } from '../support/temp-dir.js';

const MB = 2 ** 20;

describe('a large file', () => {
  it('of 1 GB is fetched without taking memory for it', async () => {
    const hash = createHash('sha256');
    const server = await fileServer(async (response) => {
      response.setHeader('content-length', 1024 * MB);
      const block = noise(MB);
      for (let nth = 0; nth < 1024; nth += 1) {
        // A buffer that is on its way must not change.
        const piece = Buffer.from(block);
        piece.writeUInt32LE(nth);
        hash.update(piece);
        if (!response.write(piece)) await once(response, 'drain');
      }
      response.end();
    });
    const dir = tempDir();
    const job = startFetchJob(writeFetchJob(dir), `${server.origin}/large`, join(dir, 'cache'));
    const { path, sha256: digest, grown } = await job.ended;
    expect(digest).toBe(hash.digest('hex'));
    expect(statSync(path).size).toBe(1024 * MB);
    expect(grown).toBeLessThan(150 * MB);
  }, 120_000);
});

describe('processes that fill one cache', () => {
  const body = noise(8 * MB);
  const HALF = 4 * MB;

  it('end with the right file though one is killed half-way, and go on from what it left', async () => {
    const server = await fileServer((response, request, nth) => {
      if (nth > 1) return stored(body, { etag: '"1"' })(response, request, nth);
      response.writeHead(200, { 'content-length': body.length, etag: '"1"' });
      response.write(body.subarray(0, HALF));
    });
    const dir = tempDir();
    const cache = join(dir, 'cache');
    const program = writeFetchJob(dir);
    const url = `${server.origin}/rows`;
    const first = startFetchJob(program, url, cache);
    while (partSize(cache) < HALF) await delay(20);
    first.kill();
    await expect(first.ended).rejects.toThrow();

    const others = [startFetchJob(program, url, cache), startFetchJob(program, url, cache)];
    for (const { ended } of others) {
      const { path, sha256: digest } = await ended;
      expect(digest).toBe(sha256(body));
      expect(readFileSync(path).equals(body)).toBe(true);
    }
    expect(server.asked[1]?.headers.range).toBe(`bytes=${HALF - 64 * 1024}-`);
    expect(copiesIn(cache)).toEqual([sha256(body)]);
  });

  const filesIn = (cache: string): string[] => {
    try {
      return readdirSync(cache, { recursive: true, encoding: 'utf8' });
    } catch {
      return [];
    }
  };
  const partSize = (cache: string): number => {
    const part = filesIn(cache).find((name) => name.endsWith('.part'));
    return part === undefined ? 0 : statSync(join(cache, part)).size;
  };
  const copiesIn = (cache: string): string[] =>
    filesIn(cache).flatMap((name) => /[0-9a-f]{64}$/.exec(name) ?? []);
});

describe('a data set at an address', () => {
  it('is fetched once, and needs no network with --offline', async () => {
    const row = readFileSync(new URL('../../datasets/k2-synthetic.jsonl', import.meta.url));
    const server = await fileServer(stored(row, { etag: '"1"' }));
    const dir = tempDir();
    const env = { VENDOR_GATE_CACHE: join(dir, 'cache') };
    const source = `k2_verifier.source=${server.origin}/rows.jsonl`;
    const plan = ['plan', '--datasets', 'k2_verifier', '--set', source];
    const first = await start(plan, { cwd: dir, env }).ended;
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toContain(`sha256 ${sha256(row).slice(0, 12)}`);
    await server.close();

    const offline = await start([...plan, '--offline'], { cwd: dir, env }).ended;
    expect([offline.code, offline.stdout, offline.stderr]).toEqual([0, first.stdout, '']);

    const online = await start(plan, { cwd: dir, env }).ended;
    expect([online.code, online.stdout]).toEqual([0, first.stdout]);
    expect(online.stderr).toContain(`is used, SHA-256 ${sha256(row)}.`);

    const elsewhere = { VENDOR_GATE_CACHE: join(dir, 'empty') };
    const missing = await start([...plan, '--offline'], { cwd: dir, env: elsewhere }).ended;
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('offline is set, and the cache');
    expect(server.asked).toHaveLength(1);
  });
});
