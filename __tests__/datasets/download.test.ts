import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, test } from '@jest/globals';
import { type FetchContext, type Fetched, fetchFile } from '../../src/datasets/fetch.js';
import type { Arriving } from '../../src/model/downloads.js';
import { failureOf, fetching } from '../support/fetching.js';
import {
  type Answering,
  type FileServer,
  fileServer,
  noise,
  send,
  sha256,
  stored,
} from '../support/file-server.js';
import { tempDir } from '../support/temp-dir.js';

const BODY = noise(400_000);
const HALF = 200_000;
const OTHER = noise(400_000, 2);
const ETAG = '"one"';
/** So much of what is there is asked for again, and compared. */
const OVERLAP = 64 * 1024;

function get(
  server: FileServer,
  dir: string,
  rest: Partial<FetchContext> = {},
  path = '/rows.bin',
): Promise<Fetched> {
  return fetchFile(new URL(path, server.origin), fetching(dir, rest));
}

/** Files in the cache that are neither copies nor their records. */
function leftovers(dir: string): string[] {
  const cache = join(dir, 'downloads');
  return readdirSync(cache, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(part|part\.json|tmp)$/.test(name),
  );
}

const ranges = ({ asked }: FileServer): (string | undefined)[] =>
  asked.map(({ headers }) => headers.range);

/** The first answer breaks off in the middle, the others are as given. */
function firstBroken(then: Answering, headers: Record<string, string> = { etag: ETAG }): Answering {
  return (response, request, nth) => {
    if (nth > 1) return then(response, request, nth);
    response.writeHead(200, { 'content-length': BODY.length, ...headers });
    send(response, BODY, HALF);
  };
}

function expectBody({ path, sha256: digest }: Fetched, body = BODY): void {
  expect(digest).toBe(sha256(body));
  expect(readFileSync(path).equals(body)).toBe(true);
}

describe('an honest server', () => {
  it.each([
    ['with its length', true],
    ['in chunks', false],
  ])('gives the bytes as they are, %s', async (_name, length) => {
    const server = await fileServer((response) => {
      if (length) response.setHeader('content-length', BODY.length);
      response.write(BODY.subarray(0, 1000));
      response.end(BODY.subarray(1000));
    });
    const dir = tempDir();
    const got = await get(server, dir, {}, '/a/rows.bin?token=s3cret#part');
    expectBody(got);
    expect(got.label).toBe(`${server.origin}/a/rows.bin?…`);
    expect(server.asked).toHaveLength(1);
    const [{ path, headers } = { path: '', headers: {} }] = server.asked;
    expect(path).toBe('/a/rows.bin?token=s3cret');
    expect(headers['accept-encoding']).toBe('identity');
    expect(headers).not.toHaveProperty('authorization');
    expect(leftovers(dir)).toEqual([]);
  });

  it('may give an empty file', async () => {
    const server = await fileServer((response) => response.end());
    expectBody(await get(server, tempDir()), Buffer.alloc(0));
  });

  it('may be slow, as long as something comes', async () => {
    const server = await fileServer(async (response) => {
      response.setHeader('content-length', 8);
      for (const byte of Buffer.from('12345678')) {
        response.write(Buffer.of(byte));
        await delay(100);
      }
      response.end();
    });
    expectBody(await get(server, tempDir(), { silenceMs: 400 }), Buffer.from('12345678'));
    expect(server.asked).toHaveLength(1);
  });

  it('tells how far it is, and when it has ended', async () => {
    const told: [string, Arriving][] = [];
    const server = await fileServer(async (response) => {
      response.setHeader('content-length', BODY.length);
      response.write(BODY.subarray(0, HALF));
      await delay(150);
      response.end(BODY.subarray(HALF));
    });
    const ctx = fetching(
      tempDir(),
      {},
      {
        progress: (label, state) => {
          told.push([label, state]);
        },
      },
    );
    await fetchFile(new URL('/rows.bin', server.origin), ctx);
    const last = told.at(-1);
    expect(last?.[0]).toBe(`${server.origin}/rows.bin`);
    expect(last?.[1]).toMatchObject({
      received: BODY.length,
      total: BODY.length,
      before: 0,
      ended: true,
    });
    expect(told.filter(([, { ended }]) => ended)).toHaveLength(1);
  });
});

