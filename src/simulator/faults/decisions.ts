import type { Answer } from '../answer.js';
import type { SimulatedCall } from '../calls.js';
import { type Fault, hasCalls } from './fault.js';

/** The calls in Kimi's own markup, as the model writes them before a parser takes them out. */
function markup(calls: readonly SimulatedCall[]): string {
  const one = ({ id, arguments: args }: SimulatedCall): string =>
    `<|tool_call_begin|>${id}<|tool_call_argument_begin|>${args}<|tool_call_end|>`;
  return `<|tool_calls_section_begin|>${calls.map(one).join('')}<|tool_calls_section_end|>`;
}

/** Gives every answer this finish reason. */
function finishing(finishReason: string | null | undefined): NonNullable<Fault['answer']> {
  return (answer) => ({ ...answer, finishReason });
}

function reasonOf(answer: Answer): string {
  return answer.reasoning === '' ? 'Let me think.' : answer.reasoning;
}

/** Wrong decisions, finish reasons, and text that ends up in the wrong field. */
export const DECISION_FAULTS: readonly Fault[] = [
  {
    name: 'missed-calls',
    row: null,
    text: 'rows that should call a tool are answered in words',
    answer: (answer, ctx) => (hasCalls(answer) ? ctx.talking() : answer),
  },
  {
    name: 'extra-calls',
    row: null,
    text: 'rows that should be answered in words call a tool',
    answer: (answer, ctx) =>
      hasCalls(answer) || ctx.prompt.toolChoice === 'none' ? answer : (ctx.calling() ?? answer),
  },
  {
    name: 'ignores-tool-choice',
    row: 38,
    text: 'a tool is called although tool_choice is none',
    answer: (answer, ctx) =>
      ctx.prompt.toolChoice === 'none' ? (ctx.calling() ?? answer) : answer,
  },
  {
    name: 'stop-with-calls',
    row: 1,
    text: 'calls are present, but finish_reason is stop',
    answer: (answer) => (hasCalls(answer) ? { ...answer, finishReason: 'stop' } : answer),
  },
  {
    name: 'empty-calls',
    row: 2,
    text: 'finish_reason tool_calls with an empty list of calls, their markup in the content',
    answer: (answer) =>
      hasCalls(answer) ? { ...answer, content: markup(answer.calls), calls: [] } : answer,
  },
  {
    name: 'null-calls',
    row: 2,
    text: 'finish_reason tool_calls with tool_calls null',
    answer: (answer) => (hasCalls(answer) ? { ...answer, calls: null } : answer),
  },
  {
    name: 'leaked-markup',
    row: 2,
    text: 'no tool parser: the markup of the calls is the content, finish_reason stop',
    answer: (answer) =>
      hasCalls(answer)
        ? { ...answer, content: markup(answer.calls), calls: undefined, finishReason: 'stop' }
        : answer,
  },
  {
    name: 'markup-in-reasoning',
    row: 32,
    text: 'the reasoning swallows the markup of the calls, nothing else is sent',
    answer: (answer) =>
      hasCalls(answer)
        ? {
            ...answer,
            reasoning: `${reasonOf(answer)} ${markup(answer.calls)}`,
            content: '',
            calls: undefined,
            finishReason: 'stop',
          }
        : answer,
  },
  {
    name: 'reasoning-only',
    row: 34,
    text: 'reasoning and then nothing, finish_reason stop',
    answer: (answer) => ({
      ...answer,
      reasoning: reasonOf(answer),
      content: '',
      calls: undefined,
      finishReason: 'stop',
    }),
  },
  {
    name: 'reasoning-field',
    row: 33,
    text: 'the reasoning comes as reasoning, not reasoning_content',
    answer: (answer) => ({ ...answer, reasoning: reasonOf(answer), reasoningField: 'reasoning' }),
  },
  {
    name: 'think-in-content',
    row: null,
    text: 'no reasoning parser: the content holds <think>...</think>',
    answer: (answer) => ({
      ...answer,
      reasoning: '',
      content: `<think>${reasonOf(answer)}</think>${answer.content ?? ''}`,
    }),
  },
  {
    name: 'no-finish',
    row: 5,
    text: 'finish_reason is null to the end',
    answer: finishing(null),
  },
  {
    name: 'absent-finish',
    row: 5,
    text: 'the field finish_reason is missing everywhere',
    answer: finishing(undefined),
  },
  {
    name: 'stop-token',
    row: 9,
    text: 'finish_reason stop_163586',
    answer: finishing('stop_163586'),
  },
  { name: 'abort', row: 10, text: 'finish_reason abort', answer: finishing('abort') },
  {
    name: 'network-error',
    row: 10,
    text: 'finish_reason network_error',
    answer: finishing('network_error'),
  },
  {
    name: 'foreign-finish',
    row: 11,
    text: 'finish_reason tool_use instead of tool_calls, end_turn instead of stop',
    answer: (answer) => ({
      ...answer,
      finishReason: hasCalls(answer) ? 'tool_use' : 'end_turn',
    }),
  },
  {
    name: 'length',
    row: null,
    text: 'output clamped: text is cut in half, calls are lost, finish_reason length',
    answer: (answer) => ({
      ...answer,
      content: (answer.content ?? '').slice(0, Math.ceil((answer.content ?? '').length / 2)),
      calls: undefined,
      finishReason: 'length',
    }),
  },
];
