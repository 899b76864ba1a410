import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { gzipSync } from 'node:zlib';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
  test,
} from '@jest/globals';
import { fileProblem } from '../../src/datasets/problem.js';
import { type ObtainContext, obtain } from '../../src/datasets/source.js';
import { ConfigError } from '../../src/model/errors.js';
import { downloadsIn } from '../support/downloads.js';
import { tarGz } from '../support/tar.js';

const ROWS = '{"a":1}\n{"a":2}\n';
const dir = mkdtempSync(join(tmpdir(), 'source-'));
const scratch = join(dir, 'scratch');
afterAll(() => rmSync(dir, { recursive: true, force: true }));
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

function context(rest: Partial<ObtainContext> = {}): ObtainContext {
  return {
    scratch,
    downloads: downloadsIn(mkdtempSync(join(dir, 'cache-'))),
    note: () => {},
    env: {},
    signal: new AbortController().signal,
    sha256: null,
    where: 'datasets.x.source',
    retryDelaysMs: [1, 1],
    ...rest,
  };
}

/** Turns a bit of the checksum, the eighth byte from the end. */
function damaged(gzip: Buffer): Buffer {
  const at = gzip.length - 8;
  return Buffer.concat([
    gzip.subarray(0, at),
    Buffer.from([(gzip[at] ?? 0) ^ 1]),
    gzip.subarray(at + 1),
  ]);
}

function put(name: string, content: string | Buffer): string {
  const path = join(dir, name);
  writeFileSync(path, content);
  return path;
}

async function problemOf(source: string, rest: Partial<ObtainContext> = {}): Promise<string> {
  const error = await obtain(source, context(rest)).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConfigError);
  const { problems } = error as ConfigError;
  expect(problems).toHaveLength(1);
  expect(problems[0]?.where).toBe('datasets.x.source');
  expect(problems[0]?.fix).not.toBe('');
  // Whatever went wrong, nothing is left behind.
  expect(scratchFiles()).toEqual([]);
  return problems[0]?.what ?? '';
}

function scratchFiles(): string[] {
  try {
    return readdirSync(scratch);
  } catch {
    return [];
  }
}

