import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import type { SimulatorOptions } from '../../src/simulator/options.js';
import { startSimulator } from '../../src/simulator/start.js';

/** What came back, read with plain HTTP. */
export interface Exchange {
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Body as it arrived, piece by piece. */
  readonly pieces: readonly Buffer[];
  readonly text: string;
  /** Whether the response came to a proper end. */
  readonly ended: boolean;
  readonly durationMs: number;
}

export interface Row {
  readonly messages: string;
  readonly tools: string;
  readonly should_call_tool: boolean;
  readonly official_tool_calls?: string;
}

export interface WireCall {
  id: string;
  name: string;
  arguments: unknown;
}

/** An answer as a client without cunning puts it together. */
export interface Read {
  readonly finish: unknown;
  readonly content: string;
  readonly reasoning: string;
  readonly calls: readonly WireCall[];
  readonly usage: unknown;
  readonly done: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are deliberately malformed; each test says what it expects
export type Loose = any;

export const BUILT_IN = new URL('../../datasets/k2-synthetic.jsonl', import.meta.url);

export function builtInRows(): Row[] {
  return readFileSync(BUILT_IN, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
}

/** The row's request with its JSON text spliced in as it stands. */
export function bodyOf(row: Pick<Row, 'messages' | 'tools'>, more: object = {}): string {
  const fields = JSON.stringify({ model: 'simulated-k2', ...more }).slice(1, -1);
  return `{${fields},"messages":${row.messages},"tools":${row.tools}}`;
}

/** Runs a simulator for the time of `use`. */
export async function withSimulator<T>(
  options: SimulatorOptions,
  use: (url: string) => Promise<T>,
): Promise<T> {
  const simulator = await startSimulator(options);
  try {
    return await use(simulator.url);
  } finally {
    await simulator.close();
  }
}

export const STREAM = { stream: true, stream_options: { include_usage: true } };

/** Posts a chat request; gives up after `patienceMs` and reports what had come by then. */
export function post(
  url: string,
  body: string,
  { patienceMs = 5000, headers = {} }: { patienceMs?: number; headers?: object } = {},
): Promise<Exchange> {
  return exchange('POST', `${url}/chat/completions`, body, { patienceMs, headers });
}

export function exchange(
  method: string,
  url: string,
  body: string,
  { patienceMs = 5000, headers = {} }: { patienceMs?: number; headers?: object } = {},
): Promise<Exchange> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const pieces: Buffer[] = [];
    let status: number | null = null;
    let received: Exchange['headers'] = {};
    const finish = (ended: boolean): void => {
      clearTimeout(timer);
      const text = Buffer.concat(pieces).toString('utf8');
      const durationMs = performance.now() - startedAt;
      resolve({ status, headers: received, pieces, text, ended, durationMs });
      sent.destroy();
    };
    const sent = request(
      url,
      { method, agent: false, headers: { 'content-type': 'application/json', ...headers } },
      (response) => {
        status = response.statusCode ?? null;
        received = response.headers;
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('end', () => finish(response.complete));
        response.on('error', () => finish(false));
      },
    );
    sent.on('error', () => finish(false));
    const timer = setTimeout(() => finish(false), patienceMs);
    sent.end(body);
  });
}

/** The chunks of a stream that are JSON; comments, `[DONE]` and what is no JSON are left out. */
export function chunksIn(text: string): Loose[] {
  return text
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice(6)));
}

/** The deltas of tool calls, in order. */
export function callDeltas(text: string): Loose[] {
  return chunksIn(text).flatMap((chunk) => chunk.choices?.[0]?.delta?.tool_calls ?? []);
}

export function readPlain(text: string): Read {
  const body: Loose = JSON.parse(text);
  const [{ message, finish_reason }] = body.choices;
  return {
    finish: finish_reason,
    content: message.content ?? '',
    reasoning: message.reasoning_content ?? '',
    calls: (message.tool_calls ?? []).map((call: Loose) => ({ id: call.id, ...call.function })),
    usage: body.usage,
    done: true,
  };
}

export function readStream(text: string): Read {
  const chunks = chunksIn(text);
  const calls: WireCall[] = [];
  let finish: unknown = null;
  for (const chunk of chunks) finish = chunk.choices[0]?.finish_reason ?? finish;
  for (const delta of callDeltas(text)) {
    calls[delta.index] ??= { id: delta.id, name: delta.function.name, arguments: '' };
    const call = calls[delta.index] as WireCall;
    call.arguments =
      typeof delta.function.arguments === 'string'
        ? (call.arguments as string) + delta.function.arguments
        : delta.function.arguments;
  }
  const joined = (field: string): string =>
    chunks.map((chunk) => chunk.choices[0]?.delta?.[field] ?? '').join('');
  return {
    finish,
    content: joined('content'),
    reasoning: joined('reasoning_content'),
    calls,
    usage: chunks.findLast((chunk) => chunk.usage)?.usage,
    done: text.endsWith('data: [DONE]\n\n'),
  };
}
