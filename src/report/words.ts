import type { RunReport } from '../model/report.js';
import { reveal } from '../text/untrusted.js';
import { benchmarkWords, type Words } from './benchmark-words.js';
import { count, counted, duration } from './numbers.js';
import { code, outside, type Sentence, toPlain, worded } from './prose.js';
import { elapsedMs, nameOf, servedOtherwise, totals } from './shape.js';

/** A callout that must not be overlooked. */
export interface Callout {
  readonly kind: 'important' | 'warning';
  readonly sentence: Sentence;
}

/** Headline and sentences of a whole run; with several benchmarks the sentences are one line for each. */
export function wordsOf(report: RunReport): Words {
  const [first, ...others] = report.benchmarks;
  const stop = stopSentences(report);
  if (first === undefined) {
    return { headline: ['nothing was measured'], sentences: [...stop, [NOTHING_SAID]] };
  }
  const words = benchmarkWords(first, report);
  if (report.stopped?.kind === 'configuration') {
    return {
      headline: ['could not measure, a setting needs a change'],
      sentences: [...stop, [NOTHING_SAID]],
    };
  }
  if (others.length === 0) {
    return { headline: words.headline, sentences: [...stop, ...words.sentences] };
  }
  return {
    headline: severalHeadline(report),
    sentences: [
      ...stop,
      ...report.benchmarks
        .slice(0, LISTED)
        .map(
          (each): Sentence => [
            code(nameOf(each)),
            `: ${each.verdict} – `,
            ...benchmarkWords(each, report).headline,
            '.',
          ],
        ),
    ],
  };
}

/** One plain line without Markdown, for a log: 'Vendor Gate: fail – the model calls tools too rarely'. */
export function headlineOf(report: RunReport): string {
  return toPlain([`Vendor Gate: ${report.verdict} – `, ...wordsOf(report).headline]);
}

/** What the run was: model and endpoint, benchmark, samples, time. */
export function factsOf(report: RunReport): Sentence[] {
  const [first, ...others] = report.benchmarks;
  const { run, rows } = totals(report);
  const ms = elapsedMs(report);
  const { model, url } = report.endpoint;
  // Records of another run are scored without an endpoint.
  const facts: Sentence[] = [[code(model), ...(url === '' ? [] : [' at ', code(url, 200)])]];
  if (first !== undefined && others.length === 0) facts.push([code(nameOf(first))]);
  if (first !== undefined) {
    facts.push([
      run === rows
        ? `all ${counted(rows, 'sample')}`
        : `${count(run)} of ${counted(rows, 'sample')}`,
    ]);
  }
  if (ms !== null) facts.push([duration(ms)]);
  return facts;
}

/** Synthetic data, figures that cannot be compared, another model than asked for. */
export function calloutsOf(report: RunReport): Callout[] {
  const several = report.benchmarks.length > 1;
  const callouts: Callout[] = [];
  for (const benchmark of report.benchmarks.slice(0, LISTED)) {
    const who: Sentence = several ? [code(nameOf(benchmark)), ': '] : [];
    if (benchmark.dataset.synthetic) {
      const sentence = [
        ...who,
        'Synthetic data set, made by hand for tests and demos: these figures say nothing about a vendor.',
      ];
      callouts.push({ kind: 'important', sentence });
    }
    const reasons = benchmark.not_comparable;
    if (reasons.length > 0) {
      const named = list(
        reasons.slice(0, 5).map((reason) => outside(trimStop(reason), 200)),
        '; ',
      );
      const sentence = [...who, 'Not comparable with the published figures: ', ...named, '.'];
      callouts.push({ kind: 'warning', sentence });
    }
  }
  return [...callouts, ...servedCallouts(report)];
}

function servedCallouts(report: RunReport): Callout[] {
  const served = servedOtherwise(report);
  if (served.length === 0) return [];
  const names = list(
    served.slice(0, 5).map((name) => code(name)),
    ', ',
  );
  const more = served.length > 5 ? ` and ${count(served.length - 5)} more` : '';
  const sentence: Sentence =
    served.length === 1
      ? [
          'Asked for ',
          code(report.endpoint.model),
          ', but the endpoint says it served ',
          ...names,
          '.',
        ]
      : ['More than one model answered: ', ...names, `${more}.`];
  return [{ kind: 'warning', sentence }];
}

const NOTHING_SAID = 'This says nothing about fidelity: nothing was judged.';
/** Benchmarks named one by one above the tables. */
const LISTED = 20;

/** Why the run ended early, what to do, and the endpoint's own words. */
function stopSentences({ stopped }: RunReport): Sentence[] {
  if (stopped === null) return [];
  const sentences: Sentence[] = [worded(stopped.message)];
  if (stopped.advice !== '') sentences.push(worded(stopped.advice));
  if (reveal(stopped.detail).trim() !== '') {
    sentences.push(['The endpoint said: ', code(stopped.detail, 300)]);
  }
  return sentences;
}

function severalHeadline(report: RunReport): Sentence {
  const all = report.benchmarks.length;
  const worst = report.benchmarks.filter((each) => each.verdict === report.verdict);
  const [first] = worst;
  if (first === undefined) return [`${count(all)} benchmarks`];
  if (report.verdict === 'pass') return [`all ${count(all)} benchmarks pass`];
  return [
    `${count(worst.length)} of ${count(all)} benchmarks, `,
    code(nameOf(first)),
    ': ',
    ...benchmarkWords(first, report).headline,
  ];
}

function list(pieces: Sentence, between: string): Sentence {
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [between, piece]));
}

function trimStop(text: string): string {
  return text.trim().replace(/\.$/, '');
}
