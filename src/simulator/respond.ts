import { type Answer, answerTo, calling, talking } from './answer.js';
import { callsFor, type OfficialAnswer } from './calls.js';
import { completionBody, completionEvents, usageOf } from './completion.js';
import { type FaultContext, type Form, hasCalls } from './faults/fault.js';
import { type ChosenFault, faultsHitting } from './faults.js';
import { jsonPlan, type ResponsePlan, streamPlan } from './plan.js';
import type { Prompt } from './prompt.js';
import { seeded } from './seeded.js';
import { asText, textBody, textEvents } from './text-form.js';
import type { TextRequest } from './text-request.js';

/** What decides how requests are answered. */
export interface Behaviour {
  readonly fidelity: number;
  readonly seed: number;
  readonly latencyMs: number;
  readonly chunks: number;
  readonly faults: readonly ChosenFault[];
}

/**
 * The response to one request. Depends on its arguments only. `attempt`: how often this conversation has been asked
 * for, from 1; `created`: Unix seconds; `asked`: the request where it came to /completions, null for
 * /chat/completions.
 */
export function respond(
  prompt: Prompt,
  official: OfficialAnswer | null,
  behaviour: Behaviour,
  at: {
    readonly attempt: number;
    readonly created: number;
    readonly asked: TextRequest | null;
  },
): ResponsePlan {
  const { seed, latencyMs, chunks } = behaviour;
  const faults = faultsHitting(behaviour.faults, prompt.digest, at.attempt, seed);
  const said = answerTo(prompt, official, behaviour);
  const asked: Form = prompt.stream ? 'stream' : 'plain';
  const form = faults.reduce((f, fault) => fault.form?.(f) ?? f, asked);
  const contextOf = (name: string): FaultContext => ({
    prompt,
    form,
    latencyMs,
    callsTool: hasCalls(said),
    chance: seeded(seed, 'chance', name, prompt.digest),
    talking: () => talking(prompt, behaviour),
    calling: () => {
      const calls = callsFor(prompt, official, seed);
      return calls.length === 0 ? null : calling(prompt, calls, behaviour);
    },
  });
  const contexts = new Map(faults.map((fault) => [fault, contextOf(fault.name)]));
  const distorted = <T>(
    start: T,
    distort: (fault: (typeof faults)[number], value: T, ctx: FaultContext) => T | undefined,
  ): T => {
    let value = start;
    for (const [fault, ctx] of contexts) value = distort(fault, value, ctx) ?? value;
    return value;
  };

  const meant: Answer = distorted(said, (fault, a, ctx) => fault.answer?.(a, ctx));
  const usage = usageOf(prompt, meant);
  const answer = at.asked === null ? meant : asText(meant, at.asked);
  const envelope = {
    id: `${at.asked === null ? 'chatcmpl' : 'cmpl'}-${prompt.digest}`,
    created: at.created,
    model: prompt.model,
    usage,
  };
  let plan: ResponsePlan;
  if (form === 'stream') {
    const events = completionEvents(answer, envelope, {
      chunks,
      includeUsage: prompt.includeUsage,
    });
    const sent = distorted(events, (fault, e, ctx) => fault.events?.(e, ctx));
    plan = streamPlan(at.asked === null ? sent : textEvents(sent), latencyMs);
  } else {
    const body = completionBody(answer, envelope);
    const sent = distorted(body, (fault, b, ctx) => fault.body?.(b, ctx));
    plan = jsonPlan(200, at.asked === null ? sent : textBody(sent), latencyMs);
  }
  return distorted(plan, (fault, p, ctx) => fault.plan?.(p, ctx));
}
