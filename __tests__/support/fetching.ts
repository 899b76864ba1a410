import type { FetchContext } from '../../src/datasets/fetch.js';
import { SourceUnreachable } from '../../src/datasets/fetch.js';
import type { Downloads } from '../../src/model/downloads.js';
import { ConfigError } from '../../src/model/errors.js';
import { downloadsIn } from './downloads.js';

export interface Fetching extends FetchContext {
  readonly notes: readonly string[];
}

/** Fetches into the cache below `dir`, with hardly a wait between attempts. */
export function fetching(
  dir: string,
  rest: Partial<FetchContext> = {},
  downloads: Partial<Downloads> = {},
): Fetching {
  const notes: string[] = [];
  return {
    notes,
    downloads: downloadsIn(dir, downloads),
    env: {},
    signal: new AbortController().signal,
    where: 'datasets.x.source',
    sha256: null,
    retryDelaysMs: [1, 1],
    silenceMs: 2_000,
    note: (text) => {
      notes.push(text);
    },
    ...rest,
  };
}

/** Why it failed, for people; `unreachable` when another source may be tried. */
export async function failureOf(
  work: Promise<unknown>,
): Promise<{ readonly what: string; readonly where: string; readonly unreachable: boolean }> {
  const error = await work.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ConfigError)) throw error;
  const [problem, second] = error.problems;
  if (problem === undefined || second !== undefined || problem.fix === '') throw error;
  const { what, where } = problem;
  return { what, where, unreachable: error instanceof SourceUnreachable };
}