describe('a proxy', () => {
  /** What it does with a request for a tunnel. */
  async function proxy(connecting: (socket: Socket, target: string) => void) {
    const tunnels: string[] = [];
    const one = await fileServer(
      () => {},
      (request, socket) => {
        tunnels.push(request.url ?? '');
        connecting(socket, request.url ?? '');
      },
    );
    return { env: { http_proxy: one.origin }, tunnels };
  }

  it('is what the server is asked by', async () => {
    const server = await fileServer(stored(BODY));
    const { env, tunnels } = await proxy((socket, target) => {
      const [host = '', port] = target.split(':');
      const onward = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        onward.pipe(socket).pipe(onward);
      });
      for (const each of [socket, onward]) each.on('error', () => {});
    });
    expectBody(await get(server, tempDir(), { env }));
    expect(tunnels).toEqual([new URL(server.origin).host]);
  });

  it.each<[string, (socket: Socket) => void, string]>([
    ['refuses', (socket) => void socket.end('HTTP/1.1 403 No\r\n\r\n'), 'Proxy response (403)'],
    ['closes the connection', (socket) => void socket.destroy(), 'the proxy closed the connection'],
    ['says nothing', () => {}, 'no answer came in 0.3 s'],
  ])('that %s is not gone round, and asked once an attempt', async (_name, connecting, why) => {
    const server = await fileServer(stored(BODY));
    const { env, tunnels } = await proxy(connecting);
    const failure = await failureOf(get(server, tempDir(), { env, silenceMs: 300 }));
    expect(failure.what).toContain(why);
    expect(failure.unreachable).toBe(true);
    expect(tunnels).toHaveLength(3);
    expect(server.asked).toEqual([]);
  });
});

describe('a broken server', () => {
  it('is gone on with where it ended', async () => {
    const server = await fileServer(firstBroken(stored(BODY, { etag: ETAG })));
    const dir = tempDir();
    expectBody(await get(server, dir));
    const [, second] = server.asked;
    expect(second?.headers['if-range']).toBe(ETAG);
    const start = Number(/^bytes=(\d+)-$/.exec(second?.headers.range ?? '')?.[1]);
    expect(start).toBeGreaterThan(0);
    expect(start).toBeLessThanOrEqual(HALF - OVERLAP);
    expect(leftovers(dir)).toEqual([]);
  });

  it('is gone on with by date, where that lies well back', async () => {
    const lastModified = 'Wed, 01 Jan 2025 00:00:00 GMT';
    const headers = { 'last-modified': lastModified };
    const server = await fileServer(firstBroken(stored(BODY, { lastModified }), headers));
    expectBody(await get(server, tempDir()));
    expect(server.asked[1]?.headers['if-range']).toBe(lastModified);
  });

  test.each<[string, Record<string, string>]>([
    ['nothing', {}],
    ['a weak tag', { etag: 'W/"one"' }],
    [
      'a weak tag and a date',
      { etag: 'W/"one"', 'last-modified': 'Wed, 01 Jan 2025 00:00:00 GMT' },
    ],
    ['a date of this second', { 'last-modified': new Date().toUTCString() }],
    ['a tag, but no ranges', { etag: ETAG, 'accept-ranges': 'none' }],
  ])('that shows %s is asked for all of it again', async (_name, headers) => {
    const server = await fileServer(firstBroken(stored(BODY, { etag: ETAG }), headers));
    expectBody(await get(server, tempDir()));
    expect(ranges(server)).toEqual([undefined, undefined]);
  });

  it('that breaks again and again gets there, as long as every answer brings more', async () => {
    const large = noise(6_000_000);
    const server = await fileServer(stored(large, { etag: ETAG, cutAfter: 1_300_000 }));
    expectBody(await get(server, tempDir(), { retryDelaysMs: [1] }), large);
    expect(server.asked.length).toBeGreaterThanOrEqual(5);
  });

  it('that never brings all of it is given up', async () => {
    const server = await fileServer((response) => {
      response.writeHead(200, { 'content-length': BODY.length });
      send(response, BODY, HALF);
    });
    const failure = await failureOf(get(server, tempDir()));
    expect(failure).toMatchObject({ where: 'datasets.x.source', unreachable: true });
    expect(failure.what).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/rows\.bin cannot be downloaded: /);
    expect(server.asked).toHaveLength(3);
  });

  it('that falls silent in the middle is asked again', async () => {
    const server = await fileServer((response, request, nth) => {
      if (nth > 1) return stored(BODY, { etag: ETAG })(response, request, nth);
      response.writeHead(200, { 'content-length': BODY.length, etag: ETAG });
      response.write(BODY.subarray(0, HALF));
    });
    expectBody(await get(server, tempDir(), { silenceMs: 200 }));
    expect(server.asked[1]?.headers['if-range']).toBe(ETAG);
  });

  it('that never answers is given up', async () => {
    const server = await fileServer(() => {});
    const failure = await failureOf(get(server, tempDir(), { silenceMs: 50 }));
    expect(failure).toMatchObject({ unreachable: true });
    expect(server.asked).toHaveLength(3);
  });

  test.each([429, 500, 503])('that answers %i is asked again', async (status) => {
    const server = await fileServer((response, request, nth) =>
      nth < 3 ? response.writeHead(status).end() : stored(BODY)(response, request, nth),
    );
    expectBody(await get(server, tempDir()));
    expect(server.asked).toHaveLength(3);
  });

  it('that is not there at all is named', async () => {
    const server = await fileServer(() => {});
    await server.close();
    const failure = await failureOf(get(server, tempDir()));
    expect(failure.what).toContain('ECONNREFUSED');
    expect(failure.unreachable).toBe(true);
  });
});

