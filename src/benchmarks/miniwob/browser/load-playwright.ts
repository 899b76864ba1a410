import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as Playwright from 'playwright-core';

/**
 * Loads playwright-core, when the first browser is wanted and not before. Beside the bundle lies a copy of it
 * (`scripts/copy-playwright.mjs`), because it cannot be bundled; in the sources it is the package.
 */
export function loadPlaywright(): typeof Playwright {
  const here = fileURLToPath(import.meta.url);
  const copy = join(dirname(here), 'playwright-core', 'index.js');
  const load = createRequire(here);
  // The name goes through a variable, or the bundler would follow it.
  const name = existsSync(copy) ? copy : 'playwright-core';
  return load(name) as typeof Playwright;
}
