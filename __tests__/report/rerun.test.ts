import { spawnSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { INPUTS } from '../../src/config/inputs.js';
import { FLAGS, rerunCommand } from '../../src/report/rerun.js';
import { HOSTILE } from '../support/hostile-report.js';
import { CASES } from '../support/report-cases.js';
import { runReport } from '../support/reports.js';

/** The words a shell makes of the command, with `node dist/index.js` taken away. */
function words(command: string): string[] {
  const script = command.replace(/^node dist\/index\.js/, "printf '%s\\0'");
  const done = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
  expect(done.stderr).toBe('');
  return done.stdout.split('\0').slice(0, -1);
}

test('a run with settings and gates of the user', () => {
  const report = runReport(
    { tp: 70, fp: 27, fn: 28, tn: 75, gates: 'schema_accuracy >= 95%\ntrigger_kappa >= 0.4 warn' },
    {
      settings: {
        limit: 200,
        seed: 7,
        stream: false,
        'default-gates': true,
        temperature: 0.3,
        'extra-body': { top_p: 0.9 },
        order: 'default',
        'max-tokens': null,
      },
    },
  );
  expect(words(rerunCommand(report))).toEqual([
    'run',
    '--endpoint',
    'https://kimi-staging.example.com/v1',
    '--model',
    'kimi-k2-thinking',
    '--datasets',
    'k2_verifier/k2_thinking',
    '--set',
    'k2_verifier/k2_thinking.source=https://data.example.com/k2-thinking.jsonl.gz',
    '--limit',
    '200',
    '--seed',
    '7',
    '--temperature',
    '0.3',
    '--no-stream',
    '--extra-body',
    '{"top_p":0.9}',
    '--thresholds',
    // In the order of the benchmark's metrics.
    'trigger_kappa >= 0.4 warn\nschema_accuracy >= 95%',
  ]);
});

test('two benchmarks', () => {
  const report = CASES['two-benchmarks']?.();
  if (report === undefined) throw new Error('no case');
  const list = words(rerunCommand(report));
  expect(list.slice(6, 8)).toEqual(['k2_verifier/k2_thinking', 'k2_verifier/k2_0905']);
  expect(list.filter((word) => word === '--set')).toHaveLength(2);
});

test('hostile names stay one word each and run nothing', () => {
  const evil = `$(touch /tmp/x) \`id\` '; id #" ${HOSTILE.replaceAll('\0', '').replaceAll('\ud800', '')}`;
  const report = runReport(
    { tp: 70, fp: 27, fn: 28, tn: 75 },
    { endpoint: { url: evil, model: '-x', served: [] }, settings: { seed: evil } },
  );
  const list = words(rerunCommand(report));
  expect(list.slice(0, 4)).toEqual(['run', '--endpoint', evil, '--model=-x']);
  expect(list.at(-1)).toBe(evil);
});

test('every option of a benchmark', () => {
  const settings = {
    'k2_verifier/k2_thinking.source': 'my rows.jsonl',
    'k2_verifier/k2_thinking.tool-strict': true,
  };
  const command = words(rerunCommand(runReport({ tp: 1, fp: 0, fn: 0, tn: 1 }, { settings })));
  expect(command.filter((_, at) => command[at - 1] === '--set')).toEqual([
    'k2_verifier/k2_thinking.source=my rows.jsonl',
    'k2_verifier/k2_thinking.tool-strict=true',
  ]);
});

test('budgets, pace and early stopping, which decide what is run', () => {
  const settings = {
    'early-stop': true,
    stream: true,
    'max-requests-per-minute': 60,
    deadline: '1200s',
    'token-budget': 5000,
    'cost-budget': 2.5,
    'price-in': 0.6,
    'price-out': 0,
  };
  const command = words(rerunCommand(runReport({ tp: 1, fp: 0, fn: 0, tn: 1 }, { settings })));
  expect(command.slice(9)).toEqual([
    '--early-stop',
    '--max-requests-per-minute',
    '60',
    '--deadline',
    '1200s',
    '--token-budget',
    '5000',
    '--cost-budget',
    '2.5',
    '--price-in',
    '0.6',
    '--price-out',
    '0',
  ]);
});

test('a shard is run as the same shard', () => {
  const report = CASES['shard']?.();
  if (report === undefined) throw new Error('no case');
  const list = words(rerunCommand(report));
  expect(list[list.indexOf('--shard') + 1]).toBe('2/8');
});

test('a merged report is merged again', () => {
  const settings = { merged: ['a b/report.json', 'c/report.json'] };
  const command = rerunCommand(runReport({ tp: 1, fp: 0, fn: 0, tn: 1 }, { settings }));
  expect(words(command)).toEqual(['merge', 'a b/report.json', 'c/report.json']);
});

describe('every input is in the command, or left out for a reason', () => {
  const ELSEWHERE = ['endpoint', 'model', 'datasets', 'thresholds', 'shard'];
  const LEFT_OUT: Readonly<Record<string, string>> = {
    'api-key': 'secret',
    headers: 'secret',
    'github-token': 'secret',
    'on-missing-secret': 'of the action',
    mode: 'of the action; a merged report has the verb',
    'merge-dirs': 'of the action; a merged report has the verb',
    comment: 'of the action',
    'comment-mode': 'of the action',
    summary: 'of the action',
    annotations: 'of the action',
    config: 'what it holds stands in the command',
    'fail-on': 'decides no figure, only the exit code',
    'report-id': 'a name, which decides no figure',
    'output-dir': 'the same directory would hold two runs',
    'wait-for-ready': 'waiting decides no figure and costs nothing',
    offline: 'decides where the same bytes come from',
  };
  const all = [...FLAGS, ...ELSEWHERE, ...Object.keys(LEFT_OUT)];

  test.each(INPUTS.map(({ name }) => name))('%s', (name) => {
    expect(all.filter((each) => each === name)).toEqual([name]);
  });
});
