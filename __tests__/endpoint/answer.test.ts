import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AnswerReader } from '../../src/endpoint/answer.js';
import type { Finding } from '../../src/endpoint/finding.js';
import { judgeAnswer } from '../../src/endpoint/judge.js';
import { odditiesOf } from '../../src/endpoint/oddities.js';
import type { Json } from '../../src/model/json.js';
import { calls, chunk, DONE, event } from '../support/hostile-server.js';

interface Read {
  readonly finding: Finding;
  readonly warnings: readonly string[];
}

function read(pieces: readonly (string | Uint8Array)[]): Read {
  const reader = new AnswerReader();
  for (const piece of pieces) reader.push(typeof piece === 'string' ? Buffer.from(piece) : piece);
  reader.end();
  const finding = judgeAnswer(reader, 200, { kind: 'end' });
  if (finding.kind === 'completion') odditiesOf(finding.draft, 'kimi-k2');
  return { finding, warnings: [...reader.warnings].sort() };
}

function completionOf(...pieces: readonly (string | Uint8Array)[]) {
  const { finding } = read(pieces);
  if (finding.kind !== 'completion') throw new Error(JSON.stringify(finding));
  return finding.draft;
}

function outcomeOf(...pieces: readonly (string | Uint8Array)[]): string {
  const { finding } = read(pieces);
  return finding.kind === 'failed' ? finding.cause : finding.kind;
}

const stop = [chunk({}, 'stop'), DONE];
const finished = [chunk({}, 'tool_calls'), DONE];
const namesAndArguments = (...pieces: readonly string[]) =>
  completionOf(...pieces).toolCalls?.map((call) => [call.name, call.arguments]);

