import { isAbsolute, join, resolve } from 'node:path';
import { CACHE_VARIABLE } from './cache.js';

/**
 * The directory of the cache of data sets: `VENDOR_GATE_CACHE`, else on a runner a folder in its tool cache, which
 * lasts for self-hosted runners, else the user's cache directory.
 * @param home the user's home directory
 */
export function cacheDir(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
  home: string,
): string {
  const own = env[CACHE_VARIABLE]?.trim();
  if (own) return resolve(own);
  const toolCache = env['GITHUB_ACTIONS'] === 'true' ? env['RUNNER_TOOL_CACHE'] : undefined;
  if (toolCache) return join(toolCache, 'vendor-gate');
  if (platform === 'win32') {
    return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'vendor-gate');
  }
  // The XDG base directory specification has relative paths ignored.
  const caches = env['XDG_CACHE_HOME'] ?? '';
  return join(isAbsolute(caches) ? caches : join(home, '.cache'), 'vendor-gate');
}
