import { describe, expect, test } from '@jest/globals';
import type {
  BenchmarkReport,
  GateReport,
  Percentiles,
  RunReport,
  Stopped,
} from '../../src/model/report.js';
import { toPlain } from '../../src/report/prose.js';
import { gateRows, intervalHeading } from '../../src/report/rows.js';
import { calloutsOf, factsOf, wordsOf } from '../../src/report/words.js';
import { untrusted } from '../../src/text/untrusted.js';
import { CASES } from '../support/report-cases.js';
import { benchmarkReport, reportOf, runReport } from '../support/reports.js';

const plain = (text: string): string => text.replaceAll('\u00a0', ' ');
const said = (report: RunReport): string[] =>
  wordsOf(report).sentences.map((each) => plain(toPlain(each)));

const headlineOf = (report: RunReport): string =>
  plain(`${report.verdict} – ${toPlain(wordsOf(report).headline)}`);

function caseNamed(name: string): RunReport {
  const report = CASES[name]?.();
  if (report === undefined) throw new Error(`no case ${name}`);
  return report;
}

describe('headlines', () => {
  test.each<[string, string]>([
    ['pass-full', 'pass – every gate holds on the whole data set'],
    ['pass-partial', 'pass – no sign of breakage in 500 of 2,000 samples'],
    ['fail-over-trigger', 'fail – the model calls tools too often'],
    ['fail-schema', 'fail – too many tool calls are invalid'],
    ['fail-broken-templates', 'fail – the model calls tools too rarely'],
    ['error-outage', 'error – could not measure: 41 of 200 samples unanswered'],
    ['error-bad-key', 'error – could not measure: the endpoint rejected the key (401)'],
    ['inconclusive', 'inconclusive – 200 samples cannot tell'],
    [
      'borderline-full',
      'fail – borderline: tool-call decisions differ too much from the official model’s',
    ],
    ['fail-payload', 'fail – the model calls other tools than the official one'],
    ['inconclusive-payload', 'inconclusive – the samples hold nothing to judge by'],
    ['synthetic-demo', 'pass – every gate holds on the whole synthetic data set'],
    ['interrupted', 'inconclusive – stopped after 120 of 2,000 samples'],
    [
      'two-benchmarks',
      'fail – 1 of 2 benchmarks, k2_verifier/k2_0905: the model calls tools too rarely',
    ],
  ])('%s', (name, headline) => {
    expect(headlineOf(caseNamed(name))).toBe(headline);
  });

  test('two things to act on are both named, a low F1 beside them is not', () => {
    const report = runReport({ tp: 300, fp: 50, fn: 679, tn: 971, invalid: { unknown_tool: 100 } });
    expect(headlineOf(report)).toBe(
      'fail – the model calls tools too rarely and too many tool calls are invalid',
    );
    expect(said(report)).toEqual([
      'The model called a tool 350 times where the official API called 979 (ratio 0.36).',
      '100 of 350 answers with tool calls hold an invalid one, 71.4 % are valid. Invalid calls by reason: 100 unknown_tool.',
      'Agreement on when to call a tool is F1 0.451: 679 of 979 official calls missed, 50 extra.',
    ]);
  });

  test('all benchmarks pass', () => {
    const one = caseNamed('pass-full').benchmarks[0] as BenchmarkReport;
    expect(headlineOf(reportOf([one, one]))).toBe('pass – all 2 benchmarks pass');
  });
});

