import { expect, test } from '@jest/globals';
import { complaints, parsed } from './specs.js';

const K2 = (options: object = {}, subset = 'k2_thinking') => ({
  name: 'k2_verifier',
  subset,
  options,
});
const WOB = (options: object = { assets: 'a' }) => ({ name: 'miniwob', subset: 'all', options });
const HEX = 'a1'.repeat(32);

const GOOD: [number, string, string[], object[]][] = [
  [1, 'k2_verifier', [], [K2()]],
  [2, '\n k2_verifier \n', [], [K2()]],
  [3, 'k2_verifier, k2_verifier/k2_0905', [], [K2(), K2({}, 'k2_0905')]],
  [4, 'k2_verifier k2_verifier/k2_0905', [], [K2(), K2({}, 'k2_0905')]],
  [5, '- k2_verifier\n- k2_verifier/k2_0905', [], [K2(), K2({}, 'k2_0905')]],
  [6, '["k2_verifier"]', [], [K2()]],
  [7, 'k2_verifier:', [], [K2()]],
  [8, 'k2_verifier: {}', [], [K2()]],
  [
    9,
    'k2_verifier:\n  subset: k2_0905\n  source: a.jsonl',
    [],
    [K2({ source: 'a.jsonl' }, 'k2_0905')],
  ],
  [10, '{"k2_verifier": {"tool-strict": true}}', [], [K2({ 'tool-strict': true })]],
  [11, `k2_verifier:\n  sha256: '${HEX}'`, [], [K2({ sha256: HEX })]],
  [12, 'k2_verifier', ['k2_verifier.source=a=b.jsonl'], [K2({ source: 'a=b.jsonl' })]],
  [13, 'k2_verifier', ['k2_verifier.source=12'], [K2({ source: '12' })]],
  [14, 'k2_verifier', ['k2_verifier.subset=k2_0905'], [K2({}, 'k2_0905')]],
  [15, 'k2_verifier', ['k2_verifier.tool-strict=true'], [K2({ 'tool-strict': true })]],
  [16, 'k2_verifier:\n  source: a', ['k2_verifier.source=b'], [K2({ source: 'b' })]],
  [17, 'k2_verifier', ['k2_verifier.source=a', 'k2_verifier.source=b'], [K2({ source: 'b' })]],
  [
    18,
    'k2_verifier k2_verifier/k2_0905',
    ['k2_verifier.source=a', 'k2_verifier/k2_0905.source=b'],
    [K2({ source: 'a' }), K2({ source: 'b' }, 'k2_0905')],
  ],
  [19, 'miniwob', ['miniwob.assets=a', 'miniwob.repeats=5'], [WOB({ assets: 'a', repeats: 5 })]],
  [
    20,
    'miniwob: {assets: a}',
    ['miniwob.success_threshold=0.5', 'miniwob.tasks=[x, y]'],
    [WOB({ assets: 'a', success_threshold: 0.5, tasks: ['x', 'y'] })],
  ],
  [21, 'miniwob: {assets: a}', ['miniwob.assets=a\nb'], [WOB({ assets: 'a\nb' })]],
];

test.each(GOOD)('good data sets %d: %j %j', (_, datasets, sets, benchmarks) => {
  expect(parsed({ values: { datasets }, sets }).config.benchmarks).toEqual(benchmarks);
});

const LIST_FIX =
  'A list holds names only; to give options, write a mapping: the name, a colon, the options indented below.';
