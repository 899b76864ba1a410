/** Where programs, libraries and fonts are; harmless, and without them the browser may not start. */
const POSIX = ['PATH', 'LD_LIBRARY_PATH', 'FONTCONFIG_FILE', 'FONTCONFIG_PATH'];
const WINDOWS = [
  'Path',
  'PATHEXT',
  'ComSpec',
  'SystemRoot',
  'SystemDrive',
  'windir',
  'ProgramData',
  'ProgramFiles',
  'ProgramFiles(x86)',
  'NUMBER_OF_PROCESSORS',
];

/**
 * The environment of the browser's process: what it needs to start, and no key, token or input of the run. Time zone
 * and language are pinned because pages print dates.
 * @param home a directory of its own
 */
export function browserEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): Record<string, string> {
  const kept = [...POSIX, ...WINDOWS].flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    USERPROFILE: home,
    APPDATA: home,
    LOCALAPPDATA: home,
    TMPDIR: home,
    TEMP: home,
    TMP: home,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
  };
}
