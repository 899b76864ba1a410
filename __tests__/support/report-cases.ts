import type { Ending } from '../../src/benchmarks/miniwob/payload.js';
import { interruptedStop, StopWatch } from '../../src/engine/stop.js';
import type { Cause } from '../../src/model/completion.js';
import type { Example, RunReport, Stopped } from '../../src/model/report.js';
import { untrusted } from '../../src/text/untrusted.js';
import { hostileReport } from './hostile-report.js';
import { miniwobReport } from './miniwob-report.js';
import { benchmarkReport, reportOf, runReport } from './reports.js';

/** The typical runs, each the subject of golden files. */

const MISSED: Example = example('1207', 'missed_call', 2, {
  title: 'the official model called a tool, the vendor did not',
  prompt: 'user: Which trains run from Hangzhou to Suzhou tomorrow before nine?',
  official: 'called a tool: search_trains({"from":"Hangzhou","to":"Suzhou","before":"09:00"})',
  vendor:
    'did not call a tool (finish_reason stop): Tomorrow morning there are several high-speed trains from Hangzhou East to Suzhou. You can check the exact times on 12306.',
});
const MISSED_CHINESE: Example = example('88', 'missed_call', 2, {
  title: 'the official model called a tool, the vendor did not',
  prompt: 'user: 帮我查一下明天上海的天气,如果下雨就把会议改到线上。',
  official: 'called a tool: get_weather({"city":"上海","date":"明天"})',
  vendor: 'did not call a tool (finish_reason stop): 明天上海的天气需要查看天气预报。',
});
const EXTRA: Example = example('412', 'extra_call', 3, {
  title: 'the vendor called a tool, the official model did not',
  prompt: 'user: Thanks, that is all I needed today!',
  official: 'did not call a tool (finish_reason stop): You are welcome! Have a good day.',
  vendor: 'called a tool: search_trains({"from":"","to":"","before":""})',
});
const UNKNOWN_TOOL: Example = example('901', 'invalid_call', 1, {
  title: 'a tool call failed validation: the tool was not offered',
  prompt: 'user: Read the file config.yaml and tell me the port.',
  official: 'called a tool: read_file({"path":"config.yaml"})',
  vendor: 'called a tool: functions.open_file({"path":"config.yaml"})',
  detail: 'functions.open_file is not among the tools of the request: read_file, list_dir',
});
const VIOLATION: Example = example('1733', 'invalid_call', 1, {
  title: 'a tool call failed validation: the arguments do not fit the parameter schema',
  prompt: 'user: Book a table for four at eight.',
  official: 'called a tool: book_table({"people":4,"time":"20:00"})',
  vendor: 'called a tool: book_table({"people":"four","time":"20:00"})',
  detail: '/people must be integer',
});
const OTHER_TOOL: Example = example('310', 'other_tool', 6, {
  title: 'the vendor called another tool than the official model',
  prompt: 'user: How warm will it be in Lyon on Friday?',
  official: 'called a tool: get_forecast({"city":"Lyon","days":3})',
  vendor: 'called a tool: get_weather({"city":"Lyon"})',
  detail: 'get_weather, officially get_forecast',
});
const OTHER_COUNT: Example = example('655', 'other_call_count', 7, {
  title: 'the vendor made another number of tool calls than the official model',
  prompt: 'user: Compare the weather in Oslo and Rome.',
  official: 'called a tool: get_weather({"city":"Oslo"}), get_weather({"city":"Rome"})',
  vendor: 'called a tool: get_weather({"city":"Oslo"})',
  detail: '1 call, officially 2',
});
const OTHER_ARGUMENTS: Example = example('74', 'other_arguments', 8, {
  title: 'the vendor called the same tool with other arguments',
  prompt: 'user: Which trains run from Hangzhou to Suzhou tomorrow before nine?',
  official: 'called a tool: search_trains({"from":"Hangzhou","to":"Suzhou","before":"09:00"})',
  vendor: 'called a tool: search_trains({"to":"Suzhou","from":"Hangzhou","before":"21:00"})',
  detail: '/before: "21:00", officially "09:00"',
});

/** Of a run over all rows: an official-like deployment. */
const HEALTHY = {
  tp: 742,
  fp: 243,
  fn: 237,
  tn: 778,
  invalid: { schema_violation: 3, unknown_tool: 1 },
  unmeasured: { timeout: 2 },
  more: {
    'wire.foreign_call_id': 12,
    'finish.length': 4,
    'finish.stop': -4,
    'agreement.known': 742,
    'agreement.call_count': 735,
    'agreement.tool_names': 728,
    'agreement.arguments': 611,
    'agreement.argument_tokens': 693_412_500,
  },
} as const;

