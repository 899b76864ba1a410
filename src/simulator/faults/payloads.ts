import type { Json, JsonObject } from '../../model/json.js';
import { callId, nextCallIndex, type SimulatedCall } from '../calls.js';
import { isObject, type Prompt } from '../prompt.js';
import { accepts, sampleArguments } from '../sample-arguments.js';
import { editArguments, editCalls, type Fault, hasCalls } from './fault.js';

/** Calls that are valid and yet not the official ones. Answers without calls are left alone. */
export const PAYLOAD_FAULTS: readonly Fault[] = [
  {
    name: 'other-tool',
    row: null,
    text: 'another of the offered tools is called, with arguments that its schema accepts',
    answer: editCalls((call, { prompt }) => otherTool(call, prompt)),
  },
  {
    name: 'other-arguments',
    row: null,
    text: "other arguments than the official ones, which the tool's schema accepts as well",
    answer: editArguments((args, call, { prompt }) => otherArguments(args, call, prompt)),
  },
  {
    name: 'calls-twice',
    row: null,
    text: 'every tool call is made twice',
    answer(answer, { prompt }) {
      if (!hasCalls(answer)) return answer;
      const first = nextCallIndex(prompt);
      const calls = answer.calls.flatMap((call) => [call, call]);
      return {
        ...answer,
        calls: calls.map((call, at) => ({ ...call, id: callId(call.name, first + at) })),
      };
    },
  },
];

/** The next tool on offer that arguments can be made up for; the call itself when there is no other. */
function otherTool(call: SimulatedCall, { tools }: Prompt): SimulatedCall {
  const at = tools.findIndex(({ name }) => name === call.name);
  for (const tool of [...tools.slice(at + 1), ...tools.slice(0, Math.max(0, at))]) {
    const sampled = tool.name === call.name ? null : sampleArguments(tool.parameters);
    if (sampled === null) continue;
    const id = callId(tool.name, Number(/\d+$/.exec(call.id)?.[0] ?? 0));
    return { id, name: tool.name, arguments: JSON.stringify(sampled) };
  }
  return call;
}

/** The first change of a single argument that the schema accepts; the arguments themselves when it accepts none. */
function otherArguments(args: string, call: SimulatedCall, { tools }: Prompt): string {
  const schema = tools.find(({ name }) => name === call.name)?.parameters;
  const value = parsed(args);
  if (!isObject(schema) || value === null) return args;
  const before = JSON.stringify(value);
  for (const changed of changesOf(value, isObject(schema.properties) ? schema.properties : {})) {
    const text = JSON.stringify(changed);
    if (text !== before && accepts(schema, changed)) return text;
  }
  return args;
}

/** Another value for an argument, one argument more, one argument less; some may be no change at all. */
function* changesOf(value: JsonObject, properties: JsonObject): Iterable<JsonObject> {
  for (const [key, argument] of Object.entries(value)) {
    for (const other of otherValues(argument, properties[key])) yield { ...value, [key]: other };
  }
  for (const [key, property] of Object.entries(properties)) {
    if (Object.hasOwn(value, key)) continue;
    const one = { type: 'object', properties: { [key]: property }, required: [key] };
    yield { ...value, ...sampleArguments(one) };
  }
  for (const key of Object.keys(value)) {
    yield Object.fromEntries(Object.entries(value).filter(([other]) => other !== key));
  }
  // Where the schema is open.
  yield { ...value, other: 'sample' };
}

function* otherValues(argument: Json, property: Json | undefined): Iterable<Json> {
  const known = isObject(property) && Array.isArray(property.enum) ? property.enum : [];
  yield* known;
  if (typeof argument === 'string') yield* [`${argument} instead`, `${argument}0`, 'other'];
  if (typeof argument === 'number') yield* [argument + 1, argument - 1];
  if (typeof argument === 'boolean') yield !argument;
  if (Array.isArray(argument)) yield* [argument.slice(0, -1), [...argument, ...argument]];
  if (isObject(argument)) {
    for (const [key, inner] of Object.entries(argument)) {
      for (const other of otherValues(inner, undefined)) yield { ...argument, [key]: other };
    }
  }
}

function parsed(args: string): JsonObject | null {
  try {
    const value = JSON.parse(args) as Json;
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
