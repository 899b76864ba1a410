import { describe, expect, it, test } from '@jest/globals';
import {
  type LoopRules,
  type Played,
  playEpisode,
} from '../../../src/benchmarks/miniwob/agent-loop.js';
import type { TraceEvent } from '../../../src/benchmarks/miniwob/trace.js';
import type { Reply } from '../../../src/model/completion.js';
import type { Outcome } from '../../../src/model/observation.js';
import { untrusted } from '../../../src/text/untrusted.js';
import {
  ACT,
  answer,
  call,
  calling,
  type FakeEnvironment,
  fakeEnvironment,
  LOST,
  RULES,
  refusing,
  SOLVED,
  type StubModel,
  stubModel,
  TALK,
  TWO,
} from '../../support/miniwob.js';

interface Play {
  readonly outcome: Outcome<Played>;
  readonly model: StubModel;
  readonly environment: FakeEnvironment;
  readonly events: readonly TraceEvent[];
}

async function play(
  replies: readonly Reply[],
  environment = fakeEnvironment(),
  rules: Partial<LoopRules> = {},
): Promise<Play> {
  const model = stubModel(replies);
  const events: TraceEvent[] = [];
  const record = (event: TraceEvent): void => void events.push(event);
  const outcome = await playEpisode(environment, model, { ...RULES, ...rules }, record);
  return { outcome, model, environment, events };
}

/** Ending, success, calls of the model, steps. */
const summary = ({ outcome }: Play): unknown =>
  outcome.kind === 'unmeasured'
    ? outcome.cause
    : [
        outcome.payload.ending,
        outcome.payload.success,
        outcome.payload.modelCalls,
        outcome.payload.steps,
      ];

const UNKNOWN = calling({ ...call('click("7")'), name: 'computer' });
const written = (args: string): Reply =>
  calling({ id: 'c1', type: 'function', name: 'browser_action', arguments: args });

describe('how turns make an episode', () => {
  test.each<[string, Reply[], ReturnType<typeof fakeEnvironment>, unknown]>([
    ['solved by the first action', [ACT], fakeEnvironment({ 1: SOLVED }), ['done', true, 1, 1]],
    ['lost by the first action', [ACT], fakeEnvironment({ 1: LOST }), ['done', false, 1, 1]],
    [
      'partial credit is a success where the environment says so',
      [ACT],
      fakeEnvironment({ 1: { reward: 1, rawReward: 0.1, done: true } }),
      ['done', true, 1, 1],
    ],
    [
      'a reward before the end is none yet',
      [ACT],
      fakeEnvironment({ 1: { reward: 1, rawReward: 1 }, 2: LOST }),
      ['done', false, 2, 2],
    ],
    ['ten actions and no end', [ACT], fakeEnvironment(), ['max_steps', false, 10, 10]],
    ['solved by the tenth action', [ACT], fakeEnvironment({ 10: SOLVED }), ['done', true, 10, 10]],
    [
      'two turns without a call are forgiven',
      [TALK, TALK, ACT],
      fakeEnvironment({ 1: SOLVED }),
      ['done', true, 3, 1],
    ],
    ['the third in a row ends it', [TALK], fakeEnvironment(), ['idle', false, 3, 0]],
    [
      'three turns with several calls are forgiven',
      [TWO, TWO, TWO, ACT],
      fakeEnvironment({ 1: SOLVED }),
      ['done', true, 4, 1],
    ],
    ['the fourth in a row ends it', [TWO], fakeEnvironment(), ['malformed', false, 4, 0]],
    [
      'several calls do not end a streak of none',
      [TALK, TALK, TWO, TWO, TWO, TALK],
      fakeEnvironment(),
      ['idle', false, 6, 0],
    ],
    [
      'and no call does not end a streak of several',
      [TWO, TWO, TWO, TALK, TWO],
      fakeEnvironment(),
      ['malformed', false, 5, 0],
    ],
    [
      'acting ends both',
      [TALK, TALK, TWO, TWO, TWO, ACT, TALK, TALK, TWO, ACT],
      fakeEnvironment({ 2: SOLVED }),
      ['done', true, 10, 2],
    ],
    [
      'so does calling a tool that does not exist, which is no step',
      [TALK, TALK, UNKNOWN, TALK, TALK, ACT],
      fakeEnvironment({ 1: SOLVED }),
      ['done', true, 6, 1],
    ],
    [
      'an empty list of calls is no call',
      [answer({ toolCalls: [] })],
      fakeEnvironment(),
      ['idle', false, 3, 0],
    ],
    [
      'a fault of the action is fed back',
      [ACT],
      fakeEnvironment({ 1: { actionError: 'ValueError: Could not find it' }, 2: SOLVED }),
      ['done', true, 2, 2],
    ],
    [
      'the browser fails at once: the model is not asked',
      [ACT],
      fakeEnvironment({ 0: 'crash' }),
      ['environment', false, 0, 0],
    ],
    [
      'the browser fails later',
      [ACT],
      fakeEnvironment({ 3: 'crash' }),
      ['environment', false, 3, 2],
    ],
  ])('%s', async (_, replies, environment, expected) => {
    expect(summary(await play(replies, environment))).toEqual(expected);
  });

  it('spends steps of the loop on reminders, not steps of the environment', async () => {
    const episode = await play([TALK, ACT, ACT], fakeEnvironment({}, 3), { maxSteps: 3 });
    expect(summary(episode)).toEqual(['max_steps', false, 3, 2]);
  });
});

