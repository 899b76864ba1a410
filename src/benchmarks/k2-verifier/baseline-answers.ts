import type { JsonObject } from '../../model/json.js';
import type { Counts } from '../../model/observation.js';
import { JsonTextError, member, parseJsonText, sliceOf } from '../../text/json-text.js';
import { agreementOf } from './agreement.js';
import { readResultRecord } from './import.js';
import { officialIn } from './labels.js';
import { isList, isObject, type Official } from './official.js';
import { promptEnd } from './prompt.js';
import { scoreSample } from './score.js';

/** A results file of the official model; rows are numbered from 1. `LabelFile` is one. */
export interface OfficialRun {
  /** No row beyond it has an answer. */
  readonly lastRow: number;
  /** Whether it called a tool on the row; null without an answer. */
  decision(row: number): boolean | null;
  /** The record of a row that has an answer, as JSON text. */
  line(row: number): string;
}

/** One file's answer to one row. The record is read only where it called a tool. */
export type Answer =
  | { readonly triggered: false }
  | {
      readonly triggered: true;
      /** The record, and as it stands in the file. */
      readonly record: JsonObject;
      readonly text: string;
      readonly calls: Official['calls'];
      /** End of the last user message; null where the request is not recorded. */
      readonly prompt: string | null;
    };

/** null when the file does not answer the row. */
export function answerOf(run: OfficialRun, row: number): Answer | null {
  const decision = run.decision(row);
  if (decision === null) return null;
  if (!decision) return { triggered: false };
  const text = run.line(row);
  const record = JSON.parse(text) as JsonObject;
  const { calls } = officialIn(record);
  return { triggered: true, record, text, calls, prompt: promptIn(record) };
}

/**
 * The counters of a sample on which both called a tool, by the names of score.ts. Which side is official makes no
 * difference, so it is one whose calls are recorded.
 */
export function agreementCounts(first: Official['calls'], second: Official['calls']): Counts {
  const [official, vendor] = first.length > 0 ? [first, second] : [second, first];
  const calls = vendor.map((call) => ({ id: null, type: 'function', ...call }));
  const agreement = agreementOf(official, calls);
  if (agreement === null) return { tp: 1 };
  return {
    tp: 1,
    'agreement.known': 1,
    'agreement.tool_names': Number(agreement.toolNames),
    'agreement.call_count': Number(agreement.callCount),
    'agreement.arguments': Number(agreement.arguments),
    'agreement.argument_tokens': agreement.argumentTokens,
  };
}

/** The counters of the validity of an answer's calls; none where the record does not say which tools there were. */
export function validityCounts(answer: Answer): Counts {
  if (!answer.triggered) return {};
  const tools = toolsIn(answer.text);
  const observation = readResultRecord(answer.record, () => true);
  if (tools === null || observation === null) return {};
  const official = { triggered: false, finishReason: null, calls: [], content: null };
  const sample = { id: '', body: '', asText: null, tools, official, changes: [], prompt: '' };
  const { finish_tool_calls = 0, successful_tool_call = 0 } = scoreSample(sample, observation);
  return { finish_tool_calls, successful_tool_call };
}

/** The tools of a record's request, as they stand there: numbers in a schema must not lose digits. */
function toolsIn(text: string): string | null {
  try {
    const request = member(parseJsonText(text), 'request');
    const tools = request && member(request, 'tools');
    return tools?.type === 'array' ? sliceOf(text, tools) : null;
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    return null;
  }
}

function promptIn({ request }: JsonObject): string | null {
  const messages = isObject(request) ? request['messages'] : undefined;
  return isList(messages) && messages.length > 0 ? promptEnd(messages.filter(isObject)) : null;
}
