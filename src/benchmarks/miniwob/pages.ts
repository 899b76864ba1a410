import { fetchFile } from '../../datasets/fetch.js';
import type { OpenContext } from '../../model/benchmark.js';
import { ConfigError } from '../../model/errors.js';
import { givenPages, pinnedPages } from './assets.js';
import type { Options } from './options.js';
import { OWN_TASKS, unpackOwnPages } from './own-pages.js';
import { TASKS, type Task } from './tasks.js';

/** The pages of a subset, on this machine's disk. */
export interface Pages {
  /** The folder with the pages, and all that they may load. */
  readonly dir: string;
  readonly tasks: readonly Task[];
  /** For people. */
  readonly source: string;
  readonly sha256: string;
  /** The project's own. */
  readonly synthetic: boolean;
  /** The very ones that EvalScope uses. */
  readonly pinned: boolean;
  close(): Promise<void>;
}

const ASSETS_OPTION = 'datasets.miniwob.assets';
const PINNED_SOURCE = 'MiniWoB++ at 7fd85d71a4b6';

/** The tasks of a subset, in file order. */
export function tasksOf(subset: string): readonly Task[] {
  return subset === 'own' ? OWN_TASKS : TASKS;
}

/** @throws ConfigError for pages that cannot be used or had */
export async function openPages({ assets }: Options, ctx: OpenContext): Promise<Pages> {
  const tasks = tasksOf(ctx.subset.name);
  if (ctx.subset.name === 'own') {
    if (assets !== null) throw ownNeedsNone(assets);
    const { dir, sha256, remove } = await unpackOwnPages();
    return { dir, tasks, source: 'own', sha256, synthetic: true, pinned: false, close: remove };
  }
  const { downloads, env, signal, note } = ctx;
  const pages =
    assets === null
      ? await pinnedPages(fetchFile, {
          downloads,
          env,
          signal,
          where: ASSETS_OPTION,
          note,
        })
      : await givenPages(assets, ASSETS_OPTION);
  const source = assets ?? PINNED_SOURCE;
  return { ...pages, tasks, source, synthetic: false, close: async () => {} };
}

function ownNeedsNone(assets: string): ConfigError {
  const what = `\`${assets}\` is not used: the subset own has pages of its own.`;
  return new ConfigError([
    { where: ASSETS_OPTION, what, fix: 'Leave it out, or choose miniwob/default.' },
  ]);
}
