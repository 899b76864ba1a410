import { describe, expect, it, test } from '@jest/globals';
import { parseConfig } from '../../src/config/parse.js';
import { complaints, parsed, REQUIRED, SPECS } from './specs.js';

describe('a config file', () => {
  it('may hold everything that is no secret', () => {
    const file = `
endpoint: https://file.example.com/v1
model: kimi-k2
datasets:
  k2_verifier:
    source: rows.jsonl
thresholds:
  - schema_accuracy >= 95%
  - trigger_similarity >= 0.7 warn
default-gates: false
confidence: 0.9
limit: 100
temperature: 0.6
wait-for-ready: 0
deadline: 1h
stream: false
thinking: off
extra-body: {top_p: 0.5}
headers: {X-Team: search}
fail-on: [fail]
comment: never
`;
    const values = { endpoint: '', model: '', datasets: '' };
    const { config, action } = parsed({ file, values });
    expect(config).toMatchObject({
      endpoint: 'https://file.example.com/v1',
      headers: { 'X-Team': 'search' },
      benchmarks: [
        { name: 'k2_verifier', subset: 'k2_thinking', options: { source: 'rows.jsonl' } },
      ],
      defaultGates: false,
      confidence: 0.9,
      limit: 100,
      waitForReadyMs: 0,
      deadlineMs: 3_600_000,
      request: {
        model: 'kimi-k2',
        temperature: 0.6,
        stream: false,
        thinking: 'off',
        extraBody: { top_p: 0.5 },
      },
      failOn: ['fail'],
    });
    expect(config.gates.map(({ text }) => text)).toEqual([
      'schema_accuracy >= 95%',
      'trigger_similarity >= 0.7 warn',
    ]);
    expect(action.comment).toBe('never');
  });

  it('loses against an inline value, but not against an empty one', () => {
    const file = 'concurrency: 4\nlimit: 10\n';
    const { config } = parsed({ file, values: { concurrency: '8', limit: '' } });
    expect([config.concurrency, config.limit]).toEqual([8, 10]);
  });

  it('keeps 0 and false as values', () => {
    const { config, action } = parsed({ file: 'max-retries: 0\ntemperature: 0\nsummary: false\n' });
    expect([config.maxRetries, config.request.temperature, action.summary]).toEqual([0, 0, false]);
  });

  test.each(['', '# nothing\n', '---\n', 'limit:\n', 'limit: ""\n'])(
    'may say nothing: %j',
    (file) => {
      expect(parsed({ file }).config.limit).toBeNull();
    },
  );
});

const KEY_FIX =
  'Remove it and revoke the key if it was ever committed; give it as the input api-key from a secret, or as VENDOR_GATE_API_KEY on a terminal.';
