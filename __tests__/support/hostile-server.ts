import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

/** A request as the server saw it. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface HostileServer {
  /** Base URL of the endpoint: `http://127.0.0.1:PORT/v1`. */
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  close(): Promise<void>;
}

/** How one request is answered; `number` counts from 1. */
export type Answer = (
  response: ServerResponse,
  request: Received,
  number: number,
) => void | Promise<void>;

/** An HTTP server on a free port that says whatever `answer` says. */
export async function startHostile(answer: Answer): Promise<HostileServer> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const seen = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(parts).toString('utf8'),
      };
      received.push(seen);
      void answer(response, seen, received.length);
    });
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/v1`,
    port,
    received,
    close: async () => {
      server.closeAllConnections();
      await closed(server);
    },
  };
}

export interface RawServer {
  readonly url: string;
  readonly port: number;
  /** Connections accepted so far. */
  connections(): number;
  close(): Promise<void>;
}

/** A TCP server on a free port; `talk` is called with the head and body of each request that arrived complete. */
export async function startRaw(
  talk: (socket: Socket, request: string, number: number) => void,
): Promise<RawServer> {
  const sockets = new Set<Socket>();
  let requests = 0;
  let connections = 0;
  const server = createTcpServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    let text = '';
    socket.on('data', (data: Buffer) => {
      text += data.toString('latin1');
      const head = text.indexOf('\r\n\r\n');
      const length = /content-length: (\d+)/i.exec(text)?.[1] ?? '0';
      if (head === -1 || text.length < head + 4 + Number(length)) return;
      requests += 1;
      const request = text;
      text = '';
      talk(socket, request, requests);
    });
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/v1`,
    port,
    connections: () => connections,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await closed(server);
    },
  };
}

/** Writes each piece on its own, so that it travels on its own, then ends the body. */
export async function writePieces(
  response: ServerResponse,
  pieces: readonly (string | Uint8Array)[],
): Promise<void> {
  for (const piece of pieces) {
    response.write(piece);
    await turn();
  }
  response.end();
}

/** An event of a stream as OpenAI writes it. */
export function event(data: object | string): string {
  return `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}

/** A chunk with one choice. */
export function chunk(delta: object | null, finish: unknown = null, more: object = {}): string {
  const choice = { index: 0, ...(delta === null ? {} : { delta }), finish_reason: finish };
  return event({ id: 'chatcmpl-1', model: 'kimi-k2', created: 7, choices: [choice], ...more });
}

/** A chunk with deltas of tool calls. */
export function calls(...deltas: object[]): string {
  return chunk({ tool_calls: deltas });
}

export const DONE = 'data: [DONE]\n\n';

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function closed(server: Server): Promise<void> {
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