describe('a local file', () => {
  it('is used where it is', async () => {
    const path = put('plain.jsonl', ROWS);
    const got = await obtain(path, context());
    expect(got).toMatchObject({ path, sha256: sha256(ROWS), label: path });
    expect(scratchFiles()).toEqual([]);
    await got.dispose();
    expect(readFileSync(path, 'utf8')).toBe(ROWS);
  });

  test.each(['packed.jsonl.gz', 'packed-without-the-name.jsonl'])(
    '%s is unpacked, and its digest is that of the packed bytes',
    async (name) => {
      const packed = gzipSync(ROWS);
      const got = await obtain(put(name, packed), context());
      expect(readFileSync(got.path, 'utf8')).toBe(ROWS);
      expect(got.sha256).toBe(sha256(packed));
      await got.dispose();
      expect(scratchFiles()).toEqual([]);
    },
  );

  it('may be several gzip members one after the other', async () => {
    const path = put('members.gz', Buffer.concat([gzipSync('{"a":1}\n'), gzipSync('{"a":2}\n')]));
    const got = await obtain(path, context());
    expect(readFileSync(got.path, 'utf8')).toBe(ROWS);
    await got.dispose();
  });

  it('may be named .gz and be plain', async () => {
    const got = await obtain(put('not-packed.gz', ROWS), context());
    expect(readFileSync(got.path, 'utf8')).toBe(ROWS);
  });

  it('passes with the right pin, in either case of letters', async () => {
    const path = put('pinned.jsonl', ROWS);
    const pin = sha256(ROWS).toUpperCase();
    expect((await obtain(path, context({ sha256: pin }))).sha256).toBe(sha256(ROWS));
  });

  it('with another digest is refused before it is unpacked, both digests named', async () => {
    const packed = gzipSync(ROWS);
    const what = await problemOf(put('other.gz', packed), { sha256: 'ab'.repeat(32) });
    expect(what).toContain(sha256(packed));
    expect(what).toContain('ab'.repeat(32));
  });

  it('that does not exist is named', async () => {
    expect(await problemOf(join(dir, 'none.jsonl'))).toBe(
      `there is no file ${join(dir, 'none.jsonl')}.`,
    );
    expect(await problemOf(join(put('file', ROWS), 'below'))).toContain('there is no file');
  });

  it('that is a directory is refused', async () => {
    mkdirSync(join(dir, 'folder'), { recursive: true });
    expect(await problemOf(join(dir, 'folder'))).toBe(`${join(dir, 'folder')} is a directory.`);
  });

  it('that is a device is refused', async () => {
    expect(await problemOf('/dev/zero')).toBe('/dev/zero is not a regular file.');
  });

  test.each([
    ['EACCES', 'may not be read.'],
    ['EPERM', 'may not be read.'],
    ['ENOENT', 'there is no file /x.'],
    ['EIO', 'cannot be read: broken.'],
  ])('that fails with %s: one clear message', (code, expected) => {
    const error = Object.assign(new Error('broken'), { code });
    const [problem] = fileProblem(error, '/x', 'datasets.x.source').problems;
    expect(problem?.what).toContain(expected);
    expect(problem?.where).toBe('datasets.x.source');
  });

  test.each<[string, string | Buffer, string]>([
    ['empty', '', 'is empty.'],
    ['packed and empty', gzipSync(''), 'is empty.'],
    ['gzip cut off', gzipSync(ROWS.repeat(1000)).subarray(0, 40), 'is cut off'],
    ['gzip with a wrong checksum', damaged(gzipSync(ROWS)), 'is not valid gzip data'],
    ['gzip in gzip', gzipSync(gzipSync(ROWS)), 'is compressed twice.'],
    ['web page', '\n <!DOCTYPE html><html></html>', 'is a web page or XML, not data.'],
    ['JSON array', '[{"a":1}', 'is cut off: its JSON array does not end.'],
    ['Parquet', 'PAR1\x15\x04', 'is cut off: it is too short for Parquet.'],
    ['ZIP', 'PK\x03\x04\x14', 'is a ZIP archive.'],
    [
      'tar',
      Buffer.concat([Buffer.alloc(257, 0x61), Buffer.from('ustar\0'), Buffer.alloc(2000)]),
      'is not a valid tar archive',
    ],
    [
      'an archive in an archive',
      tarGz([{ name: 'a.jsonl', body: tarGz([{ name: 'b.jsonl' }]) }]),
      '#a.jsonl is an archive inside another.',
    ],
    ['UTF-16', Buffer.from('\ufeff{"a":1}', 'utf16le'), 'is UTF-16 text.'],
    ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0]), 'is compressed with zstd.'],
    [
      'Git LFS pointer',
      'version https://git-lfs.github.com/spec/v1\noid sha256:0\n',
      'is a Git LFS pointer, not the data itself.',
    ],
  ])('%s: says what it is', async (name, content, expected) => {
    expect(await problemOf(put(`bad ${name}`, content))).toContain(expected);
  });

  it('that unpacks without end is stopped at the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000, 0x20));
    const what = await problemOf(put('bomb.gz', bomb), { maxBytes: 1_000_000 });
    expect(what).toContain('unpacks to more than 1000000 bytes');
  });
});

