import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, test } from '@jest/globals';
import { findBrowser } from '../../../../src/benchmarks/miniwob/browser/find-browser.js';
import { ConfigError, type Problem } from '../../../../src/model/errors.js';
import { tempDir } from '../../../support/temp-dir.js';

let dir: string;
beforeEach(() => {
  dir = tempDir();
});

function program(...parts: string[]): string {
  const path = join(dir, ...parts);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
  chmodSync(path, 0o755);
  return path;
}

function problemOf(act: () => unknown): Problem | undefined {
  try {
    act();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems[0];
  }
  return undefined;
}

describe('the browser', () => {
  it('is the one that the option names, then CHROME_PATH, then the first on the PATH', () => {
    const [own, variable] = [program('own'), program('variable')];
    program('b', 'chromium');
    const chrome = program('c', 'google-chrome');
    const env = {
      CHROME_PATH: variable,
      PATH: ['a', 'b', 'c'].map((each) => join(dir, each)).join(delimiter),
    };
    expect(findBrowser(own, env, 'browser')).toBe(own);
    expect(findBrowser(null, env, 'browser')).toBe(variable);
    expect(findBrowser(null, { ...env, CHROME_PATH: '' }, 'browser')).toBe(chrome);
    expect(findBrowser(null, { PATH: `.${delimiter}${join(dir, 'b')}` }, 'browser')).toBe(
      join(dir, 'b', 'chromium'),
    );
  });

  it('is found in the usual folders of Windows, whatever the case of their variables', () => {
    const path = program('Google\\Chrome\\Application\\chrome.exe');
    for (const name of ['ProgramFiles', 'PROGRAMFILES', 'ProgramFiles(x86)', 'LOCALAPPDATA']) {
      expect(findBrowser(null, { [name]: dir }, 'browser', 'win32')).toBe(path);
    }
  });

  test.each([
    ['the option', (path: string) => findBrowser(path, {}, 'browser')],
    ['CHROME_PATH', (path: string) => findBrowser(null, { CHROME_PATH: path }, 'browser')],
  ])('is not replaced by another when %s is wrong', (_, find) => {
    for (const path of [join(dir, 'nothing'), dir]) {
      const problem = problemOf(() => find(path));
      expect(problem?.where).toBe('browser');
      expect(problem?.what).toContain(`names \`${path}\`, which is not a program`);
    }
  });

  test.each(['linux', 'win32'] as const)('is missed with the ways to get one: %s', (os) => {
    const problem = problemOf(() =>
      findBrowser(null, { PATH: dir }, 'datasets.miniwob.browser', os),
    );
    expect(problem?.where).toBe('datasets.miniwob.browser');
    expect(problem?.what).toBe('no Chrome or Chromium was found on this machine.');
    for (const line of [
      'sudo apt-get install chromium',
      'google-chrome-stable_current_amd64.deb',
      'brew install --cask google-chrome',
      'winget install Google.Chrome',
      'CHROME_PATH',
    ]) {
      expect(problem?.fix).toContain(line);
    }
  });
});
