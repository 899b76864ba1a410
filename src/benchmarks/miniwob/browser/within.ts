import { EnvironmentError } from '../environment.js';

/**
 * Waits for `work` for so long and no longer. What comes of it later is nobody's concern.
 * @param what completes '... took longer than 30 s'
 * @throws EnvironmentError when the time is up
 */
export async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new EnvironmentError(`${what} took longer than ${ms / 1000} s`)),
      ms,
    );
  });
  try {
    return await Promise.race([work, timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
