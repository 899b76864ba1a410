import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from '@jest/globals';
import { parseGates } from '../src/gates/parse.js';
import type { Reply } from '../src/model/completion.js';
import { ConfigError } from '../src/model/errors.js';
import type { RunReport } from '../src/model/report.js';
import { verify } from '../src/verify.js';
import {
  configFor,
  echoBenchmark,
  fails,
  fakeEndpoint,
  fakeWorld,
  says,
} from './support/fake-world.js';
import { tempDir } from './support/temp-dir.js';

const right = (body: string): Reply => says(`${body}!`);
const refusedBecause = (body: string): Reply =>
  ({ kind: 'refused', status: 400, body: body as never }) as Reply;

async function run(
  reply: (body: string, nth: number, signal: AbortSignal) => Reply | Promise<Reply>,
  change: Parameters<typeof configFor>[1] = {},
  world: Parameters<typeof fakeWorld>[1] = {},
  dir = tempDir(),
): Promise<{ report: RunReport; sent: string[]; dir: string; logged: string[] }> {
  const endpoint = fakeEndpoint(reply);
  const w = fakeWorld(endpoint, world);
  const { report } = await verify(configFor(dir, change), w);
  return { report, sent: endpoint.sent, dir, logged: w.logged };
}

describe('the verdict of a whole run', () => {
  const partly =
    (wrong: number) =>
    (body: string): Reply =>
      Number(body) <= wrong ? says('?') : right(body);
  test.each<[string, (body: string, nth: number) => Reply, string]>([
    ['all right', right, 'pass'],
    ['exactly at the gate: 18 of 20 are 90 %', partly(2), 'pass'],
    ['one below the gate', partly(3), 'fail'],
    ['all wrong', partly(20), 'fail'],
    [
      'one in twenty unanswered: could not measure',
      (b) => (b === '5' ? fails('timeout') : right(b)),
      'error',
    ],
    [
      'unanswered and wrong: an outage is never a failure',
      (b) => (Number(b) % 2 ? right(b) : fails('server_error')),
      'error',
    ],
    ['nothing answered', () => fails('network'), 'error'],
    ['a wrong key', () => fails('unauthorized'), 'error'],
    [
      'everything refused, each for another reason',
      (_, nth) => refusedBecause('abcdefghijklmnopqrst'[nth] ?? ''),
      'error',
    ],
  ])('%s', async (_, reply, verdict) => {
    const { report } = await run(reply);
    expect(report.verdict).toBe(verdict);
  });

  it('holds the counts, latency, usage and the model that answered', async () => {
    const { report } = await run(right);
    expect(report.benchmarks[0]).toMatchObject({
      samples: { planned: 20, run: 20, answered: 20, errors: 0 },
      metrics: { hit_rate: { value: 1, n: 20 }, unmeasured_rate: { value: 0, n: 20 } },
      latency: { first_token: { p50: 40, n: 20 }, total: { p99: 100 } },
      usage: {
        prompt_tokens: 60,
        completion_tokens: 40,
        total_tokens: 100,
        requests: 20,
        retries: 0,
      },
      counts: { asked: 20, hit: 20, 'engine.run': 20 },
    });
    expect(report.endpoint.served).toEqual(['kimi']);
  });

  it('does not judge fidelity when too many samples are unanswered', async () => {
    const { report } = await run((b) => (Number(b) > 10 ? right(b) : fails('server_error')), {
      order: 'random',
      concurrency: 1,
    });
    const verdicts = report.benchmarks[0]?.gates.map(({ metric, verdict }) => [metric, verdict]);
    expect(verdicts).toEqual(
      expect.arrayContaining([
        ['unmeasured_rate', 'error'],
        ['hit_rate', 'inconclusive'],
      ]),
    );
  });

  it('measured but without a gate that decides is not a pass', async () => {
    const { gates } = parseGates('hit_rate >= 90% warn\nunmeasured_rate <= 1% warn', 'user', 't');
    const { report } = await run(right, { gates, defaultGates: false });
    expect(report.verdict).toBe('inconclusive');
  });

  it('keeps the question whether anything was measured when default gates are dropped', async () => {
    const { gates } = parseGates('hit_rate >= 90%', 'user', 't');
    const { report } = await run((b) => (Number(b) % 3 ? right(b) : fails('timeout')), {
      gates,
      defaultGates: false,
    });
    expect(report.verdict).toBe('error');
  });
});

