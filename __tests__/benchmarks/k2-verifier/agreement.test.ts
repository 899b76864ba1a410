import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import { agreementOf, pairCalls } from '../../../src/benchmarks/k2-verifier/agreement.js';
import type { ToolCall } from '../../../src/model/completion.js';
import type { Json } from '../../../src/model/json.js';
import { callOf } from '../../support/k2.js';

type OfficialCall = { readonly name: string; readonly arguments: string };
const official = (name: string, args: string): OfficialCall => ({ name, arguments: args });
const a = (args: string): OfficialCall => official('a', args);
const b = (args: string): OfficialCall => official('b', args);
const vendor = (...calls: readonly OfficialCall[]): ToolCall[] =>
  calls.map(({ name, arguments: args }) => callOf(name, args));

/** Names, number and arguments as three letters, then the likeness in millionths. */
function agreed(ours: readonly OfficialCall[], theirs: readonly ToolCall[]): string {
  const agreement = agreementOf(ours, theirs);
  if (agreement === null) return 'unknown';
  const { toolNames, callCount, arguments: args, argumentTokens } = agreement;
  const flags = [toolNames, callCount, args].map((flag) => (flag ? 'y' : 'n'));
  return `${flags.join('')} ${argumentTokens}`;
}

describe('names, number and arguments', () => {
  test.each<[string, OfficialCall[], ToolCall[], string]>([
    ['the official calls are not recorded', [], vendor(a('{}')), 'unknown'],
    ['neither side calls', [], [], 'unknown'],
    ['a triggered answer without calls agrees in nothing', [a('{}')], [], 'nnn 0'],
    ['the same call', [a('{"x":1}')], vendor(a('{"x":1}')), 'yyy 1000000'],
    [
      'the same value, written otherwise',
      [a('{"x":1,"y":2}')],
      vendor(a('{"y":2e0, "x":1.0}')),
      'yyy 1000000',
    ],
    ['another tool', [a('{"x":1}')], vendor(b('{"x":1}')), 'nyn 0'],
    ['names are compared as they are', [a('{}')], vendor(official('A', '{}')), 'nyn 0'],
    ['a prefix is another name', [a('{}')], vendor(official('functions.a', '{}')), 'nyn 0'],
    [
      'order does not count',
      [a('{"x":1}'), b('{"y":2}')],
      vendor(b('{"y":2}'), a('{"x":1}')),
      'yyy 1000000',
    ],
    ['nor among calls of one tool', [a('1'), a('2')], vendor(a('2'), a('1')), 'yyy 1000000'],
    // One of the two calls has its counterpart.
    ['a call missing', [a('1'), b('2')], vendor(a('1')), 'nnn 500000'],
    ['a call too many', [a('1')], vendor(a('1'), b('2')), 'nnn 500000'],
    ['the same call made twice', [a('1')], vendor(a('1'), a('1')), 'nnn 500000'],
    [
      'other proportions of the same tools',
      [a('1'), a('1'), b('2')],
      vendor(a('1'), b('2'), b('2')),
      'nyn 666667',
    ],
    [
      'one of two arguments differs',
      [a('{"x":1,"y":2}')],
      vendor(a('{"x":1,"y":3}')),
      'yyn 500000',
    ],
    // Calls of one tool: 2 and 2 are equal, so 1 meets 3.
    ['equal ones meet first', [a('1'), a('2')], vendor(a('2'), a('3')), 'yyn 500000'],
    [
      'of two equal calls one finds its like',
      [a('1'), a('1')],
      vendor(a('1'), a('2')),
      'yyn 500000',
    ],
  ])('%s', (_name, ours, theirs, expected) => {
    expect(agreed(ours, theirs)).toBe(expected);
  });
});

