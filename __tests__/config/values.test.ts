import { describe, expect, test } from '@jest/globals';
import { INPUTS } from '../../src/config/inputs.js';
import { BAD } from './bad-values.js';
import { GOOD } from './good-values.js';
import { complaints, parsed } from './specs.js';

test.each(GOOD)('good value %d: %s %j', (_, name, value, read, expected) => {
  expect(read(parsed({ values: { [name]: value } }))).toEqual(expected);
});

test.each(BAD)('bad value %d: %s %j', (_, name, value, message) => {
  expect(complaints({ values: { [name]: value } })).toEqual([message]);
});

test('prices and a budget of money stand together', () => {
  const values = { 'price-in': '0.6', 'price-out': '2.5', 'cost-budget': '12.5' };
  expect(parsed({ values }).config.budget).toEqual({
    tokens: null,
    cost: 12.5,
    priceIn: 0.6,
    priceOut: 2.5,
  });
});

describe('mode merge', () => {
  const merge = { mode: 'merge', 'merge-dirs': 'shards' };
  const nothing = { endpoint: '', model: '', datasets: '' };

  test('needs no endpoint, model or data sets', () => {
    const { action, notices } = parsed({ values: { ...nothing, ...merge } });
    expect(action).toMatchObject({ mode: 'merge', mergeDirs: ['shards'] });
    expect(notices).toEqual([]);
  });

  test.each<[string, string[]]>([
    ['a/1 a/2  a/3', ['a/1', 'a/2', 'a/3']],
    ['a 1\n\n  a/2 \n', ['a 1', 'a/2']],
    ['a/1', ['a/1']],
  ])('directories %j', (text, dirs) => {
    const values = { ...nothing, ...merge, 'merge-dirs': text };
    expect(parsed({ values }).action.mergeDirs).toEqual(dirs);
  });

  test('a list of directories, in a file', () => {
    const file = 'mode: merge\nmerge-dirs: [a 1, a/2]\n';
    expect(parsed({ file }).action.mergeDirs).toEqual(['a 1', 'a/2']);
    expect(complaints({ file: 'mode: merge\nmerge-dirs: {a: 1}\n' })[0]).toBe(
      'vg.yml: merge-dirs: It is neither text nor a list of paths. Give text on one line.',
    );
  });

  test('says which inputs change nothing there', () => {
    const values = { ...merge, thresholds: 'schema_accuracy >= 90%', seed: '7', comment: 'never' };
    expect(parsed({ values }).notices).toEqual([
      'These inputs say nothing in mode merge, since the reports of the shards hold it: seed, thresholds.',
    ]);
  });

  test.each<[string, Record<string, string>, string]>([
    [
      'without directories',
      { mode: 'merge' },
      'merge-dirs: Mode merge needs the directories of the shards. Name the directory into which their artifacts were downloaded.',
    ],
    [
      'directories without the mode',
      { 'merge-dirs': 'shards' },
      'merge-dirs: It says nothing in mode run. Set mode: merge, or leave it out.',
    ],
  ])('%s', (_, values, message) => {
    expect(complaints({ values })).toEqual([message]);
  });

  test('is the action’s alone', () => {
    expect(complaints({ values: { mode: 'merge' }, surface: 'terminal' })).toEqual([
      '--mode: Only the action merges so. Use the verb merge of the terminal.',
    ]);
  });
});

test('every input has a good and a bad row', () => {
  const together = ['price-in', 'price-out', 'cost-budget'];
  const elsewhere = [
    ...together,
    'endpoint',
    'api-key',
    'headers',
    'datasets',
    'config',
    'github-token',
    'merge-dirs',
  ];
  for (const { name } of INPUTS) {
    if (elsewhere.includes(name)) continue;
    expect({ name, good: GOOD.some((row) => row[1] === name) }).toEqual({ name, good: true });
    expect({ name, bad: BAD.some((row) => row[1] === name) }).toEqual({ name, bad: true });
  }
});