describe('a part of the data set', () => {
  it('is judged by the interval', async () => {
    const { report } = await run(right, { limit: 10 });
    expect(report.benchmarks[0]?.gates.find(({ metric }) => metric === 'hit_rate')).toMatchObject({
      verdict: 'inconclusive',
      decided_by: 'interval',
    });
    expect(report.benchmarks[0]?.samples.planned).toBe(10);
  });

  it('is the first rows by file order, and a reproducible draw by random order', async () => {
    const first = await run(right, { limit: 3, order: 'file', concurrency: 1 });
    expect(first.sent).toEqual(['1', '2', '3']);
    const one = await run(right, { limit: 5, order: 'random', concurrency: 1 });
    const two = await run(right, { limit: 9, order: 'random', concurrency: 1 });
    expect(two.sent.slice(0, 5)).toEqual(one.sent);
    expect(one.sent).not.toEqual(['1', '2', '3', '4', '5']);
  });
});

describe('faults of the configuration stop within the first eight requests', () => {
  test.each<[string, () => Reply, number]>([
    ['wrong key, one at a time', () => fails('unauthorized'), 1],
    ['identical refusals', () => refusedBecause('tools are not enabled'), 8],
    ['nothing but server errors', () => fails('server_error'), 8],
  ])('%s', async (_, reply, most) => {
    for (const concurrency of [1, 16]) {
      const { report, sent } = await run(reply, { concurrency });
      expect(sent.length).toBeLessThanOrEqual(concurrency === 1 ? most : 8);
      expect(report.verdict).toBe('error');
      expect(report.stopped?.advice).not.toBe('');
    }
  });
});

