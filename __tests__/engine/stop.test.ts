import { describe, expect, it, test } from '@jest/globals';
import { refusalShape } from '../../src/engine/refusal-shape.js';
import { type Ending, endingOf, FIRST_WAVE, StopWatch } from '../../src/engine/stop.js';
import type { Cause, Completion, Reply } from '../../src/model/completion.js';
import { reveal, untrusted } from '../../src/text/untrusted.js';

const answered: Ending = { kind: 'answered' };
const failed = (cause: Cause): Ending => ({
  kind: 'failed',
  cause,
  detail: untrusted('their words'),
});
const refused = (body: string, status = 400): Ending => ({
  kind: 'refused',
  status,
  body: untrusted(body),
});
const times = (n: number, ending: Ending): Ending[] => Array.from({ length: n }, () => ending);

/** The stop and after how many endings it came. */
function run(endings: Ending[], planned = 2000): [string, number] | null {
  const watch = new StopWatch(planned);
  for (const [index, ending] of endings.entries()) {
    const stopped = watch.after(ending);
    if (stopped !== null) return [stopped.kind, index + 1];
  }
  return null;
}

describe('when a run ends early', () => {
  const cases: [string, Ending[], [string, number] | null, number?][] = [
    ['wrong key on the first request', [failed('unauthorized')], ['configuration', 1]],
    ['no quota on the first request', [failed('quota')], ['configuration', 1]],
    ['forbidden', [failed('forbidden')], ['configuration', 1]],
    ['unknown model', [failed('model_not_found')], ['configuration', 1]],
    ['unknown path', [failed('not_found')], ['configuration', 1]],
    ['bad certificate', [failed('tls')], ['configuration', 1]],
    ['redirect', [failed('redirect')], ['configuration', 1]],
    ['a model without eyes', [failed('no_images')], ['configuration', 1]],
    [
      'a model that takes one image, seen at the second turn',
      [answered, failed('too_many_images')],
      ['configuration', 2],
    ],
    ['one 401 after an answer', [answered, failed('unauthorized')], null],
    [
      'the key is revoked during the run',
      [answered, ...times(8, failed('unauthorized'))],
      ['configuration', 9],
    ],
    [
      'seven 401 and then an answer',
      [answered, ...times(7, failed('unauthorized')), answered],
      null,
    ],
    [
      'quota and key faults mixed after an answer',
      [answered, ...times(4, failed('quota')), ...times(4, failed('unauthorized'))],
      null,
    ],
    ['eight identical refusals', times(8, refused('no tools')), ['configuration', 8]],
    [
      'eight refusals that differ in numbers and ids',
      Array.from({ length: 8 }, (_, i) =>
        refused(`request chatcmpl-a1b2c3d4e5f${i}: ${i} tokens too many`),
      ),
      ['configuration', 8],
    ],
    [
      'eight refusals for eight reasons',
      [...'abcdefgh'].map((c) => refused(`field ${c} is odd`)),
      null,
    ],
    ['seven refusals and an answer', [...times(7, refused('no tools')), answered], null],
    [
      'refusals after an answer are measurements',
      [answered, ...times(50, refused('no tools'))],
      null,
    ],
    [
      'a data set of three, all refused alike',
      times(3, refused('no tools')),
      ['configuration', 3],
      3,
    ],
    ['eight server errors at the start', times(8, failed('server_error')), ['outage', 8]],
    [
      'eight faults of several kinds at the start',
      [...times(4, failed('network')), ...times(4, failed('timeout'))],
      ['outage', 8],
    ],
    [
      'twenty-three server errors after an answer',
      [answered, ...times(23, failed('server_error'))],
      null,
    ],
    [
      'the deployment dies during the run',
      [answered, ...times(100, failed('server_error'))],
      ['outage', 25],
    ],
    [
      'it answers now and then',
      Array.from({ length: 200 }, (_, i) => (i % 20 === 0 ? answered : failed('timeout'))),
      null,
    ],
    [
      'history without reasoning, after answers',
      [answered, answered, failed('reasoning_required')],
      ['configuration', 3],
    ],
    [
      'failures and refusals mixed',
      [...times(4, failed('network')), ...times(4, refused('x'))],
      null,
    ],
  ];
  test.each(cases.map((row) => ({ name: row[0], row })))('$name', ({ row }) => {
    const [, endings, expected, planned] = row;
    expect(run(endings, planned)).toEqual(expected);
  });

  it('says the cause, what to check and the endpoint’s own words', () => {
    const stopped = new StopWatch(10).after(failed('unauthorized'));
    expect(stopped?.message).toBe('Stopped: the endpoint rejected the key (401).');
    expect(stopped?.advice).toContain('`api-key`');
    expect(reveal(stopped?.detail ?? untrusted(''))).toBe('their words');
  });

  test.each([
    [
      '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      '--enable-auto-tool-choice --tool-call-parser kimi_k2',
    ],
    ["This model's maximum context length is 32768 tokens", '--max-model-len'],
    [
      'thinking is enabled but reasoning_content is missing in assistant tool call message',
      '`thinking: off`',
    ],
    ['invalid temperature: only 1 is allowed', '`temperature`'],
    ['something unheard of', '`extra-body`'],
  ])('advice for %s', (body, advice) => {
    const watch = new StopWatch(1);
    expect(watch.after(refused(body))?.advice).toContain(advice);
  });
});

