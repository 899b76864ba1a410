import type { ActionValue } from '../action.js';

/** A parameter of a Python function; `fallback` where it may be left out. */
export interface Parameter {
  readonly name: string;
  readonly fallback?: ActionValue;
}

/** A Python function without starred parameters. */
export interface Signature {
  readonly name: string;
  readonly parameters: readonly Parameter[];
}

interface Arguments {
  readonly positional: readonly ActionValue[];
  readonly keywords: readonly (readonly [string, ActionValue])[];
}

/**
 * Gives a value to each parameter as CPython 3.11 would.
 * @returns values in the order of the parameters, or `TypeError: …` with Python's own words
 */
export function callPython(
  { name, parameters }: Signature,
  { positional, keywords }: Arguments,
): readonly ActionValue[] | string {
  const values: (ActionValue | undefined)[] = parameters.map((_, place) => positional[place]);
  for (const [key, value] of keywords) {
    const place = parameters.findIndex((parameter) => parameter.name === key);
    if (place === -1) return `TypeError: ${name}() got an unexpected keyword argument '${key}'`;
    if (values[place] !== undefined) {
      return `TypeError: ${name}() got multiple values for argument '${key}'`;
    }
    values[place] = value;
  }
  if (positional.length > parameters.length) {
    return `TypeError: ${name}() takes ${taken(parameters)} but ${positional.length} were given`;
  }
  const filled = parameters.map(({ fallback }, place) => values[place] ?? fallback);
  const missing = parameters.filter((_, place) => filled[place] === undefined);
  if (missing.length === 0) return filled.filter((value) => value !== undefined);
  const plural = missing.length === 1 ? '' : 's';
  return (
    `TypeError: ${name}() missing ${missing.length} required positional argument${plural}: ` +
    listed(missing.map((parameter) => `'${parameter.name}'`))
  );
}

function taken(parameters: readonly Parameter[]): string {
  const most = parameters.length;
  const least = parameters.filter(({ fallback }) => fallback === undefined).length;
  if (least < most) return `from ${least} to ${most} positional arguments`;
  return `${most} positional argument${most === 1 ? '' : 's'}`;
}

/** "'x'", "'x' and 'y'", "'x', 'y', and 'z'". */
function listed(names: readonly string[]): string {
  if (names.length <= 2) return names.join(' and ');
  return `${names.slice(0, -1).join(', ')}, and ${names.at(-1)}`;
}
