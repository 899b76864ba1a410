import type { BenchmarkReport, GateReport } from '../model/report.js';
import { namedRows } from './causes.js';
import type { Finding } from './findings.js';
import { count, counted, figure } from './numbers.js';
import type { Sentence } from './prose.js';
import { asked } from './rows.js';

/*
 * All that the surfaces know of one benchmark, miniwob: words for its metrics, by metric name. A benchmark without
 * these metrics gets the general words.
 */

/** A failed gate in the words of its metric; null where it has none. */
export function findingInOwnWords(gate: GateReport, benchmark: BenchmarkReport): Finding | null {
  const metric = benchmark.metrics[gate.metric];
  if (metric === undefined || metric.value === null || !isMiniwob(benchmark)) return null;
  const hit = Math.round(metric.value * metric.n);
  const share = figure(gate.value, 'percent', [gate.bound]);
  const tail = `${share}, gate ${asked(gate, benchmark)}`;
  const of = counted(metric.n, 'episode');
  switch (gate.metric) {
    case 'success_rate':
    case 'success_rate_measured':
      return {
        rank: 1,
        short: ['the model solves too few tasks'],
        sentence: [`${count(hit)} of ${of} were solved (${tail}).`, ...unsolved(benchmark)],
        kinds: ['invalid_action', 'idle', 'model', 'wrong', 'max_steps'],
      };
    case 'error_rate':
    case 'invalid_action_rate':
      return {
        rank: 2,
        short: ['too many episodes end with a runtime error'],
        sentence: [
          `${count(hit)} of ${of} ended with an action or a browser that failed (${tail}).`,
        ],
        kinds: ['invalid_action', 'environment'],
      };
    default:
      return null;
  }
}

/** How many were solved, with how much work. */
export function solvedSentences(benchmark: BenchmarkReport): Sentence[] {
  const solved = benchmark.metrics['success_rate'];
  if (!isMiniwob(benchmark) || solved === undefined || solved.value === null) return [];
  const steps = benchmark.metrics['steps_per_episode']?.value ?? null;
  const work =
    steps === null ? '' : `; an episode took ${figure(steps, 'ratio')} actions on average`;
  const hit = Math.round(solved.value * solved.n);
  return [
    [
      `${count(hit)} of ${counted(solved.n, 'episode')} were solved${work}.`,
      ...unsolved(benchmark),
    ],
  ];
}

/** Solved episodes of a group of tasks. */
export interface GroupSolved {
  /** 'original tasks', 'train split'. */
  readonly title: string;
  readonly solved: number;
  readonly of: number;
}

/** In the order of the metrics; empty for another benchmark, without a judgement, and where there is but one group. */
export function groupsSolved(benchmark: BenchmarkReport): readonly GroupSolved[] {
  if (!isMiniwob(benchmark) || benchmark.verdict === 'error') return [];
  const groups = Object.entries(benchmark.metrics).flatMap(([name, { title, value, n }]) =>
    GROUP_METRIC.test(name) && title.startsWith(GROUP) && value !== null
      ? [{ title: title.slice(GROUP.length), solved: Math.round(value * n), of: n }]
      : [],
  );
  return groups.length <= 2 ? [] : groups;
}

/** What the texts of an example are, where the general names do not fit; null for another benchmark. */
export function exampleNames(
  benchmark: BenchmarkReport,
): { readonly prompt: string; readonly vendor: string } | null {
  return isMiniwob(benchmark) ? { prompt: 'Goal', vendor: 'Last actions' } : null;
}

const GROUP_METRIC = /^success_rate_(?!measured$)/;
/** How the titles of its metrics for groups of tasks begin. */
const GROUP = 'episodes solved, ';

function isMiniwob({ metrics }: BenchmarkReport): boolean {
  return Object.hasOwn(metrics, 'success_rate') && Object.hasOwn(metrics, 'steps_per_episode');
}

/** ' Not solved: 40 `wrong`, 12 `max_steps`.' */
function unsolved(benchmark: BenchmarkReport): Sentence {
  const rows = benchmark.reasons.find(({ name }) => name === 'failures')?.rows ?? [];
  const some = rows.filter((row) => row.count > 0);
  if (some.length === 0) return [];
  return [' Not solved: ', ...namedRows(some, 4)];
}
