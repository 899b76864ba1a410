import { AnswerReader } from '../../endpoint/answer.js';
import { classifyStatus } from '../../endpoint/classify.js';
import type { Finished } from '../../endpoint/finding.js';
import { judgeAnswer } from '../../endpoint/judge.js';
import { odditiesOf } from '../../endpoint/oddities.js';
import { CAUSES, type Cause, type Exchange } from '../../model/completion.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { Observation, Outcome } from '../../model/observation.js';
import { untrusted } from '../../text/untrusted.js';
import { opensThinking } from './completions-request.js';
import { measuredText } from './observe.js';
import { isObject } from './official.js';
import { refusalIn } from './record.js';
import type { Payload } from './sample.js';

/**
 * A record of a K2 Vendor Verifier results file as an observation of the row its data_index names; null when that is
 * no row of the data set. The stored response is judged by the same rules as one from the wire, so a record that K2VV
 * calls a success may turn out to hold no answer; `tool_calls_valid` is not read, the calls are judged again.
 */
export function readResultRecord(
  record: Json,
  hasRow: (row: number) => boolean,
): Observation<Payload> | null {
  if (!isObject(record)) return null;
  const index = record['data_index'];
  if (typeof index !== 'number' || !hasRow(index)) return null;
  const durationMs = durationOf(record['duration_ms']);
  const { outcome, exchange } = outcomeOf(record);
  return {
    ...outcome,
    id: String(index),
    attempt: 1,
    startedAt: timeOf(record['last_run_at']) - durationMs,
    durationMs,
    exchanges: [{ ...exchange, totalMs: durationMs }],
  };
}

/** Whether a record is of a prompt to /completions. */
export function holdsPrompt(record: Json): boolean {
  const request = isObject(record) && isObject(record['request']) ? record['request'] : {};
  return typeof request['prompt'] === 'string';
}

interface Read {
  readonly outcome: Outcome<Payload>;
  readonly exchange: Exchange;
}

function outcomeOf(record: JsonObject): Read {
  const response = isObject(record['response']) ? record['response'] : {};
  if (record['status'] === 'failed') return failedRecord(response);
  const reader = new AnswerReader();
  reader.form = 'json';
  reader.completion.add(response);
  const finding = judgeAnswer(reader, 200, { kind: 'end' });
  if (finding.kind !== 'completion') {
    const cause = finding.kind === 'failed' ? finding.cause : 'malformed';
    const detail = finding.kind === 'failed' ? finding.detail : '';
    const outcome = { kind: 'unmeasured', cause, detail: untrusted(detail) } as const;
    return { outcome, exchange: exchangeOf(200) };
  }
  const { draft } = finding;
  const request = isObject(record['request']) ? record['request'] : {};
  const { model: asked, prompt } = request;
  const isText = typeof prompt === 'string';
  const path = isText ? '/completions' : '/chat/completions';
  const model = typeof asked === 'string' ? asked : (draft.model ?? '');
  const warnings = odditiesOf(draft, model, path);
  return {
    outcome: isText
      ? measuredText(textIn(record, draft, prompt))
      : { kind: 'measured', payload: { kind: 'completion', completion: draft } },
    exchange: {
      ...exchangeOf(200),
      usage: draft.usage,
      warnings: [...new Set([...reader.warnings, ...warnings])],
      served: draft.model === null ? null : untrusted(draft.model),
    },
  };
}

/**
 * The answer of a record whose request has a prompt. Its text is the content, and its calls are read again; those that
 * the record lists are what its writer made of the same text.
 */
function textIn(record: JsonObject, draft: Finished, prompt: string): Payload & { kind: 'text' } {
  const ours = isObject(record['vendor_gate']) ? record['vendor_gate'] : {};
  const { wire_finish_reason: wire, opens_thinking: opens } = ours;
  const finishReason = typeof wire === 'string' ? wire : draft.finishReason;
  return {
    kind: 'text',
    completion: { ...draft, finishReason, toolCalls: null },
    opensThinking: opens === true || opensThinking(prompt),
  };
}

function failedRecord(response: JsonObject): Read {
  const type = textOf(response['error_type']);
  const message = textOf(response['error_message']) || textOf(response['error']);
  const refusal = refusalIn(type, message);
  if (refusal !== null) {
    const { status, body } = refusal;
    const finding = classifyStatus(status, body, null);
    if (finding.kind === 'failed') {
      const { cause, detail } = finding;
      const outcome = { kind: 'unmeasured', cause, detail: untrusted(detail) } as const;
      return { outcome, exchange: exchangeOf(status) };
    }
    return {
      outcome: {
        kind: 'measured',
        payload: { kind: 'refused', status, body: untrusted(body) },
      },
      exchange: exchangeOf(status),
    };
  }
  // Our own records name the cause itself.
  const words = Object.hasOwn(CAUSES, type) ? [message] : [type, message];
  const detail = untrusted(words.filter((text) => text !== '').join(': '));
  return {
    outcome: { kind: 'unmeasured', cause: causeOf(type, message), detail },
    exchange: exchangeOf(null),
  };
}

/** Exceptions of the openai and httpx packages for Python, and what they mean. */
const PYTHON_ERRORS: Readonly<Record<string, Cause>> = {
  AuthenticationError: 'unauthorized',
  PermissionDeniedError: 'forbidden',
  NotFoundError: 'model_not_found',
  RateLimitError: 'rate_limited',
  InternalServerError: 'server_error',
  APITimeoutError: 'timeout',
  APIConnectionError: 'network',
  ReadError: 'network',
  RemoteProtocolError: 'network',
  APIError: 'stream_error',
};

function causeOf(type: string, message: string): Cause {
  if (Object.hasOwn(CAUSES, type)) return type as Cause;
  const known = Object.hasOwn(PYTHON_ERRORS, type) ? PYTHON_ERRORS[type] : undefined;
  if (known !== undefined) return known;
  if (message.startsWith('Error code: 402')) return 'quota';
  return message.startsWith('Error code: ') ? 'http_status' : 'malformed';
}

function exchangeOf(status: number | null): Exchange {
  return {
    status,
    attempts: 1,
    firstTokenMs: null,
    totalMs: 0,
    usage: null,
    warnings: [],
    headers: {},
    served: null,
    inFlight: 1,
  };
}

/** Far within what a Date can hold, NaN left out. */
const LATEST = 8e15;

/** K2VV writes local time without a zone; read as UTC, so that the same file gives the same report everywhere. */
function timeOf(value: Json | undefined): number {
  if (typeof value !== 'string') return 0;
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value}Z`;
  const time = Date.parse(zoned);
  return Math.abs(time) <= LATEST ? time : 0;
}

/** Nothing takes longer; what a damaged record says beyond it would lead out of the calendar. */
const LONGEST_MS = 1e12;

function durationOf(value: Json | undefined): number {
  return typeof value === 'number' && value >= 0 && value <= LONGEST_MS ? value : 0;
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
