import { describe, expect, it, test } from '@jest/globals';
import { readEvent } from '../../src/github/event.js';
import { countOf, EVENTS, payload } from './payloads.js';

describe('payloads that are not what they should be', () => {
  const nothing = {
    pullRequest: null,
    fromFork: false,
    restricted: null,
    runId: null,
    runUrl: null,
    attempt: 1,
  };

  test.each([
    ['no payload', null],
    ['not an object', 'push'],
    ['an array', [1]],
    ['empty', {}],
    [
      'nulls',
      {
        pull_request: null,
        repository: null,
        workflow_run: null,
        merge_group: null,
        deployment: null,
        head_commit: null,
        issue: null,
      },
    ],
    [
      'wrong types',
      {
        pull_request: { number: '2x', head: [], base: 'main' },
        repository: { full_name: 5 },
        workflow_run: { pull_requests: {} },
        after: 7,
        ref: 3,
      },
    ],
    [
      'numbers out of range',
      { pull_request: { number: -1 }, issue: { number: 1e300, pull_request: {} } },
    ],
    [
      'a key named like a method',
      { pull_request: 'constructor', issue: { pull_request: 'toString' } },
    ],
  ])('%s', (_, body) => {
    for (const event of [...EVENTS, 'schedule', 'pull_request_target', ''])
      expect(readEvent(event, body, {})).toMatchObject({
        ...nothing,
        repository: null,
        headSha: null,
      });
  });

  it('calls an event without a name unknown', () => {
    expect(readEvent('', null, {}).name).toBe('unknown');
  });

  it('refuses a repository, a run id or a SHA that cannot be one', () => {
    const odd = readEvent(
      'push',
      { after: '--upload-pack=x' },
      { GITHUB_REPOSITORY: 'a/b/c', GITHUB_RUN_ID: '12x', GITHUB_SHA: 'HEAD' },
    );
    expect(odd).toMatchObject({ repository: null, runId: null, runUrl: null, headSha: null });
  });

  it('reads every published payload as every event without failing', () => {
    for (const event of EVENTS)
      for (let i = 0; i < countOf(event); i++)
        expect(readEvent(event, payload(event, i), {}).name).toBe(event);
  });
});
