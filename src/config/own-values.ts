import type { Problem } from '../model/errors.js';
import {
  allowed,
  type Reading,
  readBoolean,
  readChoice,
  readDuration,
  readInteger,
  readNumber,
  readText,
} from './values.js';
import type { OwnFlag } from './verb.js';

/**
 * The values of a verb's own flags, checked against their kinds. Reading one by a name or type that the verb does not
 * declare is a programming error and throws.
 */
export class OwnValues {
  readonly #flags: readonly OwnFlag[];
  readonly #values = new Map<string, readonly (string | number | boolean)[]>();

  /** What is wrong or missing is pushed to `problems`. */
  constructor(
    flags: readonly OwnFlag[],
    given: ReadonlyMap<string, readonly string[]>,
    problems: Problem[],
  ) {
    this.#flags = flags;
    for (const flag of flags) {
      const words = given.get(flag.name) ?? [];
      const where = `--${flag.name}`;
      if (flag.required === true && words.every((word) => word === '')) {
        const fix = `Give ${where} ${allowed(flag.kind)}.`;
        problems.push({ where, what: 'It is required and missing.', fix });
        continue;
      }
      const readings = words.filter((word) => word !== '').map((word) => read(word, flag.kind));
      for (const reading of readings) {
        if ('wrong' in reading) {
          const fix = reading.fix ?? `Give ${allowed(flag.kind)}.`;
          problems.push({ where, what: reading.wrong, fix });
        }
      }
      this.#values.set(
        flag.name,
        readings.flatMap((reading) => ('value' in reading ? [reading.value] : [])),
      );
    }
  }

  /** null when not given. */
  text(name: string): string | null {
    const value = this.#first(name, ['text', 'choice']);
    return typeof value === 'string' ? value : null;
  }

  /** Of a flag that may be repeated, in order. */
  texts(name: string): readonly string[] {
    this.#check(name, ['text']);
    return (this.#values.get(name) ?? []).filter((value) => typeof value === 'string');
  }

  /** null when not given; milliseconds of a duration. */
  number(name: string): number | null {
    const value = this.#first(name, ['integer', 'number', 'duration']);
    return typeof value === 'number' ? value : null;
  }

  /** false when not given. */
  boolean(name: string): boolean {
    return this.#first(name, ['boolean']) === true;
  }

  #first(name: string, types: readonly string[]): string | number | boolean | undefined {
    this.#check(name, types);
    return this.#values.get(name)?.[0];
  }

  #check(name: string, types: readonly string[]): void {
    const flag = this.#flags.find((own) => own.name === name);
    if (flag === undefined || !types.includes(flag.kind.type)) {
      throw new TypeError(`--${name} is not a flag of type ${types.join(' or ')}`);
    }
  }
}

function read(word: string, kind: OwnFlag['kind']): Reading<string | number | boolean> {
  switch (kind.type) {
    case 'text':
      return readText(word, kind);
    case 'integer':
      return readInteger(word, kind);
    case 'number':
      return readNumber(word, kind);
    case 'boolean':
      return readBoolean(word);
    case 'duration':
      return readDuration(word, kind);
    case 'choice':
      return readChoice(word, kind.values);
  }
}
