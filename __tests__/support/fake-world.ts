import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Benchmark, BenchmarkSpec, Opened } from '../../src/model/benchmark.js';
import type { Clock } from '../../src/model/clock.js';
import type { ChatRequest, Endpoint, Exchange, Reply } from '../../src/model/completion.js';
import type { Config } from '../../src/model/config.js';
import type { Counts, Observation } from '../../src/model/observation.js';
import { NO_LINKS } from '../../src/report/links.js';
import { untrusted } from '../../src/text/untrusted.js';
import type { World } from '../../src/verify.js';

/** A benchmark that asks `what is ID?` and counts a hit when the answer is `ID!`. */
const spec: BenchmarkSpec = {
  name: 'echo',
  title: 'Echo',
  version: '1',
  optionsSchema: { type: 'object' },
  defaultSubset: 'main',
  subsets: [
    { name: 'main', defaultGates: ['hit_rate >= 90%'], sampling: {}, references: {} },
    { name: 'other', defaultGates: [], sampling: {}, references: {} },
  ],
  metrics: [
    {
      name: 'hit_rate',
      title: 'hits',
      kind: 'rate',
      range: [0, 1],
      better: 'higher',
      terms: (counts: Counts) => ({ num: counts['hit'] ?? 0, den: counts['asked'] ?? 0 }),
    },
  ],
  defaultOrder: 'file',
};

export interface EchoOptions {
  readonly rows?: number;
  readonly digest?: string;
}

export function echoBenchmark({ rows = 20, digest = 'd1' }: EchoOptions = {}): Benchmark {
  return {
    spec,
    detail: () => ({ confusion: null, reasons: [], warnings: [] }),
    async open(_options, ctx): Promise<Opened> {
      const files: Observation<unknown>[] = [];
      const opened: Opened = {
        fingerprint: { digest, settings: { model: ctx.request.model } },
        dataset: { source: 'echo.jsonl', sha256: 'ab'.repeat(32), rows },
        keys: Array.from({ length: rows }, (_, i) => ({ id: String(i + 1), group: String(i + 1) })),
        notComparable: [],
        ceiling: () => ({ requests: 1, tokens: 10 }),
        load: async (id) => id,
        async observe(sample, { send }) {
          const reply = await send({ path: '/chat/completions', body: String(sample) });
          if (reply.kind === 'completion') {
            return { kind: 'measured', payload: reply.completion.content };
          }
          if (reply.kind === 'refused') return { kind: 'measured', payload: null };
          return { kind: 'unmeasured', cause: reply.cause, detail: reply.detail };
        },
        score: (sample, observation): Counts => ({
          asked: 1,
          hit: observation.kind === 'measured' && observation.payload === `${sample}!` ? 1 : 0,
        }),
        example: () => null,
        async writeFiles(_dir, observations) {
          files.length = 0;
          for await (const observation of observations()) files.push(observation);
          return [];
        },
        close: async () => {},
      };
      return opened;
    },
  };
}

const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };

/** An exchange of 100 ms with its first token after 40 ms. */
function exchange(change: Partial<Exchange> = {}): Exchange {
  return {
    status: 200,
    attempts: 1,
    firstTokenMs: 40,
    totalMs: 100,
    usage,
    warnings: [],
    headers: {},
    served: untrusted('kimi'),
    inFlight: 1,
    ...change,
  };
}

export function says(content: string): Reply {
  return {
    kind: 'completion',
    completion: {
      id: 'x',
      created: 1,
      model: 'kimi',
      provider: null,
      fingerprint: null,
      finishReason: 'stop',
      content,
      reasoning: null,
      toolCalls: null,
      usage,
    },
  };
}

export function fails(cause: Extract<Reply, { kind: 'failed' }>['cause']): Reply {
  return { kind: 'failed', cause, status: null, detail: untrusted(`it was ${cause}`) };
}

export interface FakeEndpoint extends Endpoint {
  /** Bodies sent, in order. */
  readonly sent: string[];
}

/** Answers by `reply`, each after a turn of the event loop. */
export function fakeEndpoint(
  reply: (body: string, nth: number, signal: AbortSignal) => Reply | Promise<Reply>,
): FakeEndpoint {
  const sent: string[] = [];
  return {
    sent,
    async send(request: ChatRequest, signal: AbortSignal) {
      signal.throwIfAborted();
      sent.push(request.body);
      const nth = sent.length;
      await new Promise((resolve) => setImmediate(resolve));
      const answer = await reply(request.body, nth, signal);
      signal.throwIfAborted();
      const status = { completion: 200, refused: 400, failed: null }[answer.kind];
      return { reply: answer, exchange: exchange({ status }) };
    },
    waitUntilReady: async () => true,
    close: async () => {},
  };
}

/** Moves on by 1 ms at every look; sleeping takes no time. */
function fakeClock(start = Date.UTC(2026, 0, 1)): Clock {
  let now = start;
  return {
    now: () => {
      now += 1;
      return now;
    },
    elapsed: () => {
      now += 1;
      return now - start;
    },
    sleep: async (ms) => {
      now += ms;
    },
  };
}

export function configFor(outputDir: string, change: Partial<Config> = {}): Config {
  return {
    endpoint: 'https://llm.example.com/v1',
    apiKey: 'sk-secret-1234567890',
    headers: {},
    benchmarks: [{ name: 'echo', subset: 'main', options: {} }],
    gates: [],
    defaultGates: true,
    decision: 'auto',
    confidence: 0.95,
    earlyStop: false,
    limit: null,
    order: null,
    shard: null,
    seed: 42,
    concurrency: 4,
    maxRequestsPerMinute: null,
    requestTimeoutMs: 1000,
    maxRetries: 0,
    deadlineMs: 60_000,
    budget: { tokens: null, cost: null, priceIn: null, priceOut: null },
    waitForReadyMs: 0,
    request: {
      model: 'kimi',
      temperature: null,
      maxTokens: null,
      stream: true,
      thinking: 'default',
      thinkingStyle: 'kimi',
      extraBody: {},
    },
    failOn: ['fail', 'error'],
    reportId: 'test',
    outputDir,
    offline: false,
    ...change,
  };
}

export function fakeWorld(
  endpoint: Endpoint,
  change: Partial<World> = {},
): World & { readonly logged: string[] } {
  const logged: string[] = [];
  return {
    logged,
    benchmarks: [echoBenchmark()],
    clock: fakeClock(),
    env: {},
    version: '0.0.0',
    signal: new AbortController().signal,
    links: NO_LINKS,
    runKey: null,
    openEndpoint: () => endpoint,
    progress: { update() {}, arrive() {}, end() {} },
    downloads: { dir: join(tmpdir(), 'vendor-gate-no-downloads'), remote: null, progress() {} },
    log: (text) => logged.push(text),
    ...change,
  };
}
