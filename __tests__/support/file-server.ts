import { createCipheriv, createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach } from '@jest/globals';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

export const sha256 = (bytes: string | Buffer): string =>
  createHash('sha256').update(bytes).digest('hex');

/** Bytes that look the same nowhere, always the same ones for a seed. */
export function noise(length: number, seed = 1): Buffer {
  const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16, seed), Buffer.alloc(16));
  return cipher.update(Buffer.alloc(length));
}

export interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export type Answering = (
  response: ServerResponse,
  request: IncomingMessage,
  nth: number,
) => unknown;

export interface FileServer {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  readonly asked: Asked[];
  /** How it answers from now on. */
  answering: Answering;
  close(): Promise<void>;
}

/**
 * A server on this machine, on a real socket, that is gone after the test.
 * @param tunnelling what it does as a proxy
 */
export async function fileServer(
  answering: Answering,
  tunnelling?: (request: IncomingMessage, socket: Socket) => void,
): Promise<FileServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    asked.push({ path: request.url ?? '', headers: request.headers });
    one.answering(response, request, asked.length);
  });
  if (tunnelling !== undefined) server.on('connect', tunnelling);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const one: FileServer = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answering,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        for (const socket of sockets) socket.destroy();
      }),
  };
  open.push(one.close);
  return one;
}

export interface Stored {
  readonly etag?: string;
  readonly lastModified?: string;
  /** Breaks the connection after so many bytes of an answer. */
  readonly cutAfter?: number;
}

/** Answers as servers of files do: ranges, If-Range, conditions (RFC 9110). */
export function stored(body: Buffer, { etag, lastModified, cutAfter }: Stored = {}): Answering {
  return (response, { headers }) => {
    if (etag !== undefined) response.setHeader('etag', etag);
    if (lastModified !== undefined) response.setHeader('last-modified', lastModified);
    const unchanged =
      (etag !== undefined && headers['if-none-match'] === etag) ||
      (lastModified !== undefined && headers['if-modified-since'] === lastModified);
    if (unchanged) {
      response.writeHead(304).end();
      return;
    }
    const range = /^bytes=(\d+)-$/.exec(headers.range ?? '');
    const sameFile = [etag, lastModified].includes(String(headers['if-range']));
    const start = range !== null && sameFile ? Number(range[1]) : 0;
    const rest = body.subarray(start);
    response.setHeader('content-length', rest.length);
    if (start > 0) {
      response.setHeader('content-range', `bytes ${start}-${body.length - 1}/${body.length}`);
    }
    response.writeHead(start > 0 ? 206 : 200);
    send(response, rest, cutAfter);
  };
}

/** Sends the body, or `cutAfter` bytes of it and breaks the connection. */
export function send(response: ServerResponse, body: Buffer, cutAfter?: number): void {
  if (cutAfter === undefined || cutAfter >= body.length) response.end(body);
  else response.write(body.subarray(0, cutAfter), () => response.destroy());
}
