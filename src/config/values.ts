import type { JsonObject } from '../model/json.js';
import { nearest } from '../text/nearest.js';
import type { Kind } from './inputs.js';
import { readYaml } from './yaml-text.js';

/** A value of its kind, or what is wrong with it; `fix` where the usual one (what the kind allows) is not enough. */
export type Reading<T> = { readonly value: T } | { readonly wrong: string; readonly fix?: string };

type KindOf<Type extends Kind['type']> = Extract<Kind, { type: Type }>;

/** A value from outside as messages show it: quoted, on one line, invisible characters named, cut. Never for secrets. */
export function show(raw: unknown): string {
  const text = (JSON.stringify(raw) ?? String(raw)).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
  return text.length > 80 ? `${text.slice(0, 77).replace(/[\ud800-\udbff]$/, '')}...` : text;
}

/** A name from outside: as it is when it looks like one of ours, else as `show` has it. */
export function showName(name: string): string {
  return /^[\w./-]{1,60}$/.test(name) ? name : show(name);
}

/** Whole plain digits only: what looks like a number in one language is a string in another. */
export function readInteger(raw: unknown, kind: KindOf<'integer'>): Reading<number> {
  return readNumeric(raw, kind, /^-?(0|[1-9]\d*)$/, 'a whole number');
}

export function readNumber(raw: unknown, kind: KindOf<'number'>): Reading<number> {
  return readNumeric(raw, kind, /^-?(0|[1-9]\d*)(\.\d+)?$/, 'a plain number');
}

function readNumeric(
  raw: unknown,
  kind: { readonly min: number; readonly max: number },
  pattern: RegExp,
  noun: string,
): Reading<number> {
  // A number of a YAML file was read by YAML's own rules; String() of one that is not plain fails the pattern too.
  const text = typeof raw === 'number' ? String(raw) : raw;
  if (typeof text !== 'string' || !pattern.test(text))
    return { wrong: `${show(raw)} is not ${noun}.` };
  const value = Number(text) + 0;
  if (value < kind.min) return { wrong: `${show(raw)} is too small.` };
  if (value > kind.max) return { wrong: `${show(raw)} is too large.` };
  return { value: Object.is(value, -0) ? 0 : value };
}

/** YAML 1.2's booleans, as @actions/core's getBooleanInput takes them. */
export function readBoolean(raw: unknown): Reading<boolean> {
  if (raw === true || raw === 'true' || raw === 'True' || raw === 'TRUE') return { value: true };
  if (raw === false || raw === 'false' || raw === 'False' || raw === 'FALSE') {
    return { value: false };
  }
  return { wrong: `${show(raw)} is neither true nor false.` };
}

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000 } as const;

/** Milliseconds. */
export function readDuration(raw: unknown, kind: KindOf<'duration'>): Reading<number> {
  const text = typeof raw === 'number' ? String(raw) : raw;
  const match = typeof text === 'string' ? /^(\d+)([smh]?)$/.exec(text) : null;
  if (match === null) return { wrong: `${show(raw)} is not a duration.` };
  const count = Number(match[1]);
  if (count === 0) return kind.zero ? { value: 0 } : { wrong: `${show(raw)} is too short.` };
  const unit = match[2];
  if (unit !== 's' && unit !== 'm' && unit !== 'h') return { wrong: `${show(raw)} has no unit.` };
  const value = count * UNIT_MS[unit];
  if (value > kind.maxHours * UNIT_MS.h) return { wrong: `${show(raw)} is too long.` };
  return { value };
}

export function readChoice<const T extends string>(raw: unknown, values: readonly T[]): Reading<T> {
  const found = values.find((value) => value === raw);
  if (found !== undefined) return { value: found };
  const near = typeof raw === 'string' ? nearest(raw, values) : null;
  const guess = near === null ? '' : ` Did you mean ${near}?`;
  return { wrong: `${show(raw)} is not one of its values.${guess}` };
}

/** A list of words, separated by commas or white space, or a YAML list. `never` alone, or an empty YAML list: none. */
export function readChoices<const T extends string>(
  raw: unknown,
  values: readonly T[],
): Reading<readonly T[]> {
  if (raw === 'never') return { value: [] };
  const listed = typeof raw === 'string' && raw.trimStart().startsWith('[') ? readYaml(raw) : null;
  const list = listed !== null && 'value' in listed ? listed.value : raw;
  const words = typeof list === 'string' ? list.split(/[\s,]+/).filter(Boolean) : list;
  if (!Array.isArray(words)) return { wrong: `${show(raw)} is not a list.` };
  const chosen = new Set<T>();
  for (const word of words) {
    if (word === 'never') return { wrong: 'never stands together with other words.' };
    const reading = readChoice(word, values);
    if ('wrong' in reading) return reading;
    chosen.add(reading.value);
  }
  return { value: [...chosen] };
}

