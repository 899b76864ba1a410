import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, test } from '@jest/globals';
import { baselineOf } from '../../src/benchmarks/k2-verifier/baseline.js';
import { LabelFile } from '../../src/benchmarks/k2-verifier/labels.js';
import { runTerminal } from '../../src/cli.js';
import { officialText } from '../../src/terminal/official-text.js';
import { record, search, threeRuns, writeRecords } from '../support/official-runs.js';
import { tempDir } from '../support/temp-dir.js';

interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function official(...words: string[]): Promise<Said> {
  let [stdout, stderr] = ['', ''];
  const code = await runTerminal(['official', ...words], {
    env: {},
    signal: new AbortController().signal,
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
  });
  return { code, stdout, stderr };
}

/** As on the screen, under short names. */
async function shown(...files: readonly string[]): Promise<string> {
  const labels: LabelFile[] = [];
  for (const file of files) labels.push(await LabelFile.open(file, null, file, 'official'));
  const baseline = await baselineOf(labels, new AbortController().signal);
  for (const each of labels) each.close();
  const names = files.map((file) => basename(file));
  return officialText(baseline, names, 100).replaceAll('\u00a0', ' ');
}

describe('what is printed', () => {
  it('of three files', async () => {
    expect(await shown(...threeRuns(tempDir()))).toBe(
      `3 official result files: 10 rows, 8 of them answered in every file

file        answered  missing  valid tool calls
1  a.jsonl        10        0      5/6 = 83.3 %
2  b.jsonl         9        1       6/6 = 100 %
3  c.jsonl         8        2                 –

one against the other             pairs    mean  lowest  highest      SD  file 1  file 2  file 3
tool-call decision (F1)               3  0.8838  0.8333   0.9091  0.0437  0.8712  0.8712  0.9091
tool-call decision (kappa)            3  0.6429  0.5000   0.7143  0.1237  0.6071  0.6071  0.7143
trigger rate ratio                    3  1.0111  0.8333   1.2000  0.1642  1.1000  1.1000  0.8333
calls of the same tools               3  73.3 %  60.0 %   80.0 %  11.5 %  80.0 %  70.0 %  70.0 %
same number of calls                  3  86.7 %  80.0 %    100 %  11.5 %  90.0 %  90.0 %  80.0 %
calls with the same arguments         3  60.0 %  40.0 %   80.0 %  20.0 %  70.0 %  50.0 %  60.0 %
likeness of arguments (token F1)      3  0.7556  0.6333   0.9000  0.1347  0.8167  0.6833  0.7667

The lowest of the 3 pairs, files 1 and 2, has trigger_similarity 0.8333: a gate above that would
have failed the official model itself.

Gates two standard deviations beyond the worst pair:
  trigger_similarity >= 0.74
  trigger_kappa >= 0.25
  trigger_rate_ratio >= 0.50
  trigger_rate_ratio <= 1.53
  tool_name_agreement >= 36%
  call_count_agreement >= 56%
  argument_token_f1 >= 0.36
Put these lines under \`thresholds\`.

3 files make few pairs, and pairs share files: take the SD for a rough figure, and add official runs
where you can.
`,
    );
  });

  it('of two files: what they say and what they cannot', async () => {
    const [a, b] = threeRuns(tempDir());
    const text = await shown(a, b);
    expect(text).toContain('The pair has trigger_similarity 0.8333: a gate above that would have');
    expect(text).toContain('Two files make one pair, and one pair has no spread');
    expect(text).toMatch(/tool-call decision \(F1\) +1 {2}0\.8333 {2}0\.8333 +0\.8333 +–/);
    expect(text).not.toMatch(/>=|thresholds/);
  });

  it('of five files: without the words about few', async () => {
    const dir = tempDir();
    const files = [1, 2, 3, 4, 5].map((run) =>
      writeRecords(dir, `${run}.jsonl`, [record(1, run === 1 ? null : [search('x')])]),
    );
    const text = await shown(...files);
    expect(text).toContain('The lowest of the 10 pairs, files 1 and 2, has trigger_similarity 0:');
    expect(text).not.toMatch(/few pairs|\n\n$/);
  });

  it('of output directories: of the results in them', async () => {
    const files = threeRuns(tempDir());
    const dirs = files.map((file) => {
      const dir = tempDir();
      copyFileSync(file, join(dir, 'results.jsonl'));
      return dir;
    });
    const { code, stdout } = await official(...dirs);
    expect(code).toBe(0);
    const plain = stdout.replaceAll('\u00a0', ' ');
    expect(plain).toContain('  trigger_similarity >= 0.74\n');
    expect(plain).toContain(`1  ${join(dirs[0] ?? '', 'results.jsonl')}  `);
  });

  it('names copies of one run, and nothing that a terminal obeys', async () => {
    const [a, b] = threeRuns(tempDir());
    const copy = join(tempDir(), 'a\u001b[2J.jsonl.gz');
    writeFileSync(copy, gzipSync(readFileSync(a)));
    const { code, stdout } = await official(a, b, copy);
    expect(code).toBe(0);
    expect(stdout).toContain('Files 1 and 3 agree in every decision and every argument: they look');
    expect(stdout).not.toContain('\u001b');
  });
});

