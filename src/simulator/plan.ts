import type { StreamEvent } from './completion.js';

/** Bytes to send at `atMs` milliseconds after the request arrived. */
export interface Step {
  readonly atMs: number;
  readonly bytes: string | Uint8Array;
}

/** One HTTP response with its timing, decided before the first byte is sent. */
export interface ResponsePlan {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** May be endless: the next step is taken only when the one before was sent. */
  readonly steps: Iterable<Step>;
  /** After the last step: end the response, cut the connection, or leave it open for ever. */
  readonly ending: 'end' | 'reset' | 'hang';
}

/** Writes of a stream as parts of the latency: the first token comes early, the last at the full latency. */
const BURSTS = [0.4, 0.7, 1];
/** Below this latency (ms) timers are too coarse to spread anything. */
const SPREAD_FROM_MS = 20;

/** A response of one piece, sent when the latency has passed. */
export function bodyPlan(
  status: number,
  contentType: string,
  body: string | Uint8Array,
  latencyMs: number,
): ResponsePlan {
  const length = String(typeof body === 'string' ? Buffer.byteLength(body) : body.length);
  return {
    status,
    headers: { 'content-type': contentType, 'content-length': length },
    steps: [{ atMs: latencyMs, bytes: body }],
    ending: 'end',
  };
}

/** A response in JSON. */
export function jsonPlan(status: number, body: unknown, latencyMs: number): ResponsePlan {
  return bodyPlan(status, 'application/json', JSON.stringify(body), latencyMs);
}

/** An error in OpenAI's form. */
export function errorPlan(
  status: number,
  error: { readonly message: string; readonly type: string; readonly code: string | number },
  latencyMs: number,
): ResponsePlan {
  return jsonPlan(status, { error: { param: null, ...error } }, latencyMs);
}

/**
 * A stream of server-sent events. A few writes carry all of them: one write an event would cost the machine more
 * than the client under test does.
 */
export function streamPlan(events: readonly StreamEvent[], latencyMs: number): ResponsePlan {
  const texts = events.map(eventText);
  const bursts = latencyMs < SPREAD_FROM_MS ? [1] : BURSTS;
  const steps = bursts.map((part, at) => ({
    atMs: latencyMs * part,
    bytes: texts
      .slice(
        Math.ceil((at * texts.length) / bursts.length),
        Math.ceil(((at + 1) * texts.length) / bursts.length),
      )
      .join(''),
  }));
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
    steps: steps.filter((step) => step.bytes !== ''),
    ending: 'end',
  };
}

/** An event as it stands on the wire. */
function eventText(event: StreamEvent): string {
  return 'raw' in event ? event.raw : `data: ${JSON.stringify(event.chunk)}\n\n`;
}

/** All bytes of a plan whose steps come to an end. */
export function planBytes(plan: ResponsePlan): Buffer {
  return Buffer.concat([...plan.steps].map(({ bytes }) => asBuffer(bytes)));
}

/** The bytes of a step as a buffer. */
export function asBuffer(bytes: Step['bytes']): Buffer {
  return typeof bytes === 'string'
    ? Buffer.from(bytes)
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