describe('a server that does not go on where it ended', () => {
  const whole = (status: number, headers: Record<string, string>, body: Buffer): Answering => {
    return (response) => response.writeHead(status, headers).end(body);
  };
  /** A right 206 for the range asked for, but for what `change` makes of it. */
  const partly = (
    change: (start: number) => { headers?: Record<string, string>; body?: Buffer },
  ): Answering => {
    return (response, { headers }, nth) => {
      const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
      if (nth > 2 || start === 0)
        return stored(BODY, { etag: ETAG })(response, { headers } as never, nth);
      const { headers: changed = {}, body = BODY.subarray(start) } = change(start);
      response.writeHead(206, {
        etag: ETAG,
        'content-range': `bytes ${start}-${BODY.length - 1}/${BODY.length}`,
        ...changed,
      });
      response.end(body);
    };
  };

  test.each<[string, Answering, Buffer]>([
    ['sends all of it', whole(200, { etag: ETAG }, BODY), BODY],
    ['sends all of another file', whole(200, { etag: '"two"' }, OTHER), OTHER],
    [
      'says there is no such range',
      (response, request, nth) =>
        nth === 2
          ? response.writeHead(416, { 'content-range': `bytes */${BODY.length}` }).end()
          : stored(BODY)(response, request, nth),
      BODY,
    ],
    [
      'names another place',
      partly(() => ({
        headers: { 'content-range': `bytes 0-${BODY.length - 1}/${BODY.length}` },
        body: BODY,
      })),
      BODY,
    ],
    ['names no place', partly(() => ({ headers: { 'content-range': '' } })), BODY],
    [
      'names another length',
      partly((start) => ({
        headers: { 'content-range': `bytes ${start}-${BODY.length}/${BODY.length + 1}` },
      })),
      BODY,
    ],
    ['names another tag', partly(() => ({ headers: { etag: '"two"' } })), BODY],
    [
      'names the right place and sends the beginning',
      partly((start) => ({ body: BODY.subarray(0, BODY.length - start) })),
      BODY,
    ],
    [
      'sends the rest of another file under the same tag',
      partly((start) => ({ body: OTHER.subarray(start) })),
      BODY,
    ],
    [
      'sends more than the rest',
      partly((start) => ({ body: Buffer.concat([BODY.subarray(start), Buffer.alloc(9)]) })),
      BODY,
    ],
    [
      'sends less than the rest',
      partly((start) => ({ body: BODY.subarray(start, BODY.length - 9) })),
      BODY,
    ],
    [
      'sends it in parts',
      partly(() => ({
        headers: { 'content-type': 'multipart/byteranges; boundary=x', 'content-range': '' },
      })),
      BODY,
    ],
  ])('but %s: the file is right all the same', async (_name, then, body) => {
    const server = await fileServer(firstBroken(then));
    const dir = tempDir();
    expectBody(await get(server, dir, { retryDelaysMs: [1, 1, 1] }), body);
    expect(ranges(server)[1]).toMatch(/^bytes=\d+-$/);
    expect(leftovers(dir)).toEqual([]);
  });
});