describe('nothing measured is lost', () => {
  it('asks only for what is open when run again', async () => {
    const dir = tempDir();
    const first = await run((b, nth) => (nth % 4 === 0 ? fails('timeout') : right(b)), {}, {}, dir);
    expect(first.report.verdict).toBe('error');
    const second = await run(right, {}, {}, dir);
    expect(second.sent).toHaveLength(5);
    expect(second.report).toMatchObject({ verdict: 'pass', resumed_samples: 15 });
  });

  it('measures anew when the earlier run was finished: nobody wants last week’s figures', async () => {
    const dir = tempDir();
    await run(right, {}, {}, dir);
    const second = await run(() => says('?'), {}, {}, dir);
    expect(second.sent).toHaveLength(20);
    expect(second.report).toMatchObject({ verdict: 'fail', resumed_samples: 0 });
    expect(second.report.notes.join()).toContain('journal-1.jsonl');
  });

  it('measures anew after a verdict, even when a few samples stayed unanswered', async () => {
    const dir = tempDir();
    const { gates } = parseGates('unmeasured_rate <= 10%', 'user', 't');
    const oneLost = (b: string): Reply => (b === '5' ? fails('timeout') : right(b));
    const first = await run(oneLost, { gates }, {}, dir);
    expect(first.report.verdict).toBe('pass');
    const broken = await run(() => says('?'), { gates }, {}, dir);
    expect(broken.sent).toHaveLength(20);
    expect(broken.report.verdict).toBe('fail');
  });

  it('continues all benchmarks of a stopped run or none', async () => {
    const dir = tempDir();
    const benchmarks = [
      { name: 'echo', subset: 'main', options: {} },
      { name: 'echo', subset: 'other', options: {} },
    ];
    const interrupt = new AbortController();
    const stopInSecond = (b: string, nth: number): Reply => {
      if (nth === 30) interrupt.abort();
      return right(b);
    };
    await run(stopInSecond, { benchmarks }, { signal: interrupt.signal }, dir);
    const again = await run(right, { benchmarks }, {}, dir);
    expect(again.sent.length).toBeLessThanOrEqual(14);
    expect(again.report.benchmarks.map(({ samples }) => samples.answered)).toEqual([20, 20]);
    expect(again.report.benchmarks[0]?.verdict).toBe('pass');
  });

  it('leaves no old report to be taken for its own', async () => {
    const dir = tempDir();
    await run(right, {}, {}, dir);
    const benchmark = {
      ...echoBenchmark(),
      open: () => Promise.reject(new ConfigError([{ where: 'w', what: 'x', fix: 'y' }])),
    };
    await expect(run(right, {}, { benchmarks: [benchmark] }, dir)).rejects.toThrow(ConfigError);
    expect(existsSync(join(dir, 'report.json'))).toBe(false);
    expect(existsSync(join(dir, 'previous-report.json'))).toBe(true);
  });

  it('survives a sample that cannot be scored', async () => {
    const benchmark = echoBenchmark();
    const world = {
      benchmarks: [
        {
          ...benchmark,
          open: async (...args: Parameters<typeof benchmark.open>) => {
            const opened = await benchmark.open(...args);
            return {
              ...opened,
              score: (...given: Parameters<typeof opened.score>) => {
                if (given[1].id === '3' && given[1].kind === 'measured') throw new Error('ours');
                return opened.score(...given);
              },
            };
          },
        },
      ],
    };
    const { report } = await run(right, {}, world);
    expect(report.benchmarks[0]?.samples).toMatchObject({ run: 20, answered: 19, errors: 1 });
    expect(report.verdict).toBe('error');
  });

  it('does not continue what another workflow run left behind', async () => {
    const dir = tempDir();
    const half = (b: string): Reply => (Number(b) > 10 ? fails('timeout') : right(b));
    await run(half, {}, { runKey: 'github-1' }, dir);
    const again = await run(right, {}, { runKey: 'github-1' }, dir);
    expect(again.sent).toHaveLength(10);
    const other = await run(right, {}, { runKey: 'github-2' }, dir);
    expect(other.sent).toHaveLength(20);
  });

  it('gives the figures of an undisturbed run after an interruption at any point', async () => {
    const answer = (body: string): Reply => (Number(body) % 7 === 0 ? says('?') : right(body));
    const whole = await run(answer);
    for (const at of [1, 2, 7, 13, 20]) {
      const dir = tempDir();
      const interrupt = new AbortController();
      const stopped = await run(
        (body, nth) => {
          if (nth === at) interrupt.abort();
          return answer(body);
        },
        {},
        { signal: interrupt.signal },
        dir,
      );
      expect(stopped.report.stopped?.kind).toBe('interrupted');
      expect(['inconclusive', 'error', 'fail']).toContain(stopped.report.verdict);
      const resumed = await run(answer, {}, {}, dir);
      expect(resumed.report.benchmarks[0]?.counts).toEqual(whole.report.benchmarks[0]?.counts);
      expect(resumed.report.verdict).toBe(whole.report.verdict);
    }
  });

  it('counts unanswered samples of an earlier run whose turn did not come again', async () => {
    const dir = tempDir();
    await run((b) => (b === '20' ? fails('timeout') : right(b)), {}, {}, dir);
    const interrupt = new AbortController();
    interrupt.abort();
    const { report, sent } = await run(right, {}, { signal: interrupt.signal }, dir);
    expect(sent).toHaveLength(0);
    expect(report.benchmarks[0]?.samples).toMatchObject({ run: 20, answered: 19, errors: 1 });
  });

  it('refuses to mix measurements of two models', async () => {
    const dir = tempDir();
    await run((b) => (b === '20' ? fails('timeout') : right(b)), {}, {}, dir);
    const other = { ...configFor(dir).request, model: 'other' };
    await expect(run(right, { request: other }, {}, dir)).rejects.toThrow(
      /model was "kimi" and is now "other"/,
    );
  });

  it('refuses to mix answers of two endpoints', async () => {
    const dir = tempDir();
    await run((b) => (b === '20' ? fails('timeout') : right(b)), {}, {}, dir);
    await expect(run(right, { endpoint: 'https://other.example.com/v1' }, {}, dir)).rejects.toThrow(
      /endpoint was "https:\/\/llm.example.com\/v1" and is now "https:\/\/other/,
    );
  });

  it('leaves no directory behind when it could not start', async () => {
    const out = join(tempDir(), 'out');
    const benchmark = {
      ...echoBenchmark(),
      open: () => Promise.reject(new ConfigError([{ where: 'w', what: 'x', fix: 'y' }])),
    };
    await expect(run(right, {}, { benchmarks: [benchmark] }, out)).rejects.toThrow(ConfigError);
    expect(existsSync(out)).toBe(false);
  });

  it('ends at the deadline with what it has', async () => {
    const { report } = await run(
      (body, nth, signal) =>
        nth <= 10
          ? right(body)
          : new Promise<Reply>((_, reject) => {
              signal.addEventListener('abort', () => reject(signal.reason));
            }),
      { deadlineMs: 150 },
    );
    expect(report.stopped?.kind).toBe('deadline');
    expect(report.benchmarks[0]?.samples).toMatchObject({ planned: 20, answered: 10, errors: 0 });
    expect(report.verdict).toBe('inconclusive');
  });
});

