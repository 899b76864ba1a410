import type { Clock } from '../model/clock.js';
import type { Client } from './client.js';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5000;
/** A server that accepts connections but does not answer yet is asked again after this. */
const POLL_TIMEOUT_MS = 10_000;

/**
 * Polls GET /models until the endpoint answers with anything but a connection error or 5xx: a 404 or 401 comes from
 * a server that is up. Resolves false when `timeoutMs` passed first; rejects only with the reason of `signal`.
 */
export async function waitUntilReady(
  client: Client,
  timeoutMs: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<boolean> {
  const until = clock.elapsed() + timeoutMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const left = until - clock.elapsed();
    if (left <= 0) return false;
    if (await answers(client, Math.min(left, POLL_TIMEOUT_MS), clock, signal)) return true;
    const rest = until - clock.elapsed();
    if (rest <= 0) return false;
    await clock.sleep(Math.min(pause, rest), signal);
  }
}

async function answers(
  client: Client,
  timeoutMs: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<boolean> {
  signal.throwIfAborted();
  const timer = new AbortController();
  const abort = new AbortController();
  const stop = () => abort.abort();
  signal.addEventListener('abort', stop, { once: true });
  clock.sleep(timeoutMs, timer.signal).then(stop, () => undefined);
  try {
    const { status, body } = await client.get('/models', abort.signal);
    body.destroy();
    return status < 500;
  } catch {
    signal.throwIfAborted();
    return false;
  } finally {
    timer.abort();
    signal.removeEventListener('abort', stop);
  }
}
