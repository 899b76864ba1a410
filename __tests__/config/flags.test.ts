import { describe, expect, it, test } from '@jest/globals';
import { CARRIED_OVER } from '../../src/config/carried-over.js';
import { parseFlags } from '../../src/config/flags.js';
import { INPUTS } from '../../src/config/inputs.js';
import type { VerbSpec } from '../../src/config/verb.js';

const RUN: VerbSpec = { name: 'run', summary: 'Runs.', inputs: 'all', flags: [] };
const SIMULATE: VerbSpec = {
  name: 'simulate',
  summary: 'Serves.',
  inputs: [],
  flags: [
    {
      name: 'port',
      kind: { type: 'integer', min: 0, max: 65_535 },
      description: 'Port.',
      required: true,
    },
    { name: 'fidelity', kind: { type: 'number', min: 0, max: 1 }, description: 'Fidelity.' },
    { name: 'fault', kind: { type: 'text' }, description: 'Fault.', repeat: true },
    { name: 'quiet', kind: { type: 'boolean' }, description: 'Says less.' },
    { name: 'wait', kind: { type: 'duration', zero: true, maxHours: 1 }, description: 'Waits.' },
    { name: 'mode', kind: { type: 'choice', values: ['fast', 'slow'] }, description: 'How.' },
  ],
};
const SCORE: VerbSpec = {
  name: 'score',
  summary: 'Scores.',
  inputs: ['datasets', 'thresholds'],
  flags: [],
  positionals: { name: 'FILE...', description: 'Result files.', min: 1, max: 2 },
};

const GOOD: [number, string[], Record<string, string>][] = [
  [1, [], {}],
  [2, ['--max-tokens', '100'], { 'max-tokens': '100' }],
  [3, ['--max-tokens=100'], { 'max-tokens': '100' }],
  [4, ['--model=a=b'], { model: 'a=b' }],
  [5, ['--model='], { model: '' }],
  [6, ['--model', ''], { model: '' }],
  [7, ['--stream'], { stream: 'true' }],
  [8, ['--stream', '--limit', '5'], { stream: 'true', limit: '5' }],
  [9, ['--stream=false'], { stream: 'false' }],
  [10, ['--stream', 'False'], { stream: 'False' }],
  [11, ['--no-stream'], { stream: 'false' }],
  [12, ['--no-default-gates', '--no-summary'], { 'default-gates': 'false', summary: 'false' }],
  [13, ['--output', 'out'], { 'output-dir': 'out' }],
  [14, ['--output-dir=out'], { 'output-dir': 'out' }],
  [15, ['--datasets', 'a', 'b', '--limit', '5'], { datasets: 'a\nb', limit: '5' }],
  [16, ['--datasets', 'a', '--datasets', 'b'], { datasets: 'a\nb' }],
  [17, ['--datasets', '- a\n- b'], { datasets: '- a\n- b' }],
  [18, ['--thresholds', 'a >= 1', '--thresholds', 'b >= 2'], { thresholds: 'a >= 1\nb >= 2' }],
  [19, ['--fail-on', 'fail', 'error'], { 'fail-on': 'fail\nerror' }],
  [20, ['--api-url', 'http://x/v1'], { endpoint: 'http://x/v1' }],
  [21, ['--eval-batch-size', '8'], { concurrency: '8' }],
  [22, ['--temperature', '-1'], { temperature: '-1' }],
  [23, ['--model', '-'], { model: '-' }],
  [24, ['--model=--weird'], { model: '--weird' }],
  [25, ['--headers', '{"X-A": "b"}'], { headers: '{"X-A": "b"}' }],
  [26, ['--comment', 'never', '--'], { comment: 'never' }],
];

test.each(GOOD)('good command line %d: %j', (_, argv, values) => {
  expect(parseFlags(argv, RUN)).toMatchObject({
    help: false,
    values,
    problems: [],
    positionals: [],
  });
  expect(parseFlags(argv, RUN).values).toEqual(values);
});

test('every input is a flag, except the key and the token', () => {
  for (const { name, kind } of INPUTS) {
    if (name === 'api-key' || name === 'github-token') continue;
    const value = kind.type === 'boolean' ? 'true' : 'x';
    expect(parseFlags([`--${name}`, value], RUN)).toMatchObject({
      values: { [name]: value },
      problems: [],
    });
  }
});

test('--set may be repeated and keeps its order', () => {
  expect(parseFlags(['--set', 'a.b=1', '--set=a.c=2'], RUN).sets).toEqual(['a.b=1', 'a.c=2']);
});

