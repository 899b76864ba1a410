import type { BenchmarkReport, GateReport } from '../model/report.js';
import { count, counted, figure, NONE, span } from './numbers.js';
import { code, outside, type Sentence } from './prose.js';
import {
  asked,
  fractionOf,
  gateStyle,
  gateTitle,
  intervalText,
  measured,
  outcomeOf,
  worstFirst,
} from './rows.js';

/** What one failed gate means. */
export interface Finding {
  /** Completes 'the model ...' in a headline: 'calls tools too rarely'. */
  readonly short: Sentence;
  /** A whole sentence with the figures. */
  readonly sentence: Sentence;
  /** A finding that explains others is named before them. */
  readonly rank: number;
}

/** The failed gates of a benchmark in words, the most telling first; warning gates are left out. */
export function findingsOf(benchmark: BenchmarkReport): Finding[] {
  return worstFirst(benchmark.gates, benchmark)
    .filter((gate) => outcomeOf(gate, benchmark) === 'fail')
    .map((gate) => findingOf(gate, benchmark))
    .sort((a, b) => a.rank - b.rank);
}

/** The failed gate of a known metric in its own words, of any other in general ones. */
export function findingOf(gate: GateReport, benchmark: BenchmarkReport): Finding {
  const words = KNOWN[gate.metric]?.(gate, benchmark);
  return words ?? general(gate, benchmark);
}

type Words = (gate: GateReport, benchmark: BenchmarkReport) => Finding | null;

/** By metric name. A rate of tool calls that is off explains a low F1, so it comes first. */
const KNOWN: Readonly<Record<string, Words>> = {
  trigger_rate_ratio(gate, benchmark) {
    const table = benchmark.confusion;
    if (table === null || gate.value === null) return null;
    const rarely = gate.operator === '>=' || gate.operator === '>';
    return {
      rank: 1,
      short: [rarely ? 'calls tools too rarely' : 'calls tools too often'],
      sentence: [
        `The model called a tool ${times(table.tp + table.fp)} where the official API called ${count(table.tp + table.fn)} (ratio ${figures(gate, benchmark)}).`,
      ],
    };
  },
  schema_accuracy(gate, benchmark) {
    const metric = benchmark.metrics[gate.metric];
    const fraction = metric === undefined ? null : fractionOf(metric);
    if (metric === undefined || metric.value === null || fraction === null) return null;
    const invalid = metric.n - Math.round(metric.value * metric.n);
    return {
      rank: 2,
      short: ['makes too many invalid tool calls'],
      sentence: [
        `${count(invalid)} of ${count(metric.n)} answers with tool calls hold an invalid one (valid: ${figures(gate, benchmark)}). `,
        ...invalidCalls(benchmark),
      ],
    };
  },
  trigger_similarity(gate, benchmark) {
    const table = benchmark.confusion;
    if (table === null || gate.value === null) return null;
    return {
      rank: 3,
      short: ['decides otherwise than the official model when to call a tool'],
      sentence: [
        `Its decisions agree with the official ones at F1 ${figures(gate, benchmark)}: it missed ${count(table.fn)} of ${counted(table.tp + table.fn, 'official call')} and called ${times(table.fp)} where the official model did not.`,
      ],
    };
  },
};

/** Any other metric: its title, its figures, its gate. */
function general(gate: GateReport, benchmark: BenchmarkReport): Finding {
  const title = outside(gateTitle(gate, benchmark), 80);
  return {
    rank: 4,
    short: ['misses the gate on ', title],
    sentence: [title, ` is ${measured(gate, benchmark)} (gate ${asked(gate, benchmark)}).`],
  };
}

/** '0.23, 95 % interval 0.07–0.74, gate ≥ 0.80'. */
function figures(gate: GateReport, benchmark: BenchmarkReport): string {
  const value = figure(gate.value, gateStyle(gate, benchmark), [gate.bound]);
  const interval = intervalText(gate, benchmark);
  const level = benchmark.metrics[gate.metric]?.interval?.level;
  const between =
    interval === NONE || level === undefined ? '' : `, ${figure(level, 'percent')} interval ${interval}`;
  return `${value}${between}, gate ${asked(gate, benchmark)}`;
}

/** 'Invalid calls by reason: 118 `unknown_tool`, 6 `schema_violation`.' */
export function invalidCalls(benchmark: BenchmarkReport): Sentence {
  const group = benchmark.reasons.find((each) => each.name === 'invalid_calls');
  const rows = group?.rows.filter((row) => row.count > 0) ?? [];
  if (group === undefined || rows.length === 0) return [];
  const named = rows.slice(0, 3);
  const rest = rows.slice(3).reduce((sum, row) => sum + row.count, 0);
  const pieces = named.flatMap((row, index) => [
    `${index === 0 ? '' : ', '}${count(row.count)} `,
    code(row.key, 60),
  ]);
  return ['Invalid calls by reason: ', ...pieces, rest > 0 ? `, ${count(rest)} others.` : '.'];
}

function times(n: number): string {
  return n === 1 ? 'once' : n === 0 ? 'never' : `${count(n)} times`;
}