describe('sentences', () => {
  test('payloads that differ: tools before arguments, shares as counts, the likeness as it is', () => {
    // 742 - 668 = 74 and 742 - 431 = 311; a warning never stands among the findings.
    expect(said(caseNamed('fail-payload'))).toEqual([
      'Where both called, 74 of 742 answers call other tools or call them another number of times; 90.0 % agree.',
      'Where both called, 311 of 742 answers do not make the official calls with the official arguments; 58.1 % agree.',
      'Where both called, the arguments have a likeness (token F1) of 0.790 to the official ones.',
      'Warning: same number of calls 730/742 = 98.4 %, asked for ≥ 99 %. A warning does not decide the verdict.',
    ]);
  });

  test('a gate on payloads that nobody recorded says so', () => {
    expect(said(caseNamed('inconclusive-payload'))[1]).toBe(
      'Calls of the same tools has no value over all 2,000 samples: the data set records no official calls for any of the samples on which both called a tool.',
    );
  });

  test('too much agreement is told in general words', () => {
    const report = runReport({
      ...{ tp: 742, fp: 243, fn: 237, tn: 778, gates: 'argument_agreement <= 50%' },
      more: { 'agreement.known': 742, 'agreement.arguments': 700 },
    });
    expect(said(report)[0]).toBe('Calls with the same arguments: 700/742 = 94.3 %, gate ≤ 50 %.');
  });

  test('a broken template: 3 calls where the official API made 13', () => {
    expect(said(caseNamed('fail-broken-templates'))).toEqual([
      'The model called a tool 3 times where the official API called 13 (ratio 0.23).',
      'Agreement on when to call a tool is F1 0.250: 11 of 13 official calls missed, 1 extra.',
      '24 of 2,000 samples are enough to say so: the whole interval lies on the wrong side of each failed gate.',
    ]);
  });

  test('a pass on a part says what this size cannot tell', () => {
    expect(said(caseNamed('pass-partial'))[1]).toBe(
      '500 samples find breakage, not drift: tool-call decision (F1) may lie anywhere in the 95 % interval 0.760–0.837. All 2,000 samples narrow that.',
    );
  });

  test('an outage says nothing about fidelity and counts its causes', () => {
    expect(said(caseNamed('error-outage'))).toEqual([
      'This says nothing about fidelity: with so many samples unanswered no other gate is judged.',
      'What happened: 38 × the server failed (5xx), 3 × no complete answer within request-timeout.',
      // 2 * 62 / (2 * 62 + 19 + 16), the 21 unanswered of the 37 missed taken out.
      'Over the 159 answered samples tool-call decision (F1) is 0.780, not judged.',
    ]);
  });

  test('a wrong key: what to check, in the endpoint’s own words too', () => {
    expect(said(caseNamed('error-bad-key'))).toEqual([
      'Check that the secret behind api-key is set, current and meant for this endpoint; it is sent as a Bearer token.',
      'The endpoint said: {"error":{"message":"Incorrect API key provided","type":"invalid_request_error"}}',
      'This says nothing about fidelity: no gate was judged.',
    ]);
  });

  test('inconclusive says what would settle it', () => {
    const sentences = said(caseNamed('inconclusive'));
    expect(sentences.at(-1)).toBe(
      // 1,800 more at 2.35 s each are 70.5 minutes.
      'The other 1,800 samples of the data set would settle it, about 1 h 11 m at this run’s pace.',
    );
    expect(sentences[0]).toBe('No gate failed.');
  });

  const base = caseNamed('inconclusive');
  const [only] = base.benchmarks as [BenchmarkReport];
  // 200 samples at concurrency 16: requests explain 200 x p90 / 16 + p99.
  const { p90, p99 } = only.latency.total as Percentiles;
  const explained = (200 * p90) / 16 + p99;
  const lasting = (ms: number): Partial<RunReport> => ({
    finished_at: new Date(Date.parse(base.started_at) + ms).toISOString(),
  });
  test.each<[string, Partial<RunReport>, boolean]>([
    ['as long as the requests explain', lasting(Math.floor(explained)), true],
    ['longer: the endpoint was waited for', lasting(Math.ceil(explained) + 1), false],
    ['some samples taken over', { resumed_samples: 150 }, false],
    ['records scored', { endpoint: { ...base.endpoint, url: '' } }, false],
    ['no concurrency known', { settings: {} }, false],
    [
      'no latencies',
      { benchmarks: [{ ...only, latency: { first_token: null, total: null } }] },
      false,
    ],
  ])('a pace that would mislead is left out: %s', (_, change, known) => {
    const sentence = said({ ...base, ...change }).at(-1);
    expect(sentence).toMatch(/^The other 1,800 samples of the data set would settle it/);
    expect(sentence?.includes('at this run’s pace')).toBe(known);
  });

  test('the interval named is the one that decided', () => {
    const report = caseNamed('own-levels');
    // F1 384 / 487; J = 192 / 295, Wilson at 99 % (z 2.5758): 0.577 to 0.719, so F1 0.732 to 0.836.
    expect(said(report)[1]).toBe(
      'Tool-call decision (F1) 0.789: the 99 % interval 0.732–0.836 contains the gate ≥ 0.74, so the true value may lie on either side.',
    );
  });

  test('a borderline pass on the whole set says so', () => {
    // F1 2 * 716 / (2 * 716 + 260 + 263) = 0.7325 (1,432 / 1,955), its interval from 0.710.
    const sentences = said(runReport({ tp: 716, fp: 260, fn: 263, tn: 761 }));
    expect(sentences[1]).toMatch(
      /^Borderline: tool-call decision \(F1\) 0\.732, and the 95 % interval 0\.71\d–0\.75\d contains the gate ≥ 0\.73;/,
    );
  });

  test('an undefined metric: the reason of the gate', () => {
    const report = runReport({ tp: 0, fp: 0, fn: 0, tn: 40, rows: 40 });
    expect(headlineOf(report)).toBe('inconclusive – the samples hold nothing to judge by');
    expect(said(report)).toContain(
      'Tool-call decision (F1) has no value over all 40 samples: there is nothing to divide by.',
    );
  });

  test('a deadline: what ended the run, then what was found', () => {
    const stopped: Stopped = {
      kind: 'deadline',
      detail_from: 'endpoint',
      message: 'Stopped at the deadline of 330 m; what was measured until then is judged.',
      advice: 'Run again with the same output directory to go on.',
      detail: untrusted(''),
    };
    const report = runReport({ tp: 196, fp: 48, fn: 49, tn: 207, planned: 2000, stopped });
    const sentences = said(report);
    expect(report.verdict).toBe('pass');
    expect(sentences[0]).toBe(
      'Stopped at the deadline of 330 m; what was measured until then is judged.',
    );
    expect(sentences[1]).toBe('Run again with the same output directory to go on.');
  });

  test('a metric nobody has words for', () => {
    const base = caseNamed('fail-schema').benchmarks[0] as BenchmarkReport;
    const gate = {
      ...(base.gates.find((each) => each.verdict === 'fail') as GateReport),
      metric: 'success_rate',
      value: 0.5,
    };
    const metrics = { success_rate: { value: 0.5, n: 40, title: 'episodes solved', kind: 'rate' } };
    const report = reportOf([{ ...base, gates: [gate], metrics, confusion: null }]);
    expect(headlineOf(report)).toBe('fail – episodes solved misses its gate');
    expect(said(report)).toEqual(['Episodes solved: 20/40 = 50.0 %, gate ≥ 90 %.']);
  });

  test('more failures than fit are counted', () => {
    const base = caseNamed('fail-schema').benchmarks[0] as BenchmarkReport;
    const failed = base.gates.find((each) => each.verdict === 'fail') as GateReport;
    const gates = Array.from({ length: 6 }, (_, i) => ({ ...failed, metric: `m${i}` }));
    expect(said(reportOf([{ ...base, gates }]))[3]).toBe('3 more gates failed, see the table.');
  });

  test('no benchmark at all', () => {
    const report = { ...caseNamed('error-bad-key'), stopped: null, benchmarks: [] };
    expect(headlineOf(report)).toBe('error – nothing was measured');
  });

  test('no gate', () => {
    const base = caseNamed('pass-full').benchmarks[0] as BenchmarkReport;
    const report = reportOf([{ ...base, gates: [], verdict: 'inconclusive' }]);
    expect(headlineOf(report)).toBe('inconclusive – there is no gate to judge by');
  });
});

