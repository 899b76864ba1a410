/**
 * Waits for `work`, but not once `signal` is aborted: then it rejects with the signal's reason at once. For work that
 * does not hear of an abort, or hears of it late; undici does only once it is connected.
 */
export async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | null | undefined,
): Promise<T> {
  if (signal === null || signal === undefined) return work;
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  if (signal.aborted) stop();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
