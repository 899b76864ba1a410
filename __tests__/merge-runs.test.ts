import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { BENCHMARKS } from '../src/benchmarks/index.js';
import { findReports, mergeRuns } from '../src/merge-runs.js';
import { ConfigError } from '../src/model/errors.js';
import { NO_LINKS } from '../src/report/links.js';
import { benchmarkReport, reportOf } from './support/reports.js';
import { tempDir } from './support/temp-dir.js';

const WORLD = { benchmarks: BENCHMARKS, links: NO_LINKS, log: () => {} };

/** A shard's output directory, with a record in its results file unless `record` is null. */
function writeShard(dir: string, index: number, record: number | null = index): string {
  const shard = { index, of: 2 };
  const made = { tp: 378, fp: 124, fn: 112, tn: 386, planned: 1000, shard };
  const report = reportOf([benchmarkReport(made)], { shard });
  const settings = { ...report.settings, limit: null };
  mkdirSync(join(dir, 'k2_verifier.k2_thinking'), { recursive: true });
  writeFileSync(join(dir, 'report.json'), JSON.stringify({ ...report, settings }));
  const line = `{"data_index":${record},"status":"success","finish_reason":"stop"}\n`;
  if (record !== null) writeFileSync(join(dir, 'k2_verifier.k2_thinking/results.jsonl'), line);
  return dir;
}

const linesOf = (path: string): string[] => readFileSync(path, 'utf8').trimEnd().split('\n');

async function problemOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ConfigError)) throw error;
  return error.message;
}

describe('where reports are looked for', () => {
  test('a file, a directory with one, a directory of such directories', () => {
    const dir = tempDir();
    const [one, two] = [writeShard(join(dir, 'b'), 1), writeShard(join(dir, 'a'), 2)];
    mkdirSync(join(dir, 'empty'));
    const file = join(one, 'report.json');
    expect(findReports(file)).toEqual([file]);
    expect(findReports(one)).toEqual([file]);
    expect(findReports(dir)).toEqual([join(two, 'report.json'), file]);
    expect(findReports(join(dir, 'nowhere'))).toEqual([]);
  });

  test('every place without one is named', async () => {
    const dir = tempDir();
    const message = await problemOf(mergeRuns([dir, join(dir, 'x')], join(dir, 'out'), WORLD));
    expect(message.split('\n').map((line) => line.split(': ').slice(0, 2).join(': '))).toEqual([
      expect.stringContaining(`${dir}: There is no report here.`),
      expect.stringContaining(`${join(dir, 'x')}: There is no report here.`),
    ]);
  });
});

describe('merging', () => {
  test('the parent directory gives the report and the files of the whole run', async () => {
    const dir = tempDir();
    writeShard(join(dir, 'shards/one'), 1, 7);
    writeShard(join(dir, 'shards/two'), 2, 5);
    const out = join(dir, 'out');
    // The same shard named twice is one.
    const places = [join(dir, 'shards'), join(dir, 'shards/one')];
    const { report, written } = await mergeRuns(places, out, WORLD);
    expect([written, report.verdict, report.notes]).toEqual([true, 'pass', []]);
    expect(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')).verdict).toBe('pass');
    for (const folder of [out, join(out, 'k2_verifier.k2_thinking')]) {
      const records = linesOf(join(folder, 'results.jsonl')).map((line) => JSON.parse(line));
      expect(records.map((record) => record.data_index)).toEqual([5, 7]);
      const summary = JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'));
      expect(summary.success_count).toBe(2);
    }
  });

  test('a shard without a results file is noted', async () => {
    const dir = tempDir();
    const places = [writeShard(join(dir, 'one'), 1), writeShard(join(dir, 'two'), 2, null)];
    const { report } = await mergeRuns(places, join(dir, 'out'), WORLD);
    expect(report.notes).toEqual([
      'Shard 2 of 2 has no result files: those of the merged run lack its samples.',
    ]);
    expect(linesOf(join(dir, 'out/results.jsonl'))).toHaveLength(1);
  });

  test('a results file that cannot be read does not hide the verdict', async () => {
    const dir = tempDir();
    const places = [writeShard(join(dir, 'one'), 1), writeShard(join(dir, 'two'), 2)];
    writeFileSync(join(dir, 'two/k2_verifier.k2_thinking/results.jsonl'), 'torn');
    const { report } = await mergeRuns(places, join(dir, 'out'), WORLD);
    expect(report.verdict).toBe('pass');
    expect(report.notes).toEqual([
      expect.stringMatching(
        /^The result files of k2_verifier.k2_thinking were not joined: Line 1 of .* is no record\.$/,
      ),
    ]);
    expect(existsSync(join(dir, 'out/results.jsonl'))).toBe(false);
  });

  test.each(['one', './two/'])('into the directory of a shard is refused: %s', async (own) => {
    const dir = tempDir();
    const places = [writeShard(join(dir, 'one'), 1), writeShard(join(dir, 'two'), 2)];
    const before = readFileSync(join(dir, 'one/report.json'), 'utf8');
    const message = await problemOf(mergeRuns(places, `${dir}/${own}`, WORLD));
    expect(message).toContain('is the directory of a shard: merging would replace');
    expect(readFileSync(join(dir, 'one/report.json'), 'utf8')).toBe(before);
    expect(existsSync(join(dir, 'one/previous-report.json'))).toBe(false);
  });
});
