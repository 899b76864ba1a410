import { examine } from '../../src/benchmarks/k2-verifier/history.js';
import type { RequestPlan } from '../../src/benchmarks/k2-verifier/request.js';
import { type Field, fieldsOf, parseRow } from '../../src/benchmarks/k2-verifier/rows.js';
import type { Payload, Sample } from '../../src/benchmarks/k2-verifier/sample.js';
import type { RequestSettings } from '../../src/model/benchmark.js';
import type { Completion, Exchange, ToolCall } from '../../src/model/completion.js';
import type { Observation } from '../../src/model/observation.js';

export const SETTINGS: RequestSettings = {
  model: 'm',
  temperature: null,
  maxTokens: null,
  stream: true,
  thinking: 'default',
  thinkingStyle: 'kimi',
  extraBody: {},
};

export const PLAN: RequestPlan = {
  model: 'm',
  temperature: null,
  maxTokens: null,
  stream: true,
  extraBody: {},
  thinking: null,
  sanitize: true,
  functionIds: false,
  toolStrict: false,
};

export function fieldsAndFindings(line: string): {
  fields: Field[];
  findings: ReturnType<typeof examine>;
} {
  const row = parseRow(line);
  return { fields: fieldsOf(line, row), findings: examine(row.messages) };
}

const TOOLS = JSON.stringify([
  {
    type: 'function',
    function: {
      name: 'search',
      parameters: {
        type: 'object',
        properties: { q: { type: 'string' } },
        required: ['q'],
        additionalProperties: false,
      },
    },
  },
  { type: 'function', function: { name: 'bare' } },
]);

export function sampleOf(triggered: boolean, rest: Partial<Sample> = {}): Sample {
  return {
    id: '1',
    body: '{}',
    asText: null,
    tools: TOOLS,
    official: {
      triggered,
      finishReason: triggered ? 'tool_calls' : 'stop',
      calls: triggered ? [{ name: 'search', arguments: '{"q":"official"}' }] : [],
      content: null,
    },
    changes: [],
    prompt: 'the prompt',
    ...rest,
  };
}

export function callOf(name: string, args: ToolCall['arguments']): ToolCall {
  return { id: `functions.${name}:0`, type: 'function', name, arguments: args };
}

export const GOOD_CALL = callOf('search', '{"q":"x"}');

export function completionOf(finishReason: string, rest: Partial<Completion> = {}): Completion {
  return {
    id: 'c-1',
    created: 1_700_000_000,
    model: 'm',
    provider: null,
    fingerprint: null,
    finishReason,
    content: 'text',
    reasoning: null,
    toolCalls: null,
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    ...rest,
  };
}

export const EXCHANGE: Exchange = {
  status: 200,
  attempts: 1,
  firstTokenMs: 5,
  totalMs: 20,
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  warnings: [],
  headers: {},
  served: null,
  inFlight: 1,
};

const FRAME = {
  id: '1',
  attempt: 1,
  startedAt: Date.UTC(2026, 0, 2, 3, 4, 5),
  durationMs: 1500,
  exchanges: [EXCHANGE],
};

export function measured(
  payload: Payload,
  rest: Partial<Omit<Observation<Payload>, 'kind'>> = {},
): Observation<Payload> {
  return { kind: 'measured', payload, ...FRAME, ...rest };
}

export function completed(
  finishReason: string,
  rest: Partial<Completion> = {},
): Observation<Payload> {
  return measured({ kind: 'completion', completion: completionOf(finishReason, rest) });
}
