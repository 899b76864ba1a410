import type { ObserveContext } from '../../model/benchmark.js';
import type { Outcome } from '../../model/observation.js';
import { untrusted } from '../../text/untrusted.js';
import { answerIn } from './completions-answer.js';
import type { Payload, Sample } from './sample.js';

/** Asks the endpoint once. */
export async function observeSample(
  sample: Sample,
  stream: boolean,
  send: ObserveContext['send'],
): Promise<Outcome<Payload>> {
  const { body, asText } = sample;
  const path = asText === null ? '/chat/completions' : '/completions';
  const reply = await send({ path, body, stream });
  if (reply.kind === 'failed') {
    return { kind: 'unmeasured', cause: reply.cause, detail: reply.detail };
  }
  if (asText === null || reply.kind === 'refused') return { kind: 'measured', payload: reply };
  return measuredText({ kind: 'text', completion: reply.completion, ...asText });
}

/** A text as an outcome: measured, unless it holds more calls than the reader of /chat/completions would take. */
export function measuredText(payload: Payload & { kind: 'text' }): Outcome<Payload> {
  if (!answerIn(payload).overflowed) return { kind: 'measured', payload };
  const detail = untrusted('more tool calls than can be kept');
  return { kind: 'unmeasured', cause: 'too_large', detail };
}
