import { BENCHMARKS } from './benchmarks/index.js';
import { nameOn } from './config/given.js';
import { INPUTS } from './config/inputs.js';
import { parseConfig } from './config/parse.js';
import { showName } from './config/values.js';
import { isJson } from './config/yaml-text.js';
import { readConfigFile } from './config-file.js';
import type { ProgressState } from './engine/progress.js';
import { ConfigError, type Problem } from './model/errors.js';
import type { Json, JsonObject } from './model/json.js';
import type * as inside from './model/report.js';
import { NO_LINKS } from './report/links.js';
import { forTerminal } from './text/escape.js';
import { nearest } from './text/nearest.js';
import { type Untrusted, untrusted } from './text/untrusted.js';
import { verify as run } from './verify.js';
import { realWorld } from './world.js';

export type { Interval, MetricValue, Verdict } from './model/gate.js';
export type { Json, JsonObject } from './model/json.js';
export type { GateReport } from './model/report.js';
export type { Problem };
export { ConfigError };

/** A document as JSON gives it: text from outside is a plain string. */
type Plain<T> = T extends Untrusted
  ? string
  : T extends object
    ? { [Key in keyof T]: Plain<T[Key]> }
    : T;

/**
 * What `verify` found: the document that it also writes as `report.json`; its JSON Schema is docs/report.schema.json.
 * `prompt`, `official`, `vendor` and `detail` of an example, the `key` of a reason, `endpoint.served` and
 * `stopped.detail` are in the words of the data set, the endpoint or the model: escape them before you show them.
 */
export type RunReport = Plain<inside.RunReport>;
/** One benchmark and subset of a report. */
export type BenchmarkReport = Plain<inside.BenchmarkReport>;
/** One instructive sample of a report. */
export type Example = Plain<inside.Example>;
/** Why a run ended before its plan was done. */
export type Stopped = Plain<inside.Stopped>;

/** Where a run stands. */
export interface VerifyProgress extends ProgressState {
  /** Name and subset: `k2_verifier/k2_thinking`. */
  readonly benchmark: string;
}

/**
 * What to measure and how: the inputs of the action by the same names in camel case, with the same defaults. Times are
 * texts with a unit, such as `600s`, `10m` or `2h`. What is undefined or null counts as not given.
 */
export interface VerifyOptions {
  /** Base URL of the OpenAI-compatible endpoint, such as https://llm.example.com/v1. */
  readonly endpoint?: string | undefined;
  /** Sent as a bearer token. Without it no key is sent: none is taken from the environment. */
  readonly apiKey?: string | null | undefined;
  /** Extra request headers. The values are treated as secrets. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Name of the model as the endpoint knows it. */
  readonly model?: string | undefined;
  /** Benchmarks to run: a name or names, `NAME/SUBSET` for a subset, or a mapping of each to its options. */
  readonly datasets?:
    | string
    | readonly string[]
    | { readonly [benchmark: string]: JsonObject | null }
    | undefined;
  /** Path of a YAML file with the keys of docs/config.schema.json. What is given here wins over the file. */
  readonly config?: string | undefined;
  /** Samples to run of each benchmark. Default: all. */
  readonly limit?: number | undefined;
  /** Which samples a limit takes. Default: the benchmark's own order. */
  readonly order?: 'random' | 'file' | undefined;
  /** One part of the samples, such as `2/8`; `merge` joins the reports of all parts and judges. */
  readonly shard?: string | undefined;
  /** Seed of the random draw. Default: 42. */
  readonly seed?: number | undefined;
  /** Gates, one a line or one an item: `schema_accuracy >= 95%`. */
  readonly thresholds?: string | readonly string[] | undefined;
  /** Whether the default gates of each benchmark hold. Default: true. */
  readonly defaultGates?: boolean | undefined;
  /** How gates decide. Default: auto, by the point on a whole data set and by the interval on a part. */
  readonly decision?: 'auto' | 'point' | 'interval' | undefined;
  /** Confidence level of all intervals, from 0.5 to below 1. Default: 0.95. */
  readonly confidence?: number | undefined;
  /** Ends a benchmark as soon as the samples run settle what the whole data set would say. Default: false. */
  readonly earlyStop?: boolean | undefined;
  /** Requests in flight at once. Default: 16. */
  readonly concurrency?: number | undefined;
  /** Most requests in a minute, retries included. Default: no limit. */
  readonly maxRequestsPerMinute?: number | undefined;
  /** Longest time for one request. Default: `600s`. */
  readonly requestTimeout?: string | undefined;
  /** How often a failed request is sent again. Default: 3. */
  readonly maxRetries?: number | undefined;
  /** Longest time for the whole run. Default: `330m`. */
  readonly deadline?: string | undefined;
  /** Most tokens of the whole run, prompts and answers together; then its verdict is at best inconclusive. */
  readonly tokenBudget?: number | undefined;
  /** The same in money; needs both prices. */
  readonly costBudget?: number | undefined;
  /** Price of a million prompt tokens; with priceOut the report says what the run cost. */
  readonly priceIn?: number | undefined;
  /** Price of a million completion tokens, in the same currency. */
  readonly priceOut?: number | undefined;
  /** How long to wait for the endpoint to answer before anything counts. Default: not at all. */
  readonly waitForReady?: string | undefined;
  /** Directory for report and journal; an unfinished run in it is continued. Default: vendor-gate-output. */
  readonly outputDir?: string | undefined;
  /** Whether data sets come from the cache of earlier downloads alone. Default: false. */
  readonly offline?: boolean | undefined;
  /** Default: the conditions under which the official figures were taken. */
  readonly temperature?: number | undefined;
  /** Default: the conditions under which the official figures were taken. */
  readonly maxTokens?: number | undefined;
  /** Whether answers are streamed. Default: true. */
  readonly stream?: boolean | undefined;
  /** Turns the model's thinking on or off; default sends nothing about it. */
  readonly thinking?: 'on' | 'off' | 'default' | undefined;
  /** How thinking is asked for. Default: kimi. */
  readonly thinkingStyle?: 'kimi' | 'vllm' | 'none' | undefined;
  /** Fields added to every request body; they win over all other request settings. */
  readonly extraBody?: JsonObject | undefined;
  /** Names the report. Default: derived from endpoint, model, data sets and settings. */
  readonly reportId?: string | undefined;

