import { readFileSync } from 'node:fs';
import type { ConfigFile } from './config/given.js';

/** Reads the file that the input `config` names; null when it names none. What is wrong with it is said by parseConfig. */
export function readConfigFile(path: string | undefined): ConfigFile | null {
  const trimmed = path?.trim() ?? '';
  if (trimmed === '') return null;
  try {
    return { path: trimmed, text: readFileSync(trimmed, 'utf8') };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: 'there is no such file.',
      EISDIR: 'it is a directory.',
      EACCES: 'this user may not read it.',
    };
    return { path: trimmed, unreadable: reasons[code ?? ''] ?? `${message}.` };
  }
}
