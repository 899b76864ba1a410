import { checkGates } from '../gates/check.js';
import { parseGates } from '../gates/parse.js';
import type { BenchmarkSpec, RequestSettings } from '../model/benchmark.js';
import type {
  ActionConfig,
  BenchmarkChoice,
  BudgetSettings,
  Config,
  Shard,
} from '../model/config.js';
import { ConfigError, type Problem } from '../model/errors.js';
import { DECISIONS, type Gate } from '../model/gate.js';
import type { Json, JsonObject } from '../model/json.js';
import { readApiKey, readEndpoint, readHeaders } from './connection.js';
import { readDatasets } from './datasets.js';
import { type ConfigFile, gather, nameOn, type Surface } from './given.js';
import {
  COMMENT,
  COMMENT_MODES,
  FAILING_VERDICTS,
  INPUTS,
  type InputName,
  MODES,
  ON_MISSING_SECRET,
  ORDERS,
  THINKING,
  THINKING_STYLES,
} from './inputs.js';
import { Reader } from './reader.js';
import { derivedReportId } from './report-id.js';
import { readPaths } from './values.js';

/** A configuration as it comes from outside. */
export interface RawConfig {
  /** What was given inline, by input name; empty, null and undefined all mean: not given. Text, but for a program's. */
  readonly values: Readonly<Record<string, Json | undefined>>;
  /** The file that `values.config` names; null when it names none. */
  readonly configFile: ConfigFile | null;
  /** `BENCHMARK.OPTION=VALUE`, in order. */
  readonly sets: readonly string[];
  readonly surface: Surface;
  /** Required inputs that may be missing here, since nothing is sent; an empty text then stands for them. */
  readonly dispensable?: readonly ('endpoint' | 'model' | 'datasets')[];
  /** Problems found earlier (by parseFlags), to be reported together with those found here. */
  readonly problems?: readonly Problem[];
}

export interface ParsedConfig {
  readonly config: Config;
  readonly action: ActionConfig;
  /** Whether api-key said EMPTY: the endpoint has no keys, so none is missing. */
  readonly keyless: boolean;
  /** Worth saying although nothing is wrong; whole sentences. */
  readonly notices: readonly string[];
}

/** The one way to a Config. Throws ConfigError with every problem at once; no message holds a secret. */
export function parseConfig(raw: RawConfig, specs: readonly BenchmarkSpec[]): ParsedConfig {
  const problems: Problem[] = [...(raw.problems ?? [])];
  const notices: string[] = [];
  const { given, fileUsable } = gather(raw.values, raw.configFile, raw.surface, problems);
  const read = new Reader(given, problems);

  const { mode, mergeDirs } = modeOf(read, raw, notices);
  for (const name of ['endpoint', 'model', 'datasets'] as const) {
    const dispensable = mode === 'merge' || raw.dispensable?.includes(name);
    // What is missing may stand in the file that could not be used; that is reported already.
    if (!given.has(name) && !dispensable && fileUsable) problems.push(missing(name, raw.surface));
  }

  const endpoint = read.with('endpoint', readEndpoint) ?? '';
  const apiKey = keyOf(raw, problems, notices);
  if (apiKey !== null && /^http:/.test(endpoint) && !isLoopback(endpoint)) {
    notices.push('The endpoint is plain http: the key and all prompts travel unencrypted.');
  }
  const headers = given.get('headers');
  const model = read.text('model') ?? '';
  const request = requestOf(read, model);
  const chosen = benchmarksOf(raw, read, specs);
  const benchmarks = chosen?.map(({ choice }) => choice) ?? [];
  const drawn = { limit: read.integer('limit'), order: read.choiceOrNull('order', ORDERS) };
  const shard = shardOf(read);
  const decision = read.choice('decision', DECISIONS);
  const config: Config = {
    endpoint,
    apiKey,
    headers: headers ? readHeaders(headers.raw, headers.where, apiKey !== null, problems) : {},
    benchmarks,
    gates: gatesOf(read, chosen),
    defaultGates: read.boolean('default-gates'),
    decision,
    confidence: read.level('confidence'),
    earlyStop: earlyStopOf(read, chosen, { order: drawn.order, decision, shard }),
    ...drawn,
    shard,
    seed: read.integer('seed') ?? 0,
    concurrency: read.integer('concurrency') ?? 1,
    maxRequestsPerMinute: read.integer('max-requests-per-minute'),
    requestTimeoutMs: read.duration('request-timeout'),
    maxRetries: read.integer('max-retries') ?? 0,
    deadlineMs: read.duration('deadline'),
    budget: budgetOf(read),
    waitForReadyMs: read.duration('wait-for-ready'),
    request,
    failOn: read.choices('fail-on', FAILING_VERDICTS),
    reportId:
      read.text('report-id') ?? derivedReportId(endpoint, model, benchmarks, request, drawn),
    outputDir: read.text('output-dir') ?? '',
    offline: read.boolean('offline'),
  };
  const action: ActionConfig = {
    onMissingSecret: read.choice('on-missing-secret', ON_MISSING_SECRET),
    comment: read.choice('comment', COMMENT),
    commentMode: read.choice('comment-mode', COMMENT_MODES),
    summary: read.boolean('summary'),
    annotations: read.boolean('annotations'),
    mode,
    mergeDirs,
    // Its default is an expression that only the runner can evaluate.
    githubToken: read.secret('github-token'),
  };
  if (problems.length > 0) throw new ConfigError(problems);
  const keyless = /^\s*EMPTY\s*$/.test(String(raw.values['api-key'] ?? ''));
  return { config: freeze(config), action: freeze(action), keyless, notices };
}

