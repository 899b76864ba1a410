import type { Problem } from '../model/errors.js';
import { nearest } from '../text/nearest.js';
import { CARRIED_OVER } from './carried-over.js';
import { INPUTS, type Input } from './inputs.js';
import { OwnValues } from './own-values.js';
import { show, showName } from './values.js';
import { inputsOf, type VerbSpec } from './verb.js';

/** A command line, read as far as it could be. */
export interface Flags {
  /** --help or -h was given; then nothing else counts and there are no problems. */
  readonly help: boolean;
  /** By input name, for parseConfig. */
  readonly values: Readonly<Record<string, string>>;
  /** --set, in order. */
  readonly sets: readonly string[];
  readonly own: OwnValues;
  readonly positionals: readonly string[];
  /** To be handed to parseConfig, which reports them together with its own, or to be thrown as a ConfigError. */
  readonly problems: readonly Problem[];
}

/** What an option fills. */
type Target =
  | { readonly to: 'set' }
  | {
      readonly to: 'input' | 'own';
      readonly name: string;
      /** A switch is true without a word; a list takes all words up to the next option. */
      readonly takes: 'word' | 'list' | 'switch' | 'nothing';
      readonly repeat: boolean;
    };

/**
 * Reads the words after the verb: `--name value`, `--name=value`, `--switch`, `--no-switch`, and `--` before words that
 * only look like options. Never repeats a value that could be a key.
 */
export function parseFlags(argv: readonly string[], verb: VerbSpec): Flags {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  if (words.includes('--help') || words.includes('-h')) return HELP;
  const line = new CommandLine(verb);
  for (let at = 0; at < words.length; ) at = line.step(words, at);
  return line.finish(end < 0 ? [] : argv.slice(end + 1));
}

const HELP: Flags = {
  help: true,
  values: {},
  sets: [],
  own: new OwnValues([], new Map(), []),
  positionals: [],
  problems: [],
};

/** Whether a word starts an option; `-5`, `-` and the `- name` of a YAML list are values. */
function isOption(word: string): boolean {
  return /^--?[A-Za-z]/.test(word);
}

class CommandLine {
  readonly #verb: VerbSpec;
  readonly #inputs: readonly Input[];
  readonly #values: Record<string, string> = {};
  readonly #sets: string[] = [];
  readonly #own = new Map<string, string[]>();
  readonly #positionals: string[] = [];
  readonly #problems: Problem[] = [];
  /** The option that filled an input, to tell when another one fills it again. */
  readonly #filledBy = new Map<string, string>();

  constructor(verb: VerbSpec) {
    this.#verb = verb;
    this.#inputs = inputsOf(verb);
  }

  /** Reads the option or word at `at`; returns where the next one starts. */
  step(words: readonly string[], at: number): number {
    const word = words[at] ?? '';
    if (!isOption(word)) {
      this.#positionals.push(word);
      return at + 1;
    }
    const equals = word.indexOf('=');
    const flag = equals < 0 ? word : word.slice(0, equals);
    const target = this.#targetOf(flag);
    const stop = words.findIndex((later, index) => index > at && isOption(later));
    const following = words.slice(at + 1, stop < 0 ? undefined : stop);
    const values = equals < 0 ? taken(target, following) : [word.slice(equals + 1)];
    if (target !== null) this.#fill(flag, target, values);
    return at + 1 + (equals < 0 ? values.length : 0);
  }

  finish(rest: readonly string[]): Flags {
    this.#positionals.push(...rest);
    this.#checkPositionals();
    const own = new OwnValues(this.#verb.flags, this.#own, this.#problems);
    return {
      help: false,
      values: this.#values,
      sets: this.#sets,
      own,
      positionals: this.#positionals,
      problems: this.#problems,
    };
  }

  #targetOf(flag: string): Target | null {
    const name = flag.replace(/^--?/, '');
    if (flag.startsWith('--')) {
      if (name === 'set' && this.#takesSets()) return { to: 'set' };
      const target = this.#named(name) ?? this.#negated(name);
      if (target !== null) return target;
    }
    const where = showName(flag);
    this.#problems.push({ where, ...this.#unknown(flag, name) });
    return null;
  }

  #takesSets(): boolean {
    return this.#inputs.some((input) => input.name === 'datasets');
  }

