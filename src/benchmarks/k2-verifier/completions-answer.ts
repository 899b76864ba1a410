import { MAX_CALLS } from '../../endpoint/tool-calls.js';
import type { Completion, ToolCall } from '../../model/completion.js';
import type { Payload } from './sample.js';

/** What is wrong with the tool-call markup of a text. */
export type MarkupFault =
  /** Markers that do not make up whole sections of whole calls; what they would have held is no call. */
  | 'malformed_markup'
  /** A call in Kimi's way without any marker: the server took the special tokens out of the text. */
  | 'stripped_markup';

/** An answer as it is judged. */
export interface Read {
  readonly completion: Completion;
  /** Of an answer that came as text; null where nothing is wrong. */
  readonly fault: MarkupFault | null;
  /** The text holds more calls than anything sensible has; the rest was left out. */
  readonly overflowed: boolean;
}

/** The answer in a payload: from /chat/completions as it came, from /completions read out of the text. Pure. */
export function answerIn(payload: Exclude<Payload, { kind: 'refused' }>): Read {
  const { completion } = payload;
  return payload.kind === 'completion'
    ? { completion, fault: null, overflowed: false }
    : readText(completion, payload.opensThinking);
}

/**
 * Reads a text in the markup of Kimi K2:
 * `<|tool_calls_section_begin|>`, for each call
 * `<|tool_call_begin|>functions.NAME:IDX<|tool_call_argument_begin|>ARGUMENTS<|tool_call_end|>`, then
 * `<|tool_calls_section_end|>`. An answer with at least one whole call in a whole section has finish_reason
 * `tool_calls`, as K2VV has it; any other keeps the one that came. White space around ids and arguments is left out,
 * since servers put it between special tokens. Nothing is repaired: arguments are the text up to the end of the call,
 * and an id in another form stands for the name, so that the call is judged to name an unknown tool.
 *
 * Thinking ends at `</think>`, or where a section begins. The time is linear in the length of the text.
 *
 * @param opensThinking the prompt ended with `<think>`, so the text begins with thinking.
 */
export function readText(raw: Completion, opensThinking: boolean): Read {
  const text = raw.content ?? '';
  const { calls, outside, begin, broken, markers, overflowed } = scan(text);
  const thought = thinkingIn(text, opensThinking, begin);
  const content = outside
    .map(({ start, end }) => text.slice(Math.max(start, thought.end), Math.max(end, thought.end)))
    .join('')
    .replace(END_OF_TURN, '');
  const cut = raw.finishReason === 'length';
  const malformed = broken && !cut;
  const stripped = markers === 0 && STRIPPED.test(content);
  return {
    completion: {
      ...raw,
      finishReason: calls.length > 0 ? 'tool_calls' : raw.finishReason,
      content,
      reasoning: thought.text,
      toolCalls: calls.length > 0 ? calls : null,
    },
    fault: malformed ? 'malformed_markup' : stripped ? 'stripped_markup' : null,
    overflowed,
  };
}

const MARKER =
  /<\|tool_(?:calls_section_begin|calls_section_end|call_begin|call_argument_begin|call_end)\|>/g;
