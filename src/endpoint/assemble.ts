import type { ToolCall, Usage } from '../model/completion.js';
import type { Json, JsonObject } from '../model/json.js';
import { asCount, asList, asObject, asText } from './shape.js';
import { CallAssembler } from './tool-calls.js';
import type { WireWarning } from './warnings.js';

/** An answer as far as it came; like a Completion, but its end may be missing. */
export interface Draft {
  readonly id: string | null;
  readonly created: number | null;
  readonly model: string | null;
  readonly provider: string | null;
  readonly fingerprint: string | null;
  /** null: none came, or only empty ones (ollama#4357). */
  readonly finishReason: string | null;
  readonly content: string | null;
  readonly reasoning: string | null;
  readonly toolCalls: readonly ToolCall[] | null;
  readonly usage: Usage | null;
}

/** An error that the endpoint put into a successful answer. */
export interface EmbeddedError {
  /** HTTP-like status it names; null when it names none. */
  readonly code: number | null;
  readonly text: string;
}

/** Names and labels are shown and counted, never judged; a longer one is cut. */
const MAX_LABEL = 200;

/**
 * Puts one completion together, from the chunks of a stream or from one body: of /chat/completions, or of /completions,
 * whose text becomes the content. It takes any JSON whatever its shape, never throws and repairs nothing. Only the
 * choice with index 0 counts.
 */
export class CompletionAssembler {
  /** The first error inside the answer that came before its end. */
  error: EmbeddedError | null = null;
  /** Whether any choice came at all. */
  hasChoice = false;
  /** Whether any content, reasoning or tool call came. */
  started = false;
  finishReason: string | null = null;
  readonly warnings: Set<WireWarning>;
  private readonly calls: CallAssembler;
  private readonly labels = new Map<string, string>();
  private created: number | null = null;
  private content: string | null = null;
  private reasoning: string | null = null;
  private usage: Usage | null = null;

  constructor(warnings: Set<WireWarning>) {
    this.warnings = warnings;
    this.calls = new CallAssembler(warnings);
  }

  /** Whether the answer holds more, or deeper, tool calls than anything sensible has. */
  get overflowed(): boolean {
    return this.calls.overflowed;
  }

  /** Takes one JSON value: an event of a stream or a whole body. */
  add(value: Json): void {
    // Gemini wraps errors into a list
    const chunk = asObject(value) ?? asObject(asList(value)?.[0]);
    if (chunk === null) return;
    const error = errorIn(chunk);
    if (error !== null) this.fail(error);
    this.describe(chunk);
    this.takeUsage(chunk['usage']);
    this.takeUsage(asObject(chunk['x_groq'])?.['usage']);
    const choice = firstChoice(asList(chunk['choices']));
    if (choice === null) return;
    this.hasChoice = true;
    this.takeUsage(choice['usage']);
    const delta = asObject(choice['delta']);
    if (delta !== null) this.addPiece(delta, false);
    else {
      // A whole message, alone or as the last event of a stream that has already said it all.
      const message = asObject(choice['message']);
      if (message === null) this.addText(choice['text']);
      else if (!this.started) this.addPiece(message, true);
    }
    const finish = asText(choice['finish_reason']);
    if (finish !== null) this.finishReason = finish.slice(0, MAX_LABEL);
  }

  /** Records an error inside the answer; one that follows the complete answer only earns a warning. */
  fail(error: EmbeddedError): void {
    if (this.finishReason !== null) this.warnings.add('error_after_finish');
    else this.error ??= error;
  }

  /** What came so far. */
  draft(): Draft {
    return {
      id: this.labels.get('id') ?? null,
      created: this.created,
      model: this.labels.get('model') ?? null,
      provider: this.labels.get('provider') ?? null,
      fingerprint: this.labels.get('system_fingerprint') ?? null,
      finishReason: this.finishReason === 'function_call' ? 'tool_calls' : this.finishReason,
      content: this.content,
      reasoning: this.reasoning,
      toolCalls: this.calls.result(),
      usage: this.usage,
    };
  }

  private describe(chunk: JsonObject): void {
    for (const name of ['id', 'model', 'provider', 'system_fingerprint']) {
      const text = asText(chunk[name]);
      if (text !== null && !this.labels.has(name)) this.labels.set(name, text.slice(0, MAX_LABEL));
    }
    this.created ??= asCount(chunk['created']);
  }