  #named(name: string): Target | null {
    const own = this.#verb.flags.find((flag) => flag.name === name);
    if (own !== undefined) {
      const takes = own.kind.type === 'boolean' ? 'switch' : 'word';
      return { to: 'own', name, takes, repeat: own.repeat === true };
    }
    const carried = CARRIED_OVER[name];
    const meant = name === 'output' ? 'output-dir' : name;
    const wanted = carried !== undefined && 'to' in carried ? carried.to : meant;
    const input = this.#inputs.find((candidate) => candidate.name === wanted);
    if (input === undefined) return null;
    const { type } = input.kind;
    const list = type === 'datasets' || type === 'choices' || type === 'gates';
    const takes = list ? 'list' : type === 'boolean' ? 'switch' : 'word';
    return { to: 'input', name: input.name, takes, repeat: list };
  }

  /** `--no-stream`. */
  #negated(name: string): Target | null {
    const target = name.startsWith('no-') ? this.#named(name.slice('no-'.length)) : null;
    if (target === null || target.to === 'set' || target.takes !== 'switch') return null;
    return { ...target, takes: 'nothing' };
  }

  #unknown(flag: string, name: string): { readonly what: string; readonly fix: string } {
    const help = `See ${this.#verb.name} --help.`;
    if (!flag.startsWith('--')) {
      return { what: 'There is no such option.', fix: `Options start with two hyphens. ${help}` };
    }
    if (name.startsWith('no-') && this.#named(name.slice('no-'.length)) !== null) {
      return {
        what: 'Only a switch can be turned off so.',
        fix: `Leave --${name.slice('no-'.length)} out.`,
      };
    }
    const own = [...this.#verb.flags, ...this.#inputs].map((candidate) => candidate.name);
    const known = [...own, ...(this.#takesSets() ? ['set'] : []), 'output', 'help', 'api-key'];
    const near = nearest(name, known);
    // A key must be answered as a key however it is spelt.
    for (const word of [name.replaceAll('_', '-'), near === 'api-key' ? near : '']) {
      const carried = CARRIED_OVER[word];
      if (carried !== undefined && 'what' in carried) return carried;
    }
    if (INPUTS.some((input) => input.name === name)) {
      return { what: `The verb ${this.#verb.name} has no use for it.`, fix: 'Remove it.' };
    }
    const fix = near === null ? help : `Did you mean --${near}?`;
    return { what: 'There is no such option.', fix };
  }

  #fill(flag: string, target: Target, words: readonly string[]): void {
    if (target.to === 'set') {
      this.#sets.push(...words);
      if (words.length === 0) this.#missing(flag);
      return;
    }
    const { name, takes } = target;
    const earlier = this.#filledBy.get(name);
    this.#filledBy.set(name, flag);
    if (earlier !== undefined && !target.repeat) {
      const what = earlier === flag ? 'It is given twice.' : `It says the same as ${earlier}.`;
      this.#problems.push({ where: flag, what, fix: 'Give it once.' });
    } else if (takes === 'nothing' && words.length > 0) {
      const fix = `Write ${flag} alone, or --${name}=false.`;
      this.#problems.push({ where: flag, what: 'It takes no value.', fix });
    } else if (words.length > 0) {
      this.#store(target.to, name, words);
    } else if (takes === 'switch' || takes === 'nothing') {
      this.#store(target.to, name, [String(takes === 'switch')]);
    } else {
      this.#missing(flag);
    }
  }

  #missing(flag: string): void {
    const fix = `Write ${flag} VALUE, or ${flag}=VALUE when the value starts with a hyphen.`;
    this.#problems.push({ where: flag, what: 'Its value is missing.', fix });
  }

  #store(to: 'input' | 'own', name: string, words: readonly string[]): void {
    if (to === 'own') {
      this.#own.set(name, [...(this.#own.get(name) ?? []), ...words]);
    } else {
      const before = this.#values[name];
      this.#values[name] = [...(before === undefined ? [] : [before]), ...words].join('\n');
    }
  }

  #checkPositionals(): void {
    const { name, positionals } = this.#verb;
    const extra = this.#positionals[positionals?.max ?? 0];
    const fix = `See ${name} --help.`;
    if (extra !== undefined) {
      const what = 'This word belongs to no option.';
      // As EvalScope takes lists: `--set a.b=1 a.c=2`.
      const isSet = this.#sets.length > 0 && /^[^=\s]+=/.test(extra);
      this.#problems.push({
        where: show(extra),
        what,
        fix: isSet ? 'Repeat --set before it.' : fix,
      });
    } else if (positionals !== undefined && this.#positionals.length < positionals.min) {
      const what = `The verb ${name} needs ${positionals.name}.`;
      this.#problems.push({ where: name, what, fix });
    }
  }
}

/**
 * The words that an option takes of those that follow it. An unknown one takes all of them: they may be a key, and
 * must not be named as words that belong nowhere.
 */
function taken(target: Target | null, following: readonly string[]): readonly string[] {
  if (target === null) return following;
  const takes = target.to === 'set' ? 'word' : target.takes;
  switch (takes) {
    case 'list':
      return following;
    case 'word':
      return following.slice(0, 1);
    case 'switch':
      return following.slice(0, /^(true|false)$/i.test(following[0] ?? '') ? 1 : 0);
    case 'nothing':
      return [];
  }
}
