import { afterEach, describe, expect, it, test } from '@jest/globals';
import { type Baseline, baselineOf } from '../../../src/benchmarks/k2-verifier/baseline.js';
import { LabelFile } from '../../../src/benchmarks/k2-verifier/labels.js';
import { record, search, threeRuns, writeRecords } from '../../support/official-runs.js';
import { tempDir } from '../../support/temp-dir.js';

const open: LabelFile[] = [];
afterEach(() => {
  for (const file of open.splice(0)) file.close();
});

async function baseline(...paths: string[]): Promise<Baseline> {
  for (const path of paths) open.push(await LabelFile.open(path, null, path, 'official'));
  return baselineOf(open, new AbortController().signal);
}

/** Of two files written here, each a list of records. */
async function pairOf(first: object[], second: object[]) {
  const dir = tempDir();
  const { pairs } = await baseline(
    writeRecords(dir, '1.jsonl', first),
    writeRecords(dir, '2.jsonl', second),
  );
  return pairs[0];
}

const close = (value: number) => expect.closeTo(value, 6);

describe('three runs over ten rows', () => {
  it('are joined by data_index, on the rows that both of two answer', async () => {
    const { rows, joined, pairs, files } = await baseline(...threeRuns(tempDir()));
    expect([rows, joined]).toEqual([10, 8]);
    expect(pairs.map((pair) => [pair.files, pair.rows])).toEqual([
      [[0, 1], 9],
      [[0, 2], 8],
      [[1, 2], 8],
    ]);
    expect(files.map(({ answered, missing }) => [answered, missing])).toEqual([
      [10, 0],
      [9, 1],
      [8, 2],
    ]);
  });

  it('agree as counted by hand', async () => {
    const { pairs } = await baseline(...threeRuns(tempDir()));
    expect(pairs.map(({ metrics }) => metrics)).toEqual([
      {
        // tp 1-5, fn 6, fp 7, tn 8 and 9
        trigger_similarity: close(10 / 12),
        trigger_kappa: close(0.5),
        trigger_rate_ratio: 1,
        tool_name_agreement: 4 / 5,
        call_count_agreement: 1,
        argument_agreement: 3 / 5,
        // Of `four` against `four other`: 2 of 3.
        argument_token_f1: close((3 + 2 / 3) / 5),
      },
      {
        // tp 1-5, fn 6, tn 7 and 8
        trigger_similarity: close(10 / 11),
        trigger_kappa: close(5 / 7),
        trigger_rate_ratio: close(5 / 6),
        tool_name_agreement: 4 / 5,
        call_count_agreement: 4 / 5,
        argument_agreement: 4 / 5,
        argument_token_f1: 0.9,
      },
      {
        // tp 1-5, fn 7, tn 6 and 8
        trigger_similarity: close(10 / 11),
        trigger_kappa: close(5 / 7),
        trigger_rate_ratio: close(5 / 6),
        tool_name_agreement: 3 / 5,
        call_count_agreement: 4 / 5,
        argument_agreement: 2 / 5,
        argument_token_f1: close((2 + 1 / 2 + 2 / 3) / 5),
      },
    ]);
  });

  it('are summed up over pairs, a ratio both ways round', async () => {
    const { metrics } = await baseline(...threeRuns(tempDir()));
    expect(metrics.map(({ pairs }) => pairs)).toEqual(Array(7).fill(3));
    const spreads = metrics.map(({ metric, spread }) => [metric.name, spread]);
    expect(Object.fromEntries(spreads)).toMatchObject({
      trigger_similarity: {
        n: 3,
        mean: close(0.883838),
        min: close(10 / 12),
        max: close(10 / 11),
        sd: close(0.043739),
      },
      // 1, 1, 5/6, 6/5, 5/6, 6/5
      trigger_rate_ratio: {
        n: 6,
        mean: close(1.011111),
        min: close(5 / 6),
        max: 1.2,
        sd: close(0.164204),
      },
      argument_agreement: { n: 3, mean: close(0.6), min: 0.4, max: 0.8, sd: close(0.2) },
    });
  });

  it('support gates two standard deviations beyond the worst pair, and none that nothing can miss', async () => {
    const { metrics } = await baseline(...threeRuns(tempDir()));
    expect(metrics.flatMap(({ gates }) => gates)).toEqual([
      'trigger_similarity >= 0.74', // 0.8333 - 2 * 0.0437 = 0.7459
      'trigger_kappa >= 0.25', // 0.5 - 2 * 0.1237 = 0.2526
      'trigger_rate_ratio >= 0.50', // 0.8333 - 2 * 0.1642 = 0.5049
      'trigger_rate_ratio <= 1.53', // 1.2 + 2 * 0.1642 = 1.5284
      'tool_name_agreement >= 36%', // 0.6 - 2 * 0.1155 = 0.3691
      'call_count_agreement >= 56%', // 0.8 - 2 * 0.1155 = 0.5691
      // argument_agreement: 0.4 - 2 * 0.2 = 0
      'argument_token_f1 >= 0.36', // 0.6333 - 2 * 0.1347 = 0.3639
    ]);
  });

  it('have means of their own, as the vendor against the others, and validity where tools are recorded', async () => {
    const { files } = await baseline(...threeRuns(tempDir()));
    expect(files.map(({ means }) => means['trigger_similarity'])).toEqual([
      close((10 / 12 + 10 / 11) / 2),
      close((10 / 12 + 10 / 11) / 2),
      close(10 / 11),
    ]);
    expect(files.map(({ means }) => means['trigger_rate_ratio'])).toEqual([
      close(1.1),
      close(1.1),
      close(5 / 6),
    ]);
    expect(files.map(({ schemaAccuracy }) => schemaAccuracy)).toEqual([
      { value: close(5 / 6), n: 6 },
      { value: 1, n: 6 },
      { value: null, n: 0 },
    ]);
  });
});

