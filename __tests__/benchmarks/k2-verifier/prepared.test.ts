import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from '@jest/globals';
import { preparedRequest, requestHash } from '../../../src/benchmarks/k2-verifier/prepared.js';
import { fieldsAndFindings } from '../../support/k2.js';

interface Run {
  readonly model: string;
  readonly temperature: number | null;
  readonly max_tokens: number | null;
  readonly hashes: Readonly<Record<string, string | null>>;
}

const fixture = (name: string): string =>
  readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), 'utf8');
const lines = fixture('k2-rows.jsonl').split('\n');
const { runs } = JSON.parse(fixture('k2-hashes.json')) as { runs: Run[] };

function hashOf(line: string, run: Run): string {
  const { fields, findings } = fieldsAndFindings(line);
  const { model, temperature, max_tokens: maxTokens } = run;
  return requestHash(preparedRequest(fields, findings, { model, temperature, maxTokens }));
}

describe("K2 Vendor Verifier's hash", () => {
  const cases = runs.flatMap((run) =>
    Object.entries(run.hashes).flatMap(([line, hash]) =>
      hash === null ? [] : [{ run, line: Number(line), hash, model: run.model }],
    ),
  );

  it('is checked on 11 rows under 3 settings', () => {
    expect(cases.map(({ line }) => line)).toHaveLength(33);
  });

  test.each(cases)('row $line as $model', ({ run, line, hash }) => {
    expect(hashOf(lines[line - 1] ?? '', run)).toBe(hash);
  });
});

const RUN: Run = { model: 'm', temperature: null, max_tokens: null, hashes: {} };

describe('the prepared request', () => {
  it('is the same for a row in the hosted form as for the request it stands for', () => {
    const messages = '[{"role": "_input", "content": "1.0"}, {"role": "user", "content": "é"}]';
    const tools = '[{"type": "function", "function": {"name": "f", "parameters": {"x": 1.0}}}]';
    const hosted = JSON.stringify({ messages, tools, should_call_tool: true, source: 'x' });
    const request = `{"messages": ${messages}, "tools": ${tools}}`;
    expect(hashOf(hosted, RUN)).toBe(hashOf(request, RUN));
  });

  it('is one line even where a column was written over several', () => {
    const hosted = JSON.stringify({
      messages: '[\r\n {"role": "user",\n "content": "a\\nb"}]',
      should_call_tool: false,
    });
    const { fields, findings } = fieldsAndFindings(hosted);
    const plan = { model: 'm', temperature: 0.5, maxTokens: 7 };
    expect(preparedRequest(fields, findings, plan)).toBe(
      '{"messages":[  {"role": "user",  "content": "a\\nb"}],"model":"m","temperature":0.5,"max_tokens":7}',
    );
  });

  it('holds nothing of ours: malformed history arguments stay', () => {
    const line = lines[4] ?? '';
    const { fields, findings } = fieldsAndFindings(line);
    expect(findings.malformedArguments).toBe(1);
    expect(
      preparedRequest(fields, findings, { model: 'x', temperature: null, maxTokens: null }),
    ).toContain('"arguments":"{\\"q\\": \\"a"');
  });
});