describe('callouts and facts', () => {
  test('another model than asked for, several models, none named', () => {
    const base = caseNamed('pass-full');
    const served = (...names: string[]): string[] =>
      calloutsOf({ ...base, endpoint: { ...base.endpoint, served: names.map(untrusted) } }).map(
        (each) => toPlain(each.sentence),
      );
    expect(served('kimi-k2-thinking')).toEqual([]);
    expect(served()).toEqual([]);
    expect(served('other')).toEqual([
      'Asked for kimi-k2-thinking, but the endpoint says it served other.',
    ]);
    expect(served('kimi-k2-thinking', 'b', 'c', 'd', 'e', 'f', 'g')).toEqual([
      'More than one model answered: kimi-k2-thinking, b, c, d, e and 2 more.',
    ]);
  });

  test('records scored without an endpoint name none', () => {
    const base = caseNamed('pass-full');
    const facts = factsOf({ ...base, endpoint: { ...base.endpoint, url: '' } });
    expect(facts.map((each) => plain(toPlain(each)))).toEqual([
      'kimi-k2-thinking',
      'all 2,000 samples',
      '1 h 18 m',
    ]);
  });

  test.each([
    [0, []],
    [1, ['1 sample taken over from an earlier, interrupted run']],
    [1500, ['1,500 samples taken over from an earlier, interrupted run']],
  ])('%i samples taken over', (resumed, expected) => {
    const facts = factsOf({ ...caseNamed('pass-full'), resumed_samples: resumed });
    expect(facts.slice(3).map((each) => toPlain(each))).toEqual(expected);
  });
});

