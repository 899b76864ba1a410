import { afterEach } from '@jest/globals';
import type { Reply } from '../../src/model/completion.js';
import {
  calls,
  chunk,
  DONE,
  event,
  type HostileServer,
  type RawServer,
  startHostile,
  startRaw,
} from './hostile-server.js';

/** Starts servers that are closed after each test. Call once in a test file. */
export function serversOfEachTest() {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });
  return {
    async hostile(...args: Parameters<typeof startHostile>): Promise<HostileServer> {
      const server = await startHostile(...args);
      closers.push(server.close);
      return server;
    },
    async raw(...args: Parameters<typeof startRaw>): Promise<RawServer> {
      const server = await startRaw(...args);
      closers.push(server.close);
      return server;
    },
  };
}

/** The cause of a failure, the kind of any other reply. */
export function causeOf(reply: Reply): string {
  return reply.kind === 'failed' ? reply.cause : reply.kind;
}

/** A whole stream with one tool call and usage. */
export const ANSWER: readonly string[] = [
  calls({ index: 0, id: 'functions.f:0', function: { name: 'f', arguments: '{"a":' } }),
  calls({ index: 0, function: { arguments: '"é"}' } }),
  chunk({}, 'tool_calls'),
  event({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } }),
  DONE,
];