describe('an archive', () => {
  const archive = tarGz([
    { name: './set/rows.jsonl', body: ROWS },
    { name: './set/rows.csv', body: 'a,b\n1,x\n' },
    { name: './set/packed.jsonl.gz', body: gzipSync(ROWS) },
  ]);

  test.each([
    ['set/rows.jsonl', ROWS],
    ['./set/rows.jsonl', ROWS],
    ['set/rows.csv', '{"a":1,"b":"x"}\n'],
    ['set/packed.jsonl.gz', ROWS],
  ])('gives the member after #: %s', async (member, text) => {
    const path = put('archive.tar.gz', archive);
    const got = await obtain(`${path}#${member}`, context());
    expect(readFileSync(got.path, 'utf8')).toBe(text);
    expect(got).toMatchObject({ sha256: sha256(archive), label: `${path}#${member}` });
    await got.dispose();
    expect(scratchFiles()).toEqual([]);
    expect(sha256(readFileSync(path))).toBe(sha256(archive));
  });

  it('with one data file needs no member', async () => {
    const path = put('one.tgz', tarGz([{ name: 'README' }, { name: 'rows.jsonl', body: ROWS }]));
    const got = await obtain(path, context());
    expect(readFileSync(got.path, 'utf8')).toBe(ROWS);
    expect(got.label).toBe(path);
    await got.dispose();
  });

  it('lists its members when the one asked for is not there, or none is asked for', async () => {
    const path = put('archive.tar.gz', archive);
    const members = 'set/rows.jsonl, set/rows.csv, set/packed.jsonl.gz.';
    expect(await problemOf(`${path}#rows.jsonl`)).toBe(
      `${path}#rows.jsonl has no member rows.jsonl. It holds ${members}`,
    );
    expect(await problemOf(path)).toBe(`${path} holds several data files: ${members}`);
  });

  it('is not what a plain file is', async () => {
    for (const content of [ROWS, gzipSync(ROWS)]) {
      expect(await problemOf(`${put('plain', content)}#rows.jsonl`)).toContain(
        'is no tar archive, so there is no member in it to choose.',
      );
    }
  });

  it('names the member in what is wrong with it, once', async () => {
    const path = put('bad.tar.gz', tarGz([{ name: 'rows.csv', body: 'a,b\n1\n' }]));
    const what = 'rows.csv has more or fewer cells in row 1 than in its header line.';
    expect(await problemOf(path)).toBe(`${path}#${what}`);
    expect(await problemOf(`${path}#rows.csv`)).toBe(`${path}#${what}`);
  });

  test.each<[string, string | Buffer]>([
    ['archive', tarGz([{ name: 'rows.jsonl', body: ROWS.repeat(300_000) }])],
    ['table', `a,b\n${'1,x\n'.repeat(300_000)}`],
    ['array', `[${'{"a":1},'.repeat(300_000)}{}]`],
    ['gzip', gzipSync(ROWS.repeat(300_000))],
  ])('and any other form rejects with the reason when aborted: %s', async (name, content) => {
    const path = put(`aborted-${name}`, content);
    const abort = new AbortController();
    const got = obtain(path, context({ signal: abort.signal }));
    setTimeout(() => abort.abort(new Error('enough')), 3);
    await expect(got).rejects.toThrow('enough');
    expect(scratchFiles()).toEqual([]);
  });

  it('is told apart from a file that has # in its name', async () => {
    const path = put('rows#1.jsonl', ROWS);
    expect((await obtain(path, context())).path).toBe(path);
  });
});

