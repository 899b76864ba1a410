import type { Json } from '../../model/json.js';
import { callId, nextCallIndex } from '../calls.js';
import { errorPlan } from '../plan.js';
import { isObject, type Prompt } from '../prompt.js';
import { editArguments, type Fault, hasCalls } from './fault.js';

function imagesIn({ messages }: Prompt): number {
  const parts = messages.flatMap(({ content }): readonly Json[] =>
    Array.isArray(content) ? content : [],
  );
  return parts.filter((part) => isObject(part) && part.type === 'image_url').length;
}

/** Refuses requests with more images than it takes. */
function takes(images: number, message: string): NonNullable<Fault['plan']> {
  return (plan, { prompt, latencyMs }) =>
    imagesIn(prompt) > images
      ? errorPlan(400, { message, type: 'BadRequestError', code: 400 }, latencyMs)
      : plan;
}

/** How models that act in several turns, and look at images, go wrong. */
export const AGENT_FAULTS: readonly Fault[] = [
  {
    name: 'two-calls',
    row: null,
    text: 'each call is made twice in one answer',
    answer: (answer, { prompt }) =>
      hasCalls(answer)
        ? {
            ...answer,
            calls: [
              ...answer.calls,
              ...answer.calls.map((call, at) => ({
                ...call,
                id: callId(call.name, nextCallIndex(prompt) + answer.calls.length + at),
              })),
            ],
          }
        : answer,
  },
  {
    name: 'bare-bid',
    row: null,
    text: 'browser_action gets click(13) instead of click("13")',
    answer: editArguments((args) => args.replace(/click\(\\"(\w+)\\"/, 'click($1')),
  },
  {
    name: 'no-images',
    row: null,
    text: 'HTTP 400 when the request has an image',
    plan: takes(0, 'simulated-k2 is not a multimodal model'),
  },
  {
    name: 'one-image',
    row: null,
    text: 'HTTP 400 when the request has more than one image',
    plan: takes(1, 'At most 1 image(s) may be provided in one request.'),
  },
];
