import { INPUTS, type Input, type InputName, type Kind } from './inputs.js';

/** One verb of the terminal: which inputs are its flags, and which flags it has of its own. */
export interface VerbSpec {
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** Inputs that are flags of this verb; output-dir always is. */
  readonly inputs: 'all' | readonly InputName[];
  readonly flags: readonly OwnFlag[];
  /** What --output-dir is to this verb, with its default, where the words about a run are not true of it. */
  readonly outputDir?: string;
  /** Required inputs that this verb can do without, since it sends nothing. */
  readonly dispensable?: readonly ('endpoint' | 'model' | 'datasets')[];
  /** Words without a flag; without this none are allowed. */
  readonly positionals?: {
    /** In the usage line: `DIR...`. */
    readonly name: string;
    readonly description: string;
    readonly min: number;
    readonly max: number;
  };
}

/** A flag that only one verb has. */
export interface OwnFlag {
  readonly name: string;
  readonly kind: Extract<
    Kind,
    { type: 'text' | 'integer' | 'number' | 'boolean' | 'duration' | 'choice' }
  >;
  readonly description: string;
  readonly required?: boolean;
  /** May be given several times; then read with `texts`. */
  readonly repeat?: boolean;
  /** In the help text. */
  readonly placeholder?: string;
}

/** The inputs that are flags of the verb. Secrets that must not stand on a command line never are. */
export function inputsOf(verb: VerbSpec): readonly Input[] {
  return INPUTS.filter(
    ({ name }) =>
      name !== 'api-key' &&
      name !== 'github-token' &&
      (verb.inputs === 'all' || name === 'output-dir' || verb.inputs.includes(name)),
  );
}