describe('any split of the bytes gives the same answer', () => {
  const answers: readonly [string, string][] = [
    [
      'a stream with everything',
      [
        '\ufeff: hi\r\n\r\n',
        chunk({ role: 'assistant', reasoning_content: '北京 🌧 ' }).replaceAll('\n', '\r\n'),
        chunk({ content: 'é\u2028' }),
        'data: : keepalive\r\r',
        calls({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":"' } }),
        calls(
          { index: 0, function: { arguments: '🙂"}' } },
          { index: 1, id: 'b', function: { name: 'g' } },
        ),
        'data: {"choices":[],\ndata: "usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n',
        ...finished,
      ].join(''),
    ],
    [
      'one body',
      ' \n{"id":"x","choices":[{"index":0,"message":{"content":"é 🙂","reasoning":"北"},"finish_reason":"stop"}]}\n',
    ],
    ['text', 'database error: é'],
    ['almost a field', 'data  base'],
    ['a field without a colon', 'data\n\n'],
    ['retry', 'retry: 5\n\ndata: {"choices":[{"delta":{},"finish_reason":"stop"}]}'],
  ];

  test.each(answers)('%s', (_, text) => {
    const bytes = Buffer.from(text);
    const whole = read([bytes]);
    expect(read([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const pieces = at.slice(1).map((to, i) => bytes.subarray(at[i], to));
        expect(read(pieces)).toEqual(whole);
      }),
      { numRuns: 60, seed: 7 },
    );
  });

  test('what the stream with everything says', () => {
    const [, text] = answers[0] ?? ['', ''];
    expect(completionOf(text)).toEqual({
      id: 'chatcmpl-1',
      created: 7,
      model: 'kimi-k2',
      provider: null,
      fingerprint: null,
      finishReason: 'tool_calls',
      content: 'é\u2028',
      reasoning: '北京 🌧 ',
      toolCalls: [
        { id: 'a', type: 'function', name: 'f', arguments: '{"x":"🙂"}' },
        { id: 'b', type: 'function', name: 'g', arguments: null },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    });
    expect(read([text]).warnings).toEqual(['keepalive_in_data']);
  });

  test('a stream that ends at any byte is the same answer or none', () => {
    const bytes = Buffer.from(answers[0]?.[1] ?? '');
    const whole = completionOf(bytes);
    for (let cut = 0; cut < bytes.length; cut++) {
      const { finding } = read([bytes.subarray(0, cut)]);
      if (finding.kind === 'completion') expect(finding.draft).toEqual(whole);
      else
        expect(['malformed', 'no_finish_reason']).toContain(
          finding.kind === 'failed' && finding.cause,
        );
    }
  });
});

describe('nothing that JSON can hold makes it throw', () => {
  const odd: fc.Arbitrary<Json> = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
  const maybe = (key: string, value: fc.Arbitrary<Json>) =>
    fc
      .oneof({ weight: 3, arbitrary: value }, { weight: 1, arbitrary: odd })
      .map((v) => [key, v] as const);
  const record = (...fields: fc.Arbitrary<readonly [string, Json]>[]) =>
    fc
      .subarray(fields)
      .chain((some) => fc.tuple(...some))
      .map((pairs) => Object.fromEntries(pairs) as Json);
  const index = fc.constantFrom<Json>(0, 1, -1, 0.5, 1e300, 2 ** 60, '0', '1', 'x', null);
  const name = fc.constantFrom<Json>('f', 'g', '', null, 5, '__proto__');
  const args = fc.constantFrom<Json>(
    '',
    '{',
    '{}',
    '}',
    null,
    7,
    [],
    JSON.parse('{"__proto__":{"a":1}}'),
  );
  const call = record(
    maybe('index', index),
    maybe('id', name),
    maybe('type', name),
    maybe('function', record(maybe('name', name), maybe('arguments', args))),
  );
  const piece = record(
    maybe('content', name),
    maybe('reasoning', name),
    maybe('tool_calls', fc.array(call)),
    maybe('function_call', call),
  );
  const choice = record(
    maybe('index', index),
    maybe('delta', piece),
    maybe('message', piece),
    maybe('finish_reason', name),
    maybe('usage', odd),
  );
  const body = record(
    maybe('choices', fc.array(choice)),
    maybe('usage', odd),
    maybe('error', name),
    maybe('model', name),
    maybe('__proto__', odd),
  );

  test('as a stream', () => {
    fc.assert(
      fc.property(fc.array(body, { maxLength: 5 }), (events) => {
        read([...events.map((one) => event(JSON.stringify(one))), ...stop]);
      }),
      { numRuns: 500, seed: 3 },
    );
  });

  test('as one body', () => {
    fc.assert(
      fc.property(body, (one) => void read([JSON.stringify(one)])),
      { numRuns: 500, seed: 4 },
    );
  });

  test('as bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        (bytes) => void read(['data: ', bytes, '\n\n']),
      ),
      { numRuns: 300, seed: 5 },
    );
  });

  test.each<[string, string, string]>([
    ['choices an object', '{"choices":{"0":{"finish_reason":"stop"}}}', 'malformed'],
    ['choices of nothing', '{"choices":[null,5,"x"]}', 'malformed'],
    ['delta a string', event('{"choices":[{"delta":"x","finish_reason":"stop"}]}'), 'completion'],
    ['message a number', '{"choices":[{"message":5,"finish_reason":"stop"}]}', 'completion'],
    [
      'finish_reason an object',
      '{"choices":[{"message":{},"finish_reason":{"type":"stop"}}]}',
      'no_finish_reason',
    ],
    ['a bare string', '"hello"', 'malformed'],
    ['a list with an error', '[{"error":{"code":503,"message":"x"}}]', 'stream_error'],
    ['an empty list', '[]', 'malformed'],
    ['FastAPI', '{"detail":"boom"}', 'stream_error'],
    ['vLLM', '{"object":"error","message":"boom","code":500}', 'stream_error'],
    ['MiniMax', '{"base_resp":{"status_code":1004,"status_msg":"x"}}', 'stream_error'],
    [
      'error null is none',
      '{"error":null,"choices":[{"message":{},"finish_reason":"stop"}]}',
      'completion',
    ],
    ['half a body', '{"choices":[{"message":{"content":"a', 'malformed'],
    ['a broken event before the end', `data: {"choices":[{"del\n\n${stop.join('')}`, 'malformed'],
    ['a broken event after the end', `${chunk({}, 'stop')}data: {"usa\n\n${DONE}`, 'completion'],
    ['only comments', ': a\n\n: b\n\n', 'malformed'],
    ['only [DONE]', DONE, 'malformed'],
  ])('%s', (_, text, expected) => {
    expect(outcomeOf(text)).toBe(expected);
  });

  test('JSON that nests without end', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const with_ = (args: string) =>
      `{"choices":[{"message":{"tool_calls":[{"function":{"name":"f","arguments":${args}}}]},"finish_reason":"tool_calls"}]}`;
    expect(outcomeOf(with_(deep))).toBe('too_large');
    expect(outcomeOf(with_(`${'['.repeat(100)}${']'.repeat(100)}`))).toBe('completion');
    expect(outcomeOf(`{"error":${deep}}`)).toBe('malformed');
    expect(outcomeOf(`{"error":{"a":${deep}}}`)).toBe('stream_error');
  });
});

