import type { JsonObject, JsonSchema } from '../../model/json.js';

/** EvalScope's defaults: what the published way of running it is. */
const DEFAULT_REPEATS = 1;
export const DEFAULT_MAX_STEPS = 10;
export const DEFAULT_SUCCESS_THRESHOLD = 0;

/** What can be set for this benchmark under `datasets:`, beside `subset`. */
export const OPTIONS_SCHEMA: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    repeats: {
      type: 'integer',
      minimum: 1,
      maximum: 20,
      default: DEFAULT_REPEATS,
      description:
        'Episodes of each task, every one with a seed of its own. EvalScope runs 1 or 5; the seeds depend on the number.',
    },
    tasks: {
      type: 'array',
      minItems: 1,
      items: { type: 'string', minLength: 1 },
      description: 'Names of the tasks to run, such as [click-test, login-user]. Default: all.',
    },
    max_steps: {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: DEFAULT_MAX_STEPS,
      description: 'Calls of the model, and actions in the browser, that an episode may take.',
    },
    success_threshold: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      default: DEFAULT_SUCCESS_THRESHOLD,
      description:
        'An episode is a success when its raw reward is above this. At 0, as in EvalScope, partial credit is enough.',
    },
    url_check: {
      enum: ['strict', 'ignore-hash'],
      default: 'strict',
      description:
        'strict: any change of the page’s address ends the episode without reward, as in EvalScope. ignore-hash: a change behind # does not.',
    },
    image: {
      type: 'boolean',
      default: true,
      description:
        'Send screenshots. false, for models that take text only, is not comparable with other figures.',
    },
    history: {
      enum: ['full', 'last-image'],
      default: 'full',
      description:
        'full: each request carries every screenshot so far, as in EvalScope. last-image: the newest only, which is not comparable.',
    },
    assets: {
      type: 'string',
      minLength: 1,
      description:
        'The folder `html` of a MiniWoB++ checkout. Default: the pages are downloaded once and kept.',
    },
    browser: {
      type: 'string',
      minLength: 1,
      description:
        'Path of Chrome or Chromium. Default: CHROME_PATH, or the first found on the machine.',
    },
  },
};

export interface Options {
  readonly repeats: number;
  /** null: all. */
  readonly tasks: readonly string[] | null;
  readonly maxSteps: number;
  readonly successThreshold: number;
  readonly urlCheck: 'strict' | 'ignore-hash';
  readonly image: boolean;
  readonly history: 'full' | 'last-image';
  readonly assets: string | null;
  readonly browser: string | null;
}

/** @param options checked against OPTIONS_SCHEMA before. */
export function readOptions(options: JsonObject): Options {
  const text = (name: string): string | null => {
    const value = options[name];
    return typeof value === 'string' ? value : null;
  };
  const number = (name: string, otherwise: number): number => {
    const value = options[name];
    return typeof value === 'number' ? value : otherwise;
  };
  const { tasks } = options;
  return {
    repeats: number('repeats', DEFAULT_REPEATS),
    tasks: Array.isArray(tasks) ? tasks.map(String) : null,
    maxSteps: number('max_steps', DEFAULT_MAX_STEPS),
    successThreshold: number('success_threshold', DEFAULT_SUCCESS_THRESHOLD),
    urlCheck: options['url_check'] === 'ignore-hash' ? 'ignore-hash' : 'strict',
    image: options['image'] !== false,
    history: options['history'] === 'last-image' ? 'last-image' : 'full',
    assets: text('assets'),
    browser: text('browser'),
  };
}
