import type { Cause, ChatRequest } from '../model/completion.js';
import { errorWordsOf, isUnreadableOutput } from './error-words.js';
import { type Finding, failed } from './finding.js';
import { causeOfImages } from './image-words.js';

/** Names under which endpoints say that a balance is used up, which no waiting cures. */
const NO_CREDIT_CODES = new Set([
  'insufficient_quota', // OpenAI, with 429
  'exceeded_current_quota_error', // Moonshot, with 429
  'insufficient_user_quota', // one-api, with 403
  'insufficient_balance',
  'insufficient_credits',
  'billing_hard_limit_reached', // OpenAI, with 400
  'arrearage', // Alibaba, with 400
  'accountoverdueerror', // Volcengine, with 403
]);
/** The same in words. */
const NO_CREDIT =
  /insufficient[_ ](?:account[_ ])?(?:quota|balance|credit|fund)|balance is (?:insufficient|too low)|exceeded (?:your )?current quota|out of credits|used all (?:available|of your|your) credits|余额不足|欠费/i;
/** Such words stand at the start of a message; further on may be a quoted prompt. */
const NO_CREDIT_WITHIN = 300;
/** Moonshot, DeepSeek and others want the reasoning of earlier turns that called tools (pi#4178). */
const REASONING =
  /\breasoning_content\b.{0,60}?\b(?:missing|required|must be (?:passed|provided|included|present|set))\b|\b(?:missing|requires?|lacks?|without)\b.{0,40}?\breasoning_content\b/is;
/** llama.cpp parses the arguments in the history for templates that want objects (llama.cpp#25510). */
const HISTORY =
  /(?:tool|function)[ _-]?call arguments|arguments as JSON|json\.exception\.parse_error|can only get item pairs from a mapping/i;
/** Said of a model that is there but is not served at /completions, or of that path. */
const COMPLETIONS = /\bchat[ _-]?models?\b|\bcompletions\b/i;
const MODEL = /\bmodels?\b|model_not_found|\bdeployment|no endpoints found/i;
/** So much of an HTML page is looked at for its words. */
const MAX_PAGE = 16_384;
const RETRIED_STATUS = new Set([408, 409, 425]);

/**
 * What an answer with a status other than 2xx means. `body` is the beginning of its text; `location` the header of
 * that name; `path` what was asked.
 */
export function classifyStatus(
  status: number,
  body: string,
  location: string | null,
  path: ChatRequest['path'] = '/chat/completions',
): Finding {
  const detail = readable(body) || `HTTP ${status} without a text`;
  if (status === 400 || status === 413 || status === 422) {
    const cause = causeOfRefusal(status, body);
    return cause === null ? { kind: 'refused', status, body } : failed(cause, status, detail);
  }
  if (status >= 300 && status < 400) {
    return failed('redirect', status, `to ${location ?? 'nowhere: no Location header'}`);
  }
  const isFinal = status < 500 && !RETRIED_STATUS.has(status);
  const cause =
    path === '/completions' && lacksPath(status, body) ? 'no_completions' : causeOf(status, body);
  const final = (cause === 'http_status' && isFinal) || isUnreadableOutput(detail);
  return failed(cause, status, detail, final);
}

/** A refusal that says nothing about the one prompt: the account, or what the endpoint wants in every history. */
function causeOfRefusal(status: number, body: string): Cause | null {
  if (status === 413) return null;
  const { messages } = errorWordsOf(body);
  if (messages.some((text) => REASONING.test(text))) return 'reasoning_required';
  const images = causeOfImages(messages);
  if (images !== null) return images;
  return status === 400 && saysNoCredit(body) ? 'quota' : null;
}

function saysNoCredit(body: string): boolean {
  const { messages, codes } = errorWordsOf(body);
  return (
    codes.some((code) => NO_CREDIT_CODES.has(code.toLowerCase())) ||
    messages.some((text) => NO_CREDIT.test(text.slice(0, NO_CREDIT_WITHIN)))
  );
}

function causeOf(status: number, body: string): Cause {
  if (status === 401) return 'unauthorized';
  if (status === 402) return 'quota';
  if (status === 403) return saysNoCredit(body) ? 'quota' : 'forbidden';
  if (status === 404 || status >= 500) {
    const images = causeOfImages(errorWordsOf(body).messages);
    if (images !== null) return images;
  }
  if (status === 404) return isAboutModel(body) ? 'model_not_found' : 'not_found';
  if (status === 429) return saysNoCredit(body) ? 'quota' : 'rate_limited';
  if (status === 500 && HISTORY.test(body)) return 'history_rejected';
  return status >= 500 ? 'server_error' : 'http_status';
}

/** Whether an answer to /completions says that there is no such path, for this model or at all. */
function lacksPath(status: number, body: string): boolean {
  if (status === 405) return true;
  return status === 404 && (COMPLETIONS.test(body) || !isAboutModel(body));
}

/** A 404 is about the model when its words are; a page, or a path that happens to hold "models", is not. */
function isAboutModel(body: string): boolean {
  return !isPage(body) && MODEL.test(body.replace(/\/[\w./-]*/g, ' '));
}

function isPage(body: string): boolean {
  return /^\s*</.test(body);
}

/** The words of a body for people: an HTML page without its markup, anything else as it came. Linear in its length. */
export function readable(body: string): string {
  if (!isPage(body)) return body.trim();
  // Both end at the next opening bracket, or take the rest of the page, so that no part is looked at twice.
  return body
    .slice(0, MAX_PAGE)
    .replace(/<(script|style)\b[\s\S]*?(?:<\/\1\b[^<>]*>|$)/gi, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
