import { callId, nextCallIndex } from '../calls.js';
import type { Chunk, StreamEvent, ToolCallDelta } from '../completion.js';
import { type Fault, hasCalls } from './fault.js';

type Edit = (events: readonly StreamEvent[]) => readonly StreamEvent[];

/** Where a delta stands within its call. */
interface Place {
  readonly id: string;
  readonly name: string;
  /** 0 for the delta that opens the call. */
  readonly nth: number;
  readonly last: boolean;
}

/** Replaces each delta of a call by others; every one goes out in a chunk of its own. */
function editCallDeltas(
  edit: (delta: ToolCallDelta, place: Place) => readonly ToolCallDelta[],
): Edit {
  return (events) => {
    let call = { id: '', name: '', nth: -1 };
    return events.flatMap((event, at): readonly StreamEvent[] => {
      const delta = callDelta(event);
      if (delta === null || !('chunk' in event)) return [event];
      call = delta.id === undefined ? { ...call, nth: call.nth + 1 } : opening(delta);
      const following = callDelta(events[at + 1]);
      const last = following === null || following.id !== undefined;
      return edit(delta, { ...call, last }).map((d) => withCallDeltas(event.chunk, [d]));
    });
  };
}

function opening(delta: ToolCallDelta): { id: string; name: string; nth: number } {
  return { id: delta.id ?? '', name: delta.function?.name ?? '', nth: 0 };
}

function callDelta(event: StreamEvent | undefined): ToolCallDelta | null {
  if (event === undefined || !('chunk' in event)) return null;
  return event.chunk.choices[0]?.delta?.tool_calls?.[0] ?? null;
}

function withCallDeltas(chunk: Chunk, deltas: readonly ToolCallDelta[]): StreamEvent {
  const choices = chunk.choices.map((c) => ({ ...c, delta: { ...c.delta, tool_calls: deltas } }));
  return { chunk: { ...chunk, choices } };
}

/** Replaces each delta of a call by others in the same chunk. */
function editEachCallChunk(edit: (delta: ToolCallDelta) => readonly ToolCallDelta[]): Edit {
  return (events) =>
    events.map((event) => {
      const delta = callDelta(event);
      return delta === null || !('chunk' in event)
        ? event
        : withCallDeltas(event.chunk, edit(delta));
    });
}

/** Streamed calls whose deltas are hard to put together. They leave answers without calls, or in one body, alone. */
export const CALL_DELTA_FAULTS: readonly Fault[] = [
  {
    name: 'no-index',
    row: 20,
    text: 'deltas of calls have no index, only ids',
    events: editCallDeltas(({ index: _, ...delta }, { id }) => [{ ...delta, id }]),
  },
  {
    name: 'shared-index',
    row: 21,
    text: 'parallel calls all with index 0; a single call is made a second time',
    answer: (answer, { prompt }) => {
      if (!hasCalls(answer) || answer.calls.length > 1) return answer;
      const again = answer.calls.map((call) => ({
        ...call,
        id: callId(call.name, nextCallIndex(prompt) + 1),
      }));
      return { ...answer, calls: [...answer.calls, ...again] };
    },
    events: editCallDeltas((delta) => [{ ...delta, index: 0 }]),
  },
  {
    name: 'index-drift',
    row: 22,
    text: 'the index grows from delta to delta of one call, the id tells where it belongs',
    events: editCallDeltas((delta, { id, nth }) => [
      { ...delta, id, index: (delta.index ?? 0) + nth },
    ]),
  },
  {
    name: 'index-twice',
    row: 23,
    text: 'one chunk holds two deltas of the same index',
    events: editEachCallChunk((delta) => {
      const text = delta.function?.arguments;
      if (typeof text !== 'string' || delta.id !== undefined) return [delta];
      const half = Math.floor(text.length / 2);
      return [text.slice(0, half), text.slice(half)].map((part) => ({
        ...delta,
        function: { arguments: part },
      }));
    }),
  },
  {
    name: 'id-changes',
    row: 24,
    text: 'the id changes within a call: same index, no name',
    events: editCallDeltas((delta, { id, nth }) => [
      nth === 0 ? delta : { ...delta, id: `${id}-part-${nth}` },
    ]),
  },
  {
    name: 'id-repeated',
    row: 25,
    text: 'the id stands on every delta of a call',
    events: editCallDeltas((delta, { id }) => [{ ...delta, id }]),
  },
  {
    name: 'id-blank',
    row: 25,
    text: 'the id is "" on every delta of a call but the first',
    events: editCallDeltas((delta, { nth }) => [nth === 0 ? delta : { ...delta, id: '' }]),
  },
  {
    name: 'name-repeated',
    row: 26,
    text: 'the name stands on every delta of a call',
    events: editCallDeltas((delta, { name }) => [
      { ...delta, function: { ...delta.function, name } },
    ]),
  },
  {
    name: 'arguments-first',
    row: 27,
    text: 'the arguments come before the name',
    events: editCallDeltas((delta, { name, last }) => {
      const { name: _, ...nameless } = delta.function ?? {};
      const named = {
        ...(delta.index === undefined ? {} : { index: delta.index }),
        function: { name },
      };
      return [{ ...delta, function: nameless }, ...(last ? [named] : [])];
    }),
  },
];
