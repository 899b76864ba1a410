import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Files made on the way from what is stored to plain JSON lines; deleted together. */
export class Scratch {
  readonly #dir: string;
  readonly #files: string[] = [];

  /** @param dir made when the first file is needed. */
  constructor(dir: string) {
    this.#dir = dir;
  }

  /** The path of a new file, which does not exist yet. */
  async newFile(): Promise<string> {
    await mkdir(this.#dir, { recursive: true });
    const path = join(this.#dir, `.data-${randomUUID()}.part`);
    this.#files.push(path);
    return path;
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#files.splice(0).map((path) => rm(path, { force: true })));
  }
}
