import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import {
  disagreementOf,
  firstDifference,
} from '../../../src/benchmarks/k2-verifier/agreement-difference.js';
import { canonicalJson } from '../../../src/text/canonical-json.js';
import { parseJsonText } from '../../../src/text/json-text.js';
import { callOf } from '../../support/k2.js';

const read = (text: string) => ({ text, node: parseJsonText(text) });

describe('the first place that differs', () => {
  test.each<
    [string, string, string, [path: string, vendor: string | null, official: string | null]]
  >([
    ['a value', '{"a":1,"b":2}', '{"b":3,"a":1}', ['/b', '3', '2']],
    ['the official order decides', '{"b":1,"a":1}', '{"a":2,"b":2}', ['/b', '2', '1']],
    ['as it was written', '{"a": 1.50}', '{"a": [ 1 ]}', ['/a', '[ 1 ]', '1.50']],
    ['a missing member', '{"a":1,"b":"x"}', '{"a":1}', ['/b', null, '"x"']],
    ['an extra member', '{"a":1}', '{"a":1,"b":"x"}', ['/b', '"x"', null]],
    ['deep', '{"a":[{"b":1},{"b":2}]}', '{"a":[{"b":1},{"b":3}]}', ['/a/1/b', '3', '2']],
    ['a longer list', '[1]', '[1,2]', ['/1', '2', null]],
    ['a shorter list', '[1,2]', '[1]', ['/1', null, '2']],
    ['null is not nothing', '{"a":null}', '{}', ['/a', null, 'null']],
    ['the whole', '{"a":1}', '"x"', ['', '"x"', '{"a":1}']],
    ['a key with signs of a pointer', '{"a/b~c":1}', '{"a/b~c":2}', ['/a~1b~0c', '2', '1']],
    ['of a key that stands twice the last', '{"a":1,"a":2}', '{"a":1}', ['/a', '1', '2']],
    [
      'large integers',
      '[9007199254740993]',
      '[9007199254740992]',
      ['/0', '9007199254740992', '9007199254740993'],
    ],
    ['a key of Object.prototype', '{}', '{"__proto__":1}', ['/__proto__', '1', null]],
  ])('%s', (_name, official, vendor, [path, theirs, ours]) => {
    expect(firstDifference(read(official), read(vendor))).toEqual({
      path,
      vendor: theirs,
      official: ours,
    });
  });

  it('is none exactly when both are equal', () => {
    const json = fc
      .jsonValue({ maxDepth: 2, stringUnit: fc.constantFrom('a', 'b') })
      .map((value) => JSON.stringify(value));
    fc.assert(
      fc.property(json, json, (a, b) => {
        const same = canonicalJson(parseJsonText(a)) === canonicalJson(parseJsonText(b));
        expect(firstDifference(read(a), read(b)) === null).toBe(same);
        expect(firstDifference(read(a), read(` ${a}`))).toBeNull();
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it('is found in one pass over a thousand levels', () => {
    const text = (end: string): string => `${'{"a":1,"b":'.repeat(900)}${end}${'}'.repeat(900)}`;
    const started = performance.now();
    expect(firstDifference(read(text('1')), read(text('2')))?.path).toBe('/b'.repeat(900));
    expect(performance.now() - started).toBeLessThan(4000);
  });
});

describe('what to tell about two answers', () => {
  const official = (name: string, args: string) => ({ name, arguments: args });
  test.each<[string, [string, string][], [string, string][], string | null]>([
    ['the same', [['a', '{}']], [['a', '{}']], null],
    ['official calls not recorded', [], [['a', '{}']], null],
    [
      'fewer calls',
      [
        ['a', '{}'],
        ['b', '{}'],
      ],
      [['a', '{}']],
      'count: 1 call, officially 2',
    ],
    [
      'more calls',
      [['a', '{}']],
      [
        ['b', '{}'],
        ['b', '{}'],
        ['b', '{}'],
      ],
      'count: 3 calls, officially 1',
    ],
    ['another tool', [['a', '{}']], [['b', '{}']], 'tools: b, officially a'],
    [
      'other tools, without those that both call',
      [
        ['a', '{}'],
        ['b', '{}'],
        ['c', '{}'],
      ],
      [
        ['d', '{}'],
        ['b', '{}'],
        ['e', '{}'],
      ],
      'tools: d and e, officially a and c',
    ],
    [
      'as many, other proportions',
      [
        ['a', '1'],
        ['a', '2'],
        ['b', '3'],
      ],
      [
        ['a', '1'],
        ['b', '3'],
        ['b', '3'],
      ],
      'tools: b, officially a',
    ],
    [
      'many tools',
      [
        ['a', '1'],
        ['a', '1'],
        ['a', '1'],
        ['a', '1'],
      ],
      [
        ['b', '1'],
        ['c', '1'],
        ['d', '1'],
        ['e', '1'],
      ],
      'tools: b and c and d and …, officially a and a and a and …',
    ],
    [
      'an argument',
      [['a', '{"x":"p"}']],
      [['a', '{"x":"q"}']],
      'arguments: /x: "q", officially "p"',
    ],
    [
      'a missing argument',
      [['a', '{"x":1}']],
      [['a', '{}']],
      'arguments: /x: nothing, officially 1',
    ],
    [
      'an extra argument',
      [['a', '{}']],
      [['a', '{"x":1}']],
      'arguments: /x: 1, officially nothing',
    ],
    [
      'one of two calls',
      [
        ['a', '1'],
        ['a', '2'],
      ],
      [
        ['a', '3'],
        ['a', '1'],
      ],
      'arguments: call 2 of 2, /: 3, officially 2',
    ],
    [
      'not JSON',
      [['a', '{"x":']],
      [['a', '{}']],
      'arguments: the texts differ; one of them is not JSON, or they are too long',
    ],
  ])('%s', (_name, ours, theirs, expected) => {
    const found = disagreementOf(
      ours.map(([name, args]) => official(name, args)),
      theirs.map(([name, args]) => callOf(name, args)),
    );
    expect(found && `${found.about}: ${found.detail}`).toBe(expected);
  });

  it('is short whatever the texts are, and cuts no character in half', () => {
    const huge = '😀'.repeat(10_000);
    const argument = (value: string) => JSON.stringify({ [huge]: { [huge]: value } });
    for (const found of [
      disagreementOf([official('a', argument(`${huge}1`))], [callOf('a', argument(`${huge}2`))]),
      disagreementOf([official(huge, '1')], [callOf(`${huge}2`, '1')]),
    ]) {
      expect(found?.detail.length).toBeLessThan(450);
      expect(JSON.stringify(found)).not.toMatch(/\\ud[89a-f]/);
    }
  });
});
