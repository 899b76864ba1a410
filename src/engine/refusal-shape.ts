import { errorWordsOf } from '../endpoint/error-words.js';
import { reveal, type Untrusted } from '../text/untrusted.js';

const MOST = 600;

/**
 * What stays the same when an endpoint refuses two requests for one reason: the error's own words and codes without
 * numbers, ids and quoted values. What it quotes of the request (FastAPI and vLLM send the offending input back) is
 * left out, since it differs from sample to sample.
 */
export function refusalShape(body: Untrusted): string {
  const { messages, codes, fields } = errorWordsOf(reveal(body));
  return [...codes, ...fields, ...messages]
    .join('; ')
    .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '#')
    .replace(/\b(?=\w*\d)[\w-]{6,}\b/g, '#')
    .replace(/\d+/g, '#')
    .replace(/\s+/g, ' ')
    .slice(0, MOST);
}
