import type { Verdict } from '../model/gate.js';
import type { BenchmarkReport, GateReport, RunReport } from '../model/report.js';
import { causesOf } from './causes.js';
import { findingOf, findingsOf } from './findings.js';
import { count, counted, duration, level, NONE } from './numbers.js';
import { capital, outside, type Sentence } from './prose.js';
import { asked, gateTitle, intervalText, measured, outcomeOf } from './rows.js';
import { isWhole, msPerSample } from './shape.js';

/** A verdict in plain words. */
export interface Words {
  /** Follows the verdict: 'the model calls tools too rarely'. */
  readonly headline: Sentence;
  /** Two or three sentences under it. */
  readonly sentences: readonly Sentence[];
}

/** The verdict of one benchmark of `report`. */
export function benchmarkWords(benchmark: BenchmarkReport, report: RunReport): Words {
  return WORDS[benchmark.verdict](benchmark, report);
}

const WORDS: Record<Verdict, (benchmark: BenchmarkReport, report: RunReport) => Words> = {
  pass(benchmark) {
    const { samples, dataset } = benchmark;
    const kind = dataset.synthetic ? 'synthetic data set' : 'data set';
    return {
      headline: [
        isWhole(benchmark)
          ? `every gate holds on the whole ${kind}`
          : `no sign of breakage in ${count(samples.run)} of ${counted(dataset.rows, 'sample')}`,
      ],
      sentences: [
        ...agreementSentences(benchmark),
        ...limitSentences(benchmark),
        ...borderlineSentences(benchmark),
        ...warningSentences(benchmark),
      ],
    };
  },

  fail(benchmark) {
    const findings = findingsOf(benchmark);
    // The share of calls explains a low F1; the headline names what the reader can act on.
    const named = findings.filter((each, index) => index === 0 || (index === 1 && each.rank <= 2));
    const more = findings.length - 3;
    return {
      headline: [
        'the model ',
        ...named.flatMap((each, index) => (index === 0 ? each.short : [' and ', ...each.short])),
      ],
      sentences: [
        ...findings.slice(0, 3).map((each) => each.sentence),
        ...(more > 0 ? [[`${counted(more, 'more gate')} failed, see the table.`]] : []),
        ...partSentences(benchmark),
        ...borderlineSentences(benchmark),
        ...warningSentences(benchmark),
      ],
    };
  },

  inconclusive(benchmark, report) {
    const deciding = benchmark.gates.filter((gate) => !gate.warn);
    const open = deciding.filter((gate) => gate.verdict === 'inconclusive');
    const ran = counted(benchmark.samples.run, 'sample');
    let headline = `${ran} cannot tell`;
    if (deciding.length === 0) headline = 'there is no gate to judge by';
    else if (open.length === 0 && report.stopped !== null) headline = `stopped after ${ran}`;
    else if (open.every((gate) => gate.value === null)) headline = `${ran} hold nothing to judge`;
    const more = open.length - 2;
    return {
      headline: [headline],
      sentences: [
        ...open.slice(0, 2).map((gate) => openSentence(gate, benchmark)),
        ...(more > 0 ? [[`${counted(more, 'more gate')} cannot be decided, see the table.`]] : []),
        ...settleSentences(open, benchmark, report),
        ...(open.length < deciding.length && deciding.length > 0
          ? [['No gate is broken by what was measured.']]
          : []),
        ...warningSentences(benchmark),
      ],
    };
  },

  error(benchmark) {
    const { run, errors, answered } = benchmark.samples;
    const limit = benchmark.gates.find((gate) => gate.verdict === 'error');
    const causes = causesOf([benchmark]).slice(0, 4);
    const named = causes.flatMap((each, index): Sentence => [
      `${index === 0 ? '' : ', '}${count(each.count)} × `,
      outside(each.text, 120),
    ]);
    const sentences: Sentence[] = [['This says nothing about fidelity: what was not measured is not judged.']];
    if (run > 0) {
      const which = answered === 0 ? `None of ${counted(run, 'sample')} got a usable answer` : `${count(errors)} of ${counted(run, 'sample')} got no usable answer`;
      const allowed = limit === undefined ? '' : ` (gate ${asked(limit, benchmark)})`;
      sentences.push([`${which}${allowed}`, ...(named.length > 0 ? [': ', ...named] : []), '.']);
    }
    return { headline: [run === 0 ? 'nothing was measured' : 'could not measure'], sentences };
  },
};