describe('content, reasoning and calls in their other shapes', () => {
  test('content as a list of parts, reasoning among them', () => {
    const parts = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'hm ' }] },
      { type: 'reasoning', text: 'so' },
      { type: 'text', text: 'Hel' },
      'lo',
      { type: 'image_url', image_url: {} },
      7,
    ];
    const draft = completionOf(chunk({ content: parts }), ...stop);
    expect(draft).toMatchObject({ content: 'Hello', reasoning: 'hm so' });
  });

  test('only the choice with index 0 counts', () => {
    const two = (index: number, content: string) =>
      event({ choices: [{ index, delta: { content }, finish_reason: 'stop' }] });
    expect(completionOf(two(1, 'no'), two(0, 'yes'), two(1, 'no'), DONE).content).toBe('yes');
    const both = [
      { index: 1, message: { content: 'no' }, finish_reason: 'length' },
      { index: 0, message: { content: 'yes' }, finish_reason: 'stop' },
    ];
    const draft = completionOf(JSON.stringify({ choices: both }));
    expect(draft).toMatchObject({ content: 'yes', finishReason: 'stop' });
    expect(outcomeOf(two(1, 'no'), DONE)).toBe('malformed');
  });

  test('function_call of old stands in when there are no tool_calls', () => {
    const pieces = [
      chunk({ function_call: { name: 'f', arguments: '{"a"' } }),
      chunk({ function_call: { arguments: ':1}' } }),
      chunk({}, 'function_call'),
      DONE,
    ];
    const draft = completionOf(...pieces);
    expect(draft.finishReason).toBe('tool_calls');
    expect(draft.toolCalls).toEqual([
      { id: null, type: 'function', name: 'f', arguments: '{"a":1}' },
    ]);
    expect(read(pieces).warnings).toEqual(['legacy_function_call']);
    const both = {
      function_call: { name: 'f', arguments: '{}' },
      tool_calls: [{ id: 'a', function: { name: 'g', arguments: '{}' } }],
    };
    const body = JSON.stringify({ choices: [{ message: both, finish_reason: 'tool_calls' }] });
    expect(namesAndArguments(body)).toEqual([['g', '{}']]);
  });

  test('usage wherever it stands, and only counts that are counts', () => {
    const groq = event({
      choices: [],
      x_groq: { usage: { prompt_tokens: 4, completion_tokens: 5 } },
    });
    expect(completionOf(...stop.slice(0, 1), groq, DONE).usage?.total_tokens).toBe(9);
    const body = (usage: object) =>
      completionOf(JSON.stringify({ choices: [{ message: {}, finish_reason: 'stop' }], usage }))
        .usage;
    expect(body({ prompt_tokens: -1, completion_tokens: 1e300 })).toBeNull();
    expect(body({ prompt_tokens: 3, completion_tokens: null })).toEqual({
      prompt_tokens: 3,
      completion_tokens: 0,
      total_tokens: 3,
    });
  });

  test('events with a single line break between them', () => {
    const lines = [chunk({ content: 'a' }), chunk({}, 'stop'), DONE]
      .join('')
      .replaceAll('\n\n', '\n');
    expect(completionOf(lines).content).toBe('a');
    expect(read([lines]).warnings).toEqual(['events_not_separated']);
  });

  test('a stream that ends with the whole message says nothing twice', () => {
    const message = { content: 'ab' };
    const last = event({ choices: [{ index: 0, message, finish_reason: 'stop' }] });
    expect(completionOf(chunk({ content: 'a' }), chunk({ content: 'b' }), last, DONE).content).toBe(
      'ab',
    );
  });

  test('an error after the complete answer only warns', () => {
    const pieces = [chunk({ content: 'a' }), chunk({}, 'stop'), event({ error: 'late' }), DONE];
    expect(completionOf(...pieces).content).toBe('a');
    expect(read(pieces).warnings).toEqual(['error_after_finish']);
  });

  test('labels are cut', () => {
    const draft = completionOf(
      event({ id: 'x'.repeat(999), model: 'y'.repeat(999), choices: [] }),
      chunk({}, 'z'.repeat(999)),
      DONE,
    );
    expect([draft.id?.length, draft.model?.length, draft.finishReason.length]).toEqual([
      200, 200, 200,
    ]);
  });
});

