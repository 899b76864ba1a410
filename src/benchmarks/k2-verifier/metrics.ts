import type { Metric } from '../../model/benchmark.js';
import type { Counts } from '../../model/observation.js';
import { kappa, kappaInterval, ratioInterval } from '../../statistics/intervals.js';
import { WHOLE } from './agreement.js';

/*
 * Every metric is computed from the counters of score.ts. tp, fp, fn and tn cover all samples run: one without an
 * answer counts as not triggered, as in EvalScope, and is counted in fn_unmeasured or tn_unmeasured as well.
 */

const RATE = [0, 1] as const;
const COUNT = [0, Number.POSITIVE_INFINITY] as const;

function get(counts: Counts, name: string): number {
  return counts[name] ?? 0;
}

function table(counts: Counts): { tp: number; fp: number; fn: number; tn: number; run: number } {
  const tp = get(counts, 'tp');
  const fp = get(counts, 'fp');
  const fn = get(counts, 'fn');
  const tn = get(counts, 'tn');
  return { tp, fp, fn, tn, run: tp + fp + fn + tn };
}

function count(name: string, title: string, counter: string): Metric {
  return {
    name,
    title,
    kind: 'count',
    range: COUNT,
    better: 'neither',
    value: (counts) => ({ value: get(counts, counter), n: table(counts).run }),
  };
}

/**
 * Over the samples on which both called a tool and the official calls are known. Neither default gates nor references:
 * the official model does not repeat itself here either, and nobody has published how far it does.
 * @param unit what full agreement on one sample adds to the counter.
 */
function agreement(
  name: string,
  title: string,
  counter: string,
  kind: 'rate' | 'mean' = 'rate',
  unit = 1,
): Metric {
  return {
    name,
    title,
    kind,
    range: RATE,
    better: 'higher',
    terms: (counts) => ({ num: get(counts, counter) / unit, den: get(counts, 'agreement.known') }),
    whyUndefined(counts) {
      const { tp } = table(counts);
      if (tp === 0) return 'on no sample did both call a tool';
      const on = tp === 1 ? 'the one sample' : 'any of the samples';
      return `the data set records no official calls for ${on} on which both called a tool`;
    },
  };
}

export const METRICS: readonly Metric[] = [
  {
    name: 'trigger_similarity',
    title: 'tool-call decision (F1)',
    kind: 'f1',
    range: RATE,
    better: 'higher',
    terms(counts) {
      const { tp, fp, fn } = table(counts);
      return { num: 2 * tp, den: 2 * tp + fp + fn };
    },
  },
  {
    name: 'trigger_similarity_answered',
    title: 'tool-call decision (F1), answered samples only',
    kind: 'f1',
    range: RATE,
    better: 'higher',
    terms(counts) {
      const { tp, fp, fn } = table(counts);
      return { num: 2 * tp, den: 2 * tp + fp + fn - get(counts, 'fn_unmeasured') };
    },
  },
  {
    name: 'trigger_precision',
    title: 'tool-call decision, precision',
    kind: 'rate',
    range: RATE,
    better: 'higher',
    terms(counts) {
      const { tp, fp } = table(counts);
      return { num: tp, den: tp + fp };
    },
  },
  {
    name: 'trigger_recall',
    title: 'tool-call decision, recall',
    kind: 'rate',
    range: RATE,
    better: 'higher',
    terms(counts) {
      const { tp, fn } = table(counts);
      return { num: tp, den: tp + fn };
    },
  },
  {
    name: 'trigger_kappa',
    title: 'tool-call decision (kappa)',
    kind: 'coefficient',
    range: [-1, 1],
    better: 'higher',
    value(counts) {
      const { tp, fp, fn, tn, run } = table(counts);
      return { value: kappa(tp, fp, fn, tn), n: run };
    },
    interval(counts, level) {
      const { tp, fp, fn, tn } = table(counts);
      return kappaInterval(tp, fp, fn, tn, level);
    },
  },
  {
    name: 'trigger_rate_ratio',
    title: 'trigger rate ratio',
    kind: 'ratio',
    range: COUNT,
    better: 'neither',
    terms(counts) {
      const { tp, fp, fn } = table(counts);
      return { num: tp + fp, den: tp + fn };
    },
    sampleTerms: [
      [0, 0],
      [1, 1],
      [1, 0],
      [0, 1],
    ],
    interval(counts, level) {
      const { tp, fp, fn } = table(counts);
      return ratioInterval(tp, fp, fn, level);
    },
  },
  count(
    'count_finish_reason_tool_calls',
    'responses with finish_reason tool_calls',
    'finish_tool_calls',
  ),
  count(
    'count_successful_tool_call',
    'responses in which every tool call is valid',
    'successful_tool_call',
  ),
  {
    name: 'schema_accuracy',
    title: 'valid tool calls',
    kind: 'rate',
    range: RATE,
    better: 'higher',
    terms: (counts) => ({
      num: get(counts, 'successful_tool_call'),
      den: get(counts, 'finish_tool_calls'),
    }),
  },
  agreement('tool_name_agreement', 'calls of the same tools', 'agreement.tool_names'),
  agreement('call_count_agreement', 'same number of calls', 'agreement.call_count'),
  agreement('argument_agreement', 'calls with the same arguments', 'agreement.arguments'),
  agreement(
    'argument_token_f1',
    'likeness of arguments (token F1)',
    'agreement.argument_tokens',
    'mean',
    WHOLE,
  ),
  {
    name: 'error_rate',
    title: 'samples without a usable answer',
    kind: 'rate',
    range: RATE,
    better: 'lower',
    measuresTheRun: true,
    terms: (counts) => ({
      num: get(counts, 'engine.unmeasured'),
      den: get(counts, 'engine.run'),
    }),
  },
  {
    name: 'rejected_rate',
    title: 'samples the endpoint refused',
    kind: 'rate',
    range: RATE,
    better: 'lower',
    terms: (counts) => ({ num: get(counts, 'refused'), den: table(counts).run }),
  },
  {
    name: 'reasoning_only_rate',
    title: 'responses with reasoning and nothing else',
    kind: 'rate',
    range: RATE,
    better: 'lower',
    terms: (counts) => ({
      num: get(counts, 'reasoning_only'),
      den:
        table(counts).run -
        get(counts, 'fn_unmeasured') -
        get(counts, 'tn_unmeasured') -
        get(counts, 'refused'),
    }),
  },
  count(
    'count_calls_without_finish_reason',
    'responses with tool calls and another finish_reason',
    'calls_without_finish',
  ),
];
