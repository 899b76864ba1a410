import { DECISIONS } from '../model/gate.js';

/**
 * The one table of everything a user can set. action.yml, the flags of the terminal, the keys of the config file,
 * docs/config.schema.json and the tables in README.md all come from here; after a change run
 * `UPDATE_DOCS=1 npm test -- __tests__/project/docs`.
 *
 * action.yml names a default only in words. With a real `default:` the runner would hand it over as if the user had
 * written it, and an inline input beats the config file.
 */
export type Kind =
  | { readonly type: 'text'; readonly pattern?: RegExp; readonly words?: string }
  | { readonly type: 'integer'; readonly min: number; readonly max: number }
  | { readonly type: 'number'; readonly min: number; readonly max: number }
  | { readonly type: 'boolean' }
  /** `600s`, `10m`, `2h`; a plain number only where `zero` allows a 0. */
  | { readonly type: 'duration'; readonly zero: boolean; readonly maxHours: number }
  | { readonly type: 'choice'; readonly values: readonly string[] }
  /** Some of `values`, or the one word `never`. */
  | { readonly type: 'choices'; readonly values: readonly string[] }
  /** A confidence level: 0.95 or 95%. */
  | { readonly type: 'level' }
  | { readonly type: 'mapping' }
  | { readonly type: 'gates' }
  | { readonly type: 'datasets' };

export interface Input {
  readonly name: string;
  readonly group: keyof typeof GROUPS;
  /** As it would be written; null where there is none or where it depends on something (then see `otherwise`). */
  readonly default: string | null;
  /** What holds when the input is left out and there is no fixed default. */
  readonly otherwise?: string;
  /** A run needs it; mode merge and some verbs do not. */
  readonly required: boolean;
  /** One or two plain sentences. */
  readonly description: string;
  readonly kind: Kind;
  /** `action`: has an effect only in the GitHub Action. */
  readonly where: 'everywhere' | 'action';
  /** Never shown, never in a config file or on a command line (header values are the exception: file and flag). */
  readonly secret: boolean;
  /** Word that stands for the value in the help text; by default it follows from the kind. */
  readonly placeholder?: string;
}

/** Groups in the order in which they are shown. */
export const GROUPS = {
  endpoint: 'Endpoint',
  what: 'What to run',
  gates: 'Gates',
  how: 'How to run',
  request: 'Request',
  publishing: 'Publishing',
} as const;

export const MODES = ['run', 'merge'] as const;
export const ORDERS = ['random', 'file'] as const;
export const THINKING = ['on', 'off', 'default'] as const;
export const THINKING_STYLES = ['kimi', 'vllm', 'none'] as const;
export const ON_MISSING_SECRET = ['fail', 'skip'] as const;
export const COMMENT = ['always', 'on-change', 'on-failure', 'never'] as const;
export const COMMENT_MODES = ['update', 'recreate'] as const;
/** `pass` is left out: a job that fails because all is well helps nobody. */
export const FAILING_VERDICTS = ['fail', 'error', 'inconclusive'] as const;

type Rest = Partial<Omit<Input, 'name' | 'group' | 'kind' | 'description'>>;

function input<const Name extends string>(
  group: Input['group'],
  name: Name,
  kind: Kind,
  description: string,
  rest: Rest = {},
): Input & { readonly name: Name } {
  const usual = { default: null, required: false, where: 'everywhere', secret: false } as const;
  return { group, name, kind, description, ...usual, ...rest };
}

const TEXT: Kind = { type: 'text' };
const BOOLEAN: Kind = { type: 'boolean' };
const choice = (values: readonly string[]): Kind => ({ type: 'choice', values });

