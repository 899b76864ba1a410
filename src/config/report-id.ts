import { createHash } from 'node:crypto';
import type { RequestSettings } from '../model/benchmark.js';
import type { BenchmarkChoice, Config } from '../model/config.js';

/**
 * The id of a run that was given none: the model's name and a digest of what is measured, so that the legs of a matrix
 * and a quick and a full run do not overwrite each other's comment. Headers, gates and the seed do not count: a rotated
 * secret, a tightened gate or a fresh draw must not start a second comment.
 */
export function derivedReportId(
  endpoint: string,
  model: string,
  benchmarks: readonly BenchmarkChoice[],
  request: RequestSettings,
  { limit, order }: Pick<Config, 'limit' | 'order'> = { limit: null, order: null },
): string {
  const parts = [endpoint, model, benchmarks, request, limit, order];
  const measured = JSON.stringify(parts, sortedKeys);
  const digest = createHash('sha256').update(measured).digest('hex').slice(0, 8);
  const name = model
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 60);
  return `${name || 'model'}-${digest}`;
}

function sortedKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
