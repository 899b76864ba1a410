import type { Json, JsonObject } from '../../model/json.js';
import { callId, nextCallIndex, type SimulatedCall } from '../calls.js';
import { calledTools, isObject, type Prompt } from '../prompt.js';
import { editArguments, editCalls, type Fault } from './fault.js';

/** Calls whose id, name or arguments are wrong. Answers without calls are left alone. */
export const ARGUMENT_FAULTS: readonly Fault[] = [
  {
    name: 'cut-arguments',
    row: 4,
    text: 'the arguments are cut off, finish_reason is still tool_calls',
    answer: editArguments((args, _call, { chance }) =>
      // At least one character goes, the closing brace, so what is left is never JSON.
      args.trimEnd().slice(0, Math.max(1, Math.floor(args.trimEnd().length * chance))),
    ),
  },
  {
    name: 'arguments-twice',
    row: 28,
    text: 'the whole arguments are sent twice',
    answer: editArguments((args) => args + args),
  },
  {
    name: 'arguments-object',
    row: 29,
    text: 'the arguments are an object, not a string',
    answer: editArguments((args) => parsed(args) ?? args),
  },
  {
    name: 'empty-arguments',
    row: 30,
    text: 'the arguments are an empty string',
    answer: editArguments(() => ''),
  },
  {
    name: 'null-arguments',
    row: 30,
    text: 'the arguments are null',
    answer: editArguments(() => null),
  },
  {
    name: 'double-encoded',
    row: 31,
    text: 'the arguments are the JSON text of a JSON text',
    answer: editArguments((args) => JSON.stringify(args)),
  },
  {
    name: 'schema-violation',
    row: null,
    text: "arguments the tool's schema does not accept: a required one is missing, or one of the wrong type",
    answer: editArguments((args, call, { prompt }) => violation(args, call, prompt)),
  },
  {
    name: 'non-finite',
    row: null,
    text: 'the arguments hold NaN, which is not JSON',
    answer: editArguments((args) => withFirst(args, '"simulated_number": NaN')),
  },
  {
    name: 'duplicate-keys',
    row: null,
    text: 'the first argument is there twice, first as null',
    answer: editArguments((args) => {
      const [key] = Object.keys(parsed(args) ?? {});
      return key === undefined ? args : withFirst(args, `${JSON.stringify(key)}: null`);
    }),
  },
  {
    name: 'unknown-tool',
    row: 36,
    text: 'a tool that was not offered is called: one of the history where there is one',
    answer: editCalls((call, { prompt }) => {
      const name = unofferedTool(prompt) ?? `${call.name}_v2`;
      return { ...call, name, id: callId(name, nextCallIndex(prompt)) };
    }),
  },
  {
    name: 'foreign-ids',
    row: 35,
    text: 'ids of calls are not of the form functions.NAME:IDX',
    answer: editCalls((call, { prompt }) => ({
      ...call,
      id: `call_${prompt.digest.replace(/\W/g, '0')}${call.id.match(/\d+$/)?.[0] ?? ''}`,
    })),
  },
];

function parsed(args: string): JsonObject | null {
  try {
    const value = JSON.parse(args) as Json;
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The text of an object with one more member in front; the others are left as they stand. */
function withFirst(args: string, member: string): string {
  const empty = /^\s*\{\s*\}\s*$/.test(args);
  return args.replace(/^\s*\{/, `{${member}${empty ? '' : ', '}`);
}

function violation(args: string, call: SimulatedCall, prompt: Prompt): string {
  const schema = prompt.tools.find((tool) => tool.name === call.name)?.parameters;
  const value = parsed(args);
  if (!isObject(schema) || value === null) return args;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const missing = required.find((key) => typeof key === 'string' && key in value);
  if (missing !== undefined) {
    return JSON.stringify(Object.fromEntries(Object.entries(value).filter(([k]) => k !== missing)));
  }
  const properties = isObject(schema.properties) ? schema.properties : {};
  for (const [key, property] of Object.entries(properties)) {
    if (!isObject(property) || typeof property.type !== 'string') continue;
    return JSON.stringify({ ...value, [key]: property.type === 'array' ? 'wrong' : ['wrong'] });
  }
  return JSON.stringify([value]);
}

function unofferedTool(prompt: Prompt): string | undefined {
  const offered = new Set(prompt.tools.map((tool) => tool.name));
  return prompt.messages.flatMap(calledTools).find((name) => name !== '' && !offered.has(name));
}
