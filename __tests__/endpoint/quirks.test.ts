import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Completion } from '../../src/model/completion.js';
import { reveal } from '../../src/text/untrusted.js';
import { ask, STREAM_BODY } from '../support/endpoint-ask.js';
import { CALL, type Call, goodCall, type Row } from '../support/endpoint-rows.js';
import {
  chunk,
  DONE,
  type HostileServer,
  startHostile,
  writePieces,
} from '../support/hostile-server.js';
import { TOOL_CALLS } from './rows-calls.js';
import { ENDINGS } from './rows-endings.js';
import { TEXTS } from './rows-texts.js';

const ROWS = [...ENDINGS, ...TOOL_CALLS, ...TEXTS];

function callsOf(completion: Completion): readonly Call[] | null {
  return completion.toolCalls?.map((call) => [call.id, call.name, call.arguments] as const) ?? null;
}

describe('what endpoints really send', () => {
  let server: HostileServer;
  let current: Row;

  beforeAll(async () => {
    server = await startHostile(async (response) => {
      const type = current.type ?? 'text/event-stream';
      response.writeHead(current.status ?? 200, { 'content-type': type, ...current.headers });
      await writePieces(response, current.sends);
    });
  });
  afterAll(() => server.close());

  test.each(ROWS)('row $row: $name', async (row) => {
    current = row;
    const { reply, exchange } = await ask(server.url, row.body ?? STREAM_BODY);
    const { completion, refused, failed, warnings = [] } = row.expected;
    expect([...exchange.warnings].sort()).toEqual([...warnings].sort());
    expect(exchange.status).toBe(row.status ?? 200);
    if (completion !== undefined) {
      if (reply.kind !== 'completion') throw new Error(JSON.stringify(reply));
      const { calls: wanted, ...fields } = completion;
      expect(reply.completion).toMatchObject(fields);
      if (wanted !== undefined) expect(callsOf(reply.completion)).toEqual(wanted);
    } else if (refused !== undefined) {
      expect(reply).toEqual({ kind: 'refused', ...refused });
    } else {
      expect(reply).toMatchObject({ kind: 'failed', cause: failed?.cause });
      if (reply.kind === 'failed' && failed?.detail !== undefined) {
        expect(reveal(reply.detail)).toMatch(failed.detail);
      }
    }
  });

  test('every row of the list is here; row 41 needs two requests and has a test of its own', () => {
    const rows = new Set(ROWS.map((row) => row.row));
    const missing = Array.from({ length: 46 }, (_, at) => at + 1).filter((row) => !rows.has(row));
    expect(missing).toEqual([41]);
  });

  test('a compressed stream is read all the same', async () => {
    const bytes = gzipSync([...goodCall, chunk({}, 'tool_calls'), DONE].join(''));
    current = {
      row: 0,
      name: '',
      headers: { 'content-encoding': 'gzip' },
      sends: [bytes.subarray(0, 9), bytes.subarray(9)],
      expected: {},
    };
    const { reply } = await ask(server.url, STREAM_BODY);
    if (reply.kind !== 'completion') throw new Error(JSON.stringify(reply));
    expect(callsOf(reply.completion)).toEqual([CALL]);
  });
});
