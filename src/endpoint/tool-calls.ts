import type { ToolCall } from '../model/completion.js';
import type { Json, JsonObject } from '../model/json.js';
import { asCount, asList, asObject, asText, deeperThan } from './shape.js';
import type { WireWarning } from './warnings.js';

/** More calls than any answer has; a hostile stream of millions of them must not fill the memory. */
export const MAX_CALLS = 1000;
/** How much one answer may make us parse, in characters, only to tell two calls apart. */
const MAX_LOOKED_AT = 4_000_000;
/** What a look costs beside the characters. */
const ONE_LOOK = 1000;
/** Arguments sent as JSON may not nest deeper: whoever writes them out again would run out of stack. */
const MAX_DEPTH = 200;

interface Draft {
  id: string | null;
  type: string;
  name: string;
  /** undefined until something came. */
  arguments: Json | undefined;
}

interface Delta {
  readonly index: number | null;
  readonly id: string | null;
  readonly type: string | null;
  readonly name: string | null;
  readonly arguments: Json | undefined;
}

/**
 * Puts the tool calls of one answer together from the pieces that servers really send. Which piece belongs to
 * which call is worked out where servers leave it open; what the pieces say is never changed.
 */
export class CallAssembler {
  /** More calls, or deeper ones, came than anything sensible has; the rest was dropped. */
  overflowed = false;
  private readonly calls: Draft[] = [];
  private readonly byIndex = new Map<number, Draft>();
  private readonly byId = new Map<string, Draft>();
  private legacy: Draft | null = null;
  private listSeen = false;
  private lookedAt = 0;
  private readonly warnings: Set<WireWarning>;

  constructor(warnings: Set<WireWarning>) {
    this.warnings = warnings;
  }

  /** The `tool_calls` of one chunk. Returns whether it carried anything. */
  addDeltas(value: Json | undefined): boolean {
    const entries = this.entries(value);
    if (entries === null) return false;
    if (asList(value)?.length === 0) this.warnings.add('empty_tool_call_deltas');
    for (const entry of entries) {
      const delta = deltaOf(entry);
      const call = this.locate(delta);
      if (call !== null) this.absorb(call, delta);
    }
    return entries.length > 0;
  }

  /** The `tool_calls` of a whole message: every entry is a call of its own. */
  addWhole(value: Json | undefined): boolean {
    const entries = this.entries(value);
    if (entries === null) return false;
    for (const entry of entries) {
      const call = this.begin();
      if (call !== null) this.absorb(call, deltaOf(entry));
    }
    return entries.length > 0;
  }

  /** The old `function_call` of a chunk or message; it counts only when no `tool_calls` come. */
  addFunctionCall(value: Json | undefined): boolean {
    const entry = asObject(value);
    if (entry === null) return false;
    this.legacy ??= { id: null, type: 'function', name: '', arguments: undefined };
    this.absorb(this.legacy, deltaOf({ function: entry }));
    return true;
  }

  /** null when no list came; empty when it came empty. */
  result(): readonly ToolCall[] | null {
    let drafts = this.calls;
    if (drafts.length === 0 && this.legacy !== null) {
      this.warnings.add('legacy_function_call');
      drafts = [this.legacy];
    }
    if (drafts.length === 0) return this.listSeen ? [] : null;
    return drafts.map((draft) => ({ ...draft, arguments: draft.arguments ?? null }));
  }

  private entries(value: Json | undefined): readonly JsonObject[] | null {
    if (value === undefined || value === null) return null;
    const list = asList(value);
    if (list === null) {
      this.warnings.add('malformed_tool_calls');
      return null;
    }
    this.listSeen = true;
    const objects = list.map(asObject).filter((entry) => entry !== null);
    if (objects.length < list.length) this.warnings.add('malformed_tool_calls');
    return objects;
  }

