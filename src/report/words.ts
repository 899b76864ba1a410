import type { BenchmarkReport, RunReport, Stopped } from '../model/report.js';
import { reveal } from '../text/untrusted.js';
import { benchmarkWords, type Words } from './benchmark-words.js';
import { count, counted, duration } from './numbers.js';
import { code, outside, type Sentence, worded } from './prose.js';
import { elapsedMs, isCurtailed, nameOf, servedOtherwise, totals } from './shape.js';

/** A callout that must not be overlooked. */
export interface Callout {
  readonly kind: 'important' | 'warning';
  readonly sentence: Sentence;
}

/** Headline and sentences of a whole run; with several benchmarks the sentences are one line for each. */
export function wordsOf(report: RunReport): Words {
  const [first, ...others] = report.benchmarks;
  const { stopped } = report;
  if (stopped !== null && isCurtailed(report)) {
    return {
      headline: [
        'could not measure: ',
        ...worded(trimStop(stopped.message.replace(/^Stopped: /, ''))),
      ],
      sentences: [...adviceSentences(stopped), [NOTHING_SAID]],
    };
  }
  const stop =
    stopped === null ? [] : [...stopSentences(stopped, report), ...adviceSentences(stopped)];
  const shard = shardSentences(report);
  if (first === undefined) {
    return { headline: ['nothing was measured'], sentences: [...shard, ...stop, [NOTHING_SAID]] };
  }
  if (others.length === 0) {
    const words = benchmarkWords(first, report);
    return { headline: words.headline, sentences: [...shard, ...stop, ...words.sentences] };
  }
  return {
    headline: severalHeadline(report),
    sentences: [
      ...shard,
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

/** What a shard is good for. */
function shardSentences({ shard }: RunReport): Sentence[] {
  if (shard === null) return [];
  return [
    [
      `This is one of ${counted(shard.of, 'part')} of a run. When all have run, `,
      code('merge'),
      ' joins their reports and judges.',
    ],
  ];
}

/** Why the run ended early, unless the headline says it already. */
function stopSentences(stopped: Stopped, { verdict }: RunReport): Sentence[] {
  return stopped.kind === 'shards' && verdict === 'inconclusive' ? [] : [worded(stopped.message)];
}

/** What the run was: model and endpoint, samples, time, and what it did not measure itself. */
export function factsOf(report: RunReport): Sentence[] {
  const { run, rows } = totals(report);
  const ms = elapsedMs(report);
  const { model, url } = report.endpoint;
  // Records of another run are scored without an endpoint.
  const facts: Sentence[] = [[code(model), ...(url === '' ? [] : [' at ', code(url, 200)])]];
  if (report.benchmarks.length > 0) facts.push([sizeText(run, rows)]);
  if (ms !== null) facts.push([duration(ms)]);
  if (report.resumed_samples > 0) {
    const taken = counted(report.resumed_samples, 'sample');
    facts.push([`${taken} taken over from an earlier, interrupted run`]);
  }
  return facts;
}

/** 'all 2,000 samples', '24 of 2,000 samples'. */
export function sizeText(run: number, rows: number): string {
  return run === rows
    ? `all ${counted(rows, 'sample')}`
    : `${count(run)} of ${counted(rows, 'sample')}`;
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
    callouts.push(...cutCallouts(benchmark, who));
  }
  return [...callouts, ...servedCallouts(report)];
}

/** A share of cut answers above this is no chance: the official model's whole rest of finish reasons is under 1 %. */
const MANY_CUT = 0.05;

/** Answers that ran into the token limit decide nothing: whether a call would have come is not known. */
function cutCallouts(benchmark: BenchmarkReport, who: Sentence): Callout[] {
  const group = benchmark.reasons.find(({ name }) => name === 'finish_reasons');
  const cut = group?.rows.find(({ key }) => reveal(key) === 'length')?.count ?? 0;
  const answers = group?.of ?? 0;
  if (answers === 0 || cut / answers <= MANY_CUT) return [];
  const sentence: Sentence = [
    ...who,
    `${count(cut)} of ${counted(answers, 'answer')} ended at the token limit (finish_reason length), so their decisions are not the model’s own: raise `,
    code('max-tokens'),
    ' or the limit of the deployment.',
  ];
  return [{ kind: 'warning', sentence }];
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

const NOTHING_SAID = 'This says nothing about fidelity: no gate was judged.';
/** Benchmarks named one by one above the tables. */
const LISTED = 20;

/** What to do, and the error in full. */
function adviceSentences(stopped: Stopped): Sentence[] {
  return [
    ...(stopped.advice === '' ? [] : [worded(stopped.advice)]),
    ...(reveal(stopped.detail).trim() === ''
      ? []
      : [
          [
            stopped.detail_from === 'endpoint' ? 'The endpoint said: ' : 'In detail: ',
            code(stopped.detail, 300),
          ],
        ]),
  ];
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