const HELP = 'See run --help.';
const KEY = CARRIED_OVER['api-key'];
const KEY_TEXT = KEY !== undefined && 'what' in KEY ? `${KEY.what} ${KEY.fix}` : '';
const OPTIONS =
  'Write the options of a benchmark as --set BENCHMARK.OPTION=VALUE, or as a mapping under datasets in a config file.';
const BAD: [number, string[], string[]][] = [
  [1, ['--limt', '5'], ['--limt: There is no such option. Did you mean --limit?']],
  [2, ['--max_tokens=5'], ['--max_tokens: There is no such option. Did you mean --max-tokens?']],
  [3, ['--qqqqqqqqq'], [`--qqqqqqqqq: There is no such option. ${HELP}`]],
  [4, ['-m', 'kimi'], [`-m: There is no such option. Options start with two hyphens. ${HELP}`]],
  [
    5,
    ['--limit'],
    [
      '--limit: Its value is missing. Write --limit VALUE, or --limit=VALUE when the value starts with a hyphen.',
    ],
  ],
  [
    6,
    ['--limit', '--seed', '3'],
    [
      '--limit: Its value is missing. Write --limit VALUE, or --limit=VALUE when the value starts with a hyphen.',
    ],
  ],
  [
    7,
    ['--datasets', '--set'],
    [
      '--datasets: Its value is missing. Write --datasets VALUE, or --datasets=VALUE when the value starts with a hyphen.',
      '--set: Its value is missing. Write --set VALUE, or --set=VALUE when the value starts with a hyphen.',
    ],
  ],
  [8, ['--limit', '5', '--limit=6'], ['--limit: It is given twice. Give it once.']],
  [
    9,
    ['--endpoint', 'http://a', '--api-url', 'http://b'],
    ['--api-url: It says the same as --endpoint. Give it once.'],
  ],
  [10, ['--stream', '--no-stream'], ['--no-stream: It says the same as --stream. Give it once.']],
  [
    11,
    ['--no-stream=true'],
    ['--no-stream: It takes no value. Write --no-stream alone, or --stream=false.'],
  ],
  [12, ['--no-limit'], ['--no-limit: Only a switch can be turned off so. Leave --limit out.']],
  [13, ['word'], [`"word": This word belongs to no option. ${HELP}`]],
  [14, ['--limit', '5', 'word'], [`"word": This word belongs to no option. ${HELP}`]],
  [15, ['--', '--limit'], [`"--limit": This word belongs to no option. ${HELP}`]],
  [16, ['--api-key', 'sk-s3cret'], [`--api-key: ${KEY_TEXT}`]],
  [17, ['--api-key=sk-s3cret'], [`--api-key: ${KEY_TEXT}`]],
  [18, ['--api_key', 'sk-s3cret'], [`--api_key: ${KEY_TEXT}`]],
  [19, ['--apikey', 'sk-s3cret', 's3cret'], [`--apikey: ${KEY_TEXT}`]],
  [
    20,
    ['--github-token', 's3cret'],
    ['--github-token: The token is no option, since only the action writes to GitHub. Remove it.'],
  ],
  [
    21,
    ['--agent-config', '{"mode": "native"}', '--limit', '5'],
    [
      `--agent-config: Agents cannot be configured: each benchmark brings the loop it is defined with. Remove it. ${OPTIONS}`,
    ],
  ],
  [
    22,
    ['--dataset-args', '{"k2_verifier": {}}'],
    [`--dataset-args: It is written differently here. ${OPTIONS}`],
  ],
  [
    23,
    ['--dry-run', '--qqqqqqqqq', 's3cret', '-k', 's3cret'],
    [
      '--dry-run: It is a verb here. Use the verb plan, which sends nothing.',
      `--qqqqqqqqq: There is no such option. ${HELP}`,
      `-k: There is no such option. Options start with two hyphens. ${HELP}`,
    ],
  ],
];

test.each(BAD)('bad command line %d: %j', (_, argv, messages) => {
  const told = parseFlags(argv, RUN).problems.map(
    ({ where, what, fix }) => `${where}: ${what} ${fix}`,
  );
  expect(told).toEqual(messages);
  expect(told.join()).not.toContain('s3cret');
});

/** `evalscope eval --help` of EvalScope 1.x: every flag that its parser knows. */
const EVALSCOPE =
  `model model-id model-args model-task chat-template datasets dataset-args dataset-dir dataset-hub
  generation-config eval-type eval-backend eval-config eval-batch-size limit repeats use-cache rerun-review work-dir
  no-timestamp enable-progress-tracker ignore-errors debug dry-run seed api-key api-url timeout stream judge
  judge-strategy judge-model-args analysis-report collect-perf no-collect-perf agent-config sandbox use-sandbox
  sandbox-type sandbox-manager-config`.split(/\s+/);