describe('which delta belongs to which call', () => {
  const f = (index: number | undefined, id: string | null, name: string | null, args?: string) => ({
    ...(index === undefined ? {} : { index }),
    id,
    function: { name, ...(args === undefined ? {} : { arguments: args }) },
  });

  test.each<[string, object[], [string, string | null][], string[]]>([
    [
      'deltas of two calls in turn',
      [f(0, 'a', 'f', '{'), f(1, 'b', 'g', '{'), f(0, null, null, '}'), f(1, null, null, '}')],
      [
        ['f', '{}'],
        ['g', '{}'],
      ],
      [],
    ],
    [
      'the same tool twice in one list',
      [f(0, 'a', 'f', '{}'), f(1, 'b', 'f', '{}')],
      [
        ['f', '{}'],
        ['f', '{}'],
      ],
      [],
    ],
    [
      'all under index 0, no ids, other names',
      [f(0, null, 'f', '{}'), f(0, null, 'g', '{}')],
      [
        ['f', '{}'],
        ['g', '{}'],
      ],
      ['shared_index'],
    ],
    [
      'all under one id, other names',
      [f(0, 'a', 'f', '{}'), f(1, 'a', 'g', '{}')],
      [
        ['f', '{}'],
        ['g', '{}'],
      ],
      [],
    ],
    [
      'all under one id, the same name',
      [f(0, 'a', 'f', '{}'), f(1, 'a', 'f', '{}')],
      [
        ['f', '{}'],
        ['f', '{}'],
      ],
      [],
    ],
    [
      'the id first, the name later',
      [f(0, 'a', null, '{'), f(0, null, 'f', '}')],
      [['f', '{}']],
      [],
    ],
    ['an id that comes late', [f(0, null, 'f', '{'), f(0, 'a', null, '}')], [['f', '{}']], []],
    [
      'a name that changes',
      [f(0, 'a', 'f', '{'), f(0, 'a', 'g', '}')],
      [['g', '{}']],
      ['name_repeated'],
    ],
    [
      'index as a string',
      [
        { ...f(0, 'a', 'f', '{'), index: '0' },
        { ...f(0, null, null, '}'), index: '0' },
      ],
      [['f', '{}']],
      [],
    ],
    ['no arguments at all', [f(0, 'a', 'f')], [['f', null]], []],
    [
      'an object, then text',
      [{ ...f(0, 'a', 'f'), function: { name: 'f', arguments: { a: 1 } } }, f(0, null, null, '}')],
      [['f', '{"a":1}}']],
      ['arguments_object'],
    ],
    [
      'an id that comes back under its alias',
      [f(0, 'a', 'f', '{'), f(0, 'b', null, '"x":'), f(3, 'b', null, '1}')],
      [['f', '{"x":1}']],
      ['id_changed', 'index_drift'],
    ],
    [
      'entries that are no objects',
      [5 as unknown as object, f(0, 'a', 'f', '{}')],
      [['f', '{}']],
      ['malformed_tool_calls'],
    ],
  ])('%s', (_, deltas, expected, warnings) => {
    const apart = [...deltas.map((delta) => calls(delta)), ...finished];
    expect(namesAndArguments(...apart)).toEqual(expected);
    expect(read(apart).warnings).toEqual(warnings);
    expect(namesAndArguments(calls(...deltas), ...finished)).toEqual(expected);
  });

  test('tool_calls that is no list is no list of calls', () => {
    const pieces = [chunk({ tool_calls: { index: 0, function: { name: 'f' } } }), ...finished];
    expect(completionOf(...pieces).toolCalls).toBeNull();
    expect(read(pieces).warnings).toEqual(['malformed_tool_calls']);
  });
});