describe('waiting for the endpoint', () => {
  const waiting = (aborts: boolean) => ({
    ...fakeEndpoint(right),
    waitUntilReady: (_ms: number, signal: AbortSignal): Promise<boolean> =>
      aborts
        ? new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason));
          })
        : Promise.resolve(false),
  });

  it('that never answers is an outage', async () => {
    const world = fakeWorld(waiting(false));
    const { report } = await verify(configFor(tempDir(), { waitForReadyMs: 20_000 }), world);
    expect(report).toMatchObject({ verdict: 'error', stopped: { kind: 'outage' } });
    expect(report.stopped?.message).toContain('20 s');
  });

  it('cut short by the deadline still leaves a report', async () => {
    const config = configFor(tempDir(), { waitForReadyMs: 20_000, deadlineMs: 50 });
    const { report } = await verify(config, fakeWorld(waiting(true)));
    expect(report).toMatchObject({ verdict: 'error', stopped: { kind: 'deadline' } });
  });
});

describe('several benchmarks', () => {
  it('are refused together before anything is sent', async () => {
    const endpoint = fakeEndpoint(right);
    const broken = echoBenchmark();
    const dir = tempDir();
    const benchmarks = [
      broken,
      {
        ...broken,
        spec: { ...broken.spec, name: 'broken' },
        open: () => Promise.reject(new Error('x')),
      },
    ];
    await expect(
      verify(
        configFor(dir, {
          benchmarks: [
            { name: 'echo', subset: 'main', options: {} },
            { name: 'broken', subset: 'main', options: {} },
          ],
        }),
        fakeWorld(endpoint, { benchmarks }),
      ),
    ).rejects.toThrow('x');
    expect(endpoint.sent).toHaveLength(0);
    expect(existsSync(join(dir, 'lock'))).toBe(false);
  });

  it('stand side by side in one report, the worst deciding', async () => {
    const { report, dir } = await run((b) => (b === '1' ? says('?') : right(b)), {
      benchmarks: [
        { name: 'echo', subset: 'main', options: {} },
        { name: 'echo', subset: 'other', options: {} },
      ],
    });
    expect(report.benchmarks.map(({ subset }) => subset)).toEqual(['main', 'other']);
    expect(existsSync(join(dir, 'echo.main', 'journal.jsonl'))).toBe(true);
    expect(existsSync(join(dir, 'echo.other', 'journal.jsonl'))).toBe(true);
  });
});

describe('the key', () => {
  it('is not blotted out of our own words and figures', async () => {
    const headers = { 'x-kind': 'metrics', 'x-benchmark': 'benchmarks', 'x-org': '100000' };
    const { report } = await run(right, { headers });
    expect(report.verdict).toBe('pass');
    expect(report.benchmarks[0]?.metrics['hit_rate']?.value).toBe(1);
  });

  it('is not published, even when the endpoint echoes it', async () => {
    const echo = (): Reply => says('your key is sk-secret-1234567890');
    const { dir, report } = await run(echo);
    for (const file of ['report.json', 'summary.md']) {
      expect(readFileSync(join(dir, file), 'utf8')).not.toContain('sk-secret-1234567890');
    }
    expect(JSON.stringify(report)).not.toContain('sk-secret-1234567890');
  });
});

describe('early-stop', () => {
  const early = { earlyStop: true, order: 'random' } as const;
  const benchmarks = { benchmarks: [echoBenchmark({ rows: 2000 })] };

  test.each<[string, (body: string) => Reply, 'pass' | 'fail']>([
    ['a sound deployment', right, 'pass'],
    ['a broken one', (body) => (Number(body) % 3 === 0 ? says('?') : right(body)), 'fail'],
  ])('%s is judged long before the last row', async (_, reply, verdict) => {
    const { report, sent } = await run(reply, early, benchmarks);
    const [part] = report.benchmarks;
    expect(report.verdict).toBe(verdict);
    expect(report.stopped).toBeNull();
    expect(sent.length).toBeLessThan(200);
    expect(part?.gates.find(({ metric }) => metric === 'hit_rate')).toMatchObject({
      verdict,
      decided_by: 'sequence',
    });
    expect(part?.early_stop).toMatchObject({ rows: 2000, risk: 0.05 });
    expect((part?.early_stop?.saved ?? 0) + (part?.samples.run ?? 0)).toBe(2000);
  });

  it('takes a limit for a budget: what is not settled by then is judged by its interval', async () => {
    const { report } = await run(right, { ...early, limit: 5 }, benchmarks);
    expect(report.benchmarks[0]).toMatchObject({ early_stop: null, samples: { run: 5 } });
    expect(
      report.benchmarks[0]?.gates.find(({ metric }) => metric === 'hit_rate')?.decided_by,
    ).toBe('interval');
  });

  it('runs everything without it', async () => {
    const { sent } = await run(right, { order: 'random' }, benchmarks);
    expect(sent).toHaveLength(2000);
  });

  it('goes on with the samples of a killed run and does not ask for what they settle', async () => {
    const dir = tempDir();
    const outside = new AbortController();
    const first = await run(
      (body, nth) => {
        if (nth === 60) outside.abort(new Error('interrupted'));
        return right(body);
      },
      { order: 'random' },
      { ...benchmarks, signal: outside.signal },
      dir,
    );
    expect(first.report.stopped?.kind).toBe('interrupted');
    const second = await run(right, early, benchmarks, dir);
    expect(second.report.verdict).toBe('pass');
    expect(second.sent.length).toBeLessThan(60);
  });
});

