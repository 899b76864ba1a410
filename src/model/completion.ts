import type { Untrusted } from '../text/untrusted.js';
import type { Json } from './json.js';

/** One tool call as assembled from the wire. Nothing is repaired. */
export interface ToolCall {
  readonly id: string | null;
  readonly type: string;
  /** Name as sent; empty when none came. */
  readonly name: string;
  /** The arguments as received: normally a string; some servers send an object or null. */
  readonly arguments: string | Json;
}

/** Token counts as the endpoint reported them. */
export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

/**
 * An answer, the same whether it came as one body or as a stream. One of /completions has its text as the content, and
 * neither reasoning nor tool calls of its own.
 */
export interface Completion {
  readonly id: string | null;
  /** Unix seconds as sent. */
  readonly created: number | null;
  /** `model`, `provider` and `system_fingerprint` as the endpoint named them. */
  readonly model: string | null;
  readonly provider: string | null;
  readonly fingerprint: string | null;
  /** As it came on the wire, except that the legacy `function_call` is mapped to `tool_calls`. */
  readonly finishReason: string;
  readonly content: string | null;
  readonly reasoning: string | null;
  /** null when the field was absent or null; an empty array when it came empty. */
  readonly toolCalls: readonly ToolCall[] | null;
  readonly usage: Usage | null;
}

/** Why a sample could not be measured. Each is explained in docs/troubleshooting.md. */
export const CAUSES = {
  unauthorized: 'the endpoint rejected the key (401)',
  forbidden: 'the key may not use this model or endpoint (403)',
  quota: 'no quota or credit left (402)',
  model_not_found: 'the endpoint does not know the model (404)',
  not_found: 'the path does not exist at this endpoint (404)',
  no_completions: 'the endpoint does not serve /completions for this model (404)',
  rate_limited: 'rate limited (429) until the retries were used up',
  server_error: 'the server failed (5xx)',
  history_rejected: 'the server failed on malformed tool-call arguments in the history (500)',
  reasoning_required: 'the endpoint wants reasoning in the history (400)',
  no_images: 'the model takes no images',
  too_many_images: 'the endpoint takes fewer images in one request than were sent',
  http_status: 'an HTTP status that has no meaning here',
  timeout: 'no complete answer within request-timeout',
  network: 'the connection failed or was cut',
  tls: 'the TLS certificate was not accepted',
  redirect: 'the endpoint answered with a redirect, which is never followed',
  too_large: 'the answer was larger than the limit',
  malformed: 'the answer was not a chat completion',
  stream_error: 'the endpoint sent an error inside a successful answer',
  no_finish_reason: 'the answer ended without a finish_reason',
  server_aborted: 'the endpoint said that it aborted the answer',
} as const;
export type Cause = keyof typeof CAUSES;

/** What came of one request, retries included. */
export type Reply =
  | { readonly kind: 'completion'; readonly completion: Completion }
  /** The endpoint understood and refused: HTTP 400, 413 or 422. */
  | { readonly kind: 'refused'; readonly status: number; readonly body: Untrusted }
  | {
      readonly kind: 'failed';
      readonly cause: Cause;
      readonly status: number | null;
      readonly detail: Untrusted;
    };

/** One HTTP exchange (its retries folded in): what the journal keeps of it beside the reply. */
export interface Exchange {
  /** HTTP status of the last attempt; null when none came. */
  readonly status: number | null;
  /** Requests sent, at least 1: the first, its retries, and one that went out again without stream_options. */
  readonly attempts: number;
  /** Milliseconds to the first piece of content, reasoning or tool call of the last attempt; null without a stream. */
  readonly firstTokenMs: number | null;
  /** Milliseconds of the last attempt from sending to its end. */
  readonly totalMs: number;
  readonly usage: Usage | null;
  /** Names from WIRE_WARNINGS (endpoint/warnings.ts), each once. */
  readonly warnings: readonly string[];
  /** Response headers worth keeping: x-request-id, retry-after, server and the like. */
  readonly headers: Readonly<Record<string, string>>;
  /** The model (and provider, where named) that said it answered; null when nothing was said. Bounded. */
  readonly served: Untrusted | null;
  /** Requests of this run in flight when this one was sent, itself included. */
  readonly inFlight: number;
}

/** A request to the endpoint. The body is sent byte for byte. */
export interface ChatRequest {
  /** Below the base URL, with a leading slash. */
  readonly path: '/chat/completions' | '/completions';
  readonly body: string;
  /** Whether the body asks for a stream, where the sender knows; otherwise the body is looked into. */
  readonly stream?: boolean;
}

/** One endpoint with all its policies (retries, time limits, redaction). Never throws for HTTP. */
export interface Endpoint {
  /** Rejects only when `signal` is aborted. */
  send(request: ChatRequest, signal: AbortSignal): Promise<{ reply: Reply; exchange: Exchange }>;
  /**
   * Polls GET /models until the endpoint answers with anything but a connection error or 5xx.
   * Resolves false when `timeoutMs` passed first.
   */
  waitUntilReady(timeoutMs: number, signal: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}