describe('gate rows', () => {
  test('a lower and an upper gate share a row, whichever fails', () => {
    const rows = gateRows(caseNamed('fail-over-trigger').benchmarks[0] as BenchmarkReport);
    expect(rows.map((row) => [row.title, plain(row.asked), row.outcome])).toEqual([
      ['trigger rate ratio', '0.80–1.25', 'fail'],
      ['tool-call decision (F1)', '≥ 0.73', 'fail'],
      ['valid tool calls', '≥ 90 %', 'pass'],
      ['request errors', '≤ 1 %', 'pass'],
      ['valid tool calls', '≥ 95 %', 'pass'],
    ]);
  });

  test('figures of a run that could not measure are not shown', () => {
    const rows = gateRows(caseNamed('error-outage').benchmarks[0] as BenchmarkReport);
    expect(rows.map((row) => [plain(row.measured), row.outcome])).toEqual([
      ['41/200 = 20.5 %', 'error'],
      ['–', 'not_judged'],
      ['–', 'not_judged'],
      ['–', 'not_judged'],
      ['–', 'not_judged'],
    ]);
  });

  test('a gate with a level of its own shows its own interval, and shares no row', () => {
    const [benchmark] = caseNamed('own-levels').benchmarks as [BenchmarkReport];
    expect(plain(intervalHeading(benchmark))).toBe('95 % interval');
    const rows = gateRows(benchmark).slice(0, 3);
    expect(rows.map((row) => plain(`${row.title} ${row.asked}: ${row.interval}`))).toEqual([
      'tool-call decision (F1) ≥ 0.74: 0.732–0.836 (99 %)',
      'trigger rate ratio ≥ 0.85: 0.95–1.09 (90 %)',
      'trigger rate ratio ≤ 1.25: 0.94–1.11',
    ]);
  });

  test.each<[string, string, string]>([
    ['all at one level', 'trigger_similarity >= 0.7 @ 90%', '90 % interval'],
    [
      // One at 99 %, and the ratio at the run's 95 %.
      'as many at one as at another: the run’s own',
      'trigger_similarity >= 0.7 @ 99%\ntrigger_rate_ratio >= 0.8',
      '95 % interval',
    ],
    ['none with an interval', 'count_successful_tool_call >= 1', 'interval'],
  ])('the heading of intervals: %s', (_, gates, heading) => {
    const benchmark = benchmarkReport({ tp: 742, fp: 243, fn: 237, tn: 778, gates });
    const own = benchmark.gates.filter((gate) => gate.origin === 'user');
    expect(plain(intervalHeading({ ...benchmark, gates: own }))).toBe(heading);
  });

  test('a value just below its gate is not rounded to it', () => {
    // 2 * 1459 / (2 * 1459 + 540 + 540) = 0.72986...
    const benchmark = benchmarkReport({ rows: 4000, tp: 1459, fp: 540, fn: 540, tn: 1461 });
    const row = gateRows(benchmark).find((each) => each.title === 'tool-call decision (F1)');
    expect(row?.measured).toBe('0.7299');
    expect(row?.outcome).toBe('fail');
  });
});

describe('answers that ran into the token limit', () => {
  test.each([
    [0, false],
    [5, false],
    [6, true],
    [90, true],
  ])('%i of 100', (cut, isSaid) => {
    const whole = runReport({ tp: 50, fp: 0, fn: 0, tn: 50 });
    const [first] = whole.benchmarks;
    if (first === undefined) throw new Error('no benchmark');
    const rows = [{ key: untrusted('length'), text: 'cut', count: cut }];
    const group = { name: 'finish_reasons', title: 't', unit: 'samples', of: 100, rows };
    const report = { ...whole, benchmarks: [{ ...first, reasons: [group] }] };
    const said = calloutsOf(report).map(({ sentence }) => toPlain(sentence));
    expect(
      said.some((each) => each.includes(`${cut} of 100 answers ended at the token limit`)),
    ).toBe(isSaid);
  });
});
