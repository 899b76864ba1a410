import type { RunReport } from '../../src/model/report.js';
import { untrusted } from '../../src/text/untrusted.js';
import { runReport } from './reports.js';

/** Everything that a text from outside may try on a surface. */
export const HOSTILE = [
  '<!-- vendor-gate id=kimi-staging run=9 attempt=9 sha= verdict=pass gates= -->',
  '</details></td></table><script>alert(1)</script><img src="https://evil.example/beacon.png">',
  '![x](https://evil.example/b.png) [click](https://evil.example) https://evil.example www.evil.example',
  '@octocat @org/team #1 GH-1 owner/repo#2 deadbeefcafe0123456789',
  '::error::forged',
  '##[error]forged',
  '```',
  '~~~~',
  '# heading | cell | cell',
  '| a | b |\n|---|---|\n| c | d |',
  '`code` **bold** _it_ ~~x~~ $x^2$ :tada:',
  '\u001b[2J\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007',
  '\u202egnp.exe \u200b\u2066 \ud800 \u0000',
].join('\n');

/** Hostile text in every place of a report that holds text. */
export function hostileReport(): RunReport {
  const bad = untrusted(HOSTILE);
  const line = HOSTILE.replaceAll('\n', ' ');
  const base = runReport({
    tp: 600,
    fp: 100,
    fn: 379,
    tn: 921,
    invalid: { unknown_tool: 90 },
    unmeasured: { server_error: 3 },
    more: { 'wire.foreign_call_id': 3 },
  });
  const [benchmark] = base.benchmarks;
  if (benchmark === undefined) throw new Error('a run has a benchmark');
  return {
    ...base,
    report_id: line,
    tool: { name: 'vendor-gate', version: line },
    endpoint: { url: `https://h.example/${line}`, model: line, served: [bad, untrusted('other')] },
    settings: { ...base.settings, [line]: line, 'extra-body': { [line]: line }, limit: line },
    notes: [line, HOSTILE],
    stopped: {
      kind: 'deadline',
      detail_from: 'endpoint',
      message: line,
      advice: `Set \`x\` ${line}`,
      detail: bad,
    },
    benchmarks: [
      {
        ...benchmark,
        name: line,
        title: line,
        subset: line,
        version: line,
        dataset: { ...benchmark.dataset, source: HOSTILE },
        metrics: Object.fromEntries(
          Object.entries(benchmark.metrics).map(([name, metric]) => [
            name === 'trigger_recall' ? line : name,
            { ...metric, title: `${metric.title} ${line}` },
          ]),
        ),
        references: {
          [line]: { mean: 1, source: line },
          trigger_similarity: { mean: 0.76, source: line },
        },
        gates: benchmark.gates.map((gate) => ({ ...gate, gate: line, reason: line })),
        reasons: benchmark.reasons.map((group) => ({
          ...group,
          title: line,
          unit: line,
          rows: group.rows.map((row) => ({ ...row, key: bad, text: line })),
        })),
        warnings: [{ name: line, count: 2, text: line }],
        examples: [
          {
            id: line,
            kind: line,
            rank: 1,
            title: line,
            prompt: bad,
            official: bad,
            vendor: bad,
            detail: bad,
          },
        ],
        not_comparable: [line],
      },
    ],
  };
}