  /** The call that a delta belongs to; null when there are too many. */
  private locate(delta: Delta): Draft | null {
    if (delta.index === null) this.warnings.add('calls_without_index');
    const byId = delta.id === null ? undefined : this.byId.get(delta.id);
    if (byId !== undefined) return this.locateKnownId(delta, byId);
    if (delta.index === null) return this.locateWithoutIndex(delta);
    const current = this.byIndex.get(delta.index);
    if (current === undefined) return this.begin(delta);
    if (this.startsAnew(delta, current)) {
      this.warnings.add('shared_index');
      return this.begin(delta);
    }
    if (delta.id !== null && current.id !== null) {
      // dirac and pool: a fresh id on every chunk of one call; the first one stays
      this.warnings.add('id_changed');
      this.byId.set(delta.id, current);
    }
    return current;
  }

  /** The index is taken: does the delta open another call (dynamo#4723) or go on with this one (pool#9)? */
  private startsAnew(delta: Delta, current: Draft): boolean {
    if (delta.name === null) return false;
    if (delta.id !== null && current.id !== null) return true;
    const renamed = current.name !== '' && current.name !== delta.name;
    return renamed && (delta.id !== null || this.isComplete(current));
  }

  private locateKnownId(delta: Delta, known: Draft): Draft | null {
    const moved = delta.index !== null && this.byIndex.get(delta.index) !== known;
    // Some servers number every call of an answer alike: another name, or a name after complete arguments, is
    // another call.
    const another =
      (moved || delta.index === null) &&
      delta.name !== null &&
      known.name !== '' &&
      (delta.name !== known.name || (this.isComplete(known) && delta.arguments !== undefined));
    if (another) return this.begin(delta);
    if (moved && delta.index !== null) {
      this.warnings.add('index_drift');
      if (!this.byIndex.has(delta.index)) this.byIndex.set(delta.index, known);
    }
    return known;
  }

  private locateWithoutIndex(delta: Delta): Draft | null {
    const last = this.calls.at(-1);
    if (delta.id !== null || last === undefined) return this.begin(delta);
    if (delta.name === null || last.name === '') return last;
    return delta.name !== last.name || this.isComplete(last) ? this.begin(delta) : last;
  }

  private begin(delta?: Delta): Draft | null {
    if (this.calls.length >= MAX_CALLS) {
      this.overflowed = true;
      return null;
    }
    const call: Draft = { id: null, type: 'function', name: '', arguments: undefined };
    this.calls.push(call);
    if (delta !== undefined && delta.index !== null) this.byIndex.set(delta.index, call);
    return call;
  }

  private absorb(call: Draft, delta: Delta): void {
    if (delta.id !== null) {
      call.id ??= delta.id;
      if (call.id === delta.id) this.byId.set(delta.id, call);
    }
    if (delta.type !== null) call.type = delta.type;
    if (delta.name !== null) {
      // Set, never appended: vllm#44098 repeats it on every chunk.
      if (call.name !== '') this.warnings.add('name_repeated');
      call.name = delta.name;
    }
    const piece = delta.arguments;
    if (piece === undefined || piece === null) return;
    if (typeof piece !== 'string') {
      this.warnings.add('arguments_object');
      if (deeperThan(piece, MAX_DEPTH)) {
        this.overflowed = true;
        return;
      }
    }
    if (call.arguments === undefined || call.arguments === '') call.arguments = piece;
    else if (piece !== '') call.arguments = asString(call.arguments) + asString(piece);
  }

  private isComplete(call: Draft): boolean {
    const value = call.arguments;
    if (typeof value !== 'string') return value !== undefined && value !== null;
    this.lookedAt += value.length + ONE_LOOK;
    if (this.lookedAt > MAX_LOOKED_AT) return false;
    try {
      JSON.parse(value);
      return true;
    } catch {
      return false;
    }
  }
}

function asString(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function deltaOf(entry: JsonObject): Delta {
  const body = asObject(entry['function']);
  return {
    index: asCount(entry['index']),
    id: asText(entry['id']),
    type: asText(entry['type']),
    name: asText(body?.['name']),
    arguments: body?.['arguments'],
  };
}