describe('a URL', () => {
  let server: Server;
  let base = '';
  let answer: RequestListener = (_request, response) => response.end(ROWS);
  let requests = 0;

  beforeAll(async () => {
    server = createServer((request, response) => {
      requests += 1;
      answer(request, response);
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
  });
  afterEach(() => {
    requests = 0;
  });

  it('is saved as it comes', async () => {
    answer = (request, response) => {
      expect(request.headers.authorization).toBeUndefined();
      response.end(ROWS);
    };
    const got = await obtain(`${base}/rows.jsonl`, context());
    expect(readFileSync(got.path, 'utf8')).toBe(ROWS);
    expect(got).toMatchObject({ sha256: sha256(ROWS), label: `${base}/rows.jsonl` });
    await got.dispose();
    expect(scratchFiles()).toEqual([]);
  });

  it('is shown without the values of its query', async () => {
    answer = (_request, response) => response.end(ROWS);
    const got = await obtain(`${base}/rows.jsonl?X-Signature=secret`, context());
    expect(got.label).toBe(`${base}/rows.jsonl?…`);
    await got.dispose();
  });

  it('may be packed; the digest is that of what was sent', async () => {
    const packed = gzipSync(ROWS);
    answer = (_request, response) => response.end(packed);
    const got = await obtain(`${base}/rows.jsonl.gz`, context({ sha256: sha256(packed) }));
    expect(readFileSync(got.path, 'utf8')).toBe(ROWS);
    expect(scratchFiles()).toHaveLength(1);
    await got.dispose();
  });

  it('may be an archive, with the member after #', async () => {
    answer = (request, response) => {
      expect(request.url).toBe('/set.tar.gz?v=2');
      response.end(tarGz([{ name: 'a b/rows.jsonl', body: ROWS }, { name: 'x.jsonl' }]));
    };
    const got = await obtain(`${base}/set.tar.gz?v=2#a b/rows.jsonl`, context());
    expect(readFileSync(got.path, 'utf8')).toBe(ROWS);
    expect(got.label).toBe(`${base}/set.tar.gz?…#a b/rows.jsonl`);
    await got.dispose();
  });

  it('may be a table, told by the name where the content leaves it open', async () => {
    answer = (_request, response) => response.end('a\nx\n');
    const got = await obtain(`${base}/rows.csv?v=1`, context());
    expect(readFileSync(got.path, 'utf8')).toBe('{"a":"x"}\n');
    await got.dispose();
  });

  it('is followed through redirects', async () => {
    answer = (request, response) => {
      if (request.url === '/rows') response.end(ROWS);
      else response.writeHead(302, { location: '/rows' }).end();
    };
    const got = await obtain(`${base}/moved`, context());
    expect(readFileSync(got.path, 'utf8')).toBe(ROWS);
    expect(got.label).toBe(`${base}/moved`);
    await got.dispose();
  });

  test.each<[string, number, string, string]>([
    ['not found', 404, '', 'there is nothing at'],
    ['forbidden', 403, '', 'needs a login or refuses this machine (403)'],
    ['unauthorized', 401, '', 'needs a login or refuses this machine (401)'],
    ['teapot', 418, '', 'answered 418'],
    [
      'a redirect to http elsewhere',
      302,
      'http://192.0.2.1/x?sig=1',
      'redirects to http://192.0.2.1/x?…, which is not https',
    ],
    ['a redirect to a file', 302, 'file:///etc/passwd', 'which is not https'],
    ['a redirect to nowhere', 302, 'http://', 'redirects to an invalid address'],
    ['a redirect in a circle', 301, '/again', 'redirects more than 5 times'],
  ])('%s: one clear message', async (_name, status, location, expected) => {
    answer = (_request, response) =>
      response.writeHead(status, location === '' ? {} : { location }).end('no');
    expect(await problemOf(`${base}/x`)).toContain(expected);
  });

  it('that answers with a page instead of data is refused', async () => {
    answer = (_request, response) =>
      response.setHeader('content-type', 'text/html').end('<html>log in</html>');
    expect(await problemOf(`${base}/x`)).toContain('a web page');
  });

  it('that sends more than the limit is cut off', async () => {
    answer = (_request, response) => response.end(Buffer.alloc(100_000, 0x20));
    expect(await problemOf(`${base}/x`, { maxBytes: 5_000 })).toContain('more than 5000 bytes');
  });

  it('is tried again after a passing failure', async () => {
    answer = (_request, response) => {
      if (requests < 3) response.writeHead(503).end();
      else response.end(ROWS);
    };
    const got = await obtain(`${base}/x`, context());
    expect(readFileSync(got.path, 'utf8')).toBe(ROWS);
    expect(requests).toBe(3);
    await got.dispose();
  });

  it('that breaks off is tried again, then given up', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"a":1}\n');
      setTimeout(() => response.destroy(), 5);
    };
    expect(await problemOf(`${base}/x`)).toContain('cannot be downloaded');
    expect(requests).toBe(3);
  });

  it('rejects with the reason when aborted', async () => {
    const abort = new AbortController();
    answer = (_request, response) => {
      response.write('{');
      setTimeout(() => abort.abort(new Error('enough')), 5);
    };
    await expect(obtain(`${base}/x`, context({ signal: abort.signal }))).rejects.toThrow('enough');
    expect(scratchFiles()).toEqual([]);
  });

  test.each<[string, string]>([
    ['http://192.0.2.1/rows.jsonl', 'http://192.0.2.1/rows.jsonl does not use https.'],
    ['http://localhost.example/rows', 'does not use https.'],
    ['ftp://192.0.2.1/rows', 'does not use https.'],
    ['file:///etc/passwd', 'does not use https.'],
    [
      'https://user:word@192.0.2.1/rows',
      'holds a user name or password, which would end up in logs.',
    ],
    ['https://', 'is not a valid URL.'],
  ])('%s is refused unasked', async (source, expected) => {
    expect(await problemOf(source)).toContain(expected);
  });
});