describe('arguments that are no JSON text of a usual kind', () => {
  const deep = `${'['.repeat(1001)}${']'.repeat(1001)}`;
  let nested: Json = [];
  for (let level = 0; level < 5000; level += 1) nested = [nested];

  test.each<[string, string, ToolCall['arguments'], string]>([
    ['not JSON, the same text', '{"x":', '{"x":', 'yyy 1000000'],
    ['not JSON, another text', '{"x":', '{"x": ', 'yyn 0'],
    ['nothing is repaired', '{"x":1}', '{"x":1', 'yyn 0'],
    ['nor cut out of something longer', '{"x":1}', '{"x":1}{"x":1}', 'yyn 0'],
    ['nor decoded twice', '{"x":1}', '"{\\"x\\":1}"', 'yyn 0'],
    ['NaN is not JSON', '{"x":NaN}', '{ "x":NaN}', 'yyn 0'],
    ['both empty', '', '', 'yyy 1000000'],
    ['empty and {}', '{}', '', 'yyn 0'],
    ['null', '{}', null, 'yyn 0'],
    ['null and "null"', 'null', null, 'yyy 1000000'],
    ['a value instead of a text', '{"x":1,"y":[true]}', { y: [true], x: 1 }, 'yyy 1000000'],
    ['nested beyond all reason, the same text', deep, deep, 'yyy 1000000'],
    ['nested beyond all reason, another text', deep, `${deep} `, 'yyn 0'],
    ['a value nested beyond all reason equals nothing', '[]', nested, 'yyn 0'],
    [
      'not even what is put in its place elsewhere',
      '"(nested deeper than 1000 levels)"',
      nested,
      'yyn 0',
    ],
  ])('%s', (_name, ours, theirs, expected) => {
    expect(agreed([a(ours)], [callOf('a', theirs)])).toBe(expected);
  });
});

describe('pairs', () => {
  /** All ways to give each of `left` another of `right`, or nothing. */
  function* assignments(left: number, right: readonly number[]): Iterable<(number | null)[]> {
    if (left === 0) {
      yield [];
      return;
    }
    for (const choice of [...right, null]) {
      const rest = right.filter((index) => index !== choice);
      for (const tail of assignments(left - 1, rest)) yield [choice, ...tail];
    }
  }

  /** The most pairs of one name, and among those the most equal ones, by trying everything. */
  function best(ours: readonly OfficialCall[], theirs: readonly OfficialCall[]): [number, number] {
    let most: [number, number] = [0, 0];
    for (const choice of assignments(ours.length, [...theirs.keys()])) {
      const pairs = choice.flatMap((index, at) =>
        index === null ? [] : [{ our: ours[at], their: theirs[index] }],
      );
      if (pairs.some(({ our, their }) => our?.name !== their?.name)) continue;
      const equal = pairs.filter(({ our, their }) => our?.arguments === their?.arguments).length;
      if (pairs.length > most[0] || (pairs.length === most[0] && equal > most[1])) {
        most = [pairs.length, equal];
      }
    }
    return most;
  }

  const call = fc
    .tuple(fc.constantFrom('a', 'b'), fc.constantFrom('1', '2', '3'))
    .map(([name, args]) => official(name, args));
  const calls = fc.array(call, { maxLength: 4 });

  it('are as many as can be, with as many equal ones as can be', () => {
    fc.assert(
      fc.property(calls, calls, (ours, theirs) => {
        const pairs = pairCalls(ours, vendor(...theirs));
        const equal = pairs.filter((pair) => pair.equal).length;
        expect([pairs.length, equal]).toEqual(best(ours, theirs));
        const same = ours.length === theirs.length && equal === ours.length;
        if (ours.length > 0) {
          expect(agreementOf(ours, vendor(...theirs))).toMatchObject({
            arguments: same,
            callCount: ours.length === theirs.length,
            toolNames: ours.length === theirs.length && pairs.length === ours.length,
          });
        }
      }),
      { seed: 1, numRuns: 400 },
    );
  });

  it('have each official call once, in its order, and each call of the vendor once', () => {
    fc.assert(
      fc.property(calls, calls, (ours, theirs) => {
        const tagged = theirs.map(({ name, arguments: args }, at) =>
          callOf(name, `${args}${' '.repeat(at)}`),
        );
        const pairs = pairCalls(ours, tagged);
        const indices = pairs.map(({ index }) => index);
        expect(indices).toEqual([...new Set(indices)].sort((x, y) => x - y));
        expect(new Set(pairs.map(({ vendor }) => vendor.text.length)).size).toBe(pairs.length);
      }),
      { seed: 2 },
    );
  });

  it('leave the rest in order', () => {
    const ours = [a('1'), a('2'), b('0'), a('3')];
    const theirs = vendor(a('9'), a('2'), b('8'), a('7'));
    expect(
      pairCalls(ours, theirs).map((pair) => [pair.official.text, pair.vendor.text, pair.equal]),
    ).toEqual([
      ['1', '9', false],
      ['2', '2', true],
      ['0', '8', false],
      ['3', '7', false],
    ]);
  });
});

