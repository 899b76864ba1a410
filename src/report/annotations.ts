import type { BenchmarkReport, GateReport, RunReport } from '../model/report.js';
import { benchmarkWords } from './benchmark-words.js';
import { findingOf } from './findings.js';
import { counted, NBSP } from './numbers.js';
import { outside, type Sentence, toPlain } from './prose.js';
import { asked, failsAnyway, gateTitle, outcomeOf, worstFirst } from './rows.js';
import { isCurtailed, nameOf } from './shape.js';
import { wordsOf } from './words.js';

/** Plain text on one line each; the title names the gate. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
}

/** GitHub shows at most this many of each level for one step. */
const MOST = 10;
const LEVELS = ['error', 'warning', 'notice'] as const;

/**
 * Of a shard one that could not measure, and none of gates, which it does not judge. Else one annotation for each gate that does not hold, worst first: errors and failures as errors, warning gates as
 * warnings, undecided gates as notices. A run that ended without judging any gate has one for the run. Beyond ten of
 * a level the rest share the tenth.
 */
export function annotationsOf(report: RunReport): Annotation[] {
  if (report.shard !== null) return report.verdict === 'error' ? [runAnnotation(report)] : [];
  const gates = report.benchmarks.flatMap((benchmark) => gateAnnotations(benchmark, report));
  const all =
    report.verdict === 'pass' || saysWhy(gates, report) ? gates : [runAnnotation(report), ...gates];
  return LEVELS.flatMap((level) => bounded(all.filter((each) => each.level === level)));
}

/** Whether the gates explain the verdict; a stop before anything was judged, or an interruption, no gate explains. */
function saysWhy(gates: readonly Annotation[], report: RunReport): boolean {
  return !isCurtailed(report) && gates.some((each) => each.level !== 'warning');
}

function gateAnnotations(benchmark: BenchmarkReport, report: RunReport): Annotation[] {
  const several = report.benchmarks.length > 1;
  return worstFirst(benchmark.gates, benchmark).flatMap((gate): Annotation[] => {
    const level = levelOf(gate, benchmark);
    if (level === null || (gate.verdict === 'error' && isCurtailed(report))) return [];
    const where: Sentence = several ? [outside(nameOf(benchmark), 120), ': '] : [];
    return [
      {
        level,
        title: text([
          'Vendor Gate: ',
          ...where,
          outside(gateTitle(gate, benchmark), 120),
          ` ${asked(gate, benchmark)}`,
        ]),
        message: text(messageOf(gate, benchmark, report)),
      },
    ];
  });
}

function levelOf(gate: GateReport, benchmark: BenchmarkReport): Annotation['level'] | null {
  const outcome = outcomeOf(gate, benchmark);
  if (outcome === 'error' || outcome === 'fail') return 'error';
  if (outcome === 'warn') return failsAnyway(gate, benchmark) ? null : 'warning';
  return outcome === 'inconclusive' && !gate.warn ? 'notice' : null;
}

function messageOf(gate: GateReport, benchmark: BenchmarkReport, report: RunReport): Sentence {
  if (gate.verdict === 'error' && !gate.warn)
    return joined(benchmarkWords(benchmark, report).sentences);
  if (gate.verdict === 'fail') return findingOf(gate, benchmark).sentence;
  return [outside(gate.reason, 600)];
}

function runAnnotation(report: RunReport): Annotation {
  const { headline, sentences } = wordsOf(report);
  const level = report.verdict === 'inconclusive' ? 'notice' : 'error';
  return {
    level,
    title: text([`Vendor Gate: ${report.verdict} – `, ...headline]),
    message: text(joined(sentences)),
  };
}

function text(sentence: Sentence): string {
  return toPlain(sentence).replaceAll(NBSP, ' ');
}

function joined(sentences: readonly Sentence[]): Sentence {
  return sentences.flatMap((sentence, index) => (index === 0 ? sentence : [' ', ...sentence]));
}

function bounded(annotations: readonly Annotation[]): readonly Annotation[] {
  if (annotations.length <= MOST) return annotations;
  const shown = annotations.slice(0, MOST - 1);
  const rest = annotations.slice(MOST - 1);
  const [first] = rest;
  if (first === undefined) return shown;
  const names = rest.slice(0, 20).map((each) => each.title.replace(/^Vendor Gate: /, ''));
  const more =
    rest.length > names.length ? ` and ${counted(rest.length - names.length, 'more', 'more')}` : '';
  return [
    ...shown,
    {
      level: first.level,
      title: `Vendor Gate: ${counted(rest.length, 'more gate')}`,
      message: `${names.join('; ')}${more}. See the job summary.`,
    },
  ];
}
