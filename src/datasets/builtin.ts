import { fileURLToPath } from 'node:url';

/**
 * Path of the built-in synthetic data set. The bundler copies the file because of this very expression, so both
 * arguments of `URL` must stay as they are.
 */
export function builtinSyntheticPath(): string {
  return fileURLToPath(new URL('../../datasets/k2-synthetic.jsonl', import.meta.url));
}