/** Every secret in a configuration, for masking and redaction; never an empty or one-character one. */
export function secretsOf(config: Config, action: ActionConfig): readonly string[] {
  // `Bearer abcdefgh` is secret as a whole and in its long part; masking the word Bearer would only blot the log.
  const values = Object.values(config.headers).flatMap((value) => [
    value,
    ...value.split(/\s+/).filter((part) => part.length >= 8),
  ]);
  const all = [config.apiKey, action.githubToken, ...values];
  return [...new Set(all)].filter((value): value is string => value !== null && value.length > 1);
}

/** Inputs beside those for publishing that mean something when reports are merged; the shards decided the rest. */
const OF_A_MERGE: ReadonlySet<string> = new Set<InputName>([
  'mode',
  'merge-dirs',
  'config',
  'output-dir',
  'fail-on',
  'on-missing-secret',
  // Often shared with the steps that measure, and sent nowhere.
  'api-key',
  'endpoint',
  'model',
  'datasets',
]);

/** Mode and directories; in mode merge a notice names the inputs that change nothing there. */
function modeOf(
  read: Reader,
  { surface, values }: RawConfig,
  notices: string[],
): Pick<ActionConfig, 'mode' | 'mergeDirs'> {
  const mode = read.choice('mode', MODES);
  const mergeDirs = read.with('merge-dirs', readPaths) ?? [];
  const wrong = (where: InputName, what: string, fix: string): void => {
    read.problems.push({ where: read.where(where), what, fix });
  };
  if (mode === 'run' && mergeDirs.length > 0) {
    wrong('merge-dirs', 'It says nothing in mode run.', 'Set mode: merge, or leave it out.');
  } else if (mode === 'merge' && surface !== 'action') {
    wrong('mode', 'Only the action merges so.', 'Use the verb merge of the terminal.');
  } else if (mode === 'merge' && mergeDirs.length === 0) {
    const what = 'Mode merge needs the directories of the shards.';
    wrong('merge-dirs', what, 'Name the directory into which their artifacts were downloaded.');
  } else if (mode === 'merge') {
    const idle = INPUTS.filter(
      ({ name, group }) =>
        (group !== 'publishing' || name === 'report-id') &&
        !OF_A_MERGE.has(name) &&
        (values[name] ?? '') !== '',
    ).map(({ name }) => name);
    if (idle.length > 0) {
      const what = idle.length === 1 ? 'This input says' : 'These inputs say';
      notices.push(
        `${what} nothing in mode merge, since the reports of the shards hold it: ${idle.join(', ')}.`,
      );
    }
  }
  return { mode, mergeDirs };
}

function missing(name: InputName, surface: Surface): Problem {
  const where = nameOn(surface, name);
  if (surface !== 'action') {
    const fix = `Give ${where}, or ${name} in the config file.`;
    return { where, what: 'It is required and missing.', fix };
  }
  return {
    where,
    what: 'It is required and empty or missing; the runner itself does not enforce required inputs.',
    fix: `Set it under with: or in the config file; a variable or secret it is taken from may be empty here.`,
  };
}

function keyOf(raw: RawConfig, problems: Problem[], notices: string[]): string | null {
  const reading = readApiKey(raw.values['api-key'] ?? '');
  if ('wrong' in reading) {
    const fix = reading.fix ?? 'Store the secret again.';
    problems.push({ where: nameOn(raw.surface, 'api-key'), what: reading.wrong, fix });
    return null;
  }
  if (reading.notice !== undefined) notices.push(reading.notice);
  return reading.value;
}

function isLoopback(endpoint: string): boolean {
  return /^http:\/\/(localhost|127\.[\d.]+|\[::1\])([:/]|$)/.test(endpoint);
}

type Chosen = readonly { readonly spec: BenchmarkSpec; readonly choice: BenchmarkChoice }[];

/** null when the data sets themselves are wrong, so that nothing can be checked against them. */
function benchmarksOf(
  raw: RawConfig,
  read: Reader,
  specs: readonly BenchmarkSpec[],
): Chosen | null {
  const given = read.given('datasets');
  if (given === null) return null;
  const before = read.problems.length;
  const chosen = readDatasets(given, raw.sets, specs, read.problems);
  return read.problems.length > before ? null : chosen;
}

