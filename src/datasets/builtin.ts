import { fileURLToPath } from 'node:url';

/**
 * Path of the built-in synthetic data set. The bundler copies the file because of this very expression, so both
 * arguments of `URL` must stay as they are; in the bundle it becomes the copy's path, a string.
 */
const PLACE: URL | string = new URL('../../datasets/k2-synthetic.jsonl', import.meta.url);

export function builtinSyntheticPath(): string {
  return typeof PLACE === 'string' ? PLACE : fileURLToPath(PLACE);
}