describe('an https URL', () => {
  const read = (name: string) =>
    readFileSync(new URL(`../fixtures/endpoint-tls/${name}`, import.meta.url));
  const certificate = read('certificate.pem');
  let server: TlsServer;
  let base = '';
  let answer: RequestListener;
  let requests = 0;

  beforeAll(async () => {
    server = createTlsServer({ key: read('key.pem'), cert: certificate }, (request, response) => {
      requests += 1;
      answer(request, response);
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    base = `https://localhost:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
  });
  beforeEach(() => {
    requests = 0;
    answer = (_request, response) => response.end(ROWS);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** As NODE_EXTRA_CA_CERTS would, which Node reads only when it starts. */
  function trust(): void {
    const connect = tls.connect.bind(tls) as (...args: unknown[]) => tls.TLSSocket;
    jest
      .spyOn(tls, 'connect')
      .mockImplementation(((options: object, ...rest: unknown[]) =>
        connect({ ...options, ca: certificate }, ...rest)) as typeof tls.connect);
  }

  it('whose certificate nobody vouches for is refused at once, and says what to do', async () => {
    const error = await obtain(`${base}/rows.jsonl?sig=secret`, context()).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as ConfigError).problems).toEqual([
      {
        where: 'datasets.x.source',
        what: `the TLS certificate of ${base}/rows.jsonl?… is not accepted: DEPTH_ZERO_SELF_SIGNED_CERT: self-signed certificate.`,
        fix: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
      },
    ]);
    expect(requests).toBe(0);
    expect(scratchFiles()).toEqual([]);
  });

  it('whose certificate is trusted is saved as it comes', async () => {
    trust();
    const got = await obtain(`${base}/rows.jsonl`, context());
    expect(readFileSync(got.path, 'utf8')).toBe(ROWS);
    expect(got).toMatchObject({ sha256: sha256(ROWS), label: `${base}/rows.jsonl` });
    await got.dispose();
    expect(requests).toBe(1);
  });

  it('is followed to another https URL', async () => {
    trust();
    answer = (request, response) => {
      if (request.url === '/rows') response.end(ROWS);
      else response.writeHead(307, { location: `${base}/rows` }).end();
    };
    const got = await obtain(`${base}/moved`, context());
    expect(readFileSync(got.path, 'utf8')).toBe(ROWS);
    await got.dispose();
  });

  test.each(['http://127.0.0.1:9/rows', 'http://localhost:9/rows', 'http://192.0.2.1/rows'])(
    'is not followed to %s',
    async (location) => {
      trust();
      answer = (_request, response) => response.writeHead(302, { location }).end();
      expect(await problemOf(`${base}/moved`)).toBe(
        `${base}/moved redirects to ${location}, which is not https.`,
      );
      expect(requests).toBe(1);
    },
  );
});
