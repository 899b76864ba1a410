/*
 * Puts playwright-core beside the bundle, where src/benchmarks/miniwob/browser/load-playwright.ts looks for it: it
 * cannot be bundled. Only what driving a Chromium needs is copied, with all licences.
 */
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED = [
  'package.json',
  'index.js',
  'browsers.json',
  'lib/bootstrap.js',
  'lib/coreBundle.js',
  'lib/utilsBundle.js',
];
const LICENCE = /LICENSE|NOTICE|ThirdParty/;

const root = fileURLToPath(new URL('..', import.meta.url));
const from = dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'));
const to = join(process.argv[2] ?? join(root, 'dist'), 'playwright-core');

rmSync(to, { recursive: true, force: true });
mkdirSync(join(to, 'lib'), { recursive: true });
const licences = ['.', 'lib'].flatMap((folder) =>
  readdirSync(join(from, folder))
    .filter((name) => LICENCE.test(name))
    .map((name) => join(folder, name)),
);
for (const name of [...NEEDED, ...licences]) cpSync(join(from, name), join(to, name));
