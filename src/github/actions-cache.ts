import { copyFile, link, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { RemoteCache } from '../model/downloads.js';

type Env = Readonly<Record<string, string | undefined>>;
type Library = typeof import('@actions/cache');

/** For one entry, packing and all. The library itself would wait for hours. */
const PATIENCE_MS = 10 * 60_000;

/**
 * The cache of the workflow's repository at GitHub, or null where there is none. Its library is loaded at the first use
 * and looks at the environment of the process.
 * @param env of the runner
 * @param log says why it is of no use; its library logs the rest
 */
export function actionsCache(
  env: Env,
  log: (text: string) => void,
  patienceMs = PATIENCE_MS,
): RemoteCache | null {
  const service = env['ACTIONS_RESULTS_URL'] || env['ACTIONS_CACHE_URL'];
  const temp = env['RUNNER_TEMP'];
  if (!service || !env['ACTIONS_RUNTIME_TOKEN'] || !temp) return null;
  return new ActionsCache(temp, log, patienceMs);
}

/** Does something with the library and a directory that is empty at first and deleted afterwards. */
type Work<T> = (library: Library, passage: string) => Promise<T | null>;

class ActionsCache implements RemoteCache {
  readonly #temp: string;
  readonly #log: (text: string) => void;
  readonly #patienceMs: number;
  #usable = true;
  /** One after the other, since they share directories. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(temp: string, log: (text: string) => void, patienceMs: number) {
    this.#temp = temp;
    this.#log = log;
    this.#patienceMs = patienceMs;
  }

  restore(key: string, prefix: string | null, dir: string): Promise<string | null> {
    return this.#inTurn(key, async (library, passage) => {
      const found = await library.restoreCache([passage], key, prefix === null ? [] : [prefix]);
      if (found === undefined) return null;
      for (const name of await readdir(passage)) await move(join(passage, name), join(dir, name));
      return found;
    });
  }

  async save(key: string, paths: readonly string[]): Promise<void> {
    await this.#inTurn(key, async (library, passage) => {
      for (const path of paths) await linkOrCopy(path, join(passage, basename(path)));
      await library.saveCache([passage], key);
      return null;
    });
  }

  #inTurn<T>(key: string, work: Work<T>): Promise<T | null> {
    const turn = this.#last.then(() => this.#attempt(key, work));
    this.#last = turn;
    return turn;
  }

  async #attempt<T>(key: string, work: Work<T>): Promise<T | null> {
    if (!this.#usable) return null;
    // An entry is found only by the very path it was saved from, so nothing but the beginning of the key is in it.
    const passage = join(this.#temp, key.replace(/[^-]*$/, 'passage'));
    try {
      const library = await import('@actions/cache');
      if (!library.isFeatureAvailable()) return null;
      await rm(passage, { recursive: true, force: true });
      await mkdir(passage, { recursive: true });
      return await this.#patiently(work(library, passage));
    } catch (error) {
      this.#log(`The Actions cache is not used: ${(error as Error).message}`);
      return null;
    } finally {
      await rm(passage, { recursive: true, force: true }).catch(() => {});
    }
  }

  async #patiently<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        // What goes on in the background must not meet other work in the same directory.
        this.#usable = false;
        reject(new Error(`it did not answer in ${this.#patienceMs / 1000} s`));
      }, this.#patienceMs);
    });
    try {
      return await Promise.race([work, over]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The tool cache and the temporary directory may be on different disks. */
async function move(from: string, to: string): Promise<void> {
  await rename(from, to).catch(() => copyFile(from, to));
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to));
}