  /** Ends the run when it is aborted: what was measured by then is judged and reported. */
  readonly signal?: AbortSignal | undefined;
  /** Gets what is worth a line in a log, safe to print. */
  readonly log?: ((line: string) => void) | undefined;
  /** Called after every sample. */
  readonly onProgress?: ((progress: VerifyProgress) => void) | undefined;
  /** Variables for the way to endpoint and data sets: proxies, cache, mirrors; never keys. Default: the process's. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Inputs that a program gives too, by their names there. Those of the action alone, and fail-on, decide nothing here. */
const INPUT_OF: ReadonlyMap<string, string> = new Map(
  INPUTS.filter(({ name, where }) => where === 'everywhere' && name !== 'fail-on').map(
    ({ name }) => [nameOn('api', name), name],
  ),
);

/**
 * Measures an endpoint and judges it, as the verb `run` does. Writes the files of a run into `outputDir`, and nothing
 * to stdout, stderr or GitHub; reads no key from the environment; never ends the process.
 * @returns the report, whatever its verdict; an endpoint that fails is a verdict too
 * @throws ConfigError for options, a config file or data that cannot be used, with every problem at once; the signal's
 *   reason when it was aborted before there was anything to report
 */
export async function verify(options: VerifyOptions): Promise<RunReport> {
  const { signal, log, onProgress, env, ...inputs } = options;
  const say = (text: string): void => log?.(forTerminal(untrusted(text)));
  const { values, problems } = valuesOf(inputs);
  const path = values['config'];
  const { config, notices } = parseConfig(
    {
      values,
      configFile: readConfigFile(path === undefined || path === null ? undefined : String(path)),
      sets: [],
      surface: 'api',
      problems,
    },
    BENCHMARKS.map(({ spec }) => spec),
  );
  notices.forEach(say);
  const { report } = await run(
    config,
    realWorld({
      env: env ?? process.env,
      signal: signal ?? new AbortController().signal,
      progress: {
        update: (benchmark, state) => onProgress?.({ benchmark, ...state }),
        arrive: () => {},
        end: () => {},
      },
      remoteCache: null,
      links: NO_LINKS,
      runKey: null,
      log: say,
    }),
  );
  return JSON.parse(JSON.stringify(report)) as RunReport;
}

/** The options by the names of the inputs, copied: what the caller holds is neither kept nor frozen. */
function valuesOf(options: Readonly<Record<string, unknown>>): {
  readonly values: Readonly<Record<string, Json>>;
  readonly problems: readonly Problem[];
} {
  const values = new Map<string, Json>();
  const problems: Problem[] = [];
  for (const [option, value] of Object.entries(options)) {
    const input = INPUT_OF.get(option);
    if (input === undefined) {
      const near = nearest(option, [...INPUT_OF.keys()]);
      problems.push({
        where: showName(option),
        what: 'There is no such option.',
        fix:
          near === null ? 'Remove it; docs/api.md says which there are.' : `Did you mean ${near}?`,
      });
    } else if (value !== undefined && !isPlain(value)) {
      problems.push({
        where: option,
        what: 'It holds a value that JSON does not have, such as a function, NaN or an instance of a class.',
        fix: 'Give texts, numbers, booleans, lists and plain objects.',
      });
    } else if (value !== undefined) {
      values.set(input, structuredClone(value));
    }
  }
  return { values: Object.fromEntries(values), problems };
}

function isPlain(value: unknown): value is Json {
  try {
    return isJson(value);
  } catch {
    // It holds itself.
    return false;
  }
}