export const INPUTS = [
  input(
    'endpoint',
    'endpoint',
    TEXT,
    'Base URL of the OpenAI-compatible endpoint, such as https://llm.example.com/v1. It may end in /chat/completions.',
    { required: true, placeholder: 'URL' },
  ),
  input(
    'endpoint',
    'api-key',
    TEXT,
    'API key, sent as a bearer token; take it from a secret. Leave it empty or write EMPTY for an endpoint without keys.',
    { secret: true, otherwise: 'no key is sent' },
  ),
  input(
    'endpoint',
    'on-missing-secret',
    choice(ON_MISSING_SECRET),
    'What to do when the key is missing because GitHub gives no secrets to this event (a pull request from a fork): fail the job, or skip the run and say so.',
    { default: 'fail', where: 'action' },
  ),
  input('endpoint', 'model', TEXT, 'Name of the model as the endpoint knows it.', {
    required: true,
    placeholder: 'NAME',
  }),
  input(
    'endpoint',
    'headers',
    { type: 'mapping' },
    'Extra request headers, as a JSON or YAML mapping of names to values. The values are treated as secrets.',
    { secret: true, otherwise: 'none' },
  ),
  input(
    'what',
    'datasets',
    { type: 'datasets' },
    'Benchmarks to run: a list of names, or a YAML mapping of each name to its options. NAME/SUBSET chooses a subset.',
    { required: true },
  ),
  input(
    'what',
    'config',
    TEXT,
    'Path of a YAML file with these same keys (schema: docs/config.schema.json). An input given inline wins over the file.',
    { placeholder: 'FILE', otherwise: 'no file is read' },
  ),
  input(
    'what',
    'limit',
    { type: 'integer', min: 1, max: 1_000_000_000 },
    'Number of samples to run of each benchmark; the repetitions of a task count as one. A part of a data set is judged by intervals, the whole of it by point estimates.',
    { otherwise: 'the whole data set' },
  ),
  input(
    'what',
    'order',
    choice(ORDERS),
    'Which samples a limit takes: a random draw that is the same every time, or the first ones of the file as EvalScope does.',
    { otherwise: "the benchmark's own, `random` for k2_verifier" },
  ),
  input(
    'what',
    'shard',
    {
      type: 'text',
      pattern: /^[1-9]\d{0,3}\/[1-9]\d{0,3}$/,
      words: 'a part and the number of parts, such as 2/8',
    },
    'Runs one part of the samples, such as 2/8, so that several jobs share a run; the verb or mode merge joins their reports and judges.',
    { otherwise: 'all samples', placeholder: 'PART' },
  ),
  input(
    'what',
    'mode',
    choice(MODES),
    'Whether to measure, or to join the reports of shards that earlier jobs measured and judge them; merge sends nothing to the endpoint.',
    { default: 'run', where: 'action' },
  ),
  input(
    'what',
    'merge-dirs',
    TEXT,
    'In mode merge: the output directories of the shards, separated by spaces or one a line. Of a directory without a report of its own the directories in it count, as download-artifact lays them out.',
    { where: 'action', otherwise: 'none, and mode merge needs it', placeholder: 'DIRS' },
  ),
  input(
    'what',
    'seed',
    { type: 'integer', min: 0, max: 4_294_967_295 },
    'Seed of the random draw. Runs can be compared row by row only when they share it.',
    { default: '42' },
  ),
  input(
    'gates',
    'thresholds',
    { type: 'gates' },
    'Gates, one a line, such as `schema_accuracy >= 95%`. A gate replaces the default gates of the same metric.',
    { otherwise: 'the default gates alone' },
  ),
  input(
    'gates',
    'default-gates',
    BOOLEAN,
    'Whether the default gates of each benchmark hold; false leaves only your own.',
    { default: 'true' },
  ),
  input(
    'gates',
    'decision',
    choice(DECISIONS),
    'How gates decide: auto takes the point estimate on a whole data set and the interval on a part of it; point and interval force one.',
    { default: 'auto' },
  ),
  input(
    'gates',
    'confidence',
    { type: 'level' },
    'Confidence level of all intervals, from 0.5 to below 1.',
    {
      default: '0.95',
      placeholder: 'LEVEL',
    },
  ),
  input(
    'gates',
    'early-stop',
    BOOLEAN,
    'Ends a benchmark as soon as the samples run settle what the whole data set would say; wrong in at most 1 - confidence of the runs. Needs the random order.',
    { default: 'false' },
  ),
  input(
    'gates',
    'fail-on',
    { type: 'choices', values: FAILING_VERDICTS },
    'Verdicts that fail the job: any of fail, error, inconclusive, or the one word never.',
    { default: 'fail, error', placeholder: 'VERDICTS' },
  ),
  input(
    'how',
    'concurrency',
    { type: 'integer', min: 1, max: 1024 },
    'Requests in flight at once. An endpoint that answers 429 gets fewer, and more again as it answers.',
    { default: '16' },
  ),
  input(
    'how',
    'max-requests-per-minute',
    { type: 'integer', min: 1, max: 1_000_000 },
    'Most requests in a minute, retries included, sent evenly.',
    { otherwise: 'no limit of ours' },
  ),
  input(
    'how',
    'request-timeout',
    { type: 'duration', zero: false, maxHours: 24 },
    'Longest time for one request, up to the end of its answer.',
    { default: '600s' },
  ),
  input(
    'how',
    'max-retries',
    { type: 'integer', min: 0, max: 20 },
    'How often a failed request is sent again. 0 sends every request once.',
    { default: '3' },
  ),
  input(
    'how',
    'deadline',
    { type: 'duration', zero: false, maxHours: 168 },
    'Longest time for the whole run; what was measured by then is judged and published. GitHub ends hosted jobs after 6 hours.',
    { default: '330m' },
  ),
  input(
    'how',
    'token-budget',
    { type: 'integer', min: 1, max: 1_000_000_000_000 },
    'Most tokens of the whole run, prompts and answers together as the endpoint counts them. When they are used up the run ends, and its verdict is at best inconclusive.',
    { otherwise: 'none of ours, but answers of three times the plan end a run' },
  ),
  input(
    'how',
    'cost-budget',
    { type: 'number', min: 0, max: 1_000_000_000 },
    'The same in money; needs price-in and price-out.',
    { otherwise: 'none' },
  ),
  input(
    'how',
    'price-in',
    { type: 'number', min: 0, max: 1_000_000 },
    'Price of a million prompt tokens, in any currency. With price-out the report says what a run cost.',
    { otherwise: 'not known' },
  ),
  input(
    'how',
    'price-out',
    { type: 'number', min: 0, max: 1_000_000 },
    'Price of a million completion tokens, in the same currency.',
    { otherwise: 'not known' },
  ),
  input(
    'how',
    'wait-for-ready',
    { type: 'duration', zero: true, maxHours: 24 },
    'How long to wait for the endpoint to answer before anything counts. 0 does not wait.',
    { default: '0' },
  ),
  input(
    'how',
    'output-dir',
    TEXT,
    'Directory for the report and the journal. A run into the same directory goes on where an unfinished one ended, and measures a finished one anew.',
    { default: 'vendor-gate-output', placeholder: 'DIR' },
  ),
  input(
    'how',
    'offline',
    BOOLEAN,
    'Whether data sets come from the cache of earlier downloads alone. The endpoint is asked all the same.',
    { default: 'false' },
  ),
  input(
    'request',
    'temperature',
    { type: 'number', min: 0, max: 2 },
    'Sampling temperature of every request.',
    { otherwise: "the subset's published conditions" },
  ),
  input(
    'request',
    'max-tokens',
    { type: 'integer', min: 1, max: 10_000_000 },
    'Completion tokens allowed to one request.',
    { otherwise: "the subset's published conditions" },
  ),
  input('request', 'stream', BOOLEAN, 'Whether answers are streamed.', { default: 'true' }),
  input(
    'request',
    'thinking',
    choice(THINKING),
    "Turns the model's thinking on or off; default sends nothing about it.",
    { default: 'default' },
  ),
  input(
    'request',
    'thinking-style',
    choice(THINKING_STYLES),
    'How thinking is asked for: kimi sends `thinking`, vllm sends `chat_template_kwargs`, none sends neither.',
    { default: 'kimi' },
  ),
  input(
    'request',
    'extra-body',
    { type: 'mapping' },
    'Fields added to every request body, as a JSON or YAML mapping. They win over all other request settings.',
    { otherwise: 'none' },
  ),
  input(
    'publishing',
    'comment',
    choice(COMMENT),
    'When to write the pull-request comment. It never decides the verdict.',
    { default: 'always', where: 'action' },
  ),
  input(
    'publishing',
    'comment-mode',
    choice(COMMENT_MODES),
    'Whether one comment is updated in place, or deleted and written anew at the end of the conversation.',
    { default: 'update', where: 'action' },
  ),
  input(
    'publishing',
    'report-id',
    {
      type: 'text',
      pattern: /^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$/,
      words: 'up to 100 letters, digits and - _ . / that start with a letter or digit',
    },
    'Names the report and its comment; each id has a comment of its own. Set it when legs of a matrix differ in nothing but headers, gates or seed.',
    {
      otherwise: 'derived from endpoint, model, data sets, request settings, limit and order',
      placeholder: 'ID',
    },
  ),
  input('publishing', 'summary', BOOLEAN, 'Whether the job summary is written.', {
    default: 'true',
    where: 'action',
  }),
  input('publishing', 'annotations', BOOLEAN, 'Whether each failed gate gets an annotation.', {
    default: 'true',
    where: 'action',
  }),
  input(
    'publishing',
    'github-token',
    TEXT,
    'Token that finds the pull request and writes the comment; it needs `pull-requests: write`.',
    {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of the runner's
      default: '${{ github.token }}',
      where: 'action',
      secret: true,
    },
  ),
] as const;