describe('a lying server', () => {
  it('that announces more than it sends is given up', async () => {
    const server = await fileServer((response) => {
      response.writeHead(200, { 'content-length': BODY.length + 5 });
      response.write(BODY, () => response.destroy());
    });
    expect(await failureOf(get(server, tempDir()))).toMatchObject({ unreachable: true });
  });

  it('that announces less than it sends is found out by the digest', async () => {
    const server = await fileServer((response) => {
      const { socket } = response;
      socket?.write(`HTTP/1.1 200 OK\r\nContent-Length: ${HALF}\r\n\r\n`);
      socket?.write(BODY);
    });
    const dir = tempDir();
    const failure = await failureOf(get(server, dir, { expected: sha256(BODY) }));
    expect(failure.unreachable).toBe(true);
    expect(failure.what).toContain(sha256(BODY.subarray(0, HALF)));
    expect(leftovers(dir)).toEqual([]);
  });

  it('that once sends other bytes than the listing promises is asked again, from the start', async () => {
    const server = await fileServer((response, request, nth) =>
      stored(nth === 1 ? OTHER : BODY, { etag: ETAG })(response, request, nth),
    );
    expectBody(await get(server, tempDir(), { expected: sha256(BODY) }));
    expect(ranges(server)).toEqual([undefined, undefined]);
  });

  it('that always sends other bytes than the listing promises counts as unreachable', async () => {
    const server = await fileServer(stored(OTHER, { etag: ETAG }));
    const dir = tempDir();
    const failure = await failureOf(get(server, dir, { expected: sha256(BODY).toUpperCase() }));
    expect(failure).toEqual({
      what: `${server.origin}/rows.bin gave other bytes (SHA-256 ${sha256(OTHER)}) than the listing of its server says (${sha256(BODY)}).`,
      where: 'datasets.x.source',
      unreachable: true,
    });
    expect(server.asked).toHaveLength(2);
    expect(leftovers(dir)).toEqual([]);
  });

  it('that sends other bytes than the pinned ones ends the run', async () => {
    const server = await fileServer(stored(OTHER));
    const failure = await failureOf(get(server, tempDir(), { sha256: sha256(BODY) }));
    expect(failure).toEqual({
      what: `${server.origin}/rows.bin has the SHA-256 ${sha256(OTHER)}, but ${sha256(BODY)} was asked for.`,
      where: 'datasets.x.source',
      unreachable: false,
    });
    expect(server.asked).toHaveLength(1);
  });

  it('whose answers do not fit together is asked once for all of it before a pin is blamed', async () => {
    // The overlap is the same, so nothing but the digest shows that the end belongs to another file.
    const changed = Buffer.concat([BODY.subarray(0, 300_000), OTHER.subarray(300_000)]);
    const server = await fileServer((response, request, nth) => {
      if (nth === 2) return stored(changed, { etag: ETAG })(response, request, nth);
      return firstBroken(stored(BODY, { etag: ETAG }))(response, request, nth);
    });
    expectBody(await get(server, tempDir(), { sha256: sha256(BODY) }));
    expect(ranges(server).map((range) => range !== undefined)).toEqual([false, true, false]);
  });

  test.each<[number, string]>([
    [403, 'needs a login or refuses this machine (403)'],
    [404, 'there is nothing at'],
    [410, 'there is nothing at'],
    [418, 'answered 418'],
    [206, 'answered 206'],
    [304, 'answered 304'],
    [416, 'answered 416'],
  ])('that answers %i unasked is not asked again', async (status, what) => {
    const server = await fileServer((response) => response.writeHead(status).end());
    const failure = await failureOf(get(server, tempDir()));
    expect(failure.what).toContain(what);
    expect(failure.unreachable).toBe(true);
    expect(server.asked).toHaveLength(1);
  });

  test.each<[string, string, string]>([
    ['in a circle', '/again', 'redirects more than 5 times'],
    [
      'to http elsewhere',
      'http://192.0.2.1/x?sig=1',
      'redirects to http://192.0.2.1/x?…, which is not https',
    ],
    ['to a file', 'file:///etc/passwd', 'which is not https'],
  ])('that redirects %s is not followed', async (_name, location, what) => {
    const server = await fileServer((response) => response.writeHead(302, { location }).end());
    const failure = await failureOf(get(server, tempDir()));
    expect(failure.what).toContain(what);
    expect(failure.unreachable).toBe(true);
  });

  it.each([
    '<!doctype html><title>Log in</title>',
    '\ufeff \n<HTML lang="en">',
    '<!-- x -->\n<html>',
  ])('that gives a web page counts as unreachable: %j', async (page) => {
    const server = await fileServer((response) => response.end(page));
    const dir = tempDir();
    const failure = await failureOf(get(server, dir));
    expect(failure.what).toBe(`${server.origin}/rows.bin gave a web page instead of a data set.`);
    expect(failure.unreachable).toBe(true);
    expect(leftovers(dir)).toEqual([]);
  });

  it('that compresses unasked: gzip is kept as it came, as curl keeps it', async () => {
    const packed = gzipSync(BODY);
    const server = await fileServer((response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed),
    );
    expectBody(await get(server, tempDir()), packed);
  });

  it('that compresses unasked: any other way is refused', async () => {
    const server = await fileServer((response) =>
      response.writeHead(200, { 'content-encoding': 'br' }).end('…'),
    );
    const failure = await failureOf(get(server, tempDir()));
    expect(failure.what).toContain('comes in the encoding br, which was not asked for');
    expect(failure.unreachable).toBe(true);
  });

  it.each([
    ['by its own words', true],
    ['without a word', false],
  ])('that sends too much, %s, is cut off and nothing of it is kept', async (_name, announced) => {
    const server = await fileServer((response) => {
      response.setHeader('etag', ETAG);
      if (announced) response.setHeader('content-length', BODY.length);
      response.write(BODY.subarray(0, 1));
      response.end(BODY.subarray(1));
    });
    const dir = tempDir();
    const failure = await failureOf(get(server, dir, { maxBytes: 5_000 }));
    expect(failure).toMatchObject({ unreachable: false });
    expect(failure.what).toContain('has more than 5000 bytes');
    expect(leftovers(dir)).toEqual([]);
  });
});

