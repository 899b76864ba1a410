import { CAUSES, type Cause, type Reply } from '../model/completion.js';
import type { Stopped } from '../model/report.js';
import { reveal, type Untrusted, untrusted } from '../text/untrusted.js';
import { refusalShape } from './refusal-shape.js';

/** How one sample ended, as far as stop rules care. */
export type Ending =
  | { readonly kind: 'answered' }
  | { readonly kind: 'refused'; readonly status: number; readonly body: Untrusted }
  | { readonly kind: 'failed'; readonly cause: Cause; readonly detail: Untrusted };

/** What stop rules may look at: endings in the order of arrival. */
export interface RunState {
  /** Samples the endpoint has answered so far in this run. */
  readonly answered: number;
  /** Samples that an earlier, interrupted run had measured. */
  readonly before: number;
  readonly ended: number;
  /** Samples this run will send in all. */
  readonly planned: number;
  /** The latest endings without an answer between them, oldest first, at most BREAKER. */
  readonly streak: readonly Ending[];
}

/** Ends a run early; the one thing that flows against the stream. */
export type StopRule = (state: RunState) => Stopped | null;

/** A run sends no more than this many requests before the endpoint has answered one. */
export const FIRST_WAVE = 8;

/** So many failures in a row, whatever came before, mean that the deployment is gone. */
const BREAKER = 24;

/** Causes that no retry and no other sample will cure. */
const HOPELESS: ReadonlySet<Cause> = new Set([
  'unauthorized',
  'forbidden',
  'quota',
  'model_not_found',
  'not_found',
  'no_completions',
  'tls',
  'redirect',
  'reasoning_required',
  'no_images',
  'too_many_images',
]);

/** Faults of settings that hit only some requests, so that answers in between prove nothing. */
const SCATTERED: ReadonlySet<Cause> = new Set(['reasoning_required', 'too_many_images']);

/** Causes whose detail is this machine's account and not something that the endpoint wrote. */
const OURS: ReadonlySet<Cause> = new Set(['timeout', 'network', 'tls', 'redirect', 'too_large']);

const ADVICE: Readonly<Partial<Record<Cause, string>>> = {
  unauthorized:
    'Check that the secret behind `api-key` is set, current and meant for this endpoint; it is sent as a Bearer token.',
  forbidden:
    'Ask the vendor whether this key may use this model; check allow-lists of IP addresses.',
  quota: 'Top up the account or raise its limit, then run again; finished samples are kept.',
  model_not_found: 'Compare `model` with the names that GET /models of this endpoint lists.',
  not_found:
    'Check `endpoint`: it should be the base URL, usually ending in /v1, without /chat/completions.',
  no_completions:
    'Set `api: chat` for k2_verifier: most endpoints serve /chat/completions alone, and `api: completions` needs /completions as vLLM and SGLang have it.',
  tls: 'Check the host name in `endpoint` and its certificate; for a private authority set NODE_EXTRA_CA_CERTS.',
  redirect:
    'Set `endpoint` to the address it redirects to, if you trust it; redirects are never followed with a key.',
  network:
    'Check that the host and port in `endpoint` can be reached from this runner (DNS, firewall, proxy).',
  timeout: 'Check the load of the deployment, or raise `request-timeout`.',
  reasoning_required:
    'Set `thinking: off`, or serve the model without that check: the rows carry no reasoning in their history.',
  no_images:
    'Set `image: false` under the benchmark to measure the model by text alone, or serve one that sees.',
  too_many_images:
    'Raise the limit of the deployment (vLLM: `--limit-mm-per-prompt`), or set `history: last-image` under the benchmark.',
  history_rejected:
    'The server cannot read malformed tool-call arguments in a history: leave `history-arguments` at sanitize.',
  rate_limited: 'Lower `concurrency`, or ask the vendor for a higher limit.',
};

/** 401, 402, 403, 404, certificate and redirect faults: at once on the first requests, after eight in a row later. */
const configurationRule: StopRule = ({ answered, streak }) => {
  const last = streak.at(-1);
  if (last?.kind !== 'failed' || !HOPELESS.has(last.cause)) return null;
  const latest = streak.slice(-FIRST_WAVE);
  const repeated =
    latest.length === FIRST_WAVE &&
    latest.every((e) => e.kind === 'failed' && e.cause === last.cause);
  if (answered > 0 && !repeated && !SCATTERED.has(last.cause)) return null;
  return {
    kind: 'configuration',
    message: `Stopped: ${CAUSES[last.cause]}.`,
    advice: ADVICE[last.cause] ?? '',
    detail: last.detail,
    detail_from: OURS.has(last.cause) ? 'here' : 'endpoint',
  };
};

/** Identical refusals of the first requests are a fault of the request's settings, not a measurement. */
const refusalRule: StopRule = ({ answered, before, ended, planned, streak }) => {
  const first = streak[0];
  const wave = Math.min(FIRST_WAVE, planned);
  if (answered + before > 0 || ended !== wave || first?.kind !== 'refused') return null;
  const shape = refusalShape(first.body);
  if (!streak.every((e) => e.kind === 'refused' && refusalShape(e.body) === shape)) return null;
  return {
    kind: 'configuration',
    message: `Stopped: the endpoint refused the first ${streak.length} requests alike with HTTP ${first.status}.`,
    advice: refusalAdvice(first.body),
    detail: first.body,
    detail_from: 'endpoint',
  };
};

/**
 * Nothing but failures from the start, or many in a row later: the deployment is down, which says nothing about
 * fidelity, and every further request is wasted.
 */
