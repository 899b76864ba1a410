import { detailOf } from '../../src/benchmarks/miniwob/detail.js';
import { exampleOf } from '../../src/benchmarks/miniwob/example.js';
import { METRICS } from '../../src/benchmarks/miniwob/metrics.js';
import { OPTIONS_SCHEMA } from '../../src/benchmarks/miniwob/options.js';
import type { Ending, Payload } from '../../src/benchmarks/miniwob/payload.js';
import { type Episode, schedule } from '../../src/benchmarks/miniwob/schedule.js';
import { scoreEpisode } from '../../src/benchmarks/miniwob/score.js';
import { SUBSETS } from '../../src/benchmarks/miniwob/subsets.js';
import { conclude } from '../../src/engine/conclude.js';
import { Tally } from '../../src/engine/tally.js';
import { effectiveGates } from '../../src/gates/effective.js';
import { ENGINE_DEFAULT_GATES } from '../../src/gates/engine-metrics.js';
import { parseGates } from '../../src/gates/parse.js';
import type { BenchmarkSpec } from '../../src/model/benchmark.js';
import type { Exchange } from '../../src/model/completion.js';
import type { Observation } from '../../src/model/observation.js';
import type { RunReport } from '../../src/model/report.js';
import { untrusted } from '../../src/text/untrusted.js';
import { openedFor, reportOf } from './reports.js';

/*
 * Reports of miniwob over all 125 tasks. Only how the episodes ended is made up; counters, metrics, gates and examples
 * come from the project's own code.
 */

const SPEC: BenchmarkSpec = {
  name: 'miniwob',
  title: 'MiniWoB',
  version: '1',
  optionsSchema: OPTIONS_SCHEMA,
  defaultSubset: 'default',
  subsets: SUBSETS,
  metrics: METRICS,
  defaultOrder: 'file',
};

const EPISODES = schedule({ repeats: 1, tasks: null, limit: null });

/** @param endings of the first tasks, in file order; the others are solved */
export function miniwobReport(endings: readonly Ending[], gates: string): RunReport {
  const tally = new Tally();
  for (const [index, episode] of EPISODES.entries()) {
    const observation = observed(episode, endings[index] ?? null);
    const score = scoreEpisode(episode, observation);
    tally.add(observation, score, exampleOf(episode, observation), index);
  }
  const [subset] = SUBSETS;
  if (subset === undefined) throw new Error('there is no subset');
  const user = parseGates(gates, 'user', 'thresholds').gates;
  const lines = [...subset.defaultGates, ...ENGINE_DEFAULT_GATES].join('\n');
  const benchmark = conclude({
    spec: SPEC,
    subset,
    data: openedFor({ source: 'MiniWoB++ at 7fd85d71a4b6', rows: EPISODES.length }),
    detail: detailOf,
    shard: null,
    early: null,
    prices: { priceIn: null, priceOut: null },
    tally,
    planned: EPISODES.length,
    gates: effectiveGates(user, parseGates(lines, 'default', '').gates, SPEC, subset.name),
    decision: 'auto',
    confidence: 0.95,
    stopped: null,
  });
  const notes = ['miniwob: the pages are shown by /usr/bin/chromium, version 156.0.8078.114.'];
  return reportOf([benchmark], { notes });
}

const ACTIONS: Readonly<Partial<Record<Ending, readonly string[]>>> = {
  invalid_action: ['click(13)'],
  done: ['fill("16", "Ada")', 'click("19")'],
  max_steps: ['mouse_click(120, 88)', 'noop()'],
};
const ERRORS: Readonly<Partial<Record<Ending, string>>> = {
  invalid_action: 'click needs the bid as a string',
  environment: 'step failed: the browser is gone',
  model: '{"error":{"message":"Too many tokens in <image>"}}',
};

function observed(episode: Episode, ending: Ending | null): Observation<Payload> {
  const steps = ending === null ? 2 : (ACTIONS[ending]?.length ?? 0);
  const error = ending === null ? undefined : ERRORS[ending];
  const exchanges = Array.from({ length: Math.max(1, steps) }, exchange);
  return {
    kind: 'measured',
    id: episode.id,
    attempt: 1,
    startedAt: 0,
    durationMs: 4200 * exchanges.length,
    exchanges,
    payload: {
      success: ending === null,
      ending: ending ?? 'done',
      reward: ending === null ? 1 : 0,
      rawReward: ending === null ? 1 : ending === 'done' ? -1 : 0,
      modelCalls: exchanges.length,
      steps,
      error: error === undefined ? null : untrusted(error),
      browser: '156.0.8078.114',
      trace: `episodes/${episode.id}/trace.jsonl`,
      goal: untrusted(`Solve "${episode.task.page}" | <b>now</b>.`),
      lastActions: (ending === null ? [] : (ACTIONS[ending] ?? [])).map(untrusted),
    },
  };
}

function exchange(_: unknown, at: number): Exchange {
  const prompt = 2100 + 900 * at;
  return {
    status: 200,
    attempts: 1,
    firstTokenMs: 600,
    totalMs: 2400,
    usage: { prompt_tokens: prompt, completion_tokens: 80, total_tokens: prompt + 80 },
    warnings: [],
    headers: {},
    served: untrusted('kimi-k2-thinking'),
    inFlight: 8,
  };
}
