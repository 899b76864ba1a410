import type { Cause } from '../model/completion.js';
import { type Finding, failed } from './finding.js';

/**
 * A balance that is used up, which no waiting cures. OpenAI says insufficient_quota, Moonshot
 * exceeded_current_quota_error and "suspended due to insufficient balance", both with status 429.
 */
const NO_CREDIT =
  /insufficient[_ ]?(?:quota|balance|credit|fund)|balance is (?:insufficient|too low)|exceeded[_ ](?:your )?current[_ ]quota|out of credits|billing_hard_limit|余额不足/i;
/** llama.cpp parses the arguments in the history for templates that want objects (llama.cpp#25510). */
const HISTORY =
  /(?:tool|function)[ _-]?call arguments|arguments as JSON|json\.exception\.parse_error|can only get item pairs from a mapping/i;
const MODEL = /\bmodels?\b|model_not_found|\bdeployment|no endpoints found/i;
/** So much of an HTML page is looked at for its words. */
const MAX_PAGE = 16_384;
const RETRIED_STATUS = new Set([408, 409, 425]);

/**
 * What an answer with a status other than 2xx means. `body` is the beginning of its text; `location` the header of
 * that name.
 */
export function classifyStatus(status: number, body: string, location: string | null): Finding {
  if (status === 400 || status === 413 || status === 422) return { kind: 'refused', status, body };
  const detail = readable(body) || `HTTP ${status} without a text`;
  if (status >= 300 && status < 400) {
    return failed('redirect', status, `to ${location ?? 'nowhere: no Location header'}`);
  }
  const isFinal = status < 500 && !RETRIED_STATUS.has(status);
  const cause = causeOf(status, body);
  return failed(cause, status, detail, cause === 'http_status' && isFinal);
}

function causeOf(status: number, body: string): Cause {
  if (status === 401) return 'unauthorized';
  if (status === 402) return 'quota';
  if (status === 403) return NO_CREDIT.test(body) ? 'quota' : 'forbidden';
  if (status === 404) return isAboutModel(body) ? 'model_not_found' : 'not_found';
  if (status === 429) return NO_CREDIT.test(body) ? 'quota' : 'rate_limited';
  if (status === 500 && HISTORY.test(body)) return 'history_rejected';
  return status >= 500 ? 'server_error' : 'http_status';
}

/** A 404 is about the model when its words are; a page, or a path that happens to hold "models", is not. */
function isAboutModel(body: string): boolean {
  return !isPage(body) && MODEL.test(body.replace(/\/[\w./-]*/g, ' '));
}

function isPage(body: string): boolean {
  return /^\s*</.test(body);
}

/** The words of a body for people: an HTML page without its markup, anything else as it came. */
export function readable(body: string): string {
  if (!isPage(body)) return body.trim();
  return body
    .slice(0, MAX_PAGE)
    .replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
