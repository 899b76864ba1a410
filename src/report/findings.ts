import type { BenchmarkReport, GateReport } from '../model/report.js';
import { count, counted, figure, NBSP } from './numbers.js';
import { capital, code, outside, type Sentence } from './prose.js';
import { asked, gateStyle, gateTitle, measured, outcomeOf, worstFirst } from './rows.js';
import { remembered } from './shape.js';

/** What one failed gate means. */
export interface Finding {
  /** For a headline: 'the model calls tools too rarely'. */
  readonly short: Sentence;
  /** A whole sentence with the figures. */
  readonly sentence: Sentence;
  /** A finding that explains others is named before them. */
  readonly rank: number;
  /** Kinds of example that show it, the most telling first. */
  readonly kinds: readonly string[];
}

/** The failed gates of a benchmark in words, the most telling first; warning gates are left out. */
export const findingsOf = remembered((benchmark): readonly Finding[] =>
  worstFirst(benchmark.gates, benchmark)
    .filter((gate) => outcomeOf(gate, benchmark) === 'fail')
    .map((gate) => findingOf(gate, benchmark))
    .sort((a, b) => a.rank - b.rank),
);

/** The failed gate of a known metric in its own words, of any other in general ones. */
export function findingOf(gate: GateReport, benchmark: BenchmarkReport): Finding {
  const words = Object.hasOwn(KNOWN, gate.metric) ? KNOWN[gate.metric] : undefined;
  return words?.(gate, benchmark) ?? general(gate, benchmark);
}

type Words = (gate: GateReport, benchmark: BenchmarkReport) => Finding | null;

/** By metric name. A share of tool calls that is off explains a low F1, so it comes first. */
const KNOWN: Readonly<Record<string, Words>> = {
  trigger_rate_ratio(gate, benchmark) {
    const table = benchmark.confusion;
    if (table === null || gate.value === null) return null;
    const rarely = gate.operator === '>=' || gate.operator === '>';
    return {
      rank: 1,
      short: [rarely ? 'the model calls tools too rarely' : 'the model calls tools too often'],
      sentence: [
        `The model called a tool ${times(table.tp + table.fp)} where the official API called ${count(table.tp + table.fn)} (ratio ${shown(gate, benchmark)}).`,
      ],
      kinds: rarely ? ['leaked_call', 'unmarked_call', 'missed_call'] : ['extra_call'],
    };
  },
  schema_accuracy(gate, benchmark) {
    const metric = benchmark.metrics[gate.metric];
    if (metric === undefined || metric.value === null) return null;
    const invalid = metric.n - Math.round(metric.value * metric.n);
    return {
      rank: 2,
      short: ['too many tool calls are invalid'],
      sentence: [
        `${count(invalid)} of ${counted(metric.n, 'answer')} with tool calls hold an invalid one, ${shown(gate, benchmark)} are valid. `,
        ...invalidCalls(benchmark),
      ],
      kinds: ['invalid_call'],
    };
  },
  trigger_similarity(gate, benchmark) {
    const table = benchmark.confusion;
    if (table === null || gate.value === null) return null;
    return {
      rank: 3,
      short: ['tool-call decisions differ too much from the official model’s'],
      sentence: [
        `Agreement on when to call a tool is F1 ${shown(gate, benchmark)}: ${count(table.fn)} of ${counted(table.tp + table.fn, 'official call')} missed, ${count(table.fp)} extra.`,
      ],
      kinds: ['missed_call', 'extra_call'],
    };
  },
};

/** Any other metric: its title, its figures, its gate. */
function general(gate: GateReport, benchmark: BenchmarkReport): Finding {
  const title = gateTitle(gate, benchmark);
  return {
    rank: 4,
    short: [outside(title, 80), ' misses its gate'],
    sentence: [
      outside(capital(title), 80),
      `: ${measured(gate, benchmark)}, gate ${asked(gate, benchmark)}.`,
    ],
    kinds: [],
  };
}

function shown(gate: GateReport, benchmark: BenchmarkReport): string {
  return figure(gate.value, gateStyle(gate, benchmark), [gate.bound]);
}

/** 'Invalid calls by reason: 118 `unknown_tool`, 6 `schema_violation`.' */
function invalidCalls(benchmark: BenchmarkReport): Sentence {
  const group = benchmark.reasons.find((each) => each.name === 'invalid_calls');
  const rows = group?.rows.filter((row) => row.count > 0) ?? [];
  if (group === undefined || rows.length === 0) return [];
  const named = rows.slice(0, 3);
  const rest = rows.slice(3).reduce((sum, row) => sum + row.count, 0);
  const pieces = named.flatMap((row, index) => [
    `${index === 0 ? '' : ', '}${count(row.count)}${NBSP}`,
    code(row.key, 60),
  ]);
  return ['Invalid calls by reason: ', ...pieces, rest > 0 ? `, ${count(rest)} others.` : '.'];
}

function times(n: number): string {
  return n === 1 ? 'once' : `${count(n)} times`;
}