describe('a run that continues an earlier one', () => {
  const end = (endings: Ending[], before: number): string | null => {
    const watch = new StopWatch(endings.length, before);
    return endings.map((ending) => watch.after(ending)?.kind ?? null).find(Boolean) ?? null;
  };
  test.each<[string, Ending[], string | null]>([
    ['its last two fail again: they are just unmeasured', times(2, failed('server_error')), null],
    ['its last two are refused: that is a measurement', times(2, refused('too long')), null],
    ['the key is wrong now', times(2, failed('unauthorized')), 'configuration'],
    ['the deployment is gone now', times(24, failed('network')), 'outage'],
  ])('%s', (_, endings, kind) => {
    expect(end(endings, 118)).toBe(kind);
  });
});

describe('what makes two refusals alike', () => {
  const detail = (input: unknown, msg = 'Input should be a valid string'): string =>
    JSON.stringify({ detail: [{ type: 'string_type', loc: ['body', 'tools', 0], msg, input }] });
  test.each<[string, string, string, boolean]>([
    ['the same text', 'no tools', 'no tools', true],
    ['numbers', 'at most 4096 tokens, got 5000', 'at most 4096 tokens, got 6123', true],
    ['request ids', 'req-a1b2c3d4: bad', 'req-ffee0011: bad', true],
    ['quoted values', 'unknown field "abc"', 'unknown field "def"', true],
    [
      'an echo of the request',
      detail({ q: 'what is the weather' }),
      detail({ q: 'book a train' }),
      true,
    ],
    [
      'an echo that was cut off',
      detail('a'.repeat(9)).slice(0, -3),
      detail('b'.repeat(9)).slice(0, -3),
      true,
    ],
    ['another message', detail('x'), detail('x', 'Field required'), false],
    ['other words', 'tools are not enabled', 'the context is too long', false],
  ])('%s', (_, one, other, alike) => {
    expect(refusalShape(untrusted(one)) === refusalShape(untrusted(other))).toBe(alike);
  });
});

describe('the first wave', () => {
  it('opens with the first answer', () => {
    const watch = new StopWatch(100);
    expect(watch.opened).toBe(false);
    watch.after(failed('network'));
    expect(watch.opened).toBe(false);
    watch.after(answered);
    expect(watch.opened).toBe(true);
  });

  it('opens after eight endings that tell nothing together', () => {
    const watch = new StopWatch(100);
    for (const c of 'abcdefgh') watch.after(refused(`field ${c} is odd`));
    expect([watch.opened, FIRST_WAVE]).toEqual([true, 8]);
  });
});

describe('endingOf', () => {
  const completion = { kind: 'completion', completion: {} as Completion } as const;
  const network: Reply = { kind: 'failed', cause: 'network', status: null, detail: untrusted('x') };
  const images: Reply = { ...network, cause: 'too_many_images' };
  test.each<[string, Reply[], Ending['kind'] | undefined]>([
    ['an answer', [completion], 'answered'],
    ['an answer and then a failure: the endpoint works', [completion, network], 'answered'],
    ['a failure', [network], 'failed'],
    ['a refusal', [{ kind: 'refused', status: 400, body: untrusted('no') }], 'refused'],
    [
      'an answer and then too many images: the next sample fails alike',
      [completion, images],
      'failed',
    ],
    ['nothing sent', [], undefined],
  ])('%s', (_, replies, kind) => {
    expect(endingOf(replies)?.kind).toBe(kind);
  });
});
