import type { Verdict } from '../model/gate.js';
import type { BenchmarkReport, GateReport, RunReport, Stopped } from '../model/report.js';
import { capital, roughly } from '../text/figures.js';
import { causesOf } from './causes.js';
import { findingsOf } from './findings.js';
import { agreementSentences, answeredSentences } from './k2-words.js';
import { solvedSentences } from './miniwob-words.js';
import { count, counted, duration } from './numbers.js';
import { code, outside, type Sentence } from './prose.js';
import { asked, failsAnyway, gateTitle, intervalPhrase, measured, outcomeOf } from './rows.js';
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
          : benchmark.early_stop !== null
            ? `every gate holds, settled by ${count(benchmark.early_stop.used)} of ${counted(dataset.rows, 'sample')}`
            : `no sign of breakage in ${count(samples.run)} of ${counted(dataset.rows, 'sample')}`,
      ],
      sentences: [
        ...agreementSentences(benchmark),
        ...solvedSentences(benchmark),
        ...(benchmark.early_stop === null
          ? limitSentences(benchmark)
          : earlyStopSentences(benchmark)),
        ...borderlineSentences(benchmark),
        ...warningSentences(benchmark),
      ],
    };
  },

  fail(benchmark) {
    const findings = findingsOf(benchmark);
    const failed = benchmark.gates.filter((gate) => outcomeOf(gate, benchmark) === 'fail');
    const close = failed.every((gate) => gate.borderline) ? 'borderline: ' : '';
    // The share of calls explains a low F1, so the headline names that and, beside it, only another thing to act on.
    const named = findings.filter((each, index) => index === 0 || (index === 1 && each.rank <= 2));
    const more = findings.length - 3;
    return {
      headline: [
        close,
        ...named.flatMap((each, index) => (index === 0 ? each.short : [' and ', ...each.short])),
      ],
      sentences: [
        ...findings.slice(0, 3).map((each) => each.sentence),
        ...(more > 0 ? [[`${counted(more, 'more gate')} failed, see the table.`]] : []),
        ...partSentences(benchmark, failed),
        ...earlyStopSentences(benchmark),
        ...borderlineSentences(benchmark),
        ...warningSentences(benchmark),
      ],
    };
  },

  inconclusive(benchmark, report) {
    const deciding = benchmark.gates.filter((gate) => !gate.warn);
    if (report.shard !== null) {
      const headline: Sentence = [openHeadline(benchmark, report, [], deciding)];
      return { headline, sentences: [] };
    }
    const open = deciding.filter((gate) => gate.verdict === 'inconclusive');
    const more = open.length - 2;
    return {
      headline: [openHeadline(benchmark, report, open, deciding)],
      sentences: [
        ...(open.length < deciding.length ? [noFailure(open, report)] : []),
        ...solvedSentences(benchmark),
        ...open.slice(0, 2).map((gate) => openSentence(gate, benchmark)),
        ...(more > 0 ? [[`${counted(more, 'more gate')} cannot be decided, see the table.`]] : []),
        ...settleSentences(open, benchmark, report),
        ...warningSentences(benchmark),
      ],
    };
  },

  error(benchmark) {
    const { run, errors, answered } = benchmark.samples;
    const causes = causesOf([benchmark]).slice(0, 4);
    const named = causes.flatMap(
      (each, index): Sentence => [
        `${index === 0 ? '' : ', '}${count(each.count)} × `,
        outside(each.text, 120),
      ],
    );
    const broken = errors === 0 ? brokenRun(benchmark) : null;
    const headline: Sentence =
      run === 0
        ? ['nothing was measured']
        : (broken ?? [
            `could not measure: ${count(errors)} of ${counted(run, 'sample')} unanswered`,
          ]);
    return {
      headline,
      sentences: [
        [
          answered === 0
            ? 'This says nothing about fidelity: nothing was measured.'
            : `This says nothing about fidelity: ${broken === null ? 'with so many samples unanswered no other gate is judged' : 'no other gate is judged'}.`,
        ],
        ...(named.length > 0 ? [['What happened: ', ...named, '.']] : []),
        ...answeredSentences(benchmark),
      ],
    };
  },
};

/** What kept a run in which every sample was answered from measuring; null where no gate says so. */
function brokenRun(benchmark: BenchmarkReport): Sentence | null {
  const gate = benchmark.gates.find((each) => outcomeOf(each, benchmark) === 'error');
  if (gate === undefined) return null;
  const title = outside(gateTitle(gate, benchmark), 80);
  return ['could not measure: ', title, ` ${measured(gate, benchmark)}`];
}

/** What a part of the data set cannot tell, from the interval of the first gated metric that has one. */
function limitSentences(benchmark: BenchmarkReport): Sentence[] {
  if (isWhole(benchmark)) return [];
  const rows = counted(benchmark.dataset.rows, 'sample');
  const gate = benchmark.gates.find((each) => intervalPhrase(each, benchmark) !== null);
  if (gate === undefined) {
    return [[`A part of the data set finds breakage, not drift; all ${rows} tell more.`]];
  }
  return [
    [
      `${count(benchmark.samples.run)} samples find breakage, not drift: `,
      outside(gateTitle(gate, benchmark), 80),
      ` may lie anywhere in ${intervalPhrase(gate, benchmark) ?? ''}. All ${rows} narrow that.`,
    ],
  ];
}

