import type { Action } from '../../src/benchmarks/miniwob/action.js';
import type { LoopRules } from '../../src/benchmarks/miniwob/agent-loop.js';
import {
  type Environment,
  EnvironmentError,
  type View,
} from '../../src/benchmarks/miniwob/environment.js';
import type { ObserveContext, RequestSettings } from '../../src/model/benchmark.js';
import type { Completion, Reply, ToolCall } from '../../src/model/completion.js';
import type { JsonObject } from '../../src/model/json.js';
import { untrusted } from '../../src/text/untrusted.js';

export const REQUEST: RequestSettings = {
  model: 'kimi',
  temperature: null,
  maxTokens: null,
  stream: false,
  thinking: 'default',
  thinkingStyle: 'kimi',
  extraBody: {},
};

export const RULES: LoopRules = { request: REQUEST, image: true, history: 'full', maxSteps: 10 };

/** What a page shows after so many steps; its picture is the byte of that number. */
function viewAt(step: number, change: Partial<View> = {}): View {
  return {
    goal: 'Click "OK".',
    url: 'file:///pages/ok.html',
    step,
    reward: 0,
    rawReward: 0,
    done: false,
    actionError: '',
    tree: `RootWebArea 'Step ${step}', focused\n\t[7] button 'OK'`,
    screenshot: Buffer.from([step]),
    ...change,
  };
}

export const SOLVED: Partial<View> = { reward: 1, rawReward: 1, done: true };
export const LOST: Partial<View> = { rawReward: -1, done: true };

export interface FakeEnvironment extends Environment {
  readonly actions: Action[];
  readonly closed: () => boolean;
}

/**
 * A page that changes as told after each step, and then no more; `crash` stands for a browser that fails.
 * @param after by step, 0 for the reset
 */
export function fakeEnvironment(
  after: Readonly<Record<number, Partial<View> | 'crash'>> = {},
  maxSteps = 10,
): FakeEnvironment {
  const actions: Action[] = [];
  let closed = false;
  const show = async (step: number): Promise<View> => {
    const change = after[step] ?? {};
    if (change === 'crash') throw new EnvironmentError('the browser is gone');
    return viewAt(step, step >= maxSteps ? { done: true, ...change } : change);
  };
  return {
    actions,
    closed: () => closed,
    reset: () => show(0),
    step(action) {
      actions.push(action);
      return show(actions.length);
    },
    async close() {
      closed = true;
    },
  };
}

/** An answer of the model, in words unless it calls. */
export function answer(change: Partial<Completion> = {}): Reply {
  return {
    kind: 'completion',
    completion: {
      id: 'x',
      created: 1,
      model: 'kimi',
      provider: null,
      fingerprint: null,
      finishReason: 'stop',
      content: 'Well.',
      reasoning: null,
      toolCalls: null,
      usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
      ...change,
    },
  };
}

export function call(action: string, id: string | null = 'c1'): ToolCall {
  return { id, type: 'function', name: 'browser_action', arguments: JSON.stringify({ action }) };
}

/** One answer with these tool calls. */
export function calling(...calls: readonly ToolCall[]): Reply {
  return answer({ content: null, finishReason: 'tool_calls', toolCalls: calls });
}

export const ACT = calling(call('click("7")'));
export const TWO = calling(call('click("7")', 'c1'), call('noop()', 'c2'));
export const TALK = answer();

export function refusing(message: string, status = 400): Reply {
  return { kind: 'refused', status, body: untrusted(JSON.stringify({ error: { message } })) };
}

export interface StubModel extends ObserveContext {
  /** Bodies of the requests, parsed. */
  readonly sent: (JsonObject & { readonly messages: readonly JsonObject[] })[];
}

/** Answers with the given replies in turn, the last one for ever. */
export function stubModel(replies: readonly Reply[], signal?: AbortSignal): StubModel {
  const sent: StubModel['sent'] = [];
  let now = 0;
  return {
    sent,
    signal: signal ?? new AbortController().signal,
    clock: {
      now: () => now,
      elapsed: () => {
        now += 5;
        return now;
      },
      sleep: async () => {},
    },
    async send({ body }) {
      sent.push(JSON.parse(body) as StubModel['sent'][number]);
      return replies[Math.min(sent.length, replies.length) - 1] as Reply;
    },
  };
}
