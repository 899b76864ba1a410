import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from '@jest/globals';

const fixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/data-sets/${name}`, import.meta.url), 'utf8');

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

/** A server on this machine that is gone after the test. */
export interface Served {
  readonly url: string;
  /** Path and query of every request, in order. */
  readonly requests: string[];
}

export async function serve(answer: RequestListener): Promise<Served> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(decodeURIComponent(request.url ?? ''));
    answer(request, response);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  open.push(
    () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** An address where nothing listens. */
export async function nobody(): Promise<string> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return `http://127.0.0.1:${port}`;
}

interface Hub {
  readonly id: string;
  /** By path. */
  readonly files: Readonly<Record<string, string | Buffer>>;
  /** Digests that the listing gives instead of the right ones. */
  readonly digests?: Readonly<Record<string, string>>;
}

/**
 * The part of ModelScope's API that data sets are fetched with, as its public clients use it: the paged listing and
 * the bytes of a file, `Code` and all; anything else is answered as an unknown data set is.
 */
export function modelscope({ id, files, digests = {} }: Hub): Promise<Served> {
  return serve((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    const query = Object.fromEntries(url.searchParams);
    const content = files[query['FilePath'] ?? ''];
    if (url.pathname === `/api/v1/datasets/${id}/repo/tree`) {
      response.setHeader('content-type', 'application/json').end(treePage(files, digests, query));
    } else if (url.pathname === `/api/v1/datasets/${id}/repo` && content !== undefined) {
      response.end(content);
    } else {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end(fixture('modelscope-not-found.json'));
    }
  });
}

function treePage(
  files: Hub['files'],
  digests: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>>,
): string {
  const envelope = JSON.parse(fixture('modelscope-tree.json')) as {
    Data: { Files: Record<string, unknown>[] };
  };
  const template = envelope.Data.Files.at(-1);
  const entries = Object.entries(files).map(([path, content]) => ({
    ...template,
    Name: path.split('/').at(-1),
    Path: path,
    Sha256: digests[path] ?? createHash('sha256').update(content).digest('hex'),
    Size: content.length,
  }));
  const size = Number(query['PageSize']);
  const from = (Number(query['PageNumber']) - 1) * size;
  envelope.Data.Files = entries.slice(from, from + size);
  return JSON.stringify(envelope);
}
