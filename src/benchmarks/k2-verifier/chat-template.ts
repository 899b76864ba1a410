import * as jinja from '@huggingface/jinja';
import { TemplateValues } from './chat-template-values.js';

/** A template that cannot be read, or that fails on a row. The message completes 'the template fails: ...'. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

/** What makes a prompt of a row. */
export interface Conversation {
  /** JSON text of the list. */
  readonly messages: string;
  /** JSON text of the list; null without any. */
  readonly tools: string | null;
  /** null: the template is not told, and does what it does by itself. */
  readonly thinking: boolean | null;
}

/** A model's chat template. */
export interface ChatTemplate {
  /** Pure. @throws TemplateError when the template raises, cannot go on, or renders nothing. */
  render(conversation: Conversation): string;
}

/** Where a template stands in a file, and the tokens that it may name. */
export interface TemplateSource {
  readonly text: string;
  /** Used in place of `text` where tools are offered; null when the file has but one. */
  readonly forTools: string | null;
  /** null: not known. */
  readonly bosToken: string | null;
  readonly eosToken: string | null;
  /** What `strftime_now` gives, milliseconds since the epoch. */
  readonly now: number;
}

/** A conversation of 300 messages takes about 25,000; so many take some ten seconds where loops are nested. */
const MAX_STEPS = 300_000;
const MAX_MESSAGE = 300;

/**
 * Reads a template as the transformers library of Hugging Face would: Jinja with `trim_blocks` and `lstrip_blocks`,
 * with `raise_exception`, `strftime_now`, `namespace`, `tojson`. Jinja has no endless loops, but nested ones can take
 * for ever: a rendering is given up after `maxSteps` steps, which are evaluations and the numbers of ranges.
 *
 * @throws TemplateError
 */
export function chatTemplate(source: TemplateSource, maxSteps = MAX_STEPS): ChatTemplate {
  const usual = programOf(source.text);
  const forTools = source.forTools === null ? usual : programOf(source.forTools);
  return {
    render(conversation) {
      const { messages, tools } = conversation;
      const values = new TemplateValues([messages, tools ?? '']);
      const steps = new Steps(maxSteps);
      const scope = scopeOf(source, values, conversation, steps);
      const rendered = values.restore(run(tools === null ? usual : forTools, scope, steps));
      if (rendered.trim() === '') throw new TemplateError('it renders nothing');
      return rendered;
    },
  };
}

/** The parts of the library that are used; its own types name files in a way that TypeScript does not follow here. */
interface Jinja {
  tokenize(text: string, options: { trim_blocks: boolean; lstrip_blocks: boolean }): Tokens;
  parse(tokens: Tokens): Program;
  readonly Environment: new () => Scope;
  readonly Interpreter: new (
    scope: Scope,
  ) => {
    run(program: Program): { readonly value: unknown };
    /** Called for every part of the program, again and again in loops. */
    evaluate(part: unknown, scope: Scope): unknown;
  };
}
interface Scope {
  set(name: string, value: unknown): unknown;
}
type Tokens = { readonly tokens: unique symbol };
type Program = { readonly program: unique symbol };

const { tokenize, parse, Environment, Interpreter } = jinja as unknown as Jinja;

function programOf(text: string): Program {
  try {
    return parse(tokenize(text, { trim_blocks: true, lstrip_blocks: true }));
  } catch (error) {
    // The library's parser runs over the end of a template that is cut off.
    throw error instanceof TypeError ? new TemplateError('it ends too early') : failure(error);
  }
}

function run(program: Program, scope: Scope, steps: Steps): string {
  try {
    return String(new BoundedInterpreter(scope, steps).run(program).value);
  } catch (error) {
    throw failure(error);
  }
}

class Steps {
  readonly #most: number;
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  take(steps: number): void {
    this.#taken += steps;
    if (this.#taken > this.#most) throw new TemplateError(`it takes more than ${this.#most} steps`);
  }
}

class BoundedInterpreter extends Interpreter {
  readonly #steps: Steps;

  constructor(scope: Scope, steps: Steps) {
    super(scope);
    this.#steps = steps;
  }

  override evaluate(part: unknown, scope: Scope): unknown {
    this.#steps.take(1);
    return super.evaluate(part, scope);
  }
}

function scopeOf(
  { bosToken, eosToken, now }: TemplateSource,
  values: TemplateValues,
  { messages, tools, thinking }: Conversation,
  steps: Steps,
): Scope {
  const scope = new Environment();
  const variables: Readonly<Record<string, unknown>> = {
    true: true,
    True: true,
    false: false,
    False: false,
    none: null,
    None: null,
    range: (first: number, end?: number, step?: number) => range(steps, first, end, step),
    raise_exception: (message: unknown) => {
      throw new TemplateError(`it raises: ${String(message)}`);
    },
    strftime_now: (format: unknown) => strftime(new Date(now), String(format)),
    messages: values.of(messages),
    tools: tools === null ? null : values.of(tools),
    add_generation_prompt: true,
    ...(thinking === null ? {} : { thinking }),
    ...(bosToken === null ? {} : { bos_token: bosToken }),
    ...(eosToken === null ? {} : { eos_token: eosToken }),
  };
  for (const [name, value] of Object.entries(variables)) scope.set(name, value);
  return scope;
}

/** Python's `range`; each number is a step, since a loop over it need not evaluate anything. */
function range(steps: Steps, first: number, end?: number, step = 1): number[] {
  const [from, to] = end === undefined ? [0, first] : [first, end];
  const length = Math.max(0, Math.ceil((to - from) / step));
  if (Number.isNaN(length)) throw new TemplateError('it asks for a range of what is no number');
  steps.take(length);
  return Array.from({ length }, (_, at) => from + at * step);
}

const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/** Python's strftime in English and UTC, as far as chat templates go. */
function strftime(date: Date, format: string): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const month = MONTHS[date.getUTCMonth()] ?? '';
  const day = DAYS[date.getUTCDay()] ?? '';
  const parts: Readonly<Record<string, string>> = {
    '%Y': String(date.getUTCFullYear()),
    '%y': two(date.getUTCFullYear() % 100),
    '%m': two(date.getUTCMonth() + 1),
    '%B': month,
    '%b': month.slice(0, 3),
    '%d': two(date.getUTCDate()),
    '%A': day,
    '%a': day.slice(0, 3),
    '%H': two(date.getUTCHours()),
    '%M': two(date.getUTCMinutes()),
    '%S': two(date.getUTCSeconds()),
    '%%': '%',
  };
  return format.replace(/%[A-Za-z%]/g, (part) => parts[part] ?? part);
}

function failure(error: unknown): TemplateError {
  const message = error instanceof Error ? error.message : String(error);
  const short = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message;
  return new TemplateError(short.replace(/[\ud800-\udbff](?=…?$)/, ''));
}
