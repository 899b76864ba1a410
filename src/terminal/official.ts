import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Baseline, baselineOf } from '../benchmarks/k2-verifier/baseline.js';
import { LabelFile } from '../benchmarks/k2-verifier/labels.js';
import type { Flags } from '../config/flags.js';
import { type Obtained, obtain } from '../datasets/source.js';
import { makeOutputDir, writeWhole } from '../engine/files.js';
import { ConfigError, type Problem } from '../model/errors.js';
import { VERSION } from '../version.js';
import type { Io } from './io.js';
import { officialText } from './official-text.js';
import { worldOf } from './run.js';

/** What messages call the files by, since no option names them. */
const WHERE = 'official';

/** A results file, ready to be compared. */
interface Opened {
  readonly obtained: Obtained;
  readonly labels: LabelFile;
}

/**
 * `official`: holds result files of the official model against each other; sends nothing. With --output the figures
 * also stand there as official.json.
 */
export async function official(flags: Flags, io: Io): Promise<number> {
  const problems = [...flags.problems, ...tooFew(flags.positionals)];
  if (problems.length > 0) throw new ConfigError(problems);
  // Unpacked files go where nothing has to be cleaned up.
  const scratch = mkdtempSync(join(tmpdir(), 'vendor-gate-official-'));
  const files: Opened[] = [];
  try {
    for (const path of flags.positionals) files.push(await openFile(path, scratch, io));
    checkTwice(files);
    const runs = files.map(({ labels }) => labels);
    const names = files.map(({ obtained }) => obtained.label);
    const baseline = await baselineOf(runs, io.signal);
    checkJoined(baseline, names);
    io.stdout.write(officialText(baseline, names, io.stdout.columns ?? 100));
    const dir = flags.values['output-dir'];
    if (dir !== undefined) {
      makeOutputDir(dir);
      const digests = files.map(({ obtained }) => obtained.sha256);
      const document = documentOf(baseline, names, digests);
      writeWhole(join(dir, 'official.json'), `${JSON.stringify(document, null, 2)}\n`);
    }
    return 0;
  } finally {
    for (const { labels } of files) labels.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function openFile(place: string, scratch: string, io: Io): Promise<Opened> {
  const { env, signal, downloads, log } = worldOf(io);
  const obtained = await obtain(fileIn(place), {
    scratch,
    env,
    signal,
    downloads: { ...downloads, offline: false },
    sha256: null,
    where: WHERE,
    note: log,
  });
  const labels = await LabelFile.open(obtained.path, null, obtained.label, WHERE);
  return { obtained, labels };
}

/** A directory stands for the results in it. */
function fileIn(place: string): string {
  if (!isKind(place, 'directory')) return place;
  const path = join(place, 'results.jsonl');
  if (isKind(path, 'file')) return path;
  throw new ConfigError([
    {
      where: WHERE,
      what: `there is no results.jsonl in ${place}.`,
      fix: 'Name the output directory of a run; of a run with several benchmarks the directory in it that belongs to one of them.',
    },
  ]);
}

function isKind(path: string, kind: 'directory' | 'file'): boolean {
  try {
    const info = statSync(path);
    return kind === 'file' ? info.isFile() : info.isDirectory();
  } catch {
    // Whoever opens it says what is wrong with it.
    return false;
  }
}

function tooFew(files: readonly string[]): Problem[] {
  if (files.length > 1) return [];
  const what =
    files.length === 0
      ? 'No results file is given.'
      : 'One results file is given, and nothing to hold it against.';
  return [
    {
      where: WHERE,
      what,
      fix: 'Name two or more, or the output directories of their runs: official FILE FILE [FILE...]; three give a spread.',
    },
  ];
}

/** A run agrees with itself in everything, which would raise what seems attainable. */
function checkTwice(files: readonly Opened[]): void {
  const known = new Map<string, string>();
  const problems = files.flatMap(({ obtained: { sha256, label } }): Problem[] => {
    const earlier = known.get(sha256);
    known.set(sha256, label);
    if (earlier === undefined) return [];
    const what =
      earlier === label ? `${label} is given twice.` : `${label} is the same file as ${earlier}.`;
    return [{ where: WHERE, what, fix: 'Name every run once.' }];
  });
  if (problems.length > 0) throw new ConfigError(problems);
}

/** Files that have nothing to do with each other would give figures too, only meaningless ones. */
function checkJoined({ pairs }: Baseline, names: readonly string[]): void {
  const problems = pairs.flatMap(({ files, rows, otherPrompt }): Problem[] => {
    const [first, second] = files.map((index) => names[index] ?? '');
    const fix = 'Compare results of the same data set; data_index is the line number of its rows.';
    if (rows === 0) {
      return [{ where: WHERE, what: `${first} and ${second} answer no row in common.`, fix }];
    }
    if (otherPrompt === null) return [];
    const what = `${first} and ${second} hold different prompts under the same data_index, such as ${otherPrompt}.`;
    return [{ where: WHERE, what, fix }];
  });
  if (problems.length > 0) throw new ConfigError(problems);
}

/** official.json: the figures for machines. */
function documentOf(
  { rows, joined, files, pairs, metrics }: Baseline,
  names: readonly string[],
  digests: readonly string[],
) {
  return {
    tool: { name: 'vendor-gate', version: VERSION },
    rows,
    joined_rows: joined,
    files: files.map(({ answered, missing, schemaAccuracy, means }, index) => ({
      file: names[index],
      sha256: digests[index],
      answered,
      missing,
      schema_accuracy: schemaAccuracy,
      means,
    })),
    pairs: pairs.map((pair) => ({
      official: names[pair.files[0]],
      vendor: names[pair.files[1]],
      rows: pair.rows,
      metrics: pair.metrics,
    })),
    metrics: Object.fromEntries(
      metrics.map(({ metric, pairs, spread, gates }) => {
        const { mean = null, min = null, max = null, sd = null } = spread ?? {};
        return [metric.name, { pairs, mean, min, max, sd, gates }];
      }),
    ),
  };
}