describe('actions', () => {
  test.each<[string, Reply]>([
    ['a bid that is no string', calling(call('click(13)'))],
    ['a bid by keyword', calling(call('click(bid="13")'))],
    ['an unknown function', calling(call('foo("1")'))],
    ['two calls in one', calling(call('click("7")\nnoop()'))],
    ['nothing', calling(call(''))],
    ['broken JSON', written('{"action": "click(')],
    ['another member', written('{"act": "click(\\"7\\")"}')],
    ['null', written('{"action": null}')],
    ['no arguments', written('')],
  ])('%s ends the episode, and is no step', async (_, reply) => {
    const episode = await play([ACT, reply]);
    expect(summary(episode)).toEqual(['invalid_action', false, 2, 1]);
    expect(episode.environment.actions).toHaveLength(1);
    expect(episode.outcome).toMatchObject({ payload: { error: expect.stringMatching(/./) } });
  });

  test.each<[string, Reply]>([
    ['as JSON', ACT],
    ['bare', written(' click("7")\n')],
    ['in quotes, as YAML has it', written(`'click("7")'`)],
    [
      'as an object',
      calling({
        id: 'c1',
        type: 'function',
        name: 'browser_action',
        arguments: { action: 'click("7")' },
      }),
    ],
  ])('%s', async (_, reply) => {
    const { environment, model } = await play([reply], fakeEnvironment({ 2: SOLVED }));
    expect(environment.actions[0]).toEqual({
      kind: 'call',
      name: 'click',
      positional: [{ type: 'string', value: '7' }],
      keywords: [],
    });
    // However it came, it is sent back as an object.
    expect(model.sent[1]?.messages[2]).toMatchObject({
      tool_calls: [
        { function: { name: 'browser_action', arguments: '{"action":"click(\\"7\\")"}' } },
      ],
    });
  });

  it('what the action set refuses is executed as a step, with its error', async () => {
    const { environment } = await play(
      [calling(call('mouse_click(10/2, 3)')), ACT],
      fakeEnvironment({ 2: SOLVED }),
    );
    expect(environment.actions[0]?.kind).toBe('error');
  });

  it('keeps the last five for the report', async () => {
    const turns = [1, 2, 3, 4, 5, 6].map((ms) => calling(call(`noop(${ms})`)));
    const { outcome } = await play(turns, fakeEnvironment({ 6: SOLVED }));
    expect(outcome).toMatchObject({
      payload: { lastActions: ['noop(2)', 'noop(3)', 'noop(4)', 'noop(5)', 'noop(6)'] },
    });
  });
});

describe('what the endpoint may do', () => {
  const failed: Reply = {
    kind: 'failed',
    cause: 'server_error',
    status: 500,
    detail: untrusted('down'),
  };
  test.each<[string, Reply[], unknown]>([
    ['it fails at once', [failed], 'server_error'],
    ['it fails in mid-episode', [ACT, failed], 'server_error'],
    [
      'the conversation has become too long',
      [ACT, refusing("This model's maximum context length is 8192 tokens.")],
      ['context', false, 1, 1],
    ],
    [
      'the same in a code',
      [
        ACT,
        {
          kind: 'refused',
          status: 400,
          body: untrusted('{"error":{"message":"no","code":"context_length_exceeded"}}'),
        },
      ],
      ['context', false, 1, 1],
    ],
    [
      'a filter takes offence: an answer in words',
      [ACT, refusing('The response was filtered by the content management policy.')],
      ['idle', false, 4, 1],
    ],
    ['it refuses for another reason', [ACT, refusing('bad image')], ['model', false, 1, 1]],
    ['it refuses the first request', [refusing('bad tool', 422)], ['model', false, 0, 0]],
  ])('%s', async (_, replies, expected) => {
    expect(summary(await play(replies))).toEqual(expected);
  });

  it('passes on that the run was ended', async () => {
    const ending = new AbortController();
    const model = stubModel([ACT], ending.signal);
    const environment = fakeEnvironment({ 1: 'crash' });
    const step = environment.step.bind(environment);
    environment.step = (action) => {
      ending.abort(new Error('deadline'));
      return step(action);
    };
    await expect(playEpisode(environment, model, RULES, () => {})).rejects.toThrow('deadline');
  });
});

it('tells what happened in order', async () => {
  const { events } = await play([TALK, ACT], fakeEnvironment({ 1: SOLVED }));
  const told = events.map((event) =>
    event.kind === 'message' ? `message ${String(event.message['role'])}` : event.kind,
  );
  expect(told).toEqual([
    'message system',
    'screenshot',
    'message user',
    'answer',
    'message assistant',
    'message user',
    'answer',
    'message assistant',
    'step',
    'message tool',
    'screenshot',
    'message user',
    'end',
  ]);
  expect(events.at(-1)).toMatchObject({ result: { ending: 'done', success: true, reward: 1 } });
});
