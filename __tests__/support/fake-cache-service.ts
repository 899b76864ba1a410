import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The service's calls, by the names in its protocol. */
type Call = 'CreateCacheEntry' | 'FinalizeCacheEntryUpload' | 'GetCacheEntryDownloadURL';

interface Entry {
  readonly key: string;
  readonly version: string;
  archive: Buffer | null;
  finished: boolean;
}

export interface FakeCacheService {
  /** For ACTIONS_RESULTS_URL. */
  readonly url: string;
  /** What was asked, in order: calls of the service, and `PUT` and `GET` of archives. */
  readonly asked: string[];
  readonly entries: readonly Entry[];
  /** When set, calls of the service are answered with this status, or not at all for 0. */
  refusal: number | null;
  close(): Promise<void>;
}

/**
 * The cache service of GitHub (version 2) on a real socket, as the client in @actions/cache speaks to it: JSON over
 * POST, archives by signed addresses. Entries never change; the newest one whose key begins so is found by prefix.
 */
export async function startFakeCacheService(token: string): Promise<FakeCacheService> {
  const asked: string[] = [];
  const entries: Entry[] = [];
  const answer = (call: Call, body: Record<string, unknown>): [number, object] => {
    const { key, version } = body as { key: string; version: string };
    const same = entries.findIndex((entry) => entry.key === key && entry.version === version);
    if (call === 'CreateCacheEntry') {
      if (same >= 0) return [409, { code: 'already_exists', msg: 'cache entry already exists' }];
      entries.push({ key, version, archive: null, finished: false });
      return [
        200,
        { ok: true, signed_upload_url: `${one.url}/store/box/${entries.length - 1}?sig=up` },
      ];
    }
    if (call === 'FinalizeCacheEntryUpload') {
      const entry = entries[same];
      const right = entry !== undefined && `${entry.archive?.length}` === body['size_bytes'];
      if (entry !== undefined) entry.finished = right;
      return [200, { ok: right, entry_id: String(same) }];
    }
    const usable = (entry: Entry): boolean => entry.finished && entry.version === version;
    const prefixes = (body['restore_keys'] ?? []) as string[];
    const found =
      entries.find((entry) => usable(entry) && entry.key === key) ??
      prefixes
        .map((prefix) => entries.findLast((entry) => usable(entry) && entry.key.startsWith(prefix)))
        .find((entry) => entry !== undefined);
    if (found === undefined) return [200, { ok: false }];
    const address = `${one.url}/store/box/${entries.indexOf(found)}?sig=down`;
    return [200, { ok: true, signed_download_url: address, matched_key: found.key }];
  };
  const server = createServer(async (request, response) => {
    const body = await bytesOf(request);
    const path = (request.url ?? '').split('?')[0] ?? '';
    const call = /^\/twirp\/github\.actions\.results\.api\.v1\.CacheService\/(\w+)$/.exec(
      path,
    )?.[1];
    if (call !== undefined) {
      asked.push(call);
      if (one.refusal === 0) return;
      const allowed = request.headers.authorization === `Bearer ${token}`;
      const [status, reply] = !allowed
        ? [401, { code: 'unauthenticated' }]
        : one.refusal !== null
          ? [one.refusal, { code: 'permission_denied', msg: 'no' }]
          : answer(call as Call, JSON.parse(body.toString()) as Record<string, unknown>);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
      return;
    }
    asked.push(request.method ?? '');
    const entry = entries[Number(path.split('/').at(-1))];
    // The token is for the service alone.
    if (entry === undefined || request.headers.authorization !== undefined) {
      response.writeHead(403).end();
    } else if (request.method === 'PUT') {
      entry.archive = body;
      const stamp = new Date(0).toUTCString();
      response
        .writeHead(201, { etag: '"1"', 'last-modified': stamp, 'x-ms-request-id': '1' })
        .end();
    } else {
      response.end(entry.archive);
    }
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const one: FakeCacheService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    entries,
    refusal: null,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return one;
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
