import type { Completion, ToolCall } from '../../model/completion.js';
import type { Counts, Observation } from '../../model/observation.js';
import { JsonTextError } from '../../text/json-text.js';
import { untrusted } from '../../text/untrusted.js';
import { type Agreement, agreementOf } from './agreement.js';
import { answerIn } from './completions-answer.js';
import { finishCounter } from './finish-reasons.js';
import type { Payload, Sample } from './sample.js';
import { type CallVerdict, judgeToolCall } from './tool-calls.js';

/**
 * The counters of one sample; K2VV and EvalScope agree on all but the cases marked:
 *
 * - `tp fp fn tn`: official against vendor decision, exactly one of them 1. Only finish_reason tool_calls triggers.
 *   Without an answer, or refused: not triggered (EvalScope; K2VV counts such a sample nowhere).
 * - `fn_unmeasured tn_unmeasured refused refused.STATUS`: how often that was the reason.
 * - `finish.VALUE` (see `finishCounter`), `finish_tool_calls`, `calls_without_finish`, `reasoning_only`: samples.
 * - `successful_tool_call`: finish_reason tool_calls, at least one call, and all of them valid (K2VV; in EvalScope no
 *   call at all is valid).
 * - `calls calls_invalid invalid.REASON`: calls of triggered responses; `invalid.no_tool_calls` counts responses.
 * - `agreement.known`: samples on which both called and the official calls are recorded; of these
 *   `agreement.tool_names agreement.call_count agreement.arguments` count what is the same, and
 *   `agreement.argument_tokens` sums a likeness in millionths (see `Agreement`). Ours alone.
 * - `warning.NAME`: oddities that do not decide.
 */
export function scoreSample(sample: Sample, observation: Observation<Payload>): Counts {
  const counts: Record<string, number> = {};
  for (const change of sample.changes) counts[`warning.${change}`] = 1;
  const { triggered: official } = sample.official;
  if (observation.kind === 'unmeasured') {
    return official
      ? { ...counts, fn: 1, fn_unmeasured: 1 }
      : { ...counts, tn: 1, tn_unmeasured: 1 };
  }
  const { payload } = observation;
  if (payload.kind === 'refused') {
    return {
      ...counts,
      [official ? 'fn' : 'tn']: 1,
      refused: 1,
      [`refused.${payload.status}`]: 1,
    };
  }
  const { completion, fault } = answerIn(payload);
  if (fault !== null) counts[`warning.${fault}`] = 1;
  const triggered = isTriggered(completion);
  counts[decisionCounter(official, triggered)] = 1;
  counts[`finish.${finishCounter(completion.finishReason)}`] = 1;
  if (official && triggered) {
    countAgreement(counts, agreementOf(sample.official.calls, completion.toolCalls ?? []));
  }
  if (triggered) countCalls(counts, judgeCalls(sample, completion));
  else if (hasCalls(completion) && !isCut(completion)) counts['calls_without_finish'] = 1;
  if (isReasoningOnly(completion)) counts['reasoning_only'] = 1;
  return counts;
}

/** Whether the answer ran into the token limit: then its finish_reason is right, whatever calls came before. */
export function isCut(completion: Completion): boolean {
  return completion.finishReason === 'length';
}

/** The vendor's decision: its wire finish_reason and nothing else. */
export function isTriggered(completion: Completion): boolean {
  return completion.finishReason === 'tool_calls';
}

export function hasCalls({ toolCalls }: Completion): boolean {
  return toolCalls !== null && toolCalls.length > 0;
}

/** Verdicts on the calls of a triggered response, in their order; empty when it has none. */
export function judgeCalls(sample: Sample, { toolCalls }: Completion): CallVerdict[] {
  return (toolCalls ?? []).map((call) => judgeCall(call, sample.tools));
}

function judgeCall(call: ToolCall, tools: string | null): CallVerdict {
  try {
    return judgeToolCall(call, tools);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    // The row's tools are nested beyond all reason; Python gives up on them too, and K2VV takes that for invalid.
    const detail = untrusted(`the tools cannot be read: ${error.message}`);
    const nowhere = { path: untrusted(''), keyword: '', warnings: [] };
    return { valid: false, reason: 'invalid_schema', detail, ...nowhere };
  }
}

/** Reasoning and then nothing; an answer cut at max_tokens is not meant. */
export function isReasoningOnly(completion: Completion): boolean {
  return (
    (completion.reasoning ?? '') !== '' &&
    (completion.content ?? '').trim() === '' &&
    !hasCalls(completion) &&
    completion.finishReason !== 'length'
  );
}

function decisionCounter(official: boolean, vendor: boolean): 'tp' | 'fp' | 'fn' | 'tn' {
  if (vendor) return official ? 'tp' : 'fp';
  return official ? 'fn' : 'tn';
}

function countAgreement(counts: Record<string, number>, agreement: Agreement | null): void {
  if (agreement === null) return;
  counts['agreement.known'] = 1;
  if (agreement.toolNames) counts['agreement.tool_names'] = 1;
  if (agreement.callCount) counts['agreement.call_count'] = 1;
  if (agreement.arguments) counts['agreement.arguments'] = 1;
  if (agreement.argumentTokens > 0) counts['agreement.argument_tokens'] = agreement.argumentTokens;
}

function countCalls(counts: Record<string, number>, verdicts: readonly CallVerdict[]): void {
  counts['finish_tool_calls'] = 1;
  if (verdicts.length === 0) {
    counts['invalid.no_tool_calls'] = 1;
    return;
  }
  counts['calls'] = verdicts.length;
  let invalid = 0;
  for (const verdict of verdicts) {
    const names = verdict.warnings.map((name) => `warning.${name}`);
    if (!verdict.valid) {
      invalid += 1;
      names.push(`invalid.${verdict.reason}`);
    }
    for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  }
  if (invalid > 0) counts['calls_invalid'] = invalid;
  else counts['successful_tool_call'] = 1;
}
