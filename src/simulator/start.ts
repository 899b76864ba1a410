import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { ConfigError } from '../model/errors.js';
import { OfficialRows } from './official-rows.js';
import { readOptions, type Settings, type SimulatorOptions } from './options.js';
import { errorPlan, jsonPlan, type ResponsePlan } from './plan.js';
import { BadRequest, readPrompt } from './prompt.js';
import { respond } from './respond.js';
import { send } from './send.js';
import { promptOf, readTextRequest } from './text-request.js';

/** A running simulator. */
export interface Simulator {
  /** Base URL, to be given as endpoint: `http://127.0.0.1:PORT/v1`. */
  readonly url: string;
  readonly port: number;
  /** Requests for an answer received so far, whatever they were answered with. */
  requests(): number;
  /** Ends the server and cuts every connection. */
  close(): Promise<void>;
}

/** Longest idle time of a connection, so that a client's pool never meets one that has just been closed. */
const KEEP_ALIVE_MS = 300_000;

/**
 * Starts an OpenAI-compatible endpoint that answers the data set's prompts as the official model did, with the
 * fidelity, latency and faults chosen. It serves GET /v1/models, POST /v1/chat/completions and POST /v1/completions,
 * where it answers prompts rendered from a row in Kimi K2's own markup. Two runs with the same seed answer every prompt
 * alike, in whatever order they come and by whichever of the two ways.
 *
 * Throws ConfigError for options, a data set or a port that cannot be used.
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const settings = readOptions(options);
  const rows = await OfficialRows.open(settings.dataset);
  const chat = new ChatEndpoint(settings, rows);
  const sockets = new Set<Socket>();
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0 },
    router(settings, chat),
  );
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, settings.host, resolve);
  }).catch((error: Error) => {
    rows.close();
    throw unusablePort(settings, error);
  });
  const { port } = server.address() as AddressInfo;
  const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host;
  let closed: Promise<void> | undefined;
  return {
    url: `http://${host}:${port}/v1`,
    port,
    requests: () => chat.requests,
    close: () => {
      closed ??= new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }).then(() => rows.close());
      return closed;
    },
  };
}

const PATHS: ReadonlyMap<string, 'chat' | 'text'> = new Map([
  ['/v1/chat/completions', 'chat'],
  ['/v1/completions', 'text'],
]);

function router(settings: Settings, chat: ChatEndpoint): RequestListener {
  const startedAt = Math.floor(Date.now() / 1000);
  return (request, response) => {
    const arrivedAt = performance.now();
    const path = (request.url ?? '').split('?')[0];
    const reply = (plan: ResponsePlan): void => send(plan, response, arrivedAt);
    const asksFor = request.method === 'POST' ? PATHS.get(path ?? '') : undefined;
    if (asksFor !== undefined) {
      chat.answer(request, asksFor).then(reply, (error: Error) => reply(internal(error)));
      return;
    }
    request.resume();
    if (!authorized(request, settings)) return reply(wrongKey());
    if (request.method === 'GET' && path === '/v1/models') {
      const data = settings.models.map((id) => ({
        id,
        object: 'model',
        created: startedAt,
        owned_by: 'simulator',
      }));
      return reply(jsonPlan(200, { object: 'list', data }, 0));
    }
    reply(invalid(404, 'not_found', `Unknown request URL: ${request.method} ${path}.`));
  };
}

class ChatEndpoint {
  requests = 0;
  readonly #settings: Settings;
  readonly #rows: OfficialRows;
  /** Requests by conversation; kept only when a fault asks for it. */
  readonly #attempts: Map<string, number> | null;

  constructor(settings: Settings, rows: OfficialRows) {
    this.#settings = settings;
    this.#rows = rows;
    this.#attempts = settings.faults.some(({ fault }) => fault.once) ? new Map() : null;
  }

  async answer(request: IncomingMessage, kind: 'chat' | 'text'): Promise<ResponsePlan> {
    this.requests += 1;
    const text = await bodyOf(request);
    if (!authorized(request, this.#settings)) return wrongKey();
    try {
      const asked = kind === 'text' ? readTextRequest(text) : null;
      const prompt =
        asked === null ? readPrompt(text) : promptOf(asked, this.#rows.findRendered(asked.text));
      if (!this.#settings.models.includes(prompt.model)) return unknownModel(prompt.model);
      const attempt = (this.#attempts?.get(prompt.digest) ?? 0) + 1;
      this.#attempts?.set(prompt.digest, attempt);
      const official = this.#rows.find(prompt.digest);
      const created = Math.floor(Date.now() / 1000);
      const plan = respond(prompt, official, this.#settings, { attempt, created, asked });
      return { ...plan, headers: { ...plan.headers, 'x-request-id': `sim-${prompt.digest}` } };
    } catch (error) {
      if (error instanceof BadRequest) return invalid(400, 'invalid_request', error.message);
      throw error;
    }
  }
}

function bodyOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => resolve(Buffer.concat(parts).toString('utf8')));
    request.on('error', reject);
  });
}

function authorized(request: IncomingMessage, { apiKey }: Settings): boolean {
  return apiKey === null || request.headers.authorization === `Bearer ${apiKey}`;
}

function wrongKey(): ResponsePlan {
  return invalid(401, 'invalid_api_key', 'Incorrect API key provided.');
}

function unknownModel(model: string): ResponsePlan {
  return invalid(404, 'model_not_found', `The model '${model}' does not exist.`);
}

function invalid(status: number, code: string, message: string): ResponsePlan {
  return errorPlan(status, { message, type: 'invalid_request_error', code }, 0);
}

function internal({ message }: Error): ResponsePlan {
  return errorPlan(500, { message, type: 'server_error', code: 'simulator_failed' }, 0);
}

function unusablePort({ host, port }: Settings, error: Error): ConfigError {
  const what = `Cannot listen on ${host}:${port} (${error.message}).`;
  return new ConfigError([{ where: 'port', what, fix: 'Choose another, or 0 for any free port.' }]);
}
