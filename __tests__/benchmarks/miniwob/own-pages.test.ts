import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from '@jest/globals';
import { OWN_TASKS, unpackOwnPages } from '../../../src/benchmarks/miniwob/own-pages.js';
import { builtinPagePaths } from '../../../src/datasets/builtin-pages.js';

const FOLDER = join('datasets', 'miniwob-pages');

describe('the pages of the project', () => {
  it('are all there, all bundled, and all tasks', () => {
    const files = readdirSync(FOLDER).sort();
    expect(
      builtinPagePaths()
        .map((path) => path.split('/').at(-1))
        .sort(),
    ).toEqual(files);
    expect(OWN_TASKS.map(({ page }) => `${page}.html`)).toEqual(
      files.filter((name) => name.endsWith('.html')),
    );
  });

  test.each(OWN_TASKS.map(({ page }) => page))('%s loads nothing but the shared script', (page) => {
    const text = readFileSync(join(FOLDER, `${page}.html`), 'utf8');
    expect(text.match(/(?:src|href)="[^"]*"/g)).toEqual(['src="page.js"']);
    expect(text).not.toMatch(/https?:|Date\.now|new Date/);
  });

  it('are unpacked into a folder of their own, which goes again', async () => {
    const one = await unpackOwnPages();
    const other = await unpackOwnPages();
    expect(one.dir).not.toBe(other.dir);
    expect(one.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(other.sha256).toBe(one.sha256);
    expect(readdirSync(one.dir).sort()).toEqual(readdirSync(FOLDER).sort());
    await one.remove();
    await other.remove();
    expect([existsSync(one.dir), existsSync(other.dir)]).toEqual([false, false]);
  });
});
