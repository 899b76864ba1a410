import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * SHA-256 over the files below a folder, in hex: of a line `SHA256  PATH` for each, in the order of the paths, which is
 * what `find -type f | sort | xargs sha256sum | sha256sum` gives. Names that begin with a dot and links are left out.
 */
export async function digestOfPages(dir: string): Promise<string> {
  const paths = (await filesBelow(dir, '')).toSorted();
  const all = createHash('sha256');
  for (const path of paths) {
    const one = createHash('sha256').update(await readFile(join(dir, path)));
    all.update(`${one.digest('hex')}  ${path}\n`);
  }
  return all.digest('hex');
}

async function filesBelow(dir: string, below: string): Promise<string[]> {
  const entries = await readdir(join(dir, below), { withFileTypes: true });
  const found = await Promise.all(
    entries
      .filter(({ name }) => !name.startsWith('.'))
      .map(async (entry) => {
        const path = below === '' ? entry.name : `${below}/${entry.name}`;
        if (entry.isDirectory()) return await filesBelow(dir, path);
        return entry.isFile() ? [path] : [];
      }),
  );
  return found.flat();
}
