import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, test } from '@jest/globals';
import { SourceUnreachable } from '../../src/datasets/fetch.js';
import { type HubTable, obtainFromModelscope } from '../../src/datasets/modelscope.js';
import type { ObtainContext } from '../../src/datasets/source.js';
import { ConfigError } from '../../src/model/errors.js';
import { downloadsIn } from '../support/downloads.js';
import { modelscope, nobody, serve } from '../support/hubs.js';
import { tempDir } from '../support/temp-dir.js';

const ID = 'evalscope/K2VendorVerifier';
const TABLE: HubTable = { id: ID, subset: 'k2_thinking', split: 'test', file: null };
const ROWS = '{"a":1}\n{"a":2}\n';
const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');
const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../fixtures/data-sets/${name}`, import.meta.url));

function context(hosts: string, rest: Partial<ObtainContext> = {}) {
  const dir = tempDir();
  const notes: string[] = [];
  const ctx: ObtainContext = {
    scratch: join(dir, 'scratch'),
    downloads: downloadsIn(dir),
    env: { VENDOR_GATE_MODELSCOPE: hosts },
    signal: new AbortController().signal,
    sha256: null,
    where: 'the.option',
    retryDelaysMs: [1],
    note: (text) => notes.push(text),
    ...rest,
  };
  return { ctx, notes };
}

async function fetched(hosts: string, table: Partial<HubTable> = {}, sha: string | null = null) {
  const { ctx, notes } = context(hosts, { sha256: sha });
  const got = await obtainFromModelscope({ ...TABLE, ...table }, ctx);
  const text = readFileSync(got.path, 'utf8');
  await got.dispose();
  const left = existsSync(ctx.scratch) ? readdirSync(ctx.scratch).length : 0;
  return { text, label: got.label, sha256: got.sha256, notes, left };
}

async function failure(hosts: string, table: Partial<HubTable> = {}, sha: string | null = null) {
  const { ctx } = context(hosts, { sha256: sha });
  const error = await obtainFromModelscope({ ...TABLE, ...table }, ctx).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(ConfigError);
  const { problems } = error as ConfigError;
  expect(problems).toHaveLength(1);
  expect(problems[0]?.fix).toMatch(/\.$/);
  return { unreachable: error instanceof SourceUnreachable, ...problems[0] };
}

describe('a table on ModelScope', () => {
  it('is found in the listing as the service gives it, and fetched as its clients do', async () => {
    const tree = fixture('modelscope-tree.json').toString().replace('%SHA256%', sha256(ROWS));
    const { url, requests } = await serve((request, response) => {
      const isTree = request.url?.includes('/tree');
      if (isTree) response.setHeader('content-type', 'application/json');
      response.end(isTree ? tree : ROWS);
    });
    expect(await fetched(url)).toEqual({
      text: ROWS,
      label: `modelscope ${ID} k2_thinking/test.jsonl from ${new URL(url).host}`,
      sha256: sha256(ROWS),
      notes: [],
      left: 0,
    });
    expect(requests).toEqual([
      `/api/v1/datasets/${ID}/repo/tree?Revision=master&Root=/&Recursive=True&PageNumber=1&PageSize=100`,
      `/api/v1/datasets/${ID}/repo?Source=SDK&Revision=master&FilePath=k2_thinking/test.jsonl`,
    ]);
  });

  it('is found on the third page', async () => {
    const files: Record<string, string> = {};
    for (let n = 0; n < 230; n += 1) files[`images/${n}.png`] = 'x';
    const { url, requests } = await modelscope({ id: ID, files: { ...files, 'test.jsonl': ROWS } });
    expect((await fetched(url)).text).toBe(ROWS);
    expect(requests.map((each) => /PageNumber=(\d+)/.exec(each)?.[1])).toEqual([
      '1',
      '2',
      '3',
      undefined,
    ]);
  });

  it('is found when the server knows no pages', async () => {
    const files = Array.from({ length: 100 }, (_, n) => ({ Path: `${n}.png`, Type: 'blob' }));
    files[50] = { Path: 'test.jsonl', Type: 'blob' };
    const { url, requests } = await serve((request, response) =>
      response.end(
        request.url?.includes('/tree')
          ? JSON.stringify({ Code: 200, Data: { Files: files } })
          : ROWS,
      ),
    );
    expect((await fetched(url)).text).toBe(ROWS);
    expect(requests).toHaveLength(3);
  });

  test.each<[string, string | Buffer, string]>([
    ['test.csv', 'a\n1\n', '{"a":1}\n'],
    ['test.jsonl.gz', gzipSync(ROWS), ROWS],
    ['test.json', '[{"a":1},{"a":2}]', ROWS],
    ['test-00000-of-00001.parquet', fixture('no-rows.parquet'), ''],
  ])('may be %s', async (name, content, text) => {
    const { url } = await modelscope({ id: ID, files: { [`k2_thinking/${name}`]: content } });
    expect(await fetched(url)).toMatchObject({ text, sha256: sha256(content), left: 0 });
  });

  it('may be in parts, joined in order; the digest is that of their digests', async () => {
    const [one, two] = ['{"a":1}\n{"a":2}', '\ufeff{"a":3}\r\n\n{"a":4}\n'];
    const { url } = await modelscope({
      id: ID,
      files: { 'test-00001-of-00002.jsonl': two, 'test-00000-of-00002.jsonl': one },
    });
    const digest = sha256(`${sha256(one)}\n${sha256(two)}\n`);
    expect(await fetched(url, {}, digest)).toEqual({
      text: '{"a":1}\n{"a":2}\n{"a":3}\n{"a":4}\n',
      label: `modelscope ${ID} test-00000-of-00002.jsonl and 1 more from ${new URL(url).host}`,
      sha256: digest,
      notes: [],
      left: 0,
    });
    expect((await failure(url, {}, '0'.repeat(64))).what).toContain(`has the SHA-256 ${digest}`);
  });

  it('may be named', async () => {
    const { url } = await modelscope({
      id: 'some/set',
      files: { 'a.jsonl': ROWS, 'b/c d&e.jsonl': '{"b":1}\n' },
    });
    const got = await fetched(url, { id: 'some/set', file: 'b/c d&e.jsonl' });
    expect(got.text).toBe('{"b":1}\n');
    expect((await failure(url, { id: 'some/set', file: 'c.jsonl' })).what).toContain(
      'no data file',
    );
  });

  it('is what the README says where the names leave it open', async () => {
    const card =
      '---\nconfigs:\n- config_name: k2_thinking\n  data_files:\n  - {split: test, path: raw/b.jsonl}\n---\n';
    const { url } = await modelscope({
      id: ID,
      files: { 'README.md': card, 'raw/a.jsonl': '{}\n', 'raw/b.jsonl': ROWS },
    });
    expect((await fetched(url)).text).toBe(ROWS);
  });

  it('comes from a host below a path', async () => {
    const { url, requests } = await serve((request, response) =>
      response.end(
        request.url?.includes('/tree')
          ? '{"Code":"200","Data":{"Files":[{"Path":"test.jsonl","Type":"blob"}]}}'
          : ROWS,
      ),
    );
    expect((await fetched(`${url}/mirror/`)).text).toBe(ROWS);
    expect(requests[1]).toContain(`/mirror/api/v1/datasets/${ID}/repo?`);
  });
});

describe('the second host', () => {
  it('is asked when the first cannot be reached, and that is said', async () => {
    const gone = await nobody();
    const { url } = await modelscope({ id: ID, files: { 'test.jsonl': ROWS } });
    const { text, notes } = await fetched(` ${gone} , ${url}`);
    expect(text).toBe(ROWS);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toContain(new URL(gone).host);
    expect(notes[0]).toContain(`The data set came from ${new URL(url).host} instead.`);
  });

  test.each<[string, number, string, string]>([
    ['not found', 404, fixture('modelscope-not-found.json').toString(), ''],
    [
      'another code',
      200,
      '{"Code":10990101004,"Message":"no\\n\\u001b[31mtree"}',
      '(code 10990101004: no ⏎ \\u{1b}[31mtree)',
    ],
    ['no code', 200, '{"Data":{"Files":[]}}', 'something else than a list of files'],
    ['a list without files', 200, '{"Code":200,"Data":{"Files":{}}}', 'something else than a list'],
    ['no object', 200, '[]', 'something else than a list of files'],
    ['a page', 200, '<html>log in</html>', ''],
    ['overload', 503, 'busy', '503'],
  ])('is asked after %s', async (_name, status, body, why) => {
    const bad = await serve((_request, response) => response.writeHead(status).end(body));
    const { url } = await modelscope({ id: ID, files: { 'test.jsonl': ROWS } });
    const { text, notes } = await fetched(`${bad.url},${url}`);
    expect(text).toBe(ROWS);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toContain(why);
  });

  it('is asked when the first gives other bytes than it promises; both digests are named', async () => {
    const first = await modelscope({
      id: ID,
      files: { 'test.jsonl': ROWS },
      digests: { 'test.jsonl': 'ab'.repeat(32) },
    });
    const second = await modelscope({ id: ID, files: { 'test.jsonl': ROWS } });
    const { text, notes } = await fetched(`${first.url},${second.url}`);
    expect(text).toBe(ROWS);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toContain('ab'.repeat(32));
    expect(notes[0]).toContain(sha256(ROWS));
    expect((await failure(first.url)).unreachable).toBe(true);
  });
});

describe('what ends the search', () => {
  it('no host to be reached: both are named', async () => {
    const [one, two] = [await nobody(), await nobody()];
    const { unreachable, where, what } = await failure(`${one},${two}`);
    expect({ unreachable, where }).toEqual({ unreachable: true, where: 'VENDOR_GATE_MODELSCOPE' });
    expect(what).toContain(new URL(one).host);
    expect(what).toContain(new URL(two).host);
  });

  it('files that all fit: they are listed', async () => {
    const files = { 'a/test.jsonl': ROWS, 'b/test.jsonl': ROWS, 'notes.txt': '' };
    const { url } = await modelscope({ id: ID, files });
    expect(await failure(url)).toMatchObject({
      unreachable: false,
      what: `it cannot be told which file of ${ID} on ${new URL(url).host} is meant: several files fit: a/test.jsonl, b/test.jsonl.`,
      fix: `It holds a/test.jsonl, b/test.jsonl, notes.txt. Name one with \`source: modelscope:${ID}#FILE\`.`,
    });
  });

  it('another digest than the pin', async () => {
    const { url } = await modelscope({ id: ID, files: { 'test.jsonl': ROWS } });
    expect(await fetched(url, {}, sha256(ROWS))).toMatchObject({ text: ROWS });
    const { unreachable, what } = await failure(url, {}, '0'.repeat(64));
    expect(unreachable).toBe(false);
    expect(what).toContain(`has the SHA-256 ${sha256(ROWS)}, but ${'0'.repeat(64)} was asked for`);
  });

  it('a mirror that is no URL', async () => {
    expect(await failure('mirror.example.com')).toMatchObject({
      where: 'VENDOR_GATE_MODELSCOPE',
      what: 'mirror.example.com is not a URL.',
    });
  });

  it('a mirror without https', async () => {
    expect((await failure('http://mirror.example.com')).what).toContain('does not use https');
  });
});
