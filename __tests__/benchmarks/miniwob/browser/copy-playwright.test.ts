import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { tempDir } from '../../../support/temp-dir.js';

const SCRIPT = fileURLToPath(new URL('../../../../scripts/copy-playwright.mjs', import.meta.url));

it('copies a Playwright that works by itself, with its licences', () => {
  const dir = tempDir();
  execFileSync(process.execPath, [SCRIPT, dir]);
  const copy = join(dir, 'playwright-core');
  const script = `console.log(require(${JSON.stringify(copy)}).chromium.name())`;
  // A folder without modules around it, and no way to others.
  const name = execFileSync(process.execPath, ['-e', script], {
    cwd: dir,
    env: { PATH: process.env['PATH'] ?? '' },
    encoding: 'utf8',
  });
  expect(name).toBe('chromium\n');
  for (const licence of [
    'LICENSE',
    'NOTICE',
    'ThirdPartyNotices.txt',
    'lib/utilsBundle.js.LICENSE',
  ]) {
    expect(existsSync(join(copy, licence))).toBe(true);
  }
});
