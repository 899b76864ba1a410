import { createHash } from 'node:crypto';
import { parseJsonText } from '../../text/json-text.js';
import { pythonDumps } from '../../text/python-json.js';
import { editMessages, type Findings } from './history.js';
import { objectText, type RequestPlan, setSampling, withUsage } from './request.js';
import type { Field } from './rows.js';

/**
 * The request as K2 Vendor Verifier's `prepare_request` would make it from the row, as JSON text on one line: the
 * role `_input` replaced, model, temperature and max_tokens set as by its command line, usage asked for where the row
 * itself streams. Nothing of ours is in it (sanitised history, stream setting, extra body), so that result files can be
 * joined and continued by either tool.
 */
export function preparedRequest(
  fields: readonly Field[],
  findings: Findings,
  plan: Pick<RequestPlan, 'model' | 'temperature' | 'maxTokens'>,
): string {
  const body = preparedFields(fields, findings, plan);
  if (isTruthy(body.get('stream'))) {
    body.set('stream_options', withUsage(body.get('stream_options')));
  }
  return onOneLine(objectText(body));
}

/** What K2VV does to a row whichever way it asks. */
export function preparedFields(
  fields: readonly Field[],
  findings: Findings,
  plan: Pick<RequestPlan, 'model' | 'temperature' | 'maxTokens'>,
): Map<string, string> {
  const body = new Map(fields.map(({ key, text }) => [key, text]));
  const messages = body.get('messages');
  if (messages !== undefined && findings.inputRoles > 0) {
    const edits = { inputRole: true, sanitize: false, functionIds: false };
    body.set('messages', editMessages(messages, edits));
  }
  setSampling(body, plan);
  return body;
}

/** JSON text without line ends: outside strings they are mere white space, and inside JSON does not allow them raw. */
export function onOneLine(json: string): string {
  return json.replace(/[\r\n]+/g, ' ');
}

/** K2VV's `hash`: MD5 of Python's `json.dumps(prepared, sort_keys=True, ensure_ascii=False)`. */
export function requestHash(prepared: string): string {
  return createHash('md5').update(pythonDumps(prepared), 'utf8').digest('hex');
}

/** Truth in Python's sense, of a JSON text. */
function isTruthy(text: string | undefined): boolean {
  if (text === undefined) return false;
  const node = parseJsonText(text);
  switch (node.type) {
    case 'object':
      return node.members.length > 0;
    case 'array':
      return node.items.length > 0;
    case 'string':
      return node.value !== '';
    case 'number':
      return Number(node.raw) !== 0;
    default:
      return node.value === true;
  }
}