const SET_FIX = 'Write --set BENCHMARK.OPTION=VALUE, such as --set k2_verifier.source=rows.jsonl.';
const BAD: [number, string, string[], string[]][] = [
  [
    1,
    'k2-verifier',
    [],
    ['datasets: There is no benchmark "k2-verifier". Did you mean k2_verifier?'],
  ],
  [2, 'gsm8k', [], ['datasets: There is no benchmark "gsm8k". Known are k2_verifier, miniwob.']],
  [
    3,
    'k2_verifier k2_verifier',
    [],
    [
      'datasets.k2_verifier: k2_verifier/k2_thinking is chosen twice. Name it once; two subsets of a benchmark are written NAME/SUBSET.',
    ],
  ],
  [
    4,
    'k2_verifier k2_verifier/k2_thinking',
    [],
    [
      'datasets.k2_verifier/k2_thinking: k2_verifier/k2_thinking is chosen twice. Name it once; two subsets of a benchmark are written NAME/SUBSET.',
    ],
  ],
  [
    5,
    'k2_verifier/k2_thinkin',
    [],
    [
      'datasets.k2_verifier/k2_thinkin.subset: k2_verifier has no subset "k2_thinkin". Did you mean k2_thinking?',
    ],
  ],
  [
    6,
    'k2_verifier: {subset: other}',
    [],
    [
      'datasets.k2_verifier.subset: k2_verifier has no subset "other". Give one of k2_thinking, k2_0905.',
    ],
  ],
  [
    7,
    'k2_verifier/k2_0905: {subset: k2_thinking}',
    [],
    [
      'datasets.k2_verifier/k2_0905.subset: The name says "k2_0905" and the option subset "k2_thinking". Give the subset once.',
    ],
  ],
  [
    8,
    'k2_verifier: {sorce: a}',
    [],
    ['datasets.k2_verifier.sorce: k2_verifier has no such option. Did you mean source?'],
  ],
  [
    9,
    'k2_verifier: {qqqqqq: a}',
    [],
    [
      'datasets.k2_verifier.qqqqqq: k2_verifier has no such option. Its options are source, sha256, on-bad-row, tool-strict, subset.',
    ],
  ],
  [
    10,
    'k2_verifier: {on-bad-row: ignore}',
    [],
    ['datasets.k2_verifier.on-bad-row: "ignore" is not allowed. Give one of fail, skip.'],
  ],
  [
    11,
    'k2_verifier: {source: 5}',
    [],
    ['datasets.k2_verifier.source: 5 is not allowed. Give text (Path or https URL).'],
  ],
  [
    12,
    'k2_verifier: {sha256: abc}',
    [],
    ['datasets.k2_verifier.sha256: "abc" is not allowed. Give text that fits ^[0-9a-f]{64}$.'],
  ],
  [
    13,
    'k2_verifier: {tool-strict: "yes"}',
    [],
    ['datasets.k2_verifier.tool-strict: "yes" is not allowed. Give true or false.'],
  ],
  [
    14,
    'miniwob: {assets: a, repeats: 9, success_threshold: -1, tasks: x, proxy: 3}',
    [],
    [
      'datasets.miniwob.repeats: 9 is not allowed. Give a whole number from 1 to 5.',
      'datasets.miniwob.success_threshold: -1 is not allowed. Give a number from 0.',
      'datasets.miniwob.tasks: "x" is not allowed. Give a list, each item text.',
      'datasets.miniwob.proxy: 3 is not allowed. Give text, or null.',
    ],
  ],
  [
    15,
    'miniwob',
    [],
    [
      "datasets.miniwob: The options must have required property 'assets'. The page of the benchmark in docs/ describes them.",
    ],
  ],
  [
    16,
    'k2_verifier: a.jsonl',
    [],
    [
      'datasets.k2_verifier: "a.jsonl" is not a mapping of options. Write the options indented below the name, one a line.',
    ],
  ],
  [
    17,
    '- k2_verifier: {source: a}',
    [],
    [`datasets: {"k2_verifier":{"source":"a"}} in the list is not a name. ${LIST_FIX}`],
  ],
  [18, '[]', [], ['datasets: The list is empty. Name at least one of k2_verifier, miniwob.']],
  [19, ',', [], ['datasets: The list is empty. Name at least one of k2_verifier, miniwob.']],
  [20, '{}', [], ['datasets: The list is empty. Name at least one of k2_verifier, miniwob.']],
  [
    21,
    'k2_verifier:\n  source: a\n  source: b',
    [],
    [
      'datasets: It is not valid YAML in line 3: Map keys must be unique. Give names separated by commas, or a YAML mapping of names to options.',
    ],
  ],
  [
    22,
    'k2_verifier',
    ['k2_verifier.source'],
    [`--set: "k2_verifier.source" is not a setting. ${SET_FIX}`],
  ],
  [23, 'k2_verifier', ['source=a'], [`--set: "source=a" is not a setting. ${SET_FIX}`]],
  [24, 'k2_verifier', ['.source=a'], [`--set: ".source=a" is not a setting. ${SET_FIX}`]],
  [
    25,
    'k2_verifier',
    ['k2_verifer.source=a'],
    [
      '--set k2_verifer.source: k2_verifer is not among the chosen benchmarks. Did you mean k2_verifier?',
    ],
  ],
  [
    26,
    'k2_verifier',
    ['miniwob.assets=a'],
    ['--set miniwob.assets: miniwob is not among the chosen benchmarks. Chosen are k2_verifier.'],
  ],
  [
    27,
    'k2_verifier',
    ['k2_verifier.sorce=a'],
    ['--set k2_verifier.sorce: k2_verifier has no such option. Did you mean source?'],
  ],
  [
    28,
    'k2_verifier',
    ['k2_verifier.tool-strict=maybe'],
    ['--set k2_verifier.tool-strict: "maybe" is not allowed. Give true or false.'],
  ],
  [
    29,
    'miniwob: {assets: a}',
    ['miniwob.repeats=1e0'],
    ['--set miniwob.repeats: "1e0" is not allowed. Give a whole number from 1 to 5.'],
  ],
  [
    30,
    'k2_verifier/k2_0905',
    ['k2_verifier.subset=k2_thinking'],
    [
      '--set k2_verifier.subset: The name says "k2_0905" and the option subset "k2_thinking". Give the subset once.',
    ],
  ],
  [
    31,
    'k2_verifier: {__proto__: {source: a}}',
    [],
    [
      'datasets.k2_verifier.__proto__: k2_verifier has no such option. Its options are source, sha256, on-bad-row, tool-strict, subset.',
    ],
  ],
];

test.each(BAD)('bad data sets %d: %j %j', (_, datasets, sets, messages) => {
  expect(complaints({ values: { datasets }, sets })).toEqual(messages);
});

test('a list or mapping of the config file is read the same way', () => {
  const benchmarks = (file: string) => parsed({ file, values: { datasets: '' } }).config.benchmarks;
  expect(benchmarks('datasets: [k2_verifier]')).toEqual([K2()]);
  expect(benchmarks('datasets: k2_verifier')).toEqual([K2()]);
  expect(benchmarks('datasets:\n  k2_verifier:\n    source: a')).toEqual([K2({ source: 'a' })]);
  expect(
    complaints({ file: 'datasets: {k2_verifier: {sorce: a}}', values: { datasets: '' } }),
  ).toEqual([
    'vg.yml: datasets.k2_verifier.sorce: k2_verifier has no such option. Did you mean source?',
  ]);
  expect(complaints({ file: 'datasets: 5', values: { datasets: '' } })).toEqual([
    'vg.yml: datasets: 5 is neither a list nor a mapping. Give names separated by commas, or a YAML mapping of names to options.',
  ]);
});