describe('half a download', () => {
  /** Sends half and then nothing until it is told to go on. */
  async function halted(dir: string): Promise<FileServer> {
    const server = await fileServer((response) => {
      response.writeHead(200, { 'content-length': BODY.length, etag: ETAG });
      response.write(BODY.subarray(0, HALF));
    });
    const abort = new AbortController();
    const first = get(server, dir, { signal: abort.signal });
    first.catch(() => {});
    while (partSize(dir) < HALF) await delay(5);
    abort.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    server.answering = stored(BODY, { etag: ETAG });
    return server;
  }

  function partSize(dir: string): number {
    try {
      const [part = ''] = leftovers(dir).filter((name) => name.endsWith('.part'));
      return readFileSync(join(dir, 'downloads', part)).length;
    } catch {
      return 0;
    }
  }

  it('that was interrupted is gone on with by the next run', async () => {
    const dir = tempDir();
    const server = await halted(dir);
    expectBody(await get(server, dir));
    expect(server.asked[1]?.headers.range).toBe(`bytes=${HALF - OVERLAP}-`);
    expect(leftovers(dir)).toEqual([]);
  });

  it('is left alone when the file has changed in between', async () => {
    const dir = tempDir();
    const server = await halted(dir);
    server.answering = stored(OTHER, { etag: '"two"' });
    expectBody(await get(server, dir), OTHER);
    expect(leftovers(dir)).toEqual([]);
  });

  it('of a file that is here by now is not gone on with', async () => {
    const dir = tempDir();
    const server = await fileServer(stored(BODY, { etag: ETAG }));
    const { path } = await get(server, dir);
    writeFileSync(join(path, '../left.part'), BODY.subarray(0, HALF));
    writeFileSync(
      join(path, '../left.part.json'),
      JSON.stringify({ validator: ETAG, total: null }),
    );
    utimesSync(join(path, '../left.part'), 0, 0);
    expectBody(await get(server, dir));
    expect(server.asked[1]?.headers).toMatchObject({ 'if-none-match': ETAG });
    expect(server.asked[1]?.headers).not.toHaveProperty('range');
    expect(leftovers(dir)).toEqual([]);
  });

  it('that the disk damaged is noticed', async () => {
    const dir = tempDir();
    const server = await halted(dir);
    const [part = ''] = leftovers(dir).filter((name) => name.endsWith('.part'));
    const path = join(dir, 'downloads', part);
    writeFileSync(path, Buffer.concat([readFileSync(path).subarray(0, -100), Buffer.alloc(100)]));
    utimesSync(path, 0, 0);
    expectBody(await get(server, dir));
    expect(leftovers(dir)).toEqual([]);
  });

  test.each([
    '{',
    '[]',
    '{"validator":"a\\nb","total":400000}',
    '{"validator":"\\"x\\"","total":7}',
  ])('whose note is damaged is started anew: %s', async (note) => {
    const dir = tempDir();
    const server = await halted(dir);
    const [name = ''] = leftovers(dir).filter((each) => each.endsWith('.part.json'));
    writeFileSync(join(dir, 'downloads', name), note);
    expectBody(await get(server, dir));
    expect(server.asked[1]?.headers).not.toHaveProperty('range');
  });
});