test.each(EVALSCOPE)('--%s of EvalScope is taken over or answered', (name) => {
  const switches = ['stream'];
  const argv = switches.includes(name) ? [`--${name}`] : [`--${name}`, 'x'];
  const { values, problems } = parseFlags(argv, RUN);
  if (problems.length === 0) {
    expect(Object.keys(values)).toHaveLength(1);
  } else {
    expect(problems).toEqual([CARRIED_OVER[name] && { where: `--${name}`, ...CARRIED_OVER[name] }]);
  }
});

describe('flags of one verb', () => {
  it('come typed', () => {
    const argv =
      '--port 8000 --fidelity=0.5 --fault 429=0.1 --fault slow=1 --quiet --wait 5s --mode slow';
    const { own, problems } = parseFlags(argv.split(' '), SIMULATE);
    expect(problems).toEqual([]);
    expect(own.number('port')).toBe(8000);
    expect(own.number('fidelity')).toBe(0.5);
    expect(own.texts('fault')).toEqual(['429=0.1', 'slow=1']);
    expect(own.boolean('quiet')).toBe(true);
    expect(own.number('wait')).toBe(5000);
    expect(own.text('mode')).toBe('slow');
  });

  it('are null, empty or false when not given', () => {
    const { own } = parseFlags(['--port=0', '--no-quiet'], SIMULATE);
    expect(own.number('port')).toBe(0);
    expect(own.number('fidelity')).toBeNull();
    expect(own.text('mode')).toBeNull();
    expect(own.texts('fault')).toEqual([]);
    expect(own.boolean('quiet')).toBe(false);
    expect(() => own.text('port')).toThrow('--port is not a flag of type text or choice');
  });

  it.each([
    [
      [],
      '--port: It is required and missing. Give --port a whole number from 0 to 65535, in plain digits.',
    ],
    [
      ['--port', '70000'],
      '--port: "70000" is too large. Give a whole number from 0 to 65535, in plain digits.',
    ],
    [
      ['--port=1', '--mode', 'slw'],
      '--mode: "slw" is not one of its values. Did you mean slow? Give one of fast, slow.',
    ],
    [['--port=1', '--port=2'], '--port: It is given twice. Give it once.'],
    [['--port=1', '--prt=2'], '--prt: There is no such option. Did you mean --port?'],
    [['--port=1', '--limit', '5'], '--limit: The verb simulate has no use for it. Remove it.'],
    [['--port=1', '--set', 'a.b=1'], '--set: There is no such option. See simulate --help.'],
  ])('%j: %s', (argv, message) => {
    const { problems } = parseFlags(argv, SIMULATE);
    expect(problems.map(({ where, what, fix }) => `${where}: ${what} ${fix}`)).toEqual([message]);
  });

  it('always include --output', () => {
    expect(parseFlags(['--port=1', '--output', 'o'], SIMULATE).values).toEqual({
      'output-dir': 'o',
    });
  });
});

describe('words without a flag', () => {
  it('are taken where the verb has them, also behind --', () => {
    expect(parseFlags(['a.jsonl', '--', '--b'], SCORE)).toMatchObject({
      positionals: ['a.jsonl', '--b'],
      problems: [],
    });
  });

  it.each([
    [[], 'score: The verb score needs FILE.... See score --help.'],
    [['a', 'b', 'c'], '"c": This word belongs to no option. See score --help.'],
  ])('are counted: %j', (argv, message) => {
    const { problems } = parseFlags(argv, SCORE);
    expect(problems.map(({ where, what, fix }) => `${where}: ${what} ${fix}`)).toEqual([message]);
  });
});

it.each([
  [['--set', 'a.b=1', 'a.c=2'], '"a.c=2": This word belongs to no option. Repeat --set before it.'],
  [['--set', 'a.b=1', 'word'], '"word": This word belongs to no option. See run --help.'],
  [['a.c=2'], '"a.c=2": This word belongs to no option. See run --help.'],
])('a second setting behind one --set: %j', (argv, message) => {
  const { problems } = parseFlags(argv, RUN);
  expect(problems.map(({ where, what, fix }) => `${where}: ${what} ${fix}`)).toEqual([message]);
});

test.each([['--help'], ['-h']])('%s wins over everything that is wrong', (flag) => {
  expect(parseFlags(['--nonsense', flag, 'word'], RUN)).toMatchObject({ help: true, problems: [] });
  expect(parseFlags(['--', flag], RUN).help).toBe(false);
});
