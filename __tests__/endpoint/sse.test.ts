import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ServerEvent, SseParser } from '../../src/endpoint/sse.js';

function eventsOf(pieces: readonly string[]): ServerEvent[] {
  const events: ServerEvent[] = [];
  const parser = new SseParser((event) => events.push(event));
  for (const piece of pieces) parser.push(piece);
  parser.end();
  return events;
}

const of = (...lines: string[]): ServerEvent => ({ type: '', lines });

test.each<[string, string, ServerEvent[]]>([
  ['LF', 'data: a\n\ndata: b\n\n', [of('a'), of('b')]],
  ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', [of('a'), of('b')]],
  ['CR', 'data: a\r\rdata: b\r\r', [of('a'), of('b')]],
  ['mixed', 'data: a\n\r\ndata: b\r\n\ndata: c\r\n\r', [of('a'), of('b'), of('c')]],
  ['no space after the colon', 'data:a\n\n', [of('a')]],
  ['only one space is taken', 'data:  a \n\n', [of(' a ')]],
  ['several data lines', 'data: a\ndata:\ndata: b\n\n', [of('a', '', 'b')]],
  ['a field without a colon', 'data\n\n', [of('')]],
  ['comments and other fields', ': c\nid: 7\nretry: 3\n\n:\ndata: a\n\n', [of('a')]],
  [
    'the type of an event',
    'event: error\ndata: a\n\ndata: b\n\n',
    [{ type: 'error', lines: ['a'] }, of('b')],
  ],
  ['a type without data', 'event: error\n\n', [{ type: 'error', lines: [] }]],
  ['an end without a blank line', 'data: a\n\ndata: b\n', [of('a'), of('b')]],
  ['an end within a line', 'data: a\n\ndata: b', [of('a'), of('b')]],
  ['nothing', '', []],
  ['line separators that are none', 'data: a\u2028b\u0085c\n\n', [of('a\u2028b\u0085c')]],
])('%s', (_, text, expected) => {
  expect(eventsOf([text])).toEqual(expected);
  expect(eventsOf([...text])).toEqual(expected);
});

test('any split of the text gives the same events', () => {
  const token = fc.constantFrom(
    'data: ',
    'data:',
    'event: x',
    ':',
    '\r',
    '\n',
    '\r\n',
    'a',
    '{}',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(token, { maxLength: 40 }), fc.array(fc.nat(60)), (tokens, cuts) => {
      const text = tokens.join('');
      const at = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b)];
      const pieces = at.map((from, i) => text.slice(from, at[i + 1] ?? text.length));
      expect(eventsOf(pieces)).toEqual(eventsOf([text]));
    }),
    { numRuns: 300, seed: 1 },
  );
});

test('a line of many pieces costs no more than its length', () => {
  const started = performance.now();
  eventsOf(Array.from({ length: 20_000 }, () => 'x'.repeat(100)));
  expect(performance.now() - started).toBeLessThan(1000);
});