describe('hostile answers', () => {
  const short = a('{"x":1}');
  const dense = (n: number): string => `[${'0,'.repeat(n / 2)}0]`;
  const keys = (n: number): string =>
    JSON.stringify(Object.fromEntries(Array.from({ length: n / 12 }, (_, i) => [`k${i}`, i])));
  const longKeys = (n: number): string => {
    const key = 'k'.repeat(n / 900);
    return `${`{"${key}":`.repeat(900)}[${'1,'.repeat(5000)}1]${'}'.repeat(900)}`;
  };

  test.each<[string, OfficialCall[], ToolCall[], RegExp]>([
    ['a long list', [short], vendor(a(dense(300_000))), /^yyn 0$/],
    ['two long lists', [a(dense(200_000))], vendor(a(`${dense(200_000)} `)), /^yyy 1000000$/],
    ['many keys', [a(keys(200_000))], vendor(a(keys(200_000).replace('0', '1'))), /^yyn 9999\d\d$/],
    [
      'long keys one in another',
      [a(longKeys(300_000))],
      vendor(a(longKeys(300_000).replace('1]', '2]'))),
      /^yyn 999\d\d\d$/,
    ],
    [
      'a long word',
      [a(`"${'x'.repeat(200_000)}"`)],
      vendor(a(`"${'x'.repeat(200_001)}"`)),
      /^yyn 0$/,
    ],
    [
      'a long number',
      [a('1'.repeat(200_000))],
      vendor(a(`${'1'.repeat(200_000)}.0`)),
      /^yyy 1000000$/,
    ],
    ['zeros', [a(`1${'0'.repeat(200_000)}1`)], vendor(a(`1${'0'.repeat(200_000)}2`)), /^yyn 0$/],
    // Too long to be read: the same text is equal, any other is not.
    ['megabytes, the same', [a(dense(2_000_000))], vendor(a(dense(2_000_000))), /^yyy 1000000$/],
    [
      'megabytes, a blank more',
      [a(dense(2_000_000))],
      vendor(a(`${dense(2_000_000)} `)),
      /^yyn 0$/,
    ],
    [
      'five thousand calls',
      Array.from({ length: 5_000 }, (_, i) => a(`${i}`)),
      vendor(...Array.from({ length: 5_000 }, (_, i) => a(`${i + 2500}`))),
      /^yyn 500000$/,
    ],
    [
      'five thousand tools',
      Array.from({ length: 5_000 }, (_, i) => official(`${i}`, '{}')),
      vendor(...Array.from({ length: 5_000 }, (_, i) => official(`${4999 - i}`, '{}'))),
      /^yyy 1000000$/,
    ],
    [
      'names of Object.prototype',
      [official('__proto__', '{}')],
      vendor(official('constructor', '{}')),
      /^nyn 0$/,
    ],
  ])(
    '%s',
    (_name, ours, theirs, expected) => {
      const started = performance.now();
      expect(agreed(ours, theirs)).toMatch(expected);
      // Far above what it takes on a busy machine; a step that grew with the square of the answer would take longer.
      expect(performance.now() - started).toBeLessThan(15_000);
    },
    60_000,
  );
});
