import { openGitHub } from '../../src/github/client.js';
import { type CommentRequest, publishComment } from '../../src/github/comment.js';
import { formatMarker, type Marker } from '../../src/github/marker.js';
import { type FakeGitHub, type FakeOptions, startFakeGitHub } from '../support/fake-github.js';
import { stoppedClock } from './stopped-clock.js';

const SHA = 'c'.repeat(40);
const PULLS = [
  { number: 2, sha: SHA },
  { number: 3, sha: 'd'.repeat(40), locked: true },
];
/** The GitHub of the running test. */
export let fake: FakeGitHub;

/** Starts a GitHub for the running test; it is closed by `stop`. */
export async function start(options: FakeOptions = {}): Promise<void> {
  fake = await startFakeGitHub({ pulls: PULLS, ...options });
}
export const stop = (): Promise<void> => fake.close();

export const marker: Marker = {
  reportId: 'gate',
  runId: 100,
  attempt: 1,
  headSha: SHA,
  verdict: 'fail',
  failedGates: ['f1 >= 0.73'],
};
type Changes = Partial<Omit<CommentRequest, 'marker'>> & {
  marker?: Partial<Marker>;
  token?: string;
  restricted?: 'fork';
};

/** Publishes as run 100, attempt 1, verdict fail, with the changes given. */
export async function publish({
  marker: changes,
  token = 'ghs_write',
  restricted,
  ...rest
}: Changes = {}) {
  const opened = await openGitHub({
    token,
    apiUrl: fake.url,
    userAgent: 'vendor-gate/test',
    clock: stoppedClock(),
    restricted: restricted ?? null,
  });
  if (opened.kind === 'failed') throw new Error(opened.message);
  return publishComment(opened.value, {
    repository: { owner: 'octo', name: 'hello' },
    pullRequest: 2,
    marker: { ...marker, ...changes },
    when: 'always',
    mode: 'update',
    failing: true,
    body: (line) => `${line}\n${changes?.verdict ?? 'fail'} of run ${changes?.runId ?? 100}`,
    ...rest,
  });
}

export const existing = (changes: Partial<Marker> = {}, text = 'old'): string =>
  `${formatMarker({ ...marker, runId: 90, ...changes })}\n${text}`;
export const texts = (): string[] =>
  fake.comments(2).map(({ body }) => body.split('\n').slice(1).join('\n'));
export const ops = (): string[] => fake.calls.map(({ op }) => op.replace('issues/', ''));
export const pass = { verdict: 'pass', failedGates: [] } as const;