describe('a pair', () => {
  it('without calls in common has no agreement, and no gate from one pair', async () => {
    const dir = tempDir();
    const { pairs, metrics } = await baseline(
      writeRecords(dir, '1.jsonl', [record(1, [search('x')]), record(2, null)]),
      writeRecords(dir, '2.jsonl', [record(1, null), record(2, null)]),
    );
    expect(pairs[0]?.metrics).toEqual({
      trigger_similarity: 0,
      trigger_kappa: 0,
      trigger_rate_ratio: 0,
      tool_name_agreement: null,
      call_count_agreement: null,
      argument_agreement: null,
      argument_token_f1: null,
    });
    expect(metrics.flatMap(({ gates }) => gates)).toEqual([]);
  });

  test.each([
    ['first', [], [search('x')]],
    ['second', [search('x')], []],
  ])('disagrees when the %s says that it calls tools and calls none', async (_, one, two) => {
    const pair = await pairOf([record(1, one)], [record(1, two)]);
    expect(pair?.metrics).toMatchObject({ trigger_similarity: 1, argument_agreement: 0 });
  });

  it('knows rows far beyond the lines of a file', async () => {
    const far = [record(100_000, null), record(3, null)];
    expect(await pairOf(far, [record(100_000, [search('x')])])).toMatchObject({ rows: 1 });
  });

  it.each([
    ['other prompts in most rows', ['p1', 'q2', 'q3'], 2],
    ['another prompt in one of three', ['p1', 'p2', 'q3'], null],
  ])('with %s', async (_, prompts, row) => {
    const of = (texts: string[]) =>
      texts.map((text, index) => record(index + 1, [search('x')], text));
    const pair = await pairOf(of(['p1', 'p2', 'p3']), of(prompts));
    expect(pair?.otherPrompt).toBe(row);
  });
});

test('an aborted signal ends it', async () => {
  const dir = tempDir();
  const many = Array.from({ length: 200 }, (_, index) => record(index + 1, null));
  const files = ['1.jsonl', '2.jsonl'].map((name) => writeRecords(dir, name, many));
  for (const path of files) open.push(await LabelFile.open(path, null, path, 'official'));
  const reason = new Error('stop');
  await expect(baselineOf(open, AbortSignal.abort(reason))).rejects.toBe(reason);
});