const SECTION_BEGIN = '<|tool_calls_section_begin|>';
/** Bounded in every part, so that it takes linear time. */
const STRIPPED = /(?<![\w.])functions\.[\w.-]{1,200}:\d{1,9}\s{0,20}\{/;
/** What ends a turn of Kimi K2, where the server leaves it in. */
const END_OF_TURN = /(?:<\|im_end\|>|\[EOS\])\s*$/;
const THINK = '<think>';
const THINK_END = '</think>';

interface Stretch {
  readonly start: number;
  readonly end: number;
}

interface Scanned {
  readonly calls: readonly ToolCall[];
  /** The text outside of whole sections with calls. */
  readonly outside: readonly Stretch[];
  /** Where the first section begins, whole or not; the length of the text without one. */
  readonly begin: number;
  readonly markers: number;
  readonly broken: boolean;
  readonly overflowed: boolean;
}

function scan(text: string): Scanned {
  const calls: ToolCall[] = [];
  const outside: Stretch[] = [];
  const first = text.indexOf(SECTION_BEGIN);
  let section: Section | null = null;
  let rest = 0;
  let markers = 0;
  let broken = false;
  let overflowed = false;
  for (const match of text.matchAll(MARKER)) {
    const [marker] = match;
    markers += 1;
    const end = match.index + marker.length;
    if (section === null) {
      if (marker === SECTION_BEGIN) section = new Section(text, match.index);
      else broken = true;
      continue;
    }
    if (!section.take(marker, match.index, end)) continue;
    broken ||= section.broken;
    if (section.calls.length > 0) {
      outside.push({ start: rest, end: section.start });
      rest = end;
      overflowed ||= section.overflowed || calls.length + section.calls.length > MAX_CALLS;
      calls.push(...section.calls.slice(0, MAX_CALLS - calls.length));
    }
    section = null;
  }
  outside.push({ start: rest, end: text.length });
  return {
    calls,
    outside,
    begin: first === -1 ? text.length : first,
    markers,
    broken: broken || section !== null,
    overflowed,
  };
}

/** A section while it is read, marker by marker. Its end is the first end marker, wherever that stands. */
class Section {
  readonly calls: ToolCall[] = [];
  readonly start: number;
  broken = false;
  overflowed = false;
  readonly #text: string;
  /** Where the id, or the arguments, of the call that is open begin. */
  #id: number | null = null;
  #arguments: number | null = null;
  #name = '';

  constructor(text: string, start: number) {
    this.#text = text;
    this.start = start;
  }

  /** Takes the next marker; true when it ends the section. */
  take(marker: string, at: number, end: number): boolean {
    switch (marker) {
      case '<|tool_calls_section_end|>':
        this.broken ||= this.#id !== null || this.#arguments !== null || this.calls.length === 0;
        return true;
      case '<|tool_call_begin|>':
        this.#open(end);
        break;
      case '<|tool_call_argument_begin|>':
        if (this.#id === null) this.broken = true;
        else {
          this.#name = this.#text.slice(this.#id, at).trim();
          this.#id = null;
          this.#arguments = end;
        }
        break;
      case '<|tool_call_end|>':
        this.#close(at);
        break;
      default:
        this.broken = true;
    }
    return false;
  }

  #open(end: number): void {
    // Within arguments it is a part of them: they end at the end of the call and nowhere else.
    if (this.#id !== null || this.#arguments !== null) this.broken = true;
    if (this.#arguments === null) this.#id = end;
  }

  #close(at: number): void {
    if (this.#arguments !== null) {
      this.#push(this.#name, this.#text.slice(this.#arguments, at).trim());
    } else if (this.#id !== null) {
      this.broken = true;
      this.#push(this.#text.slice(this.#id, at).trim(), '');
    } else this.broken = true;
    this.#id = null;
    this.#arguments = null;
  }

  #push(id: string, args: string): void {
    if (this.calls.length >= MAX_CALLS) this.overflowed = true;
    else this.calls.push({ id, type: 'function', name: nameIn(id), arguments: args });
  }
}

const ID = /^functions\.(.+):\d+$/s;

/** The name in an id of the form functions.NAME:IDX; of any other the whole id, which names no tool. */
function nameIn(id: string): string {
  return ID.exec(id)?.[1] ?? id;
}

/** The thinking at the beginning, and where it ends; `begin` is where the first section does. */
function thinkingIn(
  text: string,
  opensThinking: boolean,
  begin: number,
): { text: string | null; end: number } {
  const lead = /^\s*/.exec(text)?.[0].length ?? 0;
  const tagged = text.startsWith(THINK, lead);
  const start = tagged ? lead + THINK.length : 0;
  const close = text.indexOf(THINK_END, start);
  const closed = close !== -1 && close <= begin;
  // A closing tag alone ends thinking whose opening tag stood in the prompt.
  if (!tagged && !opensThinking && !closed) return { text: null, end: 0 };
  const end = closed ? close : begin;
  const thought = text.slice(start, end).trim();
  return { text: thought === '' ? null : thought, end: closed ? close + THINK_END.length : begin };
}
