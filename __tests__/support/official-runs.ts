import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Call {
  readonly name: string;
  readonly arguments: string;
}

const parameters = {
  type: 'object',
  properties: { q: { type: 'string' } },
  required: ['q'],
};

/** Of every request that these records carry. */
const TOOLS = ['search', 'weather'].map((name) => ({
  type: 'function',
  function: { name, parameters },
}));

export const search = (q: unknown): Call => ({
  name: 'search',
  arguments: JSON.stringify({ q }),
});

/** A record as K2VV writes it: an answer with calls, one without (null), or a failure. */
export function record(row: number, answer: readonly Call[] | null | 'failed', prompt?: string) {
  const request =
    prompt === undefined
      ? {}
      : { request: { messages: [{ role: 'user', content: prompt }], tools: TOOLS } };
  if (answer === 'failed') {
    return { data_index: row, ...request, response: { error: 'x' }, status: 'failed' };
  }
  const reason = answer === null ? 'stop' : 'tool_calls';
  const calls = answer?.map((call, index) => ({
    id: `call_${index}`,
    type: 'function',
    function: call,
  }));
  const message = { role: 'assistant', content: answer === null ? 'No.' : '', tool_calls: calls };
  return {
    data_index: row,
    ...request,
    response: { id: 'x', choices: [{ index: 0, finish_reason: reason, message }] },
    status: 'success',
    finish_reason: reason,
  };
}

export function writeRecords(dir: string, name: string, records: readonly object[]): string {
  const path = join(dir, name);
  writeFileSync(path, `${records.map((each) => JSON.stringify(each)).join('\n')}\n`);
  return path;
}

/**
 * Three runs over ten rows, in the order in which answers came. T: called a tool, .: did not, x: no answer.
 *
 *     row  1 2 3 4 5 6 7 8 9 10
 *     a    T T T T T T . . . .   the call of row 6 is invalid
 *     b    T T T T T . T . . x   another tool in row 2, other arguments in row 4
 *     c    T T T T T . . . x x   one call more in row 3; requests not recorded
 */
export function threeRuns(dir: string): [string, string, string] {
  const calls = (row: number): Call[] => [search(row === 4 ? 'four' : String(row))];
  const prompt = (row: number): string => `question ${row}`;
  const a = [8, 1, 2, 3, 4, 5, 6, 7, 9, 10].map((row) => {
    const answer = row === 6 ? [search(6)] : calls(row);
    return record(row, row <= 6 ? answer : null, prompt(row));
  });
  const b = [
    record(7, calls(7), prompt(7)),
    // The same as JSON, written otherwise.
    record(1, [{ name: 'search', arguments: '{ "q" : "\\u0031" }' }], prompt(1)),
    record(2, [{ name: 'weather', arguments: '{"q":"2"}' }], prompt(2)),
    record(3, calls(3), prompt(3)),
    record(4, [search('four other')], prompt(4)),
    record(5, 'failed', prompt(5)),
    record(6, null, prompt(6)),
    record(8, null, prompt(8)),
    record(9, null, prompt(9)),
    record(10, 'failed', prompt(10)),
    // Run again later: the newer record counts.
    record(5, calls(5), prompt(5)),
  ];
  const c = [8, 7, 6, 5, 4, 3, 2, 1].map((row) =>
    record(row, row > 5 ? null : row === 3 ? [...calls(3), search('3b')] : calls(row)),
  );
  return [
    writeRecords(dir, 'a.jsonl', a),
    writeRecords(dir, 'b.jsonl', b),
    writeRecords(dir, 'c.jsonl', c),
  ];
}