describe('official.json', () => {
  it('holds the figures of every file and pair', async () => {
    const dir = tempDir();
    const files = threeRuns(dir);
    await official(...files, '--output', join(dir, 'out'));
    const document = JSON.parse(readFileSync(join(dir, 'out', 'official.json'), 'utf8'));
    expect(document).toMatchObject({
      rows: 10,
      joined_rows: 8,
      files: [
        { file: files[0], answered: 10, missing: 0, schema_accuracy: { n: 6 } },
        {
          file: files[1],
          answered: 9,
          missing: 1,
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
        { file: files[2], means: { trigger_rate_ratio: 5 / 6 } },
      ],
      pairs: [
        { official: files[0], vendor: files[1], rows: 9, metrics: { tool_name_agreement: 0.8 } },
        { official: files[0], vendor: files[2] },
        { official: files[1], vendor: files[2], metrics: { argument_agreement: 0.4 } },
      ],
      metrics: {
        trigger_similarity: { pairs: 3, min: 10 / 12, gates: ['trigger_similarity >= 0.74'] },
      },
    });
  });
});

describe('files that cannot be compared', () => {
  const one = (name: string, records: readonly object[]) => writeRecords(tempDir(), name, records);
  const answered = [record(1, [search('x')], 'p1')];

  test.each<[string, () => string[], RegExp]>([
    ['none', () => [], /No results file is given.*Name two or more/],
    ['one', () => [one('a.jsonl', answered)], /One results file is given, and nothing/],
    [
      'the same path twice',
      () => {
        const path = one('a.jsonl', answered);
        return [path, path];
      },
      /a\.jsonl is given twice\. Name every run once\./,
    ],
    [
      'the same file under two names',
      () => [one('a.jsonl', answered), one('b.jsonl', answered)],
      /b\.jsonl is the same file as .*a\.jsonl\./,
    ],
    ['no such file', () => [one('a.jsonl', answered), 'no.jsonl'], /there is no file no\.jsonl/],
    [
      'a directory without results',
      () => [one('a.jsonl', answered), tempDir()],
      /there is no results\.jsonl in .*\. Name the output directory of a run/,
    ],
    [
      'a line that is no record',
      () => [one('a.jsonl', answered), one('b.jsonl', [{ messages: [] }])],
      /line 1 of .*b\.jsonl is no result record/,
    ],
    [
      'no row in common',
      () => [one('a.jsonl', answered), one('b.jsonl', [record(2, null), record(1, 'failed')])],
      /a\.jsonl and .*b\.jsonl answer no row in common/,
    ],
    [
      'results of another data set',
      () => [one('a.jsonl', answered), one('b.jsonl', [record(1, [search('x')], 'other')])],
      /a\.jsonl and .*b\.jsonl hold different prompts under the same data_index, such as 1\./,
    ],
  ])('%s', async (_, files, message) => {
    const said = await official(...files());
    expect([said.code, said.stdout]).toEqual([2, '']);
    expect(said.stderr).toMatch(message);
    expect(said.stderr).toMatch(/^error: official: /);
  });
});
