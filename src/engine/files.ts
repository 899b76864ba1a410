import {
  copyFileSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ConfigError } from '../model/errors.js';

/** Creates the output directory. @throws ConfigError when that is not possible. */
export function makeOutputDir(dir: string): void {
  try {
    makeDir(resolve(dir));
  } catch (error) {
    throw new ConfigError([
      {
        where: 'output-dir',
        what: `${dir} cannot be created: ${(error as Error).message}.`,
        fix: 'Name a directory that can be written to.',
      },
    ]);
  }
}

/** @returns the error to throw when nothing can be written to an existing directory. */
export function unwritable(dir: string, why: string): ConfigError {
  return new ConfigError([
    {
      where: 'output-dir',
      what: `${dir} cannot be written to: ${why}.`,
      fix: 'Free space, change the permissions, or name another directory.',
    },
  ]);
}

/** Takes a directory away that was made for a run which then could not start. */
export function removeIfEmpty(dir: string): void {
  try {
    rmdirSync(dir);
  } catch {
    // Something is in it, or it is gone: leave it.
  }
}

/** Not by `recursive: true`: where the kernel makes no directories (below /proc) Node then tries for ever. */
function makeDir(dir: string): void {
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(dir);
  if (parent !== dir) makeDir(parent);
  mkdirSync(dir);
}

/** Writes beside the target first, so that a reader never sees half a file. */
export function writeWhole(path: string, text: string): void {
  const aside = `${path}.part`;
  try {
    writeFileSync(aside, text);
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

/** Makes each file appear in `dir` too, without a second copy on the disk where the file system allows. */
export function alsoIn(dir: string, files: readonly string[]): void {
  for (const file of files) {
    const target = join(dir, basename(file));
    rmSync(target, { force: true });
    try {
      linkSync(file, target);
    } catch {
      copyFileSync(file, target);
    }
  }
}

const RESULTS = ['report.json', 'summary.md', 'results.jsonl', 'summary.json'];

/** Renames an earlier run's results, so that nobody takes them for those of a run that did not get so far. */
export function setResultsAside(dir: string): void {
  for (const name of RESULTS) {
    const path = join(dir, name);
    if (statSync(path, { throwIfNoEntry: false })) renameSync(path, join(dir, `previous-${name}`));
  }
}
