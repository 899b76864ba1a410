import { ConfigError } from '../model/errors.js';
import { forLog } from '../text/escape.js';
import { untrusted } from '../text/untrusted.js';

export function problem(where: string, what: string, fix: string): ConfigError {
  return new ConfigError([{ where, what, fix }]);
}

/** What the file system's error means for the user. */
export function fileProblem(
  error: NodeJS.ErrnoException,
  path: string,
  where: string,
): ConfigError {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') {
    return problem(
      where,
      `there is no file ${path}.`,
      'Check the path; a relative one starts at the working directory. In a workflow, check out or download the file first.',
    );
  }
  if (error.code === 'EACCES' || error.code === 'EPERM') {
    return problem(where, `${path} may not be read.`, 'Change the permissions of the file.');
  }
  return problem(where, `${path} cannot be read: ${error.message}.`, 'Check the file.');
}

/** Whether writing failed for want of room or permission, which is not the data's fault. */
export function isDiskFault(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EACCES' || code === 'EROFS';
}

/** A name that came with the data (a member of an archive, a column, a file of a hub) as a message may show it. */
export function shown(name: string): string {
  return forLog(untrusted(name), 120);
}

/** At most ten such names. */
export function shownList(names: readonly string[]): string {
  const more = names.length - 10;
  const first = names.slice(0, 10).map(shown).join(', ');
  return more > 0 ? `${first} and ${more} more` : first;
}