export type InputName = (typeof INPUTS)[number]['name'];

/** The table's row; `name` is one of the table's names. */
export function inputNamed(name: InputName): Input {
  const row: Input | undefined = INPUTS.find((candidate) => candidate.name === name);
  if (row === undefined) throw new RangeError(`no input is named ${name}`);
  return row;
}

/** Of the action. All are strings; `metrics` and `failed-gates` are JSON. */
export const OUTPUTS: readonly { readonly name: string; readonly description: string }[] = [
  {
    name: 'verdict',
    description:
      'pass, fail, inconclusive or error; skipped when on-missing-secret skipped the run.',
  },
  {
    name: 'trigger-similarity',
    description:
      'F1 of the tool-call decisions against the official ones, 0 to 1; empty when undefined or not measured, and for a shard. With several benchmarks, of the first that has it.',
  },
  {
    name: 'schema-accuracy',
    description:
      'Share of tool-calling answers in which every call fits its schema, 0 to 1; otherwise as trigger-similarity.',
  },
  {
    name: 'metrics',
    description:
      'All metrics as a JSON object, by benchmark/subset and metric name; null where a metric is undefined.',
  },
  {
    name: 'failed-gates',
    description:
      'JSON list of the gates that failed or could not be measured, each as a gate line; warnings are not among them.',
  },
  { name: 'report-path', description: 'Path of report.json.' },
  { name: 'summary-path', description: 'Path of summary.md.' },
  {
    name: 'comment-id',
    description: 'Id of the pull-request comment; empty when none was written.',
  },
];