  private addPiece(piece: JsonObject, whole: boolean): void {
    this.addContent(piece['content']);
    // Both names are in use (vllm#27755), at times both at once with the same text.
    this.addReasoning(
      textOf(piece['reasoning_content'], 'reasoning') || textOf(piece['reasoning'], 'reasoning'),
    );
    const calls = whole
      ? this.calls.addWhole(piece['tool_calls'])
      : this.calls.addDeltas(piece['tool_calls']);
    if (calls || this.calls.addFunctionCall(piece['function_call'])) this.started = true;
  }

  /** The text of /completions: a piece of it in a stream, all of it in a body. */
  private addText(value: Json | undefined): void {
    if (typeof value === 'string') this.addContent(value);
  }

  private addContent(value: Json | undefined): void {
    if (typeof value !== 'string' && asList(value) === null) return;
    const text = textOf(value, 'content');
    this.content = (this.content ?? '') + text;
    if (text !== '') this.started = true;
    // Mistral sends the reasoning as parts of the content.
    if (typeof value !== 'string') this.addReasoning(textOf(value, 'reasoning'));
  }

  private addReasoning(text: string): void {
    if (text === '') return;
    this.reasoning = (this.reasoning ?? '') + text;
    this.started = true;
  }

  private takeUsage(value: Json | undefined): void {
    const usage = asObject(value);
    if (usage === null) return;
    const prompt = asCount(usage['prompt_tokens']);
    const completion = asCount(usage['completion_tokens']);
    if (prompt === null && completion === null) return;
    const sum = (prompt ?? 0) + (completion ?? 0);
    this.usage = {
      prompt_tokens: prompt ?? 0,
      completion_tokens: completion ?? 0,
      total_tokens: asCount(usage['total_tokens']) ?? sum,
    };
  }
}

/** The choice with index 0; one without an index is taken by its place. */
function firstChoice(choices: readonly Json[] | null): JsonObject | null {
  for (const [place, entry] of (choices ?? []).entries()) {
    const choice = asObject(entry);
    if (choice !== null && (asCount(choice['index']) ?? place) === 0) return choice;
  }
  return null;
}

/** Text that came as a string or as a list of parts; parts of a thinking kind are reasoning, all others content. */
function textOf(value: Json | undefined, want: 'content' | 'reasoning'): string {
  if (typeof value === 'string') return value;
  let text = '';
  for (const entry of asList(value) ?? []) {
    const part = asObject(entry);
    const kind = asText(part?.['type']);
    const isReasoning = kind === 'thinking' || kind === 'reasoning';
    if (isReasoning !== (want === 'reasoning')) continue;
    if (typeof entry === 'string') text += entry;
    else if (isReasoning && asList(part?.['thinking']) !== null)
      text += textOf(part?.['thinking'], 'content');
    else text += asText(part?.['text']) ?? asText(part?.['thinking']) ?? '';
  }
  return text;
}

/** The error that a body or chunk carries instead of, or beside, an answer. */
function errorIn(chunk: JsonObject): EmbeddedError | null {
  const error = chunk['error'];
  const inner = asObject(error);
  if (asText(error) !== null || (inner !== null && Object.keys(inner).length > 0)) {
    return { code: codeIn(inner) ?? codeIn(chunk), text: messageIn(inner) ?? shortJson(error) };
  }
  if (asList(chunk['choices']) !== null) return null;
  // {"object":"error","message":...} (vLLM), {"code":500,"msg":...}, {"detail":...} (FastAPI), base_resp (MiniMax)
  const status = asCount(asObject(chunk['base_resp'])?.['status_code']);
  const named = messageIn(chunk) !== null && (codeIn(chunk) !== null || 'detail' in chunk);
  if (chunk['object'] !== 'error' && !named && !status) return null;
  return { code: codeIn(chunk), text: messageIn(chunk) ?? shortJson(chunk) };
}

function codeIn(value: JsonObject | null): number | null {
  return asCount(value?.['code']) ?? asCount(value?.['status']) ?? asCount(value?.['status_code']);
}

function messageIn(value: JsonObject | null): string | null {
  return asText(value?.['message']) ?? asText(value?.['msg']) ?? asText(value?.['detail']);
}

function shortJson(value: Json | undefined): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return 'an error object that nests too deeply to show';
  }
}
