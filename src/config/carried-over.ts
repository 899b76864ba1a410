import type { InputName } from './inputs.js';

/** What becomes of a flag that people know from elsewhere: it means an input of ours, or a message says what does. */
export type CarriedOver =
  | { readonly to: InputName }
  | { readonly what: string; readonly fix: string };

const OPTIONS =
  'Write the options of a benchmark as --set BENCHMARK.OPTION=VALUE, or as a mapping under datasets in a config file.';
const ENDPOINT_ONLY = 'Vendor Gate measures an endpoint; it loads no model itself.';
const NO_JUDGE = { what: 'No benchmark here has a judge model.', fix: 'Remove it.' };
const NO_SANDBOX = { what: 'Nothing here runs in a sandbox.', fix: 'Remove it.' };

/**
 * EvalScope's flags (`evalscope eval --help`) that have no namesake here, and two of ours that are never flags.
 * --datasets, --limit, --model, --seed and --stream mean the same in both.
 */
export const CARRIED_OVER: Readonly<Record<string, CarriedOver>> = {
  'api-url': { to: 'endpoint' },
  'eval-batch-size': { to: 'concurrency' },

  'api-key': {
    what: 'The key is never an option: everyone on the machine can read a command line.',
    fix: 'Set the variable VENDOR_GATE_API_KEY or OPENAI_API_KEY; for an endpoint without keys set neither.',
  },
  'github-token': {
    what: 'The token is no option, since only the action writes to GitHub.',
    fix: 'Remove it.',
  },

  'agent-config': {
    what: 'Agents cannot be configured: each benchmark brings the loop it is defined with.',
    fix: `Remove it. ${OPTIONS}`,
  },
  'generation-config': {
    what: 'Settings of requests are options of their own.',
    fix: 'Use --temperature, --max-tokens, --stream, --request-timeout and, for all else, --extra-body JSON.',
  },
  'dataset-args': { what: 'It is written differently here.', fix: OPTIONS },
  'dataset-dir': {
    what: 'It is written differently here.',
    fix: 'Name the file: --set k2_verifier.source=FILE.',
  },
  'dataset-hub': {
    what: 'It is written differently here.',
    fix: 'Name the source: --set k2_verifier.source=URL.',
  },
  'work-dir': {
    what: 'It is written differently here.',
    fix: 'Use --output DIR; the files stand in DIR itself, without a folder named after the time.',
  },
  'no-timestamp': { what: 'The output directory never has a timestamp.', fix: 'Remove it.' },
  'use-cache': {
    what: 'It is not needed.',
    fix: 'Name the same --output DIR again: the run goes on where it ended.',
  },
  'rerun-review': {
    what: 'Scores are always computed anew from what was recorded.',
    fix: 'Remove it, or use the verb score.',
  },
  timeout: {
    what: 'It is written differently here.',
    fix: 'Use --request-timeout with a unit, such as 600s.',
  },
  repeats: {
    what: 'A run asks for every sample once.',
    fix: 'Remove it, or run again with another --output.',
  },
  'dry-run': { what: 'It is a verb here.', fix: 'Use the verb plan, which sends nothing.' },
  debug: { what: 'There is no debug mode.', fix: 'Remove it.' },
  'ignore-errors': {
    what: 'A failed request never ends a run; too many of them make its verdict error.',
    fix: 'Remove it; to allow more of them, set a gate such as --thresholds "unmeasured_rate <= 5%".',
  },
  'enable-progress-tracker': { what: 'Progress is always shown.', fix: 'Remove it.' },
  'collect-perf': { what: 'Latency and tokens are always recorded.', fix: 'Remove it.' },
  'no-collect-perf': { what: 'Latency and tokens are always recorded.', fix: 'Remove it.' },
  'model-id': {
    what: 'It is written differently here.',
    fix: 'Use --report-id to name the report; --model is the name the endpoint knows.',
  },
  'model-args': { what: ENDPOINT_ONLY, fix: 'Remove it.' },
  'model-task': { what: ENDPOINT_ONLY, fix: 'Remove it.' },
  'chat-template': {
    what: 'The endpoint applies its own chat template.',
    fix: 'Remove it, or set it where the model is served.',
  },
  'eval-type': { what: ENDPOINT_ONLY, fix: 'Remove it.' },
  'eval-backend': { what: 'There is one engine.', fix: 'Remove it.' },
  'eval-config': { what: 'It is written differently here.', fix: 'Use --config FILE.' },
  judge: NO_JUDGE,
  'judge-strategy': NO_JUDGE,
  'judge-model-args': NO_JUDGE,
  'analysis-report': NO_JUDGE,
  sandbox: NO_SANDBOX,
  'use-sandbox': NO_SANDBOX,
  'sandbox-type': NO_SANDBOX,
  'sandbox-manager-config': NO_SANDBOX,
};
