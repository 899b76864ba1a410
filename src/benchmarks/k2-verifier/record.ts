import { CAUSES, type Completion, type ToolCall } from '../../model/completion.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { Observation } from '../../model/observation.js';
import { reveal } from '../../text/untrusted.js';
import { answerIn } from './completions-answer.js';
import type { Payload, Sample } from './sample.js';
import { hasCalls, isTriggered, judgeCalls } from './score.js';
import { writable } from './writable.js';

/** What a result record says about the request. */
export interface Sent {
  /** K2VV's prepared request as JSON text on one line. */
  readonly prepared: string;
  readonly hash: string | null;
  readonly extraBody: JsonObject;
  /** The model asked for, where the answer names none. */
  readonly model: string;
  readonly stream: boolean;
}

/** The parts of a record that the summary counts. */
export interface RecordFacts {
  readonly status: 'success' | 'failed';
  readonly finishReason: string | null;
  readonly toolCallsValid: boolean | null;
  readonly usage: Completion['usage'];
}

/**
 * One line of results.jsonl, with K2 Vendor Verifier's fields and its rules for null: finish_reason is null for a
 * failed record, tool_calls_valid unless finish_reason is tool_calls and calls came. Unlike there, finish_reason is
 * what came, never `stop` in place of nothing, and a refused prompt is told apart by its error_type. What K2VV does
 * not record (why a call is invalid, what was changed in the row) is in `vendor_gate`, where there is any.
 */
export function resultRecord(
  sample: Sample,
  observation: Observation<Payload>,
  sent: Sent,
): { line: string; facts: RecordFacts } {
  const { response, facts, extra } = answerOf(sample, observation, sent);
  const rest = {
    extra_body: sent.extraBody,
    response,
    status: facts.status,
    finish_reason: facts.finishReason,
    tool_calls_valid: facts.toolCallsValid,
    last_run_at: new Date(observation.startedAt + observation.durationMs).toISOString(),
    duration_ms: Math.round(observation.durationMs),
    hash: sent.hash,
    ...(Object.keys(extra).length > 0 ? { vendor_gate: extra } : {}),
  };
  const line = `{"data_index":${sample.id},"request":${sent.prepared},${JSON.stringify(rest).slice(1)}`;
  return { line, facts };
}

interface Answer {
  readonly response: JsonObject;
  readonly facts: RecordFacts;
  readonly extra: JsonObject;
}

function answerOf(sample: Sample, observation: Observation<Payload>, sent: Sent): Answer {
  const changes: JsonObject = sample.changes.length > 0 ? { changed: sample.changes } : {};
  if (observation.kind === 'unmeasured') {
    const { cause, detail } = observation;
    return failure(cause, reveal(detail) || CAUSES[cause], changes);
  }
  const { payload } = observation;
  if (payload.kind === 'refused') {
    const { status, body } = payload;
    return failure(refusalType(status), `${refusalPrefix(status)}${reveal(body)}`, changes);
  }
  const { completion } = answerIn(payload);
  const triggered = isTriggered(completion) && hasCalls(completion);
  const invalid = triggered
    ? judgeCalls(sample, completion).flatMap((verdict, call) =>
        verdict.valid ? [] : [{ call, reason: verdict.reason, detail: reveal(verdict.detail) }],
      )
    : [];
  return {
    response: responseOf(payload, completion, sent),
    facts: {
      status: 'success',
      finishReason: completion.finishReason,
      toolCallsValid: triggered ? invalid.length === 0 : null,
      usage: completion.usage,
    },
    extra: {
      ...changes,
      ...(payload.kind === 'text' ? wireOf(payload, completion) : {}),
      ...(invalid.length > 0 ? { invalid_calls: invalid } : {}),
    },
  };
}

function failure(type: string, message: string, extra: JsonObject): Answer {
  return {
    response: { error_type: type, error_message: message, error: message },
    facts: { status: 'failed', finishReason: null, toolCallsValid: null, usage: null },
    extra,
  };
}

/** The exceptions of the openai package for Python, which K2VV writes as error_type. */
const REFUSAL_TYPES: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  413: 'APIStatusError',
  422: 'UnprocessableEntityError',
};

function refusalType(status: number): string {
  return REFUSAL_TYPES[status] ?? 'APIStatusError';
}

function refusalPrefix(status: number): string {
  return `Error code: ${status} - `;
}

/** The status and body of a refusal in a failed record; null when the record is about something else. */
export function refusalIn(type: string, message: string): { status: number; body: string } | null {
  const known = Object.entries(REFUSAL_TYPES).find(([, name]) => name === type);
  if (known === undefined) return null;
  const code = /^Error code: (\d{3})(?: - )?/.exec(message);
  const status = Number(code?.[1] ?? known[0]);
  if (REFUSAL_TYPES[status] === undefined) return null;
  return { status, body: message.slice(code?.[0].length ?? 0) };
}

/** What the fields of K2VV do not keep of an answer of /completions, as far as it cannot be told from them. */
function wireOf(payload: Payload & { kind: 'text' }, completion: Completion): JsonObject {
  const { finishReason } = payload.completion;
  return {
    ...(finishReason === completion.finishReason ? {} : { wire_finish_reason: finishReason }),
    ...(payload.opensThinking ? { opens_thinking: true } : {}),
  };
}

/**
 * An answer, streamed or not, as one chat completion in the form K2VV keeps. Of /completions it keeps the whole text as
 * the content, markup and thinking included, beside the calls read out of it.
 */
function responseOf(
  payload: Exclude<Payload, { kind: 'refused' }>,
  completion: Completion,
  { model, stream }: Sent,
): JsonObject {
  const { toolCalls, usage } = completion;
  const { content, reasoning } = payload.completion;
  return {
    id: completion.id,
    object: 'chat.completion',
    created: completion.created,
    model: completion.model ?? model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          // Put together from a stream, content is a text in K2VV even when none came.
          content: content ?? (stream ? '' : null),
          tool_calls: hasCalls(completion) ? (toolCalls ?? []).map(callOf) : null,
          ...((reasoning ?? '') === '' ? {} : { reasoning_content: reasoning }),
        },
        finish_reason: completion.finishReason,
      },
    ],
    usage: usage === null ? null : { ...usage },
  };
}

function callOf(call: ToolCall): Json {
  return {
    id: call.id,
    type: call.type,
    function: { name: call.name, arguments: writable(call.arguments) },
  };
}
