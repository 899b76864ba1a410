import type { BenchmarkReport, GateReport } from '../model/report.js';
import { namedRows } from './causes.js';
import type { Finding } from './findings.js';
import { count, counted, figure, styleOf } from './numbers.js';
import { outside, type Sentence } from './prose.js';
import { gateStyle } from './rows.js';

/*
 * All that the surfaces know of one benchmark, k2_verifier: words for its metrics, by metric name. A benchmark without
 * these metrics gets the general words, and needs no line here.
 */

/** A failed gate in the words of its metric; null where it has none or they need what the report does not hold. */
export function findingInOwnWords(gate: GateReport, benchmark: BenchmarkReport): Finding | null {
  const words = Object.hasOwn(FINDINGS, gate.metric) ? FINDINGS[gate.metric] : undefined;
  return words?.(gate, benchmark) ?? null;
}

/** Under a pass: how often both called a tool, and how many of the calls were valid. */
export function agreementSentences(benchmark: BenchmarkReport): Sentence[] {
  const table = benchmark.confusion;
  if (table === null || !decidesOnCalls(benchmark)) return [];
  const valid = benchmark.metrics['schema_accuracy'];
  const tail =
    valid === undefined || valid.value === null
      ? ''
      : `; ${count(Math.round(valid.value * valid.n))} of its ${counted(valid.n, 'answer')} with tool calls are valid`;
  return [
    [
      `The model called a tool on ${counted(table.tp + table.fp, 'prompt')}, the official API on ${count(table.tp + table.fn)}, both on ${count(table.tp)}${tail}.`,
    ],
  ];
}

/** What both sides called, where both called and the official calls are known; empty where they never are. */
export function payloadSentence({ metrics }: BenchmarkReport): Sentence {
  const n = metrics['tool_name_agreement']?.n ?? 0;
  if (n === 0) return [];
  const shares = [
    ['same number of calls', 'call_count_agreement'],
    ['same tools', 'tool_name_agreement'],
    ['same arguments', 'argument_agreement'],
  ].flatMap(([words = '', name = '']) => {
    const share = metrics[name]?.value ?? null;
    if (share === null) return [];
    return [`${words} in ${count(Math.round(share * n))} (${figure(share, 'percent')})`];
  });
  const likeness = metrics['argument_token_f1'];
  const tail =
    likeness === undefined
      ? ''
      : `; likeness of arguments (token F1) ${figure(likeness.value, styleOf(likeness.kind))}`;
  return [
    `Where both called and the official calls are known (${counted(n, 'answer')}): ${shares.join(', ')}${tail}.`,
  ];
}

/** Under an error: the figure over answered samples alone; it is not judged. */
export function answeredSentences(benchmark: BenchmarkReport): Sentence[] {
  const metric = benchmark.metrics['trigger_similarity_answered'];
  if (metric === undefined || metric.value === null || benchmark.samples.answered === 0) return [];
  return [
    [
      `Over the ${counted(benchmark.samples.answered, 'answered sample')} `,
      outside(benchmark.metrics['trigger_similarity']?.title ?? 'agreement', 80),
      ` is ${figure(metric.value, styleOf(metric.kind))}, not judged.`,
    ],
  ];
}

/** What the two-by-two table is about; each follows 'official' or 'vendor'. */
export interface DecisionWords {
  readonly title: string;
  readonly yes: string;
  /** Where space is short. */
  readonly yesShort: string;
  readonly no: string;
  /** What a sample without an answer counts as. */
  readonly unanswered: string;
}

const CALLS: DecisionWords = {
  title: 'Who called a tool',
  yes: 'called a tool',
  yesShort: 'did',
  no: 'did not',
  unanswered: 'not called',
};
const ANY: DecisionWords = {
  title: 'Decisions',
  yes: 'yes',
  yesShort: 'yes',
  no: 'no',
  unanswered: 'no',
};

export function decisionWords(benchmark: BenchmarkReport): DecisionWords {
  return decidesOnCalls(benchmark) ? CALLS : ANY;
}

