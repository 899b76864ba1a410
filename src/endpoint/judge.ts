import type { AnswerReader } from './answer.js';
import type { EmbeddedError } from './assemble.js';
import { readable } from './classify.js';
import { isUnreadableOutput } from './error-words.js';
import { type Finding, failed } from './finding.js';

/** How the reading of a body came to its end. */
export type Ending =
  /** The server closed the body, or said [DONE]. */
  | { readonly kind: 'end' }
  | { readonly kind: 'too_large'; readonly maxBytes: number }
  /** The connection broke or the time was over. */
  | { readonly kind: 'broken'; readonly failure: Finding & { kind: 'failed' } };

/**
 * finish_reasons by which servers say that they gave the answer up: vLLM and SGLang abort, Zhipu network_error,
 * OpenRouter error, DeepSeek insufficient_system_resource.
 */
const ABORTED = new Set([
  'abort',
  'aborted',
  'cancelled',
  'canceled',
  'error',
  'internal_error',
  'network_error',
  'server_error',
  'insufficient_system_resource',
]);

/**
 * What an answer with status 2xx means, once its body has been read as far as it went. An answer whose
 * finish_reason came is complete, however its connection ended after that.
 */
export function judgeAnswer(reader: AnswerReader, status: number, ending: Ending): Finding {
  if (ending.kind === 'too_large') {
    return failed('too_large', status, `more than ${ending.maxBytes} bytes`);
  }
  const answer = reader.completion;
  if (answer.overflowed) {
    return failed('too_large', status, 'more tool calls, or deeper arguments, than can be kept');
  }
  const malformed = (text: string) =>
    ending.kind === 'broken' ? { ...ending.failure, status } : failed('malformed', status, text);
  if (reader.form === 'unknown') return malformed('an empty body');
  if (reader.form === 'text') return malformed(readable(reader.snippet));
  if (answer.error !== null) {
    return failed('stream_error', status, answer.error.text, isLasting(answer.error));
  }
  if (reader.broken !== null) return malformed(`not JSON: ${reader.broken}`);
  if (!answer.hasChoice) return malformed(`no choices ${reader.snippet}`.trim());
  const draft = answer.draft();
  const { finishReason } = draft;
  if (finishReason === null) return withoutFinish(reader, status, ending);
  if (ABORTED.has(finishReason)) {
    return failed('server_aborted', status, `finish_reason ${JSON.stringify(finishReason)}`);
  }
  if (reader.form === 'stream' && !reader.done) reader.warnings.add('no_done_marker');
  return { kind: 'completion', draft: { ...draft, finishReason } };
}

/**
 * No finish_reason came. Where the server closed the answer in good order it holds this to be its whole answer,
 * and asking again until we like it would favour the vendor; where the stream just stopped, asking again is fair.
 */
function withoutFinish(reader: AnswerReader, status: number, ending: Ending): Finding {
  if (reader.done) reader.warnings.add('done_without_finish');
  else if (ending.kind === 'broken') return { ...ending.failure, status };
  const detail = reader.done
    ? '[DONE] came without a finish_reason'
    : reader.form === 'json'
      ? 'the body holds no finish_reason'
      : 'the stream ended without [DONE] and without a finish_reason';
  return failed('no_finish_reason', status, detail, reader.done || reader.form === 'json');
}

/** An error inside the answer that names a client's mistake, such as 401, comes again on every attempt. */
function isLasting(error: EmbeddedError): boolean {
  const { code } = error;
  if (isUnreadableOutput(error.text)) return true;
  return code !== null && code >= 400 && code < 500 && code !== 408 && code !== 429;
}
