import type { ChatRequest } from '../model/completion.js';
import type { Json } from '../model/json.js';
import type { Draft } from './assemble.js';
import type { WireWarning } from './warnings.js';

/** Special tokens of Kimi K2 around tool calls; in text they mean that the server's parser missed them. */
const TOOL_MARKUP = /<\|tool_calls?(?:_section|_argument)?_(?:begin|end)\|>/;
const THINK_TAG = /<\/?think>/;
/** Ids as Kimi K2 itself writes them. */
const KIMI_ID = /^functions\.[\w.-]+:\d+$/;
const FINISH_REASONS = new Set(['stop', 'tool_calls', 'length', 'content_filter']);

/**
 * What is odd about a complete answer, by name. `modelAsked` is compared loosely with the model it names. In the text
 * that /completions gives, the model's own markup is in its place.
 */
export function odditiesOf(
  draft: Draft,
  modelAsked: string,
  path: ChatRequest['path'] = '/chat/completions',
): readonly WireWarning[] {
  const isText = path === '/completions';
  const found: WireWarning[] = [];
  const note = (name: WireWarning, holds: boolean) => {
    if (holds) found.push(name);
  };
  const content = draft.content ?? '';
  const reasoning = draft.reasoning ?? '';
  const calls = draft.toolCalls ?? [];
  const finish = draft.finishReason ?? '';
  note('stop_with_tool_calls', finish === 'stop' && calls.length > 0);
  note('empty_tool_calls', finish === 'tool_calls' && calls.length === 0);
  note('unknown_finish_reason', finish !== '' && !FINISH_REASONS.has(finish));
  note('leaked_tool_markup', !isText && TOOL_MARKUP.test(content));
  note('markup_in_reasoning', TOOL_MARKUP.test(reasoning));
  note('think_tags_in_content', !isText && THINK_TAG.test(content));
  // An answer cut at max_tokens ends anywhere; that is no fault of the wire.
  const cut = finish === 'length';
  const silent = content.trim() === '' && calls.length === 0;
  note('reasoning_only', !cut && reasoning !== '' && silent);
  note('truncated_arguments', !cut && calls.some((call) => isTruncated(call.arguments)));
  note(
    'arguments_twice',
    calls.some((call) => isTwice(call.arguments)),
  );
  note(
    'foreign_call_id',
    calls.some((call) => !KIMI_ID.test(call.id ?? '')),
  );
  const ids = calls.map((call) => call.id).filter((id) => id !== null);
  note('duplicate_call_id', new Set(ids).size < ids.length);
  const texts = calls.flatMap((call) => [call.name, call.arguments]).concat(content, reasoning);
  note('replacement_character', texts.some(holdsReplacement));
  note('model_differs', draft.model !== null && !sameModel(draft.model, modelAsked));
  return found;
}

function holdsReplacement(value: Json): boolean {
  return (typeof value === 'string' ? value : JSON.stringify(value)).includes('\ufffd');
}

/** Whether a string ends inside its JSON: open quotes, brackets or braces. */
function isTruncated(value: Json): boolean {
  if (typeof value !== 'string' || value.trim() === '' || parses(value)) return false;
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < value.length; at++) {
    const char = value[at];
    if (quoted) {
      if (char === '\\') at += 1;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
  }
  return quoted || depth > 0;
}

/** Whether a string is one JSON object written twice (vllm#51697). */
function isTwice(value: Json): boolean {
  if (typeof value !== 'string' || value.length % 2 === 1 || !value.startsWith('{')) return false;
  const half = value.slice(0, value.length / 2);
  return value.endsWith(half) && parses(half);
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether two model names mean the same: case, punctuation, the owner before a slash, a tag after a colon and a
 * full date at the end do not matter. A month-like suffix does (K2 and K2-0905 are different models).
 */
function sameModel(one: string, other: string): boolean {
  return looseName(one) === looseName(other);
}

function looseName(name: string): string {
  const bare = name
    .toLowerCase()
    .replace(/^.*\/(?=.)/, '')
    .replace(/(?<=.):[a-z][\w-]*$/, '');
  return bare.replace(/[-_@](?:\d{4}-?\d{2}-?\d{2}|\d{6})$/, '').replace(/[^a-z0-9]/g, '');
}
