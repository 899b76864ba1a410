import { bodyPlan, errorPlan, jsonPlan } from '../plan.js';
import { callsIn, isObject, type Prompt } from '../prompt.js';
import type { Fault } from './fault.js';

type Plan = NonNullable<Fault['plan']>;

/** Answers with an error in OpenAI's form, whatever the answer was. */
function fails(status: number, code: string, message: string): Plan {
  const refused = status === 429 ? 'rate_limit_error' : 'invalid_request_error';
  const type = status < 500 ? refused : 'server_error';
  return (_plan, { latencyMs }) => errorPlan(status, { message, type, code }, latencyMs);
}

/** The same, where the request gives cause. */
function failsIf(
  hit: (prompt: Prompt) => boolean,
  status: number,
  code: string,
  message: string,
): Plan {
  const fail = fails(status, code, message);
  return (plan, ctx) => (hit(ctx.prompt) ? fail(plan, ctx) : plan);
}

function withHeaders(plan: Plan, headers: Readonly<Record<string, string>>): Plan {
  return (before, ctx) => {
    const after = plan(before, ctx);
    return { ...after, headers: { ...after.headers, ...headers } };
  };
}

function html(status: number, title: string): Plan {
  const page = `<!DOCTYPE html>
<html><head><title>${title}</title></head>
<body><center><h1>${title}</h1></center><hr><center>simulated gateway</center></body></html>
`;
  return (_plan, { latencyMs }) => bodyPlan(status, 'text/html; charset=utf-8', page, latencyMs);
}

const tooManyRequests = fails(429, 'rate_limit_exceeded', 'Rate limit reached. Try again later.');
const serverError = fails(500, 'internal_error', 'The server had an error.');
const toolUseFailed = fails(
  400,
  'tool_use_failed',
  "Failed to call a function. Please adjust your prompt. See 'failed_generation' for details.",
);
const overloaded = fails(503, 'overloaded', 'The engine is overloaded.');

function hasMalformedHistory({ messages }: Prompt): boolean {
  return messages.flatMap(callsIn).some((call) => {
    const args = isObject(call.function) ? call.function.arguments : undefined;
    if (typeof args !== 'string') return true;
    try {
      return !isObject(JSON.parse(args));
    } catch {
      return true;
    }
  });
}

function lacksReasoning({ messages }: Prompt): boolean {
  return messages.some(
    (message) => callsIn(message).length > 0 && typeof message.reasoning_content !== 'string',
  );
}

/** Whole responses that are something else than a completion in the form asked for. */
export const RESPONSE_FAULTS: readonly Fault[] = [
  {
    name: 'no-choices',
    row: 13,
    text: 'HTTP 200 with an empty list of choices',
    events: (events) =>
      events.map((e) => ('chunk' in e ? { chunk: { ...e.chunk, choices: [] } } : e)),
    body: (body) => ({ ...body, choices: [] }),
  },
  {
    name: 'error-in-body',
    row: 13,
    text: 'HTTP 200 whose body is an error object',
    plan: (_plan, { latencyMs }) => {
      const error = { message: 'Upstream error.', type: 'upstream_error', code: 502 };
      return jsonPlan(200, { error }, latencyMs);
    },
  },
  {
    name: 'tool-use-failed',
    row: 37,
    text: 'HTTP 400 tool_use_failed on rows that call a tool',
    plan: (plan, ctx) => (ctx.callsTool ? toolUseFailed(plan, ctx) : plan),
  },
  {
    name: 'html-502',
    row: 39,
    text: 'an HTML page with HTTP 502',
    plan: html(502, '502 Bad Gateway'),
  },
  {
    name: 'html-524',
    row: 39,
    text: 'an HTML page with HTTP 524',
    plan: html(524, '524 A timeout occurred'),
  },
  {
    name: 'rate-limit',
    row: 40,
    text: 'HTTP 429 with Retry-After: 1, every time',
    plan: withHeaders(tooManyRequests, { 'retry-after': '1' }),
  },
  {
    name: 'rate-limit-once',
    row: 40,
    text: 'HTTP 429 with Retry-After: 1, the first time',
    once: true,
    plan: withHeaders(tooManyRequests, { 'retry-after': '1' }),
  },
  {
    name: 'rate-limit-headers',
    row: 40,
    text: 'HTTP 429 with x-ratelimit-reset-requests: 250ms but no Retry-After, the first time',
    once: true,
    plan: withHeaders(tooManyRequests, {
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '250ms',
    }),
  },
  {
    name: 'no-stream-options',
    row: 41,
    text: 'HTTP 422 when the request has stream_options',
    plan: failsIf(
      (prompt) => prompt.hasStreamOptions,
      422,
      'extra_forbidden',
      "Extra inputs are not permitted: 'stream_options'.",
    ),
  },
  {
    name: 'sse-for-plain',
    row: 42,
    text: 'a stream although none was asked for, role null',
    form: () => 'stream',
    events: (events, { prompt }) =>
      prompt.stream
        ? events
        : events.map((event) => {
            if (!('chunk' in event)) return event;
            const [choice] = event.chunk.choices;
            if (choice?.delta?.role === undefined) return event;
            const choices = [{ ...choice, delta: { ...choice.delta, role: null } }];
            return { chunk: { ...event.chunk, choices } };
          }),
  },
  {
    name: 'plain-for-sse',
    row: null,
    text: 'one JSON body although a stream was asked for',
    form: () => 'plain',
  },
  {
    name: 'history-rejected',
    row: 45,
    text: 'HTTP 500 when the history has malformed tool-call arguments',
    plan: failsIf(
      hasMalformedHistory,
      500,
      'internal_error',
      'Failed to parse tool call arguments as JSON in the message history.',
    ),
  },
  {
    name: 'reasoning-required',
    row: 46,
    text: 'HTTP 400 when an assistant turn with calls has no reasoning_content',
    plan: failsIf(
      lacksReasoning,
      400,
      'invalid_request',
      'thinking is enabled but reasoning_content is missing in assistant tool call message',
    ),
  },
  {
    name: 'http-400',
    row: null,
    text: 'HTTP 400',
    plan: fails(400, 'invalid_request', 'The request was rejected.'),
  },
  {
    name: 'quota',
    row: null,
    text: 'HTTP 402: no credit left',
    plan: fails(402, 'insufficient_quota', 'Insufficient credit.'),
  },
  {
    name: 'forbidden',
    row: null,
    text: 'HTTP 403',
    plan: fails(403, 'forbidden', 'This key may not use the model.'),
  },
  {
    name: 'http-413',
    row: null,
    text: 'HTTP 413',
    plan: fails(413, 'request_too_large', 'The request is too large.'),
  },
  { name: 'http-500', row: null, text: 'HTTP 500, every time', plan: serverError },
  {
    name: 'http-500-once',
    row: null,
    text: 'HTTP 500, the first time',
    once: true,
    plan: serverError,
  },
  { name: 'http-503', row: null, text: 'HTTP 503, every time', plan: overloaded },
];
