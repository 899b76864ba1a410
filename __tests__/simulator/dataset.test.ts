import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { BUILT_IN, builtInRows, type Loose } from './wire.js';

const text = readFileSync(BUILT_IN, 'utf8');
const readme = readFileSync(new URL('../../datasets/README.md', import.meta.url), 'utf8');
const rows = builtInRows();
const parsed = rows.map((row) => ({
  ...row,
  messages: JSON.parse(row.messages) as Loose[],
  tools: JSON.parse(row.tools) as Loose[],
  calls: JSON.parse(row.official_tool_calls ?? '[]') as Loose[],
}));
const ID = /^functions\.[\w.-]+:\d+$/;

/** Lines, from 1, whose row has the property. */
function lines(has: (row: (typeof parsed)[number]) => boolean): number[] {
  return parsed.flatMap((row, at) => (has(row) ? [at + 1] : []));
}

/** Lines the README lists in the row of its table that begins with `what`. */
function listed(what: string): number[] {
  const row = readme.split('\n').find((line) => line.startsWith(`| ${what}`)) ?? '';
  return (row.split('|')[2] ?? '').match(/\d+/g)?.map(Number) ?? [];
}

const chinese = (row: (typeof parsed)[number]) =>
  /\p{Script=Han}/u.test(row.messages.findLast((message) => message.role === 'user').content);
const past = (row: (typeof parsed)[number]) => row.messages.flatMap((m) => m.tool_calls ?? []);
const isJson = (value: string): boolean => {
  try {
    return JSON.parse(value) !== undefined;
  } catch {
    return false;
  }
};

describe('the built-in data set', () => {
  it('is as large and as mixed as its README says', () => {
    const shares = [
      rows.length,
      lines((row) => row.should_call_tool).length,
      lines(chinese).length,
    ];
    expect(shares).toEqual([120, 67, 50]);
    expect(readme).toContain(
      '120 rows: 67 should call a tool and 53 should not; 50 are in Chinese',
    );
    // Any beginning of the file is a mixture too.
    const early = parsed.slice(0, 24);
    expect(early.filter((row) => row.should_call_tool).length).toBeGreaterThan(8);
    expect(early.filter(chinese).length).toBeGreaterThan(5);
  });

  it('has the columns of the hosted form and no others', () => {
    for (const row of rows as (Loose & object)[]) {
      expect(Object.keys(row)).toEqual([
        'messages',
        'tools',
        'should_call_tool',
        'official_finish_reason',
        ...(row.should_call_tool ? ['official_tool_calls'] : []),
      ]);
      expect(row.official_finish_reason).toBe(row.should_call_tool ? 'tool_calls' : 'stop');
    }
    expect(text.endsWith('}\n')).toBe(true);
    expect(new Set(rows.map((row) => row.messages)).size).toBe(rows.length);
  });

  it('has official calls that their schemas accept', () => {
    const options = { strict: false, validateFormats: false };
    const [draft7, draft2020] = [new Ajv(options), new Ajv2020(options)];
    let calls = 0;
    for (const [at, row] of parsed.entries()) {
      for (const call of row.calls) {
        const tool = row.tools.find((t) => t.function.name === call.function.name);
        const ajv = tool.function.parameters.$schema ? draft7 : draft2020;
        const valid = ajv.validate(tool.function.parameters, JSON.parse(call.function.arguments));
        expect([at + 1, valid, ajv.errorsText()]).toEqual([at + 1, true, 'No errors']);
        calls += 1;
      }
    }
    expect(calls).toBeGreaterThan(67);
  });

  it('numbers calls through each conversation and answers every one of them', () => {
    for (const row of parsed) {
      const before = past(row);
      const ids = [...before, ...row.calls].map((call) => call.id);
      const names = [...before, ...row.calls].map((call) => call.function.name);
      expect(ids).toEqual(names.map((name, index) => `functions.${name}:${index}`));
      expect(ids.every((id) => ID.test(id))).toBe(true);
      const answered = row.messages.filter((m) => m.role === 'tool').map((m) => m.tool_call_id);
      expect(answered).toEqual(before.map((call) => call.id));
    }
  });

  test.each<[string, (row: (typeof parsed)[number]) => boolean]>([
    ['role `_input`', (row) => row.messages.some((m) => m.role === '_input')],
    ['malformed arguments', (row) => past(row).some((c) => !isJson(c.function.arguments))],
    [
      'a tool in the history that is not on offer',
      (row) => past(row).some((c) => !row.tools.some((t) => t.function.name === c.function.name)),
    ],
    ['content as a list of parts', (row) => row.messages.some((m) => Array.isArray(m.content))],
    ['a tool without `parameters`', (row) => row.tools.some((t) => !t.function.parameters)],
    [
      'a tool that takes no arguments',
      (row) => row.calls.some((c) => c.function.arguments === '{}'),
    ],
    ['several calls at once', (row) => row.calls.length > 1],
    [
      'keys that look like integers',
      (row) =>
        /"10": \{"type": "number", "minimum": 0\.0/.test(
          JSON.stringify(row) && (rows[parsed.indexOf(row)]?.tools as string),
        ),
    ],
    [
      'non-ASCII text escaped',
      (row) => /\\u[0-9a-f]{4}/.test(rows[parsed.indexOf(row)]?.messages as string),
    ],
    ['right-to-left text', (row) => /[\u0590-\u06ff]/.test(row.messages.at(-1).content)],
    ['emoji', (row) => /\p{Extended_Pictographic}/u.test(JSON.stringify(row.messages))],
    ['a schema of draft 7', (row) => row.tools.some((t) => t.function.parameters?.$schema)],
    ['`$defs`', (row) => row.tools.some((t) => t.function.parameters?.$defs)],
    ['a page that gives orders', (row) => /ASSISTANTS READING/.test(row.messages.at(-1).content)],
  ])('has rows with %s where the README lists them', (what, has) => {
    expect(lines(has).length).toBeGreaterThan(0);
    expect(listed(what)).toEqual(lines(has));
  });

  it('names nobody and no place on the network but example domains', () => {
    const hosts = text.match(/[\w.-]+@[\w.-]+|https?:\/\/[\w.-]+/g) ?? [];
    expect(hosts.length).toBeGreaterThan(5);
    for (const host of hosts) {
      expect(host.replace(/\.$/, '')).toMatch(
        /(^|[@./])example\.(com|org|net)$|^http:\/\/json-schema\.org$/,
      );
    }
  });
});