/** That the run was shortened, what that saved and what it risks. */
function earlyStopSentences({ early_stop: early, dataset }: BenchmarkReport): Sentence[] {
  if (early === null) return [];
  const risk = `${Number((early.risk * 100).toPrecision(6))} %`;
  return [
    [
      `Stopped early: the first ${counted(early.used, 'sample')} of the random draw settle it${early.run > early.used ? `; ${count(early.run - early.used)} more were under way and are counted too` : ''}; ${count(early.saved)} were not sent. The verdict differs from that of all ${count(dataset.rows)} with a probability of at most ${risk}.`,
    ],
  ];
}

/** Why a failure on a part of the data set stands. */
function partSentences(benchmark: BenchmarkReport, failed: readonly GateReport[]): Sentence[] {
  const byInterval = failed.length > 0 && failed.every((gate) => gate.decided_by === 'interval');
  if (isWhole(benchmark) || !byInterval) return [];
  return [
    [
      `${count(benchmark.samples.run)} of ${counted(benchmark.dataset.rows, 'sample')} are enough to say so: the whole interval lies on the wrong side of ${failed.length === 1 ? 'the gate' : 'each failed gate'}.`,
    ],
  ];
}

/** Gates that the point decided although the interval contains them. */
function borderlineSentences(benchmark: BenchmarkReport): Sentence[] {
  return benchmark.gates
    .filter((gate) => gate.borderline && !gate.warn && outcomeOf(gate, benchmark) !== 'not_judged')
    .slice(0, 2)
    .map(
      (gate): Sentence => [
        'Borderline: ',
        outside(gateTitle(gate, benchmark), 80),
        ` ${measured(gate, benchmark)}, and ${intervalPhrase(gate, benchmark) ?? 'its interval'} contains the gate ${asked(gate, benchmark)}; other rows of the same kind could come out on the other side.`,
      ],
    );
}

/** Warning gates that do not hold. */
function warningSentences(benchmark: BenchmarkReport): Sentence[] {
  return benchmark.gates
    .filter((gate) => outcomeOf(gate, benchmark) === 'warn')
    .filter((gate) => !failsAnyway(gate, benchmark))
    .slice(0, 2)
    .map(
      (gate): Sentence => [
        'Warning: ',
        outside(gateTitle(gate, benchmark), 80),
        ` ${measured(gate, benchmark)}, asked for ${asked(gate, benchmark)}. A warning does not decide the verdict.`,
      ],
    );
}

/** Whether only how well the run could measure was judged: all gates hold, and still it is no pass. */
function isUngated(open: readonly GateReport[], { stopped }: RunReport): boolean {
  return open.length === 0 && stopped?.kind !== 'interrupted';
}

function noFailure(open: readonly GateReport[], report: RunReport): Sentence {
  if (!isUngated(open, report)) return ['No gate failed.'];
  return ['No gate asks what the model did; set one in ', code('thresholds'), '.'];
}

function openHeadline(
  benchmark: BenchmarkReport,
  report: RunReport,
  open: readonly GateReport[],
  deciding: readonly GateReport[],
): string {
  const { run } = benchmark.samples;
  if (report.shard !== null) {
    const { index, of } = report.shard;
    return `shard ${count(index)} of ${count(of)}, ${counted(run, 'sample')}: judged when the shards are merged`;
  }
  if (report.stopped?.kind === 'shards') return missingShards(report.stopped);
  if (deciding.length === 0) return 'there is no gate to judge by';
  if (report.stopped !== null && !isWhole(benchmark)) {
    return `stopped after ${count(run)} of ${counted(benchmark.dataset.rows, 'sample')}`;
  }
  if (isUngated(open, report)) return 'there is no gate to judge by';
  const empty = open.length > 0 && open.every((gate) => gate.value === null);
  return empty ? 'the samples hold nothing to judge by' : `${counted(run, 'sample')} cannot tell`;
}

/** 'shard 2 of 2 is missing'. */
function missingShards({ message }: Stopped): string {
  return `${message.slice(0, 1).toLowerCase()}${message.slice(1).replace(/\.$/, '')}`;
}

function openSentence(gate: GateReport, benchmark: BenchmarkReport): Sentence {
  const interval = intervalPhrase(gate, benchmark);
  if (gate.value === null || interval === null) return [outside(gate.reason, 600)];
  return [
    outside(capital(gateTitle(gate, benchmark)), 80),
    ` ${measured(gate, benchmark)}: ${interval} contains the gate ${asked(gate, benchmark)}, so the true value may lie on either side.`,
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
  const time =
    pace === null ? '' : `, about ${duration(wholeMinutes(pace * more))} at this run’s pace`;
  return [
    [
      more >= left
        ? `The other ${counted(left, 'sample')} of the data set would settle it${time}.`
        : `About ${count(roughly(more))} more samples would settle it if the figures stay as they are${time}.`,
    ],
  ];
}

function wholeMinutes(ms: number): number {
  return ms < 120_000 ? ms : Math.round(ms / 60_000) * 60_000;
}
