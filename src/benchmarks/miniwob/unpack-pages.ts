import { extract, list, type ReadEntry } from 'tar';
import { ConfigError } from '../../model/errors.js';

/** What of the archive is wanted: `NAME-COMMIT/miniwob/html/…`. */
const WANTED = /^[^/]+\/miniwob\/html\//;
const WANTED_DEPTH = 3;

/**
 * Unpacks the pages out of the project's archive. Looks at every entry before it writes the first.
 * @param into an empty folder
 * @throws ConfigError when the archive is none, or holds links or paths that lead out of it
 */
export async function unpackPages(archive: string, into: string, where: string): Promise<void> {
  const wanted = (path: string): boolean => WANTED.test(path);
  const bad: string[] = [];
  try {
    await list({
      file: archive,
      strict: true,
      onReadEntry(entry: ReadEntry) {
        const fault = faultOf(entry);
        if (fault !== null) bad.push(`${entry.path} ${fault}`);
      },
    });
    if (bad.length === 0) {
      await extract({
        file: archive,
        cwd: into,
        strict: true,
        strip: WANTED_DEPTH,
        filter: wanted,
      });
      return;
    }
  } catch (error) {
    bad.push(error instanceof Error ? error.message : String(error));
  }
  const what = `the archive of MiniWoB++ is not unpacked: ${bad[0]}.`;
  const fix = 'Delete it from the cache, so that it is downloaded again.';
  throw new ConfigError([{ where, what, fix }]);
}

function faultOf({ type, path }: ReadEntry): string | null {
  if (type !== 'File' && type !== 'OldFile' && type !== 'Directory') return `is a ${type}`;
  const parts = path.split(/[/\\]/);
  return path.startsWith('/') || /^[a-z]:/i.test(path) || parts.includes('..')
    ? 'leads out of the archive'
    : null;
}
