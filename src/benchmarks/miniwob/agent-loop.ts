import type { ObserveContext } from '../../model/benchmark.js';
import type { Completion, Reply, ToolCall } from '../../model/completion.js';
import type { JsonObject } from '../../model/json.js';
import type { Outcome } from '../../model/observation.js';
import { reveal, type Untrusted, untrusted } from '../../text/untrusted.js';
import { type ReadAction, readAction } from './action-text.js';
import { Conversation, type ConversationRules } from './conversation.js';
import { type Environment, EnvironmentError, type View } from './environment.js';
import type { Ending, Payload } from './payload.js';
import { refusalKind } from './refusal.js';
import { MANY_CALLS, NO_CALL, TOOL_NAME, unknownTool } from './tool.js';
import type { Record } from './trace.js';

/** An episode as the loop knows it; where the trace lies and which browser it was is known outside. */
export type Played = Omit<Payload, 'browser' | 'trace'>;

export interface LoopRules extends ConversationRules {
  /** Calls of the model, and steps of the environment. */
  readonly maxSteps: number;
}

/** Turns in a row that are forgiven: without a tool call, and with several. */
const IDLE_TURNS = 2;
const MALFORMED_TURNS = 3;

/** Of what is kept for the report. */
const MAX_ACTIONS = 5;
const MAX_ACTION = 300;
const MAX_GOAL = 1000;
const MAX_ERROR = 2000;

/**
 * Plays one episode as EvalScope's agent loop does: the model looks and calls the tool, the environment acts, until the
 * page is done, the steps are used up, or somebody fails. Every call of the model uses up a step of the loop, those that
 * only earn a reminder too.
 * @returns `unmeasured` when the endpoint failed; whatever the model, the page or the browser does is a measurement
 */
export async function playEpisode(
  environment: Environment,
  ask: ObserveContext,
  rules: LoopRules,
  record: Record,
): Promise<Outcome<Played>> {
  return new AgentLoop(environment, ask, rules, record).play();
}

/** What a turn of the model came to. */
type Turn = { readonly ending: Ending; readonly error?: string } | null;

class AgentLoop {
  readonly #environment: Environment;
  readonly #ask: ObserveContext;
  readonly #rules: LoopRules;
  readonly #record: Record;
  #view: View | null = null;
  #modelCalls = 0;
  /** Since the last turn that acted; neither kind ends a streak of the other. */
  #idle = 0;
  #malformed = 0;
  #lastActions: readonly string[] = [];

  constructor(environment: Environment, ask: ObserveContext, rules: LoopRules, record: Record) {
    this.#environment = environment;
    this.#ask = ask;
    this.#rules = rules;
    this.#record = record;
  }

  async play(): Promise<Outcome<Played>> {
    const first = await this.#look('reset', () => this.#environment.reset());
    if ('ending' in first) return this.#measured(first);
    const conversation = new Conversation(this.#rules, first, this.#record);
    for (;;) {
      // Before the first turn too: a page may be done before anybody acts.
      const over = this.#over();
      if (over !== null) return this.#measured(over);
      const { reply, ms } = await this.#send(conversation);
      if (reply.kind === 'failed') {
        this.#record({ kind: 'error', what: reply.cause, text: reveal(reply.detail) });
        return { kind: 'unmeasured', cause: reply.cause, detail: reply.detail };
      }
      const turn =
        reply.kind === 'completion'
          ? await this.#answered(conversation, reply.completion, ms)
          : this.#refused(conversation, reply.body);
      if (turn !== null) return this.#measured(turn);
    }
  }

  async #send(conversation: Conversation): Promise<{ reply: Reply; ms: number }> {
    const { clock, send } = this.#ask;
    const start = clock.elapsed();
    const reply = await send(conversation.request());
    return { reply, ms: clock.elapsed() - start };
  }

