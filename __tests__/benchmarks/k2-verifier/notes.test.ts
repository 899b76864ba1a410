import { expect, it, test } from '@jest/globals';
import { noteDisagreement, noteEdits } from '../../../src/benchmarks/k2-verifier/notes.js';

function edits(roles: readonly number[], sanitize = true): string {
  const said: string[] = [];
  noteEdits(roles, [], { sanitize }, (text) => said.push(text));
  return said.join('\n').replace(/^.*`\): /, '');
}

test.each<[readonly number[], string]>([
  [[7], '7.'],
  [[1, 2], '1-2.'],
  [[1, 2, 3, 5, 8, 9, 10, 12], '1-3, 5, 8-10, 12.'],
  [Array.from({ length: 2000 }, (_, at) => at + 1), '1-2000.'],
])('rows %j are named as %s', (rows, expected) => {
  expect(edits(rows)).toBe(expected);
});

it('names every row of the published sets, and a bounded number of any other', () => {
  const everyOther = (rows: number) => Array.from({ length: rows }, (_, at) => at * 2 + 1);
  expect(edits(everyOther(300)).split(', ')).toHaveLength(300);
  const many = edits(everyOther(50_000));
  expect(many).toMatch(/^1, 3, 5, .*, 597, 599 and 49700 more\.$/);
  expect(many.length).toBeLessThan(4000);
});

it('says where the rest is only where it is there', () => {
  const said: string[] = [];
  noteEdits([1], [2], { sanitize: false }, (text) => said.push(text));
  noteDisagreement([1, 2, 3], (text) => said.push(text));
  expect(said).toEqual([
    'Role _input is sent as system in 1 row of the data set (results.jsonl names those run under `vendor_gate`): 1.',
    'Tool-call arguments in the history are not JSON and are sent as they are in 1 row of the data set: 2.',
    "The official decision in the row differs from the labels file in 3 rows: 1-3. The row's own was used.",
  ]);
});
