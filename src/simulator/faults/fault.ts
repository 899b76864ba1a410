import type { JsonObject } from '../../model/json.js';
import type { Answer } from '../answer.js';
import type { SimulatedCall } from '../calls.js';
import type { StreamEvent } from '../completion.js';
import type { ResponsePlan } from '../plan.js';
import type { Prompt } from '../prompt.js';

export type Form = 'stream' | 'plain';

/** What a fault may look at. */
export interface FaultContext {
  readonly prompt: Prompt;
  /** How the answer goes out, which faults may have changed. */
  readonly form: Form;
  readonly latencyMs: number;
  /** Whether the answer calls a tool, before any fault. */
  readonly callsTool: boolean;
  /** In [0, 1), decided by seed, fault and row: where to cut and the like. */
  readonly chance: number;
  /** The answer this row gives when it calls; null when no call can be made up. */
  calling(): Answer | null;
  /** The answer this row gives when it replies in words. */
  talking(): Answer;
}

/**
 * One way in which endpoints go wrong. It distorts the response at one stage or several, in this order: what the model
 * says, whether it is sent as a stream, the events or the body, and at last the HTTP response. Every stage is a pure
 * function; one that finds nothing to distort (no calls, no stream) returns what it was given.
 */
export interface Fault {
  readonly name: string;
  /** Number in the table of what OpenAI-compatible endpoints really send; null for what is not in it. */
  readonly row: number | null;
  /** One line for `simulate --help`. */
  readonly text: string;
  /** Only the first request of a row is hit: a retry gets through. */
  readonly once?: true;
  answer?(answer: Answer, ctx: FaultContext): Answer;
  form?(asked: Form): Form;
  events?(events: readonly StreamEvent[], ctx: FaultContext): readonly StreamEvent[];
  body?(body: JsonObject, ctx: FaultContext): JsonObject;
  plan?(plan: ResponsePlan, ctx: FaultContext): ResponsePlan;
}

/** Changes each call of an answer; answers without calls stay. */
export function editCalls(
  edit: (call: SimulatedCall, ctx: FaultContext) => SimulatedCall,
): NonNullable<Fault['answer']> {
  return (answer, ctx) =>
    hasCalls(answer) ? { ...answer, calls: answer.calls.map((call) => edit(call, ctx)) } : answer;
}

/** Changes the arguments of each call, as text. */
export function editArguments(
  edit: (args: string, call: SimulatedCall, ctx: FaultContext) => SimulatedCall['arguments'],
): NonNullable<Fault['answer']> {
  return editCalls((call, ctx) =>
    typeof call.arguments === 'string'
      ? { ...call, arguments: edit(call.arguments, call, ctx) }
      : call,
  );
}

/** Whether the answer calls at least one tool. */
export function hasCalls(answer: Answer): answer is Answer & { calls: readonly SimulatedCall[] } {
  return (answer.calls?.length ?? 0) > 0;
}
