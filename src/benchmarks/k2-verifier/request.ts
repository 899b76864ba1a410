import type { RequestSettings, Subset } from '../../model/benchmark.js';
import type { JsonObject } from '../../model/json.js';
import { type JsonNode, member, parseJsonText, splice } from '../../text/json-text.js';
import { pythonFloat } from '../../text/python-json.js';
import { thinkingOf } from '../request-settings.js';
import { editMessages, type Findings } from './history.js';
import type { Options } from './options.js';
import type { Field } from './rows.js';

/** How rows become requests; the same for every row of a run. */
export interface RequestPlan {
  readonly model: string;
  /** null: the row's own holds. */
  readonly temperature: number | null;
  /** null: the row's own holds. */
  readonly maxTokens: number | null;
  readonly stream: boolean;
  /** Top-level members that replace all others: thinking (of /chat/completions), then `extra-body`. */
  readonly extraBody: JsonObject;
  /** What a chat template is told about thinking (for /completions); null: nothing. */
  readonly thinking: boolean | null;
  readonly sanitize: boolean;
  readonly functionIds: boolean;
  readonly toolStrict: boolean;
}

/** Later wins: the row's own < the subset's published conditions < the config < `extra-body`. */
export function planRequests(
  settings: RequestSettings,
  subset: Subset,
  options: Options,
): RequestPlan {
  return {
    model: settings.model,
    temperature: settings.temperature ?? subset.sampling.temperature ?? null,
    maxTokens: settings.maxTokens ?? subset.sampling.max_tokens ?? null,
    stream: settings.stream,
    extraBody: options.completions
      ? settings.extraBody
      : { ...thinkingOf(settings), ...settings.extraBody },
    thinking:
      options.completions && settings.thinking !== 'default' ? settings.thinking === 'on' : null,
    sanitize: options.sanitize,
    functionIds: options.functionIds,
    toolStrict: options.toolStrict,
  };
}

/** Whether the bodies of this plan ask for a stream; `extra-body` has the last word. */
export function asksForStream({ stream, extraBody }: RequestPlan): boolean {
  return ('stream' in extraBody ? extraBody['stream'] : stream) === true;
}

/** The most completion tokens of an answer that the plan sets for every row; null when it sets none. */
export function mostTokens({ maxTokens, extraBody }: RequestPlan): number | null {
  const replaced = extraBody['max_completion_tokens'] ?? extraBody['max_tokens'];
  return typeof replaced === 'number' && replaced > 0 ? replaced : maxTokens;
}

/** What was changed in the row's own messages and tools. */
export type Change = 'input_role' | 'history_arguments' | 'tool_call_ids' | 'tool_strict';

/** A row's fields with the changes that the plan makes in its messages and tools. */
export function editedFields(
  fields: readonly Field[],
  findings: Findings,
  plan: RequestPlan,
): { body: Map<string, string>; changes: Change[] } {
  const body = new Map(fields.map(({ key, text }) => [key, text]));
  const changes: Change[] = [];
  const messages = body.get('messages');
  const edits = {
    inputRole: findings.inputRoles > 0,
    sanitize: plan.sanitize && findings.malformedArguments > 0,
    functionIds: plan.functionIds,
  };
  if (messages !== undefined && (edits.inputRole || edits.sanitize || edits.functionIds)) {
    const edited = editMessages(messages, edits);
    body.set('messages', edited);
    if (edits.inputRole) changes.push('input_role');
    if (edits.sanitize) changes.push('history_arguments');
    if (edits.functionIds && edited !== messages) changes.push('tool_call_ids');
  }
  const tools = body.get('tools');
  if (tools !== undefined && plan.toolStrict) {
    body.set('tools', withStrictTools(tools));
    changes.push('tool_strict');
  }
  return { body, changes };
}

/**
 * The request body for a row. `messages`, `tools` and whatever else the row holds are its own text, spliced in and
 * never re-serialised: order of keys and form of numbers matter to a model. `extra-body` replaces top-level members
 * whole; it does not merge into them.
 */
export function buildRequest(
  fields: readonly Field[],
  findings: Findings,
  plan: RequestPlan,
): { body: string; changes: Change[] } {
  const { body, changes } = editedFields(fields, findings, plan);
  setSampling(body, plan);
  setStream(body, plan);
  setExtra(body, plan);
  return { body: objectText(body), changes };
}

/** Sets whether a stream is asked for, and with it the usage. */
export function setStream(body: Map<string, string>, { stream }: RequestPlan): void {
  body.set('stream', String(stream));
  if (stream) body.set('stream_options', withUsage(body.get('stream_options')));
  else body.delete('stream_options');
}

export function setExtra(body: Map<string, string>, { extraBody }: RequestPlan): void {
  for (const [key, value] of Object.entries(extraBody)) body.set(key, JSON.stringify(value));
}

/**
 * Sets what both our request and K2VV's override in a row. The temperature is written as K2VV's command line makes it,
 * a float, which shows in its hash: 1 is 1.0.
 */
export function setSampling(
  body: Map<string, string>,
  { model, temperature, maxTokens }: Pick<RequestPlan, 'model' | 'temperature' | 'maxTokens'>,
): void {
  body.set('model', JSON.stringify(model));
  if (temperature !== null) body.set('temperature', pythonFloat(temperature));
  if (maxTokens !== null) body.set('max_tokens', String(maxTokens));
}

/** The row's own stream options, asking for usage unless they say otherwise, as K2VV does. */
export function withUsage(options: string | undefined): string {
  const node = options === undefined ? null : parseJsonText(options);
  if (options === undefined || node?.type !== 'object') return '{"include_usage":true}';
  if (member(node, 'include_usage') !== undefined) return options;
  const separator = node.members.length === 0 ? '' : ',';
  return splice(options, [
    { start: node.end - 1, end: node.end - 1, text: `${separator}"include_usage":true` },
  ]);
}

export function objectText(body: ReadonlyMap<string, string>): string {
  return `{${[...body].map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
}

/** Adds `"strict": true` to the function of every tool. */
function withStrictTools(tools: string): string {
  const root = parseJsonText(tools);
  if (root.type !== 'array') return tools;
  return splice(
    tools,
    root.items.flatMap((tool) => strictEdit(member(tool, 'function'))),
  );
}

function strictEdit(target: JsonNode | undefined): { start: number; end: number; text: string }[] {
  if (target?.type !== 'object') return [];
  const strict = member(target, 'strict');
  if (strict !== undefined) return [{ start: strict.start, end: strict.end, text: 'true' }];
  const separator = target.members.length === 0 ? '' : ',';
  const at = target.end - 1;
  return [{ start: at, end: at, text: `${separator}"strict":true` }];
}
