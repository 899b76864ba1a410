import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { builtinPagePaths } from '../../datasets/builtin-pages.js';
import type { Task } from './tasks.js';

/** The pages of the subset `own`: this project's, small, and known to the last pixel. */
export const OWN_TASKS: readonly Task[] = [
  'own-click-button',
  'own-covered-button',
  'own-drag-shape',
  'own-fill-form',
  'own-hash-link',
  'own-late-start',
  'own-partial-credit',
  'own-shadow-frame',
].map((page, index) => ({
  name: `miniwob.${page}`,
  page,
  category: 'debug',
  delay: false,
  webgum: false,
  similarityGroup: index,
  split: 'test',
}));

/**
 * Copies them into a folder of their own, since a page may load whatever lies beside it. `sha256` is of all names and
 * texts, in order.
 */
export async function unpackOwnPages(): Promise<{
  readonly dir: string;
  readonly sha256: string;
  remove(): Promise<void>;
}> {
  const dir = await mkdtemp(join(tmpdir(), 'vendor-gate-pages-'));
  const hash = createHash('sha256');
  for (const path of builtinPagePaths()) {
    const text = await readFile(path);
    hash.update(`${basename(path)}\n${text.length}\n`).update(text);
    await writeFile(join(dir, basename(path)), text);
  }
  return {
    dir,
    sha256: hash.digest('hex'),
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}