const WHOLE_NUMBER = 'Give a whole number from 1 to 1024, in plain digits.';
const BAD: [number, string, string[]][] = [
  [1, 'concurency: 4', ['vg.yml: concurency: There is no such key. Did you mean concurrency?']],
  [
    2,
    'max_tokens: 4',
    ['vg.yml: max_tokens: There is no such key. Keys are written with hyphens: max-tokens.'],
  ],
  [
    3,
    'qqqqqqqq: 4',
    ['vg.yml: qqqqqqqq: There is no such key. Remove it; docs/config.schema.json lists all keys.'],
  ],
  [
    4,
    '"::error::x": 4',
    [
      'vg.yml: "::error::x": There is no such key. Remove it; docs/config.schema.json lists all keys.',
    ],
  ],
  [5, 'api-key: s3cret', [`vg.yml: api-key: A key does not belong into a file. ${KEY_FIX}`]],
  [
    6,
    'github-token: s3cret',
    [
      'vg.yml: github-token: A token does not belong into a file. Remove it and revoke the token if it was ever committed; the action has one of its own.',
    ],
  ],
  [7, 'config: b.yml', ['vg.yml: config: A config file cannot name another one. Remove it.']],
  [
    8,
    'limit: 1\nlimit: 2',
    ['vg.yml: It is not valid YAML in line 2: Map keys must be unique. Mend the file.'],
  ],
  [9, '- a', ['vg.yml: It is not a mapping. Write one input a line, such as `concurrency: 16`.']],
  [
    10,
    'just text',
    ['vg.yml: It is not a mapping. Write one input a line, such as `concurrency: 16`.'],
  ],
  [11, 'a: 1\n---\nb: 2', ['vg.yml: It is several YAML documents instead of one. Mend the file.']],
  [
    12,
    'limit: !!python/object:os.system x',
    [
      'vg.yml: It is not valid YAML in line 1: Unresolved tag: tag:yaml.org,2002:python/object:os.system. Mend the file.',
    ],
  ],
  [
    13,
    'limit: !!binary aGk=',
    [
      'vg.yml: It is holding a value that JSON does not have, such as .nan or a binary. Mend the file.',
    ],
  ],
  [
    14,
    'limit: *far',
    ['vg.yml: It is using an alias that is unknown or one of far too many. Mend the file.'],
  ],
  [
    15,
    `limit: ${'['.repeat(50_000)}`,
    ['vg.yml: It is nested more than 64 levels deep. Mend the file.'],
  ],
  [16, `# ${'x'.repeat(65_536)}`, ['vg.yml: It is longer than 65536 characters. Mend the file.']],
  [
    17,
    'concurrency: 1_000',
    [`vg.yml: concurrency: "1_000" is not a whole number. ${WHOLE_NUMBER}`],
  ],
  [18, 'concurrency: 2.5', [`vg.yml: concurrency: 2.5 is not a whole number. ${WHOLE_NUMBER}`]],
  [19, 'concurrency: 0', [`vg.yml: concurrency: 0 is too small. ${WHOLE_NUMBER}`]],
  [20, 'concurrency: true', [`vg.yml: concurrency: true is not a whole number. ${WHOLE_NUMBER}`]],
  [21, 'concurrency: [4]', [`vg.yml: concurrency: [4] is not a whole number. ${WHOLE_NUMBER}`]],
  [
    22,
    'request-timeout: 600',
    [
      'vg.yml: request-timeout: 600 has no unit. Give a duration such as 600s, 10m or 2h; at most 24h.',
    ],
  ],
  [23, 'model: 4.10', ['vg.yml: model: 4.1 is not text to YAML. Put it in quotes.']],
  [24, 'model: [a]', ['vg.yml: model: ["a"] is not text. Give text on one line.']],
  [25, 'stream: yes', ['vg.yml: stream: "yes" is neither true nor false. Give true or false.']],
  [26, 'stream: 1', ['vg.yml: stream: 1 is neither true nor false. Give true or false.']],
  [
    27,
    'fail-on: {fail: true}',
    [
      'vg.yml: fail-on: {"fail":true} is not a list. Give some of fail, error, inconclusive, or never.',
    ],
  ],
  [
    28,
    'thresholds: 0.9',
    [
      'vg.yml: thresholds: It is neither text nor a list. Give gates, one a line, such as schema_accuracy >= 95%.',
    ],
  ],
  [
    29,
    'endpoint: 5',
    ['vg.yml: endpoint: 5 is not a URL. Give the base URL, such as https://llm.example.com/v1.'],
  ],
  [
    30,
    'headers: {X-A: 007}',
    ['vg.yml: headers.X-A: The value is not text to YAML. Put it in quotes.'],
  ],
  [
    31,
    '__proto__: {limit: 1}',
    ['vg.yml: __proto__: There is no such key. Remove it; docs/config.schema.json lists all keys.'],
  ],
];

test.each(BAD)('bad file %d', (_, file, messages) => {
  // endpoint and model stand in the file of some rows; there the inline value must not hide them.
  const key = /^(endpoint|model):/.exec(file)?.[1];
  const values = key === undefined ? {} : { [key]: '' };
  expect(complaints({ file, values })).toEqual(messages);
  expect(messages.join()).not.toContain('s3cret');
});

test('aliases are fine as long as they are few', () => {
  const file = 'datasets:\n  k2_verifier: &o {source: a}\n  k2_verifier/k2_0905: *o\n';
  expect(parsed({ file, values: { datasets: '' } }).config.benchmarks).toEqual([
    { name: 'k2_verifier', subset: 'k2_thinking', options: { source: 'a' } },
    { name: 'k2_verifier', subset: 'k2_0905', options: { source: 'a' } },
  ]);
});

test('aliases that multiply are refused', () => {
  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]'];
  for (const [name, last] of ['ba', 'cb', 'dc', 'ed', 'fe', 'gf'].map((pair) => [...pair])) {
    bomb.push(`${name}: &${name} [${Array(9).fill(`*${last}`).join(', ')}]`);
  }
  expect(complaints({ file: bomb.join('\n') })).toEqual([
    'vg.yml: It is using an alias that is unknown or one of far too many. Mend the file.',
  ]);
});

test('a file that cannot be read is the only thing said of what it might hold', () => {
  const configFile = { path: 'no.yml', unreadable: 'there is no such file.' };
  const values = { ...REQUIRED, endpoint: '' };
  expect(() => parseConfig({ values, configFile, sets: [], surface: 'action' }, SPECS)).toThrow(
    /^no\.yml: The config file cannot be read: there is no such file\. Check the path; in a workflow the repository must be checked out first \(actions\/checkout\)\.$/,
  );
});