/** How often both called a tool, and how many of the calls were valid. */
function agreementSentences(benchmark: BenchmarkReport): Sentence[] {
  const table = benchmark.confusion;
  if (table === null) return [];
  const called = table.tp + table.fp;
  const valid = benchmark.metrics['schema_accuracy'];
  const tail =
    valid?.value === null || valid === undefined
      ? ''
      : `; ${count(Math.round(valid.value * valid.n))} of its ${count(valid.n)} answers with tool calls are valid`;
  return [
    [
      `The model called a tool on ${counted(called, 'prompt')}, the official API on ${count(table.tp + table.fn)}, both on ${count(table.tp)}${tail}.`,
    ],
  ];
}

/** What a part of the data set cannot tell, from the interval of the first gated metric that has one. */
function limitSentences(benchmark: BenchmarkReport): Sentence[] {
  if (isWhole(benchmark)) return [];
  const gate = benchmark.gates.find((each) => intervalText(each, benchmark) !== NONE);
  const rows = counted(benchmark.dataset.rows, 'row');
  if (gate === undefined) return [[`A part of the data set finds breakage, not drift; all ${rows} tell more.`]];
  const interval = benchmark.metrics[gate.metric]?.interval;
  const how = interval === undefined ? '' : ` (${level(interval.level)} interval)`;
  return [
    [
      'This many samples find breakage, not drift: ',
      outside(gateTitle(gate, benchmark), 80),
      ` may lie anywhere in ${intervalText(gate, benchmark)}${how}. A run over all ${rows} narrows that.`,
    ],
  ];
}

/** Why a fail on a part of the data set stands. */
function partSentences(benchmark: BenchmarkReport): Sentence[] {
  if (isWhole(benchmark)) return [];
  const failed = benchmark.gates.filter((gate) => outcomeOf(gate, benchmark) === 'fail');
  if (failed.length === 0 || failed.some((gate) => gate.decided_by !== 'interval')) return [];
  return [
    [
      `${count(benchmark.samples.run)} of ${counted(benchmark.dataset.rows, 'sample')} are enough to say so: the whole interval lies outside the gate.`,
    ],
  ];
}

/** Gates that the point decided although the interval contains them. */
function borderlineSentences(benchmark: BenchmarkReport): Sentence[] {
  return benchmark.gates
    .filter((gate) => gate.borderline && outcomeOf(gate, benchmark) !== 'not_judged')
    .slice(0, 2)
    .map((gate): Sentence => [
      'Borderline: ',
      outside(gateTitle(gate, benchmark), 80),
      ` is ${measured(gate, benchmark)}, and its interval ${intervalText(gate, benchmark)} contains the gate ${asked(gate, benchmark)}; another run may come out on the other side.`,
    ]);
}

/** Warning gates that do not hold. */
function warningSentences(benchmark: BenchmarkReport): Sentence[] {
  const missed = benchmark.gates.filter((gate) => outcomeOf(gate, benchmark) === 'warn');
  return missed.slice(0, 2).map((gate): Sentence => [
    'Warning: ',
    outside(gateTitle(gate, benchmark), 80),
    ` ${measured(gate, benchmark)} is outside ${asked(gate, benchmark)}; a warning gate does not decide the verdict.`,
  ]);
}

function openSentence(gate: GateReport, benchmark: BenchmarkReport): Sentence {
  const title = outside(capital(gateTitle(gate, benchmark)), 80);
  const interval = benchmark.metrics[gate.metric]?.interval;
  if (gate.value === null || interval === undefined) return [outside(gate.reason, 600)];
  return [
    title,
    ` is ${measured(gate, benchmark)}, and its ${level(interval.level)} interval ${intervalText(gate, benchmark)} contains the gate ${asked(gate, benchmark)}.`,
  ];
}

/** What would settle the open gates, and how long it would take at this run's pace. */
function settleSentences(
  open: readonly GateReport[],
  benchmark: BenchmarkReport,
  report: RunReport,
): Sentence[] {
  const defined = open.filter((gate) => gate.value !== null);
  if (defined.length === 0) return [];
  const needs = defined.map((gate) => gate.samples_to_settle).filter((n) => n !== null);
  if (needs.length < defined.length) {
    return [['No number of samples of this data set is sure to settle it.']];
  }
  const more = Math.max(...needs);
  const left = benchmark.dataset.rows - benchmark.samples.run;
  const pace = msPerSample(report);
  const time = pace === null ? '' : `, about ${duration(pace * more)} at the pace of this run`;
  return [
    [
      more >= left
        ? `The other ${count(left)} of the data set settle it${time}.`
        : `About ${count(rough(more))} more samples settle it if the figures stay as they are${time}.`,
    ],
  ];
}

/** Two significant digits, upwards: an estimate must not look exact. */
function rough(n: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, n))) - 1);
  return Math.ceil(n / step) * step;
}