const BAD_KEY = stoppedBy([
  [
    'unauthorized',
    '{"error":{"message":"Incorrect API key provided","type":"invalid_request_error"}}',
  ],
]);
const SHARD_MISSING: Stopped = {
  kind: 'shards',
  message: 'Shard 2 of 8 is missing.',
  advice: 'Run the jobs that failed again, then merge again.',
  detail: untrusted(''),
  detail_from: 'here',
};
const DOWN = stoppedBy(
  Array.from({ length: 8 }, (): [Cause, string] => [
    'network',
    'connect ECONNREFUSED 203.0.113.7:443',
  ]),
);

export const CASES: Readonly<Record<string, () => RunReport>> = {
  'pass-full': () => runReport({ ...HEALTHY, examples: [EXTRA, MISSED] }),
  'pass-partial': () =>
    runReport({ tp: 196, fp: 48, fn: 49, tn: 207, invalid: { schema_violation: 1 } }),
  'pass-early': () =>
    runReport(
      {
        tp: 101,
        fp: 20,
        fn: 18,
        tn: 113,
        planned: 2000,
        settledBy: 240,
        prices: { priceIn: 0.6, priceOut: 2.5 },
      },
      { settings: { limit: null, 'early-stop': true, 'price-in': 0.6, 'price-out': 2.5 } },
    ),
  shard: () =>
    runReport(
      { tp: 46, fp: 15, fn: 14, tn: 50, planned: 125, shard: { index: 2, of: 8 } },
      { shard: { index: 2, of: 8 } },
    ),
  'shards-missing': () =>
    runReport(
      { tp: 658, fp: 214, fn: 211, tn: 667, stopped: SHARD_MISSING },
      { settings: { limit: null, merged: ['shards/1/report.json', 'shards/3/report.json'] } },
    ),
  'fail-over-trigger': () =>
    runReport({
      tp: 954,
      fp: 876,
      fn: 25,
      tn: 145,
      invalid: { schema_violation: 12 },
      examples: [EXTRA, MISSED],
    }),
  'fail-schema': () =>
    runReport({
      tp: 750,
      fp: 248,
      fn: 229,
      tn: 773,
      invalid: { unknown_tool: 118, schema_violation: 6, invalid_json: 3 },
      more: { 'wire.foreign_call_id': 998, 'warning.history_arguments': 4 },
      examples: [UNKNOWN_TOOL, MISSED, EXTRA, MISSED_CHINESE, VIOLATION],
    }),
  // The decisions are right and every call is valid, but it is not the official one.
  'fail-payload': () =>
    runReport({
      tp: 742,
      fp: 243,
      fn: 237,
      tn: 778,
      gates: [
        'tool_name_agreement >= 95%',
        'argument_agreement >= 70%',
        'argument_token_f1 >= 0.85',
        'call_count_agreement >= 99% warn',
      ].join('\n'),
      more: {
        'agreement.known': 742,
        'agreement.call_count': 730,
        'agreement.tool_names': 668,
        'agreement.arguments': 431,
        'agreement.argument_tokens': 586_180_000,
      },
      examples: [MISSED, OTHER_ARGUMENTS, OTHER_TOOL, OTHER_COUNT, EXTRA],
    }),
  // Gates on what nobody recorded.
  'inconclusive-payload': () =>
    runReport({
      tp: 742,
      fp: 243,
      fn: 237,
      tn: 778,
      gates: 'tool_name_agreement >= 95%\nargument_agreement >= 70% warn',
    }),
  'fail-broken-templates': () =>
    runReport({ tp: 2, fp: 1, fn: 11, tn: 10, examples: [EXTRA, MISSED, MISSED_CHINESE] }),
  'error-outage': () =>
    runReport({ tp: 62, fp: 19, fn: 37, tn: 82, unmeasured: { server_error: 38, timeout: 3 } }),
  'error-bad-key': () =>
    runReport({
      tp: 0,
      fp: 0,
      fn: 1,
      tn: 0,
      planned: 2000,
      unmeasured: { unauthorized: 1 },
      stopped: BAD_KEY,
    }),
  'error-nothing-answered': () =>
    runReport({
      tp: 0,
      fp: 0,
      fn: 4,
      tn: 4,
      planned: 2000,
      unmeasured: { network: 8 },
      stopped: DOWN,
    }),
  inconclusive: () =>
    runReport({
      tp: 70,
      fp: 27,
      fn: 28,
      tn: 75,
      invalid: { schema_violation: 1 },
      examples: [MISSED, EXTRA],
    }),
  // Gates with levels of their own: in one row with its own interval, never paired across levels.
  'own-levels': () =>
    runReport({
      // 0.74 lies inside the 99 % interval of F1, and below the 95 % one.
      tp: 192,
      fp: 54,
      fn: 49,
      tn: 205,
      gates:
        'trigger_similarity >= 0.74 @ 99%\ntrigger_rate_ratio >= 0.85 @ 90%\ntrigger_rate_ratio <= 1.25',
      examples: [MISSED, EXTRA],
    }),
  resumed: () =>
    runReport(
      { tp: 70, fp: 27, fn: 28, tn: 75, examples: [MISSED, EXTRA] },
      { resumed_samples: 150 },
    ),
  'borderline-full': () =>
    runReport({
      tp: 713,
      fp: 264,
      fn: 266,
      tn: 757,
      invalid: { unknown_tool: 32, schema_violation: 2 },
      examples: [UNKNOWN_TOOL, MISSED, EXTRA],
    }),
  'synthetic-demo': () =>
    runReport(
      {
        rows: 64,
        tp: 30,
        fp: 0,
        fn: 0,
        tn: 34,
        synthetic: true,
        source: 'datasets/k2_verifier-synthetic.jsonl',
      },
      {
        report_id: 'demo',
        endpoint: {
          url: 'http://127.0.0.1:40123/v1',
          model: 'kimi-k2-simulated',
          served: [untrusted('kimi-k2-simulated')],
        },
      },
    ),
  interrupted: () =>
    runReport({ tp: 48, fp: 14, fn: 13, tn: 45, planned: 2000, stopped: interruptedStop() }),
  'not-comparable': () =>
    runReport(
      {
        ...HEALTHY,
        notComparable: [
          'tool-strict adds "strict": true to every tool',
          'temperature is 0.3, published figures were taken at 1',
        ],
        gates: 'schema_accuracy >= 95%\ntrigger_recall >= 0.7 warn\ntrigger_recall >= 0.78 warn',
      },
      {
        endpoint: {
          url: 'https://kimi-staging.example.com/v1',
          model: 'kimi-k2-thinking',
          served: [untrusted('kimi-k2-thinking-fp8')],
        },
        notes: ['The first source did not answer; the data set came from the second.'],
        resumed_samples: 812,
      },
    ),
  'two-benchmarks': () =>
    reportOf([
      benchmarkReport(HEALTHY),
      benchmarkReport({
        subset: 'k2_0905',
        source: 'https://data.example.com/k2-0905.jsonl.gz',
        tp: 612,
        fp: 51,
        fn: 446,
        tn: 891,
        invalid: { unknown_tool: 9 },
        examples: [UNKNOWN_TOOL, MISSED],
      }),
    ]),
  // A model that solves 60 of 125 tasks, held to 60 %.
  'miniwob-fail': () =>
    miniwobReport(
      [
        ...times(9, 'invalid_action'),
        ...times(4, 'idle'),
        ...times(2, 'context'),
        'environment',
        ...times(29, 'done'),
        ...times(20, 'max_steps'),
      ],
      'success_rate >= 60%',
    ),
  'miniwob-ungated': () => miniwobReport(times(31, 'max_steps'), ''),
  'miniwob-browser': () => miniwobReport(times(30, 'environment'), 'success_rate >= 60%'),
  hostile: hostileReport,
};

function times(n: number, ending: Ending): Ending[] {
  return Array.from({ length: n }, () => ending);
}

function example(
  id: string,
  kind: string,
  rank: number,
  said: { title: string; prompt: string; official: string; vendor: string; detail?: string },
): Example {
  return {
    id,
    kind,
    rank,
    title: said.title,
    prompt: untrusted(said.prompt),
    official: untrusted(said.official),
    vendor: untrusted(said.vendor),
    detail: untrusted(said.detail ?? ''),
  };
}

/** What the engine's own rules say after these failures. */
function stoppedBy(failures: readonly (readonly [Cause, string])[]): Stopped {
  const watch = new StopWatch(2000);
  const stops = failures.map(([cause, detail]) =>
    watch.after({ kind: 'failed', cause, detail: untrusted(detail) }),
  );
  const stopped = stops.at(-1) ?? null;
  if (stopped === null) throw new Error('no rule fired');
  return stopped;
}