describe('two jobs that fill one cache', () => {
  it('at the same time both end with the right file, and leave one copy', async () => {
    const server = await fileServer(async (response, request, nth) => {
      await delay(20);
      return stored(BODY, { etag: ETAG })(response, request, nth);
    });
    const dir = tempDir();
    const both = await Promise.all([get(server, dir), get(server, dir), get(server, dir)]);
    for (const got of both) expectBody(got);
    expect(new Set(both.map(({ path }) => path)).size).toBe(1);
    expect(leftovers(dir)).toEqual([]);
  });

  it('when one is half-way the other goes on from there, and leaves it its own', async () => {
    const dir = tempDir();
    let goOn = (): void => {};
    const server = await fileServer((response, request, nth) => {
      if (nth > 1) return stored(BODY, { etag: ETAG })(response, request, nth);
      response.writeHead(200, { 'content-length': BODY.length, etag: ETAG });
      response.write(BODY.subarray(0, HALF));
      goOn = () => response.end(BODY.subarray(HALF));
    });
    const first = get(server, dir);
    const written = (): number =>
      leftovers(dir)
        .filter((name) => name.endsWith('.part'))
        .map((name) => statSync(join(dir, 'downloads', name), { throwIfNoEntry: false })?.size ?? 0)
        .reduce((sum, size) => sum + size, 0);
    await delay(20);
    while (written() < HALF) await delay(5);
    expectBody(await get(server, dir));
    expect(server.asked[1]?.headers.range).toBe(`bytes=${HALF - OVERLAP}-`);
    goOn();
    expectBody(await first);
    expect(server.asked).toHaveLength(2);
  });
});
