import { expect, jest, test } from '@jest/globals';
import { AnswerReader } from '../../src/endpoint/answer.js';
import { classifyStatus, readable } from '../../src/endpoint/classify.js';
import { judgeAnswer } from '../../src/endpoint/judge.js';
import { odditiesOf } from '../../src/endpoint/oddities.js';
import { refusesStreamOptions } from '../../src/endpoint/request-body.js';

/** A quadratic reading of a megabyte takes minutes; this only tells the two apart, at any load. */
const WIDE_MS = 30_000;
jest.setTimeout(120_000);

/** Made to cost time that grows faster than their length. */
const MEGABYTE = 1_000_000;
const fill = (unit: string) => unit.repeat(MEGABYTE / unit.length);

/** Milliseconds that `work` takes. */
function timeOf(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

const SHAPES: [string, string][] = [
  ['<script', fill('<script')],
  ['</script', `<script${fill('</script')}`],
  ['</script and spaces', `<script></script${fill(' ')}`],
  ['<', fill('<')],
  ['white space', `<${fill(' ')}`],
  ['slashes', fill('/a')],
  ['the word missing', fill('missing ')],
  ['reasoning_content', fill('reasoning_content ')],
  ['stream_options', fill('stream_options ')],
  ['not', fill('not ')],
  ['insufficient', fill('insufficient ')],
  ['input', fill('input ')],
  ['brackets', fill('[')],
  ['nested errors', fill('{"error":')],
  ['a list of errors', `[${fill('{"message":"a"},')}{}]`],
  ['markup', fill('<|tool_calls_section_')],
  ['digits', fill('1')],
  ['quotes', fill('\\"')],
  ['functions.', `functions.${fill('a.')}`],
  ['colons', fill(':a')],
];

test.each(SHAPES)('an error of a megabyte: %s', (_, text) => {
  const wrapped = JSON.stringify({ error: { message: text, code: text, param: text } });
  const spent = timeOf(() => {
    for (const body of [text, wrapped]) {
      for (const status of [400, 403, 404, 422, 429, 500]) classifyStatus(status, body, null);
      refusesStreamOptions({ kind: 'refused', status: 400, body });
      readable(body);
      readable(`<${body}`);
    }
  });
  expect(spent).toBeLessThan(WIDE_MS);
});

test.each(SHAPES)('an answer of a megabyte: %s', (_, text) => {
  const draft = {
    id: text,
    created: null,
    model: text.slice(0, 200),
    provider: null,
    fingerprint: null,
    finishReason: 'tool_calls',
    content: text,
    reasoning: text,
    toolCalls: [{ id: text, type: text, name: text, arguments: text }],
    usage: null,
  };
  expect(timeOf(() => odditiesOf(draft, text))).toBeLessThan(WIDE_MS);
});

function read(pieces: readonly string[]): number {
  return timeOf(() => {
    const reader = new AnswerReader();
    for (const piece of pieces) reader.push(Buffer.from(piece));
    reader.end();
    judgeAnswer(reader, 200, { kind: 'end' });
  });
}

/** As a socket hands them on. */
function chunks(text: string): string[] {
  const size = 65_536;
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    text.slice(at * size, (at + 1) * size),
  );
}

const delta = (call: object) =>
  `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [call] } }] })}\n\n`;

test.each<[string, string]>([
  ['carriage returns', fill('\r')],
  ['line feeds', fill('\n')],
  ['both', fill('\r\n')],
  ['carriage returns and one line feed', `${fill('\r')}\n`],
  ['carriage returns in a stream', `data: x\n${fill('\r')}`],
  ['data lines', fill('data: {\n')],
  ['colons', fill(':\n')],
  ['one line', `data: ${fill('a')}`],
  ['white space', fill(' ')],
  [
    'long arguments that are looked at again and again',
    delta({ index: 0, function: { name: 'f', arguments: `{"a":"${fill('x')}` } }) +
      Array.from({ length: 1500 }, (_, at) =>
        delta({ index: 0, function: { name: `g${at}` } }),
      ).join(''),
  ],
])('a body of a megabyte and more: %s', (_, text) => {
  expect(read(chunks(text))).toBeLessThan(WIDE_MS);
});