function gatesOf(read: Reader, chosen: Chosen | null): readonly Gate[] {
  const given = read.given('thresholds');
  if (given === null) return [];
  const { raw, where } = given;
  const text = Array.isArray(raw) ? raw.map(String).join('\n') : raw;
  if (typeof text !== 'string') {
    const fix = 'Give gates, one a line, such as schema_accuracy >= 95%.';
    read.problems.push({ where, what: 'It is neither text nor a list.', fix });
    return [];
  }
  const { gates, problems } = parseGates(text, 'user', where);
  read.problems.push(...problems);
  if (chosen !== null) {
    const pairs = chosen.map(({ spec, choice }) => ({ spec, subset: choice.subset }));
    read.problems.push(...checkGates(gates, pairs));
  }
  return gates;
}

function shardOf(read: Reader): Shard | null {
  const text = read.text('shard');
  if (text === null) return null;
  const [index = 0, of = 0] = text.split('/').map(Number);
  if (index <= of) return { index, of };
  read.problems.push({
    where: read.where('shard'),
    what: `There is no part ${index} of ${of}.`,
    fix: `Give parts from 1/${of} to ${of}/${of}.`,
  });
  return null;
}

function budgetOf(read: Reader): BudgetSettings {
  const budget = {
    tokens: read.integer('token-budget'),
    cost: read.number('cost-budget'),
    priceIn: read.number('price-in'),
    priceOut: read.number('price-out'),
  };
  const given = (name: InputName): boolean => read.given(name) !== null;
  const one = given('price-in') !== given('price-out');
  if (one || (given('cost-budget') && !given('price-in'))) {
    const where = (['cost-budget', 'price-in', 'price-out'] as const).find(given) ?? 'price-in';
    read.problems.push({
      where: read.where(where),
      what: 'It says nothing without both prices.',
      fix: 'Set price-in and price-out, per million tokens.',
    });
  }
  return budget;
}

/** The guarantee rests on a random draw and on gates that ask about the whole data set. */
function earlyStopOf(
  read: Reader,
  chosen: Chosen | null,
  { order, decision, shard }: Pick<Config, 'order' | 'decision' | 'shard'>,
): boolean {
  if (!read.boolean('early-stop')) return false;
  const where = read.where('early-stop');
  const inOrder = chosen?.find(({ spec }) => (order ?? spec.defaultOrder) === 'file');
  if (order === 'file' || inOrder !== undefined) {
    const whose = order === 'file' ? '' : ` of ${inOrder?.spec.name}`;
    read.problems.push({
      where,
      what: `The order${whose} is file: the first rows of a file are no random sample of it.`,
      fix: 'Set order: random, or leave early-stop out.',
    });
  }
  if (shard !== null) {
    read.problems.push({
      where,
      what: 'It follows the samples of the whole draw one after the other, and a shard sees only its own.',
      fix: 'Leave out either shard or early-stop.',
    });
  }
  if (decision !== 'auto') {
    read.problems.push({
      where,
      what: `It asks what the whole data set would say, but decision: ${decision} judges the samples run.`,
      fix: 'Leave decision at auto, or leave early-stop out.',
    });
  }
  return true;
}

/** Fields that would change what is measured, or that an input of its own decides. */
const NOT_IN_EXTRA_BODY: Readonly<Record<string, string>> = {
  messages: 'The prompts are the data set; remove it.',
  tools: 'The tools are part of the data set; remove it.',
  model: 'Use the input model.',
  stream: 'Use the input stream.',
  n: 'One answer is read for each request; remove it.',
};

function requestOf(read: Reader, model: string): RequestSettings {
  const thinking = read.choice('thinking', THINKING);
  const thinkingStyle = read.choice('thinking-style', THINKING_STYLES);
  if (thinking !== 'default' && thinkingStyle === 'none') {
    read.problems.push({
      where: read.where('thinking'),
      what: `It is ${thinking}, but thinking-style none sends nothing about it.`,
      fix: 'Set thinking-style to kimi or vllm, or leave thinking out.',
    });
  }
  const extraBody: JsonObject = read.mapping('extra-body');
  for (const [name, fix] of Object.entries(NOT_IN_EXTRA_BODY)) {
    if (!Object.hasOwn(extraBody, name)) continue;
    const where = `${read.where('extra-body')}.${name}`;
    read.problems.push({ where, what: 'This field may not be set here.', fix });
  }
  return {
    model,
    temperature: read.number('temperature'),
    maxTokens: read.integer('max-tokens'),
    stream: read.boolean('stream'),
    thinking,
    thinkingStyle,
    extraBody,
  };
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) freeze(part);
  }
  return value;
}
