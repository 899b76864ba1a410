import { type Chunk, type ChunkChoice, DONE, type StreamEvent } from '../completion.js';
import { isObject } from '../prompt.js';
import type { Fault } from './fault.js';

type Edit = (events: readonly StreamEvent[]) => readonly StreamEvent[];

function editChunks(edit: (chunk: Chunk) => Chunk): Edit {
  return (events) => events.map((e) => ('chunk' in e ? { chunk: edit(e.chunk) } : e));
}

function editChoices(edit: (choice: ChunkChoice) => ChunkChoice): Edit {
  return editChunks((chunk) => ({ ...chunk, choices: chunk.choices.map(edit) }));
}

/** Puts lines that are no chunk before every event. */
function interleave(raw: string): Edit {
  return (events) => events.flatMap((event) => [{ raw }, event]);
}

function isFinishChunk(event: StreamEvent): boolean {
  return 'chunk' in event && typeof event.chunk.choices[0]?.finish_reason === 'string';
}

/** The chunks up to the middle of the answer. */
function firstHalf(events: readonly StreamEvent[]): readonly StreamEvent[] {
  const finish = events.findIndex(isFinishChunk);
  return events.slice(0, Math.ceil((finish === -1 ? events.length : finish) / 2));
}

/** Oddities of streams; most leave an answer in one body alone. */
export const STREAM_FAULTS: readonly Fault[] = [
  {
    name: 'empty-deltas',
    row: 3,
    text: 'the calls are lost: deltas with empty tool_calls, finish_reason tool_calls',
    events: editChoices((choice) =>
      (choice.delta?.tool_calls ?? []).length > 0
        ? { ...choice, delta: { tool_calls: [] } }
        : choice,
    ),
    body: (body) => ({
      ...body,
      choices: (Array.isArray(body.choices) ? body.choices : []).map((choice) =>
        isObject(choice) && isObject(choice.message) && Array.isArray(choice.message.tool_calls)
          ? { ...choice, message: { ...choice.message, tool_calls: [] } }
          : choice,
      ),
    }),
  },
  {
    name: 'done-without-finish',
    row: 6,
    text: '[DONE] comes although no chunk had a finish_reason',
    events: (events) => events.filter((event) => !isFinishChunk(event)),
  },
  {
    name: 'no-done',
    row: 7,
    text: 'the stream ends without [DONE]',
    events: (events) => events.filter((event) => event !== DONE),
  },
  {
    name: 'cut-stream',
    row: 7,
    text: 'the stream ends in the middle, without finish_reason and [DONE]',
    events: (events) => firstHalf(events),
  },
  {
    name: 'blank-finish',
    row: 8,
    text: 'finish_reason is "" on every chunk, the last one too',
    answer: (answer) => ({ ...answer, finishReason: '' }),
    events: editChoices((choice) => ({ ...choice, finish_reason: '' })),
  },
  {
    name: 'blank-finish-between',
    row: 8,
    text: 'finish_reason is "" on every chunk but the last, which is right',
    events: editChoices((choice) => ({ ...choice, finish_reason: choice.finish_reason || '' })),
  },
  {
    name: 'error-in-stream',
    row: 12,
    text: 'an error object in the middle of a stream that began with 200',
    events: (events) => {
      const error = { message: 'The engine was restarted.', type: 'server_error', code: 500 };
      return [...firstHalf(events), { raw: `data: ${JSON.stringify({ error })}\n\n` }, DONE];
    },
  },
  {
    name: 'sse-comments',
    row: 14,
    text: 'comment lines between the events',
    events: interleave(': OPENROUTER PROCESSING\n\n'),
  },
  {
    name: 'keepalive-data',
    row: 15,
    text: 'events whose data is ": keepalive"',
    events: interleave('data: : keepalive\n\n'),
  },
  {
    name: 'empty-data',
    row: 16,
    text: 'events with empty data',
    events: interleave('data:\n\ndata: \n\n'),
  },
  {
    name: 'filter-chunk',
    row: 17,
    text: 'a first chunk with no choices but filter results',
    events: (events) => {
      const results = [{ prompt_index: 0, content_filter_results: {} }];
      const chunk = { id: '', object: '', created: 0, model: '', choices: [] };
      return [
        { raw: `data: ${JSON.stringify({ ...chunk, prompt_filter_results: results })}\n\n` },
        ...events,
      ];
    },
  },
  {
    name: 'no-delta',
    row: 18,
    text: 'a chunk whose choice has no delta',
    events: (events) =>
      events.flatMap((event) =>
        'chunk' in event && event.chunk.choices[0]?.delta?.role !== undefined
          ? [event, { chunk: { ...event.chunk, choices: [{ index: 0, finish_reason: null }] } }]
          : [event],
      ),
  },
  {
    name: 'usage-in-choice',
    row: 19,
    text: 'the usage stands inside choices[0]',
    events: (events) => {
      const usage = events.flatMap((e) =>
        'chunk' in e && e.chunk.usage ? [e.chunk.usage] : [],
      )[0];
      if (usage === undefined) return events;
      const rest = events.filter((event) => !('chunk' in event && event.chunk.usage));
      const moved = (c: ChunkChoice) => (typeof c.finish_reason === 'string' ? { ...c, usage } : c);
      return editChoices(moved)(rest);
    },
    body: ({ usage, ...body }) => ({
      ...body,
      choices: (Array.isArray(body.choices) ? body.choices : []).map((choice) =>
        isObject(choice) ? { ...choice, usage: usage ?? null } : choice,
      ),
    }),
  },
  {
    name: 'usage-null-finish',
    row: 19,
    text: 'the usage chunk after the finish has a choice with finish_reason null',
    events: editChunks((chunk) =>
      chunk.usage === undefined
        ? chunk
        : { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: null }] },
    ),
  },
];