describe('budgets', () => {
  const budget = { tokens: null, cost: null, priceIn: null, priceOut: null };

  it('ends a run when its tokens are used up, and never as a pass', async () => {
    // Each answer is counted as 5 tokens.
    const { report, sent } = await run(right, {
      budget: { ...budget, tokens: 50 },
      concurrency: 1,
      confidence: 0.5,
    });
    expect(sent).toHaveLength(10);
    expect(report.stopped?.kind).toBe('budget');
    expect(report.verdict).toBe('inconclusive');
  });

  it('counts what an earlier part of the run has spent, and sends nothing more', async () => {
    const dir = tempDir();
    const small = { budget: { ...budget, tokens: 50 }, concurrency: 1 };
    await run(right, small, {}, dir);
    const { report, sent } = await run(right, small, {}, dir);
    expect(sent).toHaveLength(0);
    expect(report.stopped?.kind).toBe('budget');
  });

  it('says what it cost', async () => {
    const prices = { ...budget, priceIn: 1, priceOut: 10 };
    const { report } = await run(right, { budget: prices });
    // 20 answers of 3 and 2 tokens: 60 * 1 / 1e6 + 40 * 10 / 1e6
    expect(report.benchmarks[0]?.usage.cost).toBeCloseTo(0.00046, 10);
  });
});

describe('early-stop and samples without an answer', () => {
  const early = { earlyStop: true, order: 'random' } as const;
  const benchmarks = { benchmarks: [echoBenchmark({ rows: 2000 })] };

  it('goes on while one failure weighs too much that the rest of the plan mends', async () => {
    const { report, sent } = await run(
      (body, nth) => (nth === 5 ? fails('timeout') : right(body)),
      early,
      benchmarks,
    );
    expect(report.verdict).toBe('pass');
    // One unanswered sample is 1 % of a hundred.
    expect(sent.length).toBeGreaterThanOrEqual(100);
    expect(sent.length).toBeLessThan(300);
  });

  it('does not wait for what cannot be mended', async () => {
    const { report, sent } = await run(
      (body, nth) => (nth % 4 === 1 ? fails('timeout') : right(body)),
      { ...early, limit: 400 },
      benchmarks,
    );
    expect(report.verdict).toBe('error');
    expect(sent.length).toBeLessThan(400);
  });
});

describe('budgets at the edge', () => {
  const budget = { tokens: 100, cost: null, priceIn: null, priceOut: null };

  it('one that is reached by the very last sample stops nothing', async () => {
    const { report } = await run(right, { budget, concurrency: 1 });
    expect([report.stopped, report.verdict]).toEqual([null, 'pass']);
  });

  it('a benchmark that it leaves nothing for is inconclusive, not an error', async () => {
    const both = [
      { name: 'echo', subset: 'main', options: {} },
      { name: 'echo', subset: 'other', options: {} },
    ];
    const { report } = await run(right, { budget, concurrency: 1, benchmarks: both });
    expect(report.benchmarks.map(({ verdict }) => verdict)).toEqual(['pass', 'inconclusive']);
    expect(report.verdict).toBe('inconclusive');
  });
});

describe('a shard', () => {
  it('with too many unanswered samples is an error, and goes on where it ended', async () => {
    const dir = tempDir();
    const shard = { shard: { index: 1, of: 2 } };
    const half = await run(
      (body, nth) => (nth % 2 ? right(body) : fails('timeout')),
      shard,
      {},
      dir,
    );
    expect(half.report.verdict).toBe('error');
    const again = await run(right, shard, {}, dir);
    expect(again.sent).toHaveLength(5);
    expect(again.report.verdict).toBe('inconclusive');
  });

  it('without samples is no error', async () => {
    const { report, sent } = await run(right, { limit: 3, shard: { index: 8, of: 8 } });
    expect([sent.length, report.verdict]).toEqual([0, 'inconclusive']);
  });
});