/** A confidence level in [0.5, 1). Below a half it is most likely an error probability. */
export function readLevel(raw: unknown): Reading<number> {
  const text = typeof raw === 'number' ? String(raw) : raw;
  const match = typeof text === 'string' ? /^((?:0|[1-9]\d*)(?:\.\d+)?) ?(%?)$/.exec(text) : null;
  if (match === null) return { wrong: `${show(raw)} is not a level.` };
  const digits = Number(match[1]);
  // By the exponent: 99.9 / 100 is 0.9990000000000001.
  const value = match[2] === '%' ? Number(`${match[1]}e-2`) : digits;
  if (value >= 0.5 && value < 1) return { value };
  if (match[2] === '' && digits >= 50 && digits < 100) {
    return { wrong: `${show(raw)} is not below 1. Did you mean ${digits}%?` };
  }
  if (value > 0 && value < 0.5) {
    const other = Number((1 - value).toFixed(10));
    return {
      wrong: `${show(raw)} is below 0.5; the level is not the error probability. Did you mean ${other}?`,
    };
  }
  return { wrong: `${show(raw)} is ${value < 0.5 ? 'too small' : 'too large'}.` };
}

/** Text on one line. */
export function readText(raw: unknown, kind: KindOf<'text'>): Reading<string> {
  if (typeof raw === 'number' || typeof raw === 'boolean') {
    // 4.10 in a YAML file is the number 4.1: what was written is already lost.
    return { wrong: `${show(raw)} is not text to YAML.`, fix: 'Put it in quotes.' };
  }
  if (typeof raw !== 'string') return { wrong: `${show(raw)} is not text.` };
  if (/\p{Cc}/u.test(raw))
    return { wrong: `${show(raw)} holds a line break or another control character.` };
  if (kind.pattern && !kind.pattern.test(raw)) return { wrong: `${show(raw)} cannot be used.` };
  return { value: raw };
}

/** A JSON or YAML mapping. With `secret`, messages never repeat any of it. */
export function readMapping(raw: unknown, secret: boolean): Reading<JsonObject> {
  let value = raw;
  if (typeof raw === 'string') {
    const parsed = readYaml(raw, { secret });
    if ('wrong' in parsed) return { wrong: `It is ${parsed.wrong}.` };
    value = parsed.value;
  }
  if (isMapping(value)) return { value };
  return { wrong: secret ? 'It is not a mapping.' : `${show(raw)} is not a mapping.` };
}

/** Of a value that came out of readYaml or JSON. */
export function isMapping(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a kind allows, to follow 'Give '. The help text and the tables use it too. */
export function allowed(kind: Kind): string {
  switch (kind.type) {
    case 'text':
      return kind.words ?? 'text on one line';
    case 'integer':
      return `a whole number from ${kind.min} to ${kind.max}, in plain digits`;
    case 'number':
      return `a number from ${kind.min} to ${kind.max}, in plain digits such as 0.7`;
    case 'boolean':
      return 'true or false';
    case 'duration':
      return `a duration such as 600s, 10m or 2h${kind.zero ? ', or 0' : ''}; at most ${kind.maxHours}h`;
    case 'choice':
      return `one of ${kind.values.join(', ')}`;
    case 'choices':
      return `some of ${kind.values.join(', ')}, or never`;
    case 'level':
      return 'a level from 0.5 to below 1, such as 0.95 or 95%';
    case 'mapping':
      return 'a JSON or YAML mapping, such as {"name": "value"}';
    case 'gates':
      return 'gates, one a line, such as schema_accuracy >= 95%';
    case 'datasets':
      return 'names of benchmarks, or a YAML mapping of names to options';
  }
}

/** Paths, one a line or separated by spaces; with several lines, and in a list, a path may hold a space. */
export function readPaths(raw: unknown): Reading<readonly string[]> {
  const isList = Array.isArray(raw) && raw.every((path) => typeof path === 'string');
  if (!isList && typeof raw !== 'string')
    return { wrong: 'It is neither text nor a list of paths.' };
  const paths: readonly string[] = isList ? raw : raw.split(raw.includes('\n') ? '\n' : /\s+/);
  return { value: paths.map((path) => path.trim()).filter((path) => path !== '') };
}