function decidesOnCalls({ metrics }: BenchmarkReport): boolean {
  return Object.hasOwn(metrics, 'trigger_similarity');
}

type Words = (gate: GateReport, benchmark: BenchmarkReport) => Finding | null;

/**
 * By metric name. A share of tool calls that is off explains a low F1, so it comes first; what the calls say comes after
 * whether there are any.
 */
const FINDINGS: Readonly<Record<string, Words>> = {
  trigger_rate_ratio(gate, benchmark) {
    const table = benchmark.confusion;
    if (table === null || gate.value === null) return null;
    const rarely = asksForMore(gate);
    return {
      rank: 1,
      short: [rarely ? 'the model calls tools too rarely' : 'the model calls tools too often'],
      sentence: [
        `The model called a tool ${times(table.tp + table.fp)} where the official API called ${count(table.tp + table.fn)} (ratio ${shown(gate, benchmark)}).`,
      ],
      kinds: rarely
        ? ['leaked_call', 'stripped_markup', 'malformed_markup', 'unmarked_call', 'missed_call']
        : ['extra_call'],
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
  tool_name_agreement: (gate, benchmark) =>
    payloadFinding(gate, benchmark, {
      rank: 4,
      short: 'the model calls other tools than the official one',
      differ: 'call other tools or call them another number of times',
      kinds: ['other_tool', 'other_call_count'],
    }),
  call_count_agreement: (gate, benchmark) =>
    payloadFinding(gate, benchmark, {
      rank: 5,
      short: 'the model makes more or fewer tool calls than the official one',
      differ: 'make another number of calls',
      kinds: ['other_call_count'],
    }),
  argument_agreement: (gate, benchmark) =>
    payloadFinding(gate, benchmark, {
      rank: 6,
      short: 'the model calls tools with other arguments than the official one',
      differ: 'do not make the official calls with the official arguments',
      kinds: ['other_arguments', 'other_tool', 'other_call_count'],
    }),
  argument_token_f1(gate, benchmark) {
    const metric = benchmark.metrics[gate.metric];
    if (metric === undefined || metric.value === null || !asksForMore(gate)) return null;
    return {
      rank: 7,
      short: ['the arguments of tool calls differ too much from the official ones'],
      sentence: [
        `Where both called, the arguments have a likeness (token F1) of ${shown(gate, benchmark)} to the official ones.`,
      ],
      kinds: ['other_arguments', 'other_tool', 'other_call_count'],
    };
  },
};

/** A share of answers that is too low, in the words of what they differ in. */
function payloadFinding(
  gate: GateReport,
  benchmark: BenchmarkReport,
  words: Pick<Finding, 'rank' | 'kinds'> & { readonly short: string; readonly differ: string },
): Finding | null {
  const metric = benchmark.metrics[gate.metric];
  if (metric === undefined || metric.value === null || !asksForMore(gate)) return null;
  const differ = metric.n - Math.round(metric.value * metric.n);
  return {
    rank: words.rank,
    short: [words.short],
    sentence: [
      `Where both called, ${count(differ)} of ${counted(metric.n, 'answer')} ${words.differ}; ${shown(gate, benchmark)} agree.`,
    ],
    kinds: words.kinds,
  };
}

function asksForMore({ operator }: GateReport): boolean {
  return operator === '>=' || operator === '>';
}

function shown(gate: GateReport, benchmark: BenchmarkReport): string {
  return figure(gate.value, gateStyle(gate, benchmark), [gate.bound]);
}

/** 'Invalid calls by reason: 118 `unknown_tool`, 6 `schema_violation`.' */
function invalidCalls(benchmark: BenchmarkReport): Sentence {
  const group = benchmark.reasons.find((each) => each.name === 'invalid_calls');
  const rows = group?.rows.filter((row) => row.count > 0) ?? [];
  return rows.length === 0 ? [] : ['Invalid calls by reason: ', ...namedRows(rows, 3)];
}

function times(n: number): string {
  return n === 1 ? 'once' : `${count(n)} times`;
}