  /** Why there is no next turn; null when there is one. */
  #over(): Turn {
    const { maxSteps } = this.#rules;
    const view = this.#view;
    if (view?.done === true) {
      // The last step the environment allows is the end of it whatever the page says.
      const undecided = view.step >= maxSteps && view.rawReward === 0;
      return { ending: undecided ? 'max_steps' : 'done' };
    }
    return this.#modelCalls >= maxSteps ? { ending: 'max_steps' } : null;
  }

  #answered(conversation: Conversation, completion: Completion, ms: number): Turn | Promise<Turn> {
    this.#modelCalls += 1;
    this.#record({ kind: 'answer', ms, completion });
    const calls = completion.toolCalls ?? [];
    const ids = conversation.take(completion, calls.map(echoOf));
    const [call] = calls;
    if (call === undefined) return this.#idled(conversation);
    if (calls.length > 1) {
      this.#malformed += 1;
      if (this.#malformed > MALFORMED_TURNS) return { ending: 'malformed' };
      // Each call gets its answer: a history with open calls is refused by strict endpoints.
      for (const id of ids) conversation.answer(id, MANY_CALLS);
      return null;
    }
    return this.#act(conversation, call, ids[0] ?? '');
  }

  #idled(conversation: Conversation): Turn {
    this.#idle += 1;
    if (this.#idle > IDLE_TURNS) return { ending: 'idle' };
    conversation.remind(NO_CALL);
    return null;
  }

  async #act(conversation: Conversation, call: ToolCall, id: string): Promise<Turn> {
    this.#idle = 0;
    this.#malformed = 0;
    if (call.name !== TOOL_NAME) {
      conversation.answer(id, unknownTool(call.name));
      return null;
    }
    const read = actionOf(call);
    this.#lastActions = [...this.#lastActions, read.text.slice(0, MAX_ACTION)].slice(-MAX_ACTIONS);
    if (read.kind === 'fatal') return { ending: 'invalid_action', error: read.reason };
    const start = this.#ask.clock.elapsed();
    const view = await this.#look('step', () => this.#environment.step(read.action));
    if ('ending' in view) return view;
    const ms = this.#ask.clock.elapsed() - start;
    this.#record({ kind: 'step', ms, action: read.text, view });
    conversation.show(id, view);
    return null;
  }

  /** The endpoint understood the request and refused it. */
  #refused(conversation: Conversation, body: Untrusted): Turn {
    const kind = refusalKind(body);
    if (kind === 'filter') {
      this.#modelCalls += 1;
      return this.#idled(conversation);
    }
    return { ending: kind === 'context' ? 'context' : 'model', error: reveal(body) };
  }

  /** What the page shows next, or how the episode ended instead. */
  async #look(what: string, act: () => Promise<View>): Promise<View | NonNullable<Turn>> {
    try {
      this.#view = await act();
      return this.#view;
    } catch (error) {
      // Cut off by the run's own end: says nothing about the browser.
      this.#ask.signal.throwIfAborted();
      if (!(error instanceof EnvironmentError)) throw error;
      return { ending: 'environment', error: `${what} failed: ${error.message}` };
    }
  }

  #measured({ ending, error = '' }: NonNullable<Turn>): Outcome<Played> {
    const view = this.#view;
    const reward = view?.reward ?? 0;
    const payload: Played = {
      // A reward counts only once the episode is over.
      success: ending === 'done' && reward > 0,
      ending,
      reward,
      rawReward: view?.rawReward ?? 0,
      modelCalls: this.#modelCalls,
      steps: view?.step ?? 0,
      error: error === '' ? null : untrusted(error.slice(0, MAX_ERROR)),
      goal: untrusted((view?.goal ?? '').slice(0, MAX_GOAL)),
      lastActions: this.#lastActions.map(untrusted),
    };
    this.#record({ kind: 'end', result: payload as unknown as JsonObject });
    return { kind: 'measured', payload };
  }
}

function actionOf({ arguments: args }: ToolCall): ReadAction {
  return readAction(typeof args === 'string' ? args : JSON.stringify(args));
}

/** The arguments as an object, as they are sent back: empty when they were meant to be JSON and are none. */
function echoOf(call: ToolCall): JsonObject {
  const args = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
  if (!args.trimStart().startsWith('{')) return { action: actionOf(call).text };
  try {
    return JSON.parse(args) as JsonObject;
  } catch {
    return {};
  }
}