const outageRule: StopRule = ({ answered, before, planned, streak }) => {
  const fresh = answered + before === 0;
  if (streak.length < (fresh ? Math.min(FIRST_WAVE, planned) : BREAKER)) return null;
  const causes = new Map<Cause, number>();
  for (const ending of streak) {
    if (ending.kind !== 'failed') return null;
    causes.set(ending.cause, (causes.get(ending.cause) ?? 0) + 1);
  }
  const [cause] = [...causes].sort((a, b) => b[1] - a[1])[0] as [Cause, number];
  const last = streak.at(-1) as Ending & { kind: 'failed' };
  return {
    kind: 'outage',
    message: fresh
      ? `Stopped: none of the first ${streak.length} requests got an answer; mostly: ${CAUSES[cause]}.`
      : `Stopped: the last ${streak.length} requests in a row got no answer; mostly: ${CAUSES[cause]}.`,
    advice:
      ADVICE[cause] ??
      'Check that the deployment is up, then run again; finished samples are kept.',
    detail: last.detail,
    detail_from: OURS.has(last.cause) ? 'here' : 'endpoint',
  };
};

const STOP_RULES: readonly StopRule[] = [configurationRule, refusalRule, outageRule];

/** Follows the endings of a run and asks the rules after each. */
export class StopWatch {
  #answered = 0;
  #ended = 0;
  #streak: Ending[] = [];
  readonly #planned: number;
  readonly #before: number;

  /** @param before samples that an earlier, interrupted run measured */
  constructor(planned: number, before = 0) {
    this.#planned = planned;
    this.#before = before;
  }

  /** Whether more than the first wave may be sent. */
  get opened(): boolean {
    return this.#answered > 0 || this.#ended >= FIRST_WAVE;
  }

  after(ending: Ending): Stopped | null {
    this.#ended += 1;
    if (ending.kind === 'answered') {
      this.#answered += 1;
      this.#streak = [];
    } else {
      this.#streak = [...this.#streak, ending].slice(-BREAKER);
    }
    const state: RunState = {
      answered: this.#answered,
      before: this.#before,
      ended: this.#ended,
      planned: this.#planned,
      streak: this.#streak,
    };
    for (const rule of STOP_RULES) {
      const stopped = rule(state);
      if (stopped !== null) return stopped;
    }
    return null;
  }
}

/**
 * How a sample ended, from the replies to its requests: one answer is enough to know that the endpoint works, unless
 * the last request failed for a reason that such answers say nothing about. null: nothing was sent.
 */
export function endingOf(replies: readonly Reply[]): Ending | null {
  const last = replies.at(-1);
  if (last === undefined) return null;
  if (last.kind === 'failed' && SCATTERED.has(last.cause)) {
    return { kind: 'failed', cause: last.cause, detail: last.detail };
  }
  if (last.kind === 'completion' || replies.some(({ kind }) => kind === 'completion')) {
    return { kind: 'answered' };
  }
  if (last.kind === 'refused') return { kind: 'refused', status: last.status, body: last.body };
  return { kind: 'failed', cause: last.cause, detail: last.detail };
}

function refusalAdvice(body: Untrusted): string {
  const text = reveal(body);
  const known: readonly (readonly [RegExp, string])[] = [
    [
      /enable-auto-tool-choice|tool-call-parser/i,
      'Start vLLM with --enable-auto-tool-choice --tool-call-parser kimi_k2.',
    ],
    [
      /max_(completion_)?tokens|maximum context length|context.length/i,
      'Raise the context limit of the deployment (vLLM: --max-model-len), or set `max-tokens` lower; then the figures are not comparable with the published ones.',
    ],
    [
      /reasoning_content/i,
      'The endpoint wants reasoning in the history: set `thinking: off`, or serve the model without that check.',
    ],
    [
      /skip_special_tokens/i,
      'Set `extra-body` to {"skip_special_tokens": null}, which leaves the field out; then see whether the markup of tool calls still comes.',
    ],
    [
      /chat[ -]model|completions endpoint/i,
      'Set `api: chat` for k2_verifier: this endpoint does not serve the model at /completions.',
    ],
    [/temperature|top_p/i, 'Set `temperature` to a value this endpoint accepts.'],
    [
      /thinking|chat_template_kwargs/i,
      'Set `thinking-style` to the one this server knows, or to `none`.',
    ],
    [/stream/i, 'Set `stream: false`.'],
    [/model/i, 'Compare `model` with the names that GET /models of this endpoint lists.'],
  ];
  return (
    known.find(([pattern]) => pattern.test(text))?.[1] ??
    'Read the endpoint’s own words below and change the input they name; `extra-body` can set any request field.'
  );
}

/** The run's own time is up. */
export function deadlineStop(deadlineMs: number): Stopped {
  return {
    kind: 'deadline',
    message: `Stopped at the deadline of ${deadlineMs / 1000} s; what was measured until then is judged.`,
    advice: 'Run again with the same output directory to go on, raise `deadline`, or set `limit`.',
    detail: untrusted(''),
    detail_from: 'here',
  };
}

export function interruptedStop(): Stopped {
  return {
    kind: 'interrupted',
    message: 'Interrupted; what was measured until then is in the report.',
    advice: 'Run again with the same output directory to go on where it stopped.',
    detail: untrusted(''),
    detail_from: 'here',
  };
}

export function diskStop(what: string): Stopped {
  return {
    kind: 'disk',
    message: `Stopped: ${what}.`,
    advice:
      'Free space or name another `output-dir`, then run again with the same one to go on; finished samples are kept.',
    detail: untrusted(''),
    detail_from: 'here',
  };
}

export function notReadyStop(waitedMs: number): Stopped {
  return {
    kind: 'outage',
    message: `Stopped: the endpoint did not answer within wait-for-ready (${waitedMs / 1000} s).`,
    advice:
      'Check that the deployment comes up and that `endpoint` can be reached from this runner.',
    detail: untrusted(''),
    detail_from: 'here',
  };
}
