import { describe, expect, test } from '@jest/globals';
import { filesInCard } from '../../src/datasets/dataset-card.js';
import { chooseFiles, matchingFiles } from '../../src/datasets/hub-files.js';

const listing = (paths: readonly string[]) => paths.map((path) => ({ path, sha256: null }));
const chosen = (choice: ReturnType<typeof chooseFiles>): readonly string[] | string =>
  'parts' in choice ? choice.parts.map(({ path }) => path) : choice.why;

const REST = [
  'README.md',
  '.gitattributes',
  'dataset_infos.json',
  'configuration.json',
  'data/x.txt',
];

describe('the file of k2_thinking, test', () => {
  test.each<[string, string[], string | string[]]>([
    [
      'subset and split',
      ['k2_thinking/test.jsonl', 'k2_0905/test.jsonl'],
      ['k2_thinking/test.jsonl'],
    ],
    [
      'subset and split in one name',
      ['k2_thinking_test.jsonl', 'a.jsonl'],
      ['k2_thinking_test.jsonl'],
    ],
    [
      'written otherwise',
      ['data/K2-Thinking/Test.JSONL', 'b/test.csv'],
      ['data/K2-Thinking/Test.JSONL'],
    ],
    [
      'other splits beside it',
      ['k2_thinking/train.csv', 'k2_thinking/test.csv'],
      ['k2_thinking/test.csv'],
    ],
    ['the subset alone', ['k2_thinking.jsonl', 'k2_0905.jsonl'], ['k2_thinking.jsonl']],
    [
      'the subset, other splits',
      ['k2_thinking/train.csv', 'k2_thinking/all.csv'],
      ['k2_thinking/all.csv'],
    ],
    ['the split alone', ['test.jsonl', 'train.jsonl'], ['test.jsonl']],
    ['one data file', ['samples.parquet'], ['samples.parquet']],
    ['packed', ['test.jsonl.gz'], ['test.jsonl.gz']],
    ['in several forms', ['test.parquet', 'test.csv', 'test.jsonl'], ['test.jsonl']],
    [
      'in parts, which the listing has in another order',
      ['k2_thinking/test-00001-of-00002.parquet', 'k2_thinking/test-00000-of-00002.parquet'],
      ['k2_thinking/test-00000-of-00002.parquet', 'k2_thinking/test-00001-of-00002.parquet'],
    ],
    [
      'two files of the same kind',
      ['k2_thinking/test_a.jsonl', 'k2_thinking/test_b.jsonl'],
      'several files fit: k2_thinking/test_a.jsonl, k2_thinking/test_b.jsonl',
    ],
    [
      'two files of different kinds',
      ['a/test.jsonl', 'b/test.csv'],
      'several files fit: a/test.jsonl, b/test.csv',
    ],
    [
      'a part missing',
      ['test-00000-of-00003.parquet', 'test-00002-of-00003.parquet'],
      'of 3 parts there are 2: test-00000-of-00003.parquet and so on',
    ],
    ['no test split of it', ['k2_thinking/train.jsonl', 'k2_0905/test.jsonl'], 'no data file fits'],
    ['no data file', [], 'no data file fits'],
    ['hidden files', ['.cache/test.jsonl', 'data/.test.jsonl'], 'no data file fits'],
    [
      'a word that only contains the split',
      ['latest.jsonl', 'contest.jsonl', 'test.jsonl'],
      ['test.jsonl'],
    ],
  ])('%s', (_name, paths, expected) => {
    expect(chosen(chooseFiles(listing([...REST, ...paths]), 'k2_thinking', 'test'))).toEqual(
      expected,
    );
  });
});

test.each<[string, string[] | string]>([
  ['data/a.jsonl', ['data/a.jsonl']],
  ['./data/a.jsonl', ['data/a.jsonl']],
  ['data/*.csv', ['data/b.csv']],
  ['**/b.csv', ['data/b.csv']],
  [`${'*'.repeat(30)}b`, 'no data file fits'],
])('pattern %s', (pattern, expected) => {
  const files = listing(['data/a.jsonl', 'data/b.csv', 'data/deep/c.csv', 'dataXa.jsonl']);
  expect(chosen(matchingFiles(files, [pattern]))).toEqual(expected);
});

describe('what the README says', () => {
  const card = (head: string): string => `---\nlicense: mit\n${head}\n---\n# Title\n`;
  const configs = (files: string): string =>
    card(`configs:\n- config_name: other\n  data_files: x\n- config_name: k2_thinking\n  ${files}`);
  test.each<[string, string, string[] | null]>([
    ['one file', configs('data_files: data/a.jsonl'), ['data/a.jsonl']],
    ['a list', configs('data_files: [a.jsonl, b.jsonl]'), ['a.jsonl', 'b.jsonl']],
    [
      'by split',
      configs('data_files:\n  - {split: train, path: t.csv}\n  - {split: test, path: "k2/*"}'),
      ['k2/*'],
    ],
    ['by split, a list', configs('data_files: [{split: test, path: [a, b]}]'), ['a', 'b']],
    ['another split alone', configs('data_files: [{split: train, path: a}]'), null],
    ['no such subset', card('configs: [{config_name: x, data_files: a}]'), null],
    ['nothing', card('task: y'), null],
    ['broken YAML', card('configs: [{'), null],
    ['no head', '# Title\n', null],
    ['an alias bomb', card('a: &a [x,x]\nb: &b [*a,*a]\nconfigs: *b'), null],
  ])('%s', (_name, text, expected) => {
    expect(filesInCard(text, 'k2_thinking', 'test')).toEqual(expected);
  });
});

test.each<[string, string, boolean]>([
  ['data/*.jsonl', 'data/test.jsonl', true],
  ['data/*.jsonl', 'data/deep/test.jsonl', false],
  ['**/*.jsonl', 'data/deep/test.jsonl', true],
  ['**.jsonl', 'test.jsonl', true],
  ['./k2*/te*t-*.csv', 'k2_thinking/test-0.csv', true],
  ['k2*/te*t-*.csv', 'k2/deep/test-0.csv', false],
  ['*a*b', 'xaxbxb', true],
  ['**/b*/c.csv', 'a/b1/b2/c.csv', true],
  ['*.csv', 'a.csv.gz', false],
  [`${'*a'.repeat(100)}!`, 'a'.repeat(400), false],
  [`${'**a'.repeat(100)}!`, 'a'.repeat(400), false],
  ['*', 'a'.repeat(501), false],
])('the pattern %s fits %s: %s', (pattern, path, fits) => {
  expect('parts' in matchingFiles(listing([path]), [pattern])).toBe(fits);
});
