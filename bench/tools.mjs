// The tools that are measured side by side: ours, and K2VV's own script and EvalScope where the user has them.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, command } from './processes.mjs';

const REFERENCE = fileURLToPath(new URL('reference.py', import.meta.url));
const MODEL = 'simulated-k2';

/**
 * Ours. `how`: the endpoint's `url`, `data` of writeData, `output` directory, `concurrency`, and optionally `sets`, the
 * options of k2_verifier in place of the hosted rows, and `more` words.
 */
export const OURS = {
  name: 'ours',
  /** The verdict on a simulated endpoint may be fail. */
  accepted: [0, 1],
  run: ({ url, data, output, concurrency, sets = { source: data.hosted }, more = [] }) =>
    bundle(
      'run',
      ...['--endpoint', url, '--model', MODEL, '--output', output],
      ...['--datasets', 'k2_verifier', '--concurrency', String(concurrency)],
      ...Object.entries(sets).flatMap(([name, value]) => ['--set', `k2_verifier.${name}=${value}`]),
      ...more,
    ),
};

/** K2VV's script, or null, and then why. */
export function k2vv() {
  const { K2VV_DIR: dir, K2VV_PYTHON: python = 'python3' } = process.env;
  if (dir === undefined) return { missing: 'K2VV_DIR is not set' };
  const script = join(dir, 'tool_calls_eval.py');
  if (!existsSync(script)) return { missing: `${script} does not exist` };
  return {
    name: 'K2VV',
    accepted: [0],
    run: ({ url, data, output, concurrency }) =>
      command(python, [
        ...[REFERENCE, script, data.requests],
        ...['--base-url', url, '--api-key', 'none', '--model', MODEL],
        // What ours sets by itself: the published conditions of k2_thinking.
        ...['--temperature', '1.0', '--max-tokens', '64000', '--concurrency', String(concurrency)],
        ...['--output', `${output}.jsonl`, '--summary', `${output}.json`],
      ]),
  };
}

/** EvalScope's command line, or null, and then why. */
export function evalscope() {
  const { EVALSCOPE_PYTHON: python } = process.env;
  if (python === undefined) return { missing: 'EVALSCOPE_PYTHON is not set' };
  const conditions = { stream: true, temperature: 1, max_tokens: 64_000, timeout: 600 };
  return {
    name: 'EvalScope',
    accepted: [0],
    run: ({ url, data, output, concurrency }) =>
      command(
        python,
        [
          ...[REFERENCE, 'evalscope.cli.cli', 'eval', '--eval-type', 'openai_api'],
          ...['--model', MODEL, '--api-url', url, '--api-key', 'none', '--datasets', 'k2_verifier'],
          ...['--dataset-args', JSON.stringify({ k2_verifier: { local_path: data.folder } })],
          ...['--eval-batch-size', String(concurrency), '--work-dir', output],
          ...['--generation-config', JSON.stringify(conditions)],
        ],
        { HF_HUB_OFFLINE: '1', HF_DATASETS_CACHE: join(data.folder, 'cache') },
      ),
  };
}

/** Ours and every other tool that is there; says on stdout which are not. */
export function tools() {
  const others = { "K2VV's script": k2vv(), EvalScope: evalscope() };
  for (const [name, { missing }] of Object.entries(others)) {
    if (missing !== undefined) console.log(`Without ${name}: ${missing}.`);
  }
  return [OURS, ...Object.values(others).filter(({ missing }) => missing === undefined)];
}
