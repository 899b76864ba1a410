import type { Completion, Reply, ToolCall } from '../model/completion.js';
import type { Json } from '../model/json.js';
import { redactor } from '../text/redact.js';
import { type Untrusted, untrusted } from '../text/untrusted.js';
import type { Draft } from './assemble.js';
import type { Finding, Finished } from './finding.js';

export type Redact = (text: string) => string;

export interface Concealment {
  /** For error texts and headers: the key and every header value. */
  readonly text: Redact;
  /** For answers, whose words are measured: the key and only those header values that are credentials. */
  readonly answer: Redact;
}

const CREDENTIAL_NAME = /auth|cookie|key|token|secret|password|credential|signature/i;
const CREDENTIAL_LOOK = /^(?=\S*\d)(?=\S*[A-Za-z])\S{16,}$/;

/**
 * An endpoint may write the key it was sent into an answer, and answers end up in public places. But a header such
 * as `x-environment: production` is no reason to change that word in the arguments of a tool call.
 */
export function concealmentOf(
  apiKey: string | null,
  headers: Readonly<Record<string, string>>,
): Concealment {
  const key = apiKey ?? '';
  const credentials = Object.entries(headers)
    .filter(([name, value]) => CREDENTIAL_NAME.test(name) || CREDENTIAL_LOOK.test(value))
    .map(([, value]) => value);
  return {
    text: redactor([key, ...Object.values(headers)]),
    answer: redactor([key, ...credentials]),
  };
}

/** Longest error text or refusal that is kept, in characters. */
const MAX_DETAIL = 2000;
/** So much of it is searched for secrets before it is cut to that. */
const MAX_SEARCHED = 65_536;
const MAX_HEADER = 200;
const HEADERS =
  /^(?:x-request-id|request-id|cf-ray|server|retry-after|openai-processing-ms|x-ratelimit-(?:limit|remaining|reset)(?:-requests|-tokens)?)$/;

/** The finding as the rest of the program may see it: no secret anywhere, error texts bounded. */
export function replyOf(finding: Finding, conceal: Concealment): Reply {
  if (finding.kind === 'completion') {
    return { kind: 'completion', completion: concealedCompletion(finding.draft, conceal.answer) };
  }
  if (finding.kind === 'refused') {
    return { ...finding, body: concealedText(finding.body, conceal.text) };
  }
  const { kind, cause, status, detail } = finding;
  return { kind, cause, status, detail: concealedText(detail, conceal.text) };
}

/** The model, and the provider where one is named, that said it answered. */
export function servedBy(draft: Draft, redact: Redact): Untrusted | null {
  const { model, provider } = draft;
  if (model === null && provider === null) return null;
  const words = [model ?? 'unnamed', provider === null ? '' : `(${provider})`];
  return untrusted(redact(words.join(' ').trim()));
}

/** The response headers worth keeping, their values bounded and without secrets. */
export function keptHeaders(
  headers: ReadonlyMap<string, string>,
  redact: Redact,
): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {};
  for (const [name, value] of headers) {
    if (HEADERS.test(name)) kept[name] = cut(redact(value), MAX_HEADER);
  }
  return kept;
}

function concealedText(text: string, redact: Redact): Untrusted {
  return untrusted(cut(redact(text.slice(0, MAX_SEARCHED)), MAX_DETAIL));
}

function cut(text: string, limit: number): string {
  return text.length <= limit
    ? text
    : `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

function concealedCompletion(draft: Finished, redact: Redact): Completion {
  const maybe = (text: string | null) => (text === null ? null : redact(text));
  return {
    id: maybe(draft.id),
    created: draft.created,
    model: maybe(draft.model),
    provider: maybe(draft.provider),
    fingerprint: maybe(draft.fingerprint),
    finishReason: redact(draft.finishReason),
    content: maybe(draft.content),
    reasoning: maybe(draft.reasoning),
    toolCalls: draft.toolCalls?.map((call) => concealedCall(call, redact)) ?? null,
    usage: draft.usage,
  };
}

function concealedCall(call: ToolCall, redact: Redact): ToolCall {
  return {
    id: call.id === null ? null : redact(call.id),
    type: redact(call.type),
    name: redact(call.name),
    arguments: concealedJson(call.arguments, redact),
  };
}

function concealedJson(value: Json, redact: Redact): Json {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => concealedJson(item, redact));
  // fromEntries defines own properties, also one called __proto__
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redact(key), concealedJson(item, redact)]),
  );
}
