import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { ConfigError } from '../../../model/errors.js';

/** Names on the PATH, the most usual first. */
const NAMES = [
  'google-chrome',
  'google-chrome-stable',
  'chromium',
  'chromium-browser',
  'chrome',
  'chromium-headless-shell',
];

const MAC_PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

const WINDOWS_FOLDERS = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'];
const WINDOWS_PLACES = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
];

const INSTALL = [
  'Install one. Debian: `sudo apt-get install chromium`.',
  'Ubuntu: `wget https://dl.google.com/linux/direct/google-chrome-stable_current_amd64.deb` and',
  '`sudo apt-get install ./google-chrome-stable_current_amd64.deb`.',
  'macOS: `brew install --cask google-chrome`. Windows: `winget install Google.Chrome`.',
  'Or give the path of one in this option or in the environment variable CHROME_PATH.',
].join(' ');

/**
 * The Chrome or Chromium to use: the option, else CHROME_PATH, else the first found on the PATH or in the places
 * where installers put it.
 * @param chosen path given by the user, or null
 * @param where the option's name, for error messages
 * @throws ConfigError when there is none, or what was named is not an executable file
 */
export function findBrowser(
  chosen: string | null,
  env: Readonly<Record<string, string | undefined>>,
  where: string,
  platform: NodeJS.Platform = process.platform,
): string {
  const named = chosen ?? (env['CHROME_PATH'] || null);
  if (named !== null) {
    if (isExecutable(named)) return named;
    const origin = chosen === null ? 'CHROME_PATH names' : 'names';
    const what = `${origin} \`${named}\`, which is not a program that may be run.`;
    throw new ConfigError([{ where, what, fix: 'Give the path of Chrome or Chromium itself.' }]);
  }
  const found = candidates(env, platform).find(isExecutable);
  if (found !== undefined) return found;
  throw new ConfigError([
    { where, what: 'no Chrome or Chromium was found on this machine.', fix: INSTALL },
  ]);
}

function candidates(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string[] {
  const suffix = platform === 'win32' ? '.exe' : '';
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter(isAbsolute);
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name + suffix)));
  if (platform === 'darwin') return [...onPath, ...MAC_PLACES];
  if (platform !== 'win32') return onPath;
  const installed = WINDOWS_FOLDERS.flatMap((variable) => {
    const folder = env[variable] ?? env[windowsSpelling(variable)];
    return folder === undefined ? [] : WINDOWS_PLACES.map((place) => join(folder, place));
  });
  return [...onPath, ...installed];
}

/** `ProgramFiles(x86)`: a copy of the environment is no longer blind to case. */
function windowsSpelling(variable: string): string {
  return variable.replace('PROGRAMFILES', 'ProgramFiles').replace('X86', 'x86');
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
