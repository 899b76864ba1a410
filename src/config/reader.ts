import type { Problem } from '../model/errors.js';
import type { JsonObject } from '../model/json.js';
import type { Given } from './given.js';
import { type InputName, inputNamed, type Kind } from './inputs.js';
import {
  allowed,
  type Reading,
  readBoolean,
  readChoice,
  readChoices,
  readDuration,
  readInteger,
  readLevel,
  readMapping,
  readNumber,
  readText,
} from './values.js';

/**
 * Reads inputs by name and kind: what was given, else the table's default. What is wrong goes to `problems`, and a
 * stand-in of the right type comes back, so that reading goes on and finds the other problems too.
 */
export class Reader {
  readonly #given: ReadonlyMap<string, Given>;
  readonly problems: Problem[];

  constructor(given: ReadonlyMap<string, Given>, problems: Problem[]) {
    this.#given = given;
    this.problems = problems;
  }

  given(name: InputName): Given | null {
    return this.#given.get(name) ?? null;
  }

  where(name: InputName): string {
    return this.#given.get(name)?.where ?? name;
  }

  /** null when neither given nor defaulted, or when wrong. */
  with<T>(name: InputName, read: (raw: unknown) => Reading<T>): T | null {
    const row = inputNamed(name);
    const raw = this.#given.get(name)?.raw ?? row.default;
    if (raw === null) return null;
    const reading = read(raw);
    if ('value' in reading) return reading.value;
    const fix = reading.fix ?? `Give ${allowed(row.kind)}.`;
    this.problems.push({ where: this.where(name), what: reading.wrong, fix });
    return null;
  }

  text(name: InputName): string | null {
    const kind = kindOf(name, 'text');
    return this.with(name, (raw) => readText(raw, kind));
  }

  /** As given, without a default and never shown. */
  secret(name: InputName): string | null {
    const raw = this.#given.get(name)?.raw;
    return typeof raw === 'string' ? raw : null;
  }

  integer(name: InputName): number | null {
    const kind = kindOf(name, 'integer');
    return this.with(name, (raw) => readInteger(raw, kind));
  }

  number(name: InputName): number | null {
    const kind = kindOf(name, 'number');
    return this.with(name, (raw) => readNumber(raw, kind));
  }

  /** Milliseconds. */
  duration(name: InputName): number {
    const kind = kindOf(name, 'duration');
    return this.with(name, (raw) => readDuration(raw, kind)) ?? 0;
  }

  boolean(name: InputName): boolean {
    return this.with(name, readBoolean) ?? false;
  }

  level(name: InputName): number {
    return this.with(name, readLevel) ?? 0.95;
  }

  choiceOrNull<const T extends string>(name: InputName, values: readonly T[]): T | null {
    return this.with(name, (raw) => readChoice(raw, values));
  }

  choice<const T extends string>(name: InputName, values: readonly [T, ...T[]]): T {
    return this.choiceOrNull(name, values) ?? values[0];
  }

  choices<const T extends string>(name: InputName, values: readonly T[]): readonly T[] {
    return this.with(name, (raw) => readChoices(raw, values)) ?? [];
  }

  mapping(name: InputName): JsonObject {
    const { secret } = inputNamed(name);
    return this.with(name, (raw) => readMapping(raw, secret)) ?? {};
  }
}

function kindOf<Type extends Kind['type']>(
  name: InputName,
  type: Type,
): Extract<Kind, { type: Type }> {
  const { kind } = inputNamed(name);
  if (kind.type !== type) throw new TypeError(`${name} is not of kind ${type}`);
  return kind as Extract<Kind, { type: Type }>;
}
