import { describe, expect, it, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { builtinSyntheticPath } from '../../src/datasets/builtin.js';
import { answerTo } from '../../src/simulator/answer.js';
import { OfficialRows } from '../../src/simulator/official-rows.js';
import { readPrompt } from '../../src/simulator/prompt.js';
import {
  bodyOf,
  builtInRows,
  type Loose,
  post,
  type Row,
  readPlain,
  withSimulator,
} from './wire.js';

const rows = builtInRows();
const lenient = { strict: false, validateFormats: false };
const draft7 = new Ajv(lenient);
const draft2020 = new Ajv2020(lenient);

const official = await OfficialRows.open(builtinSyntheticPath());
const cases = rows.map((row) => {
  const prompt = readPrompt(bodyOf(row));
  return { prompt, answer: official.find(prompt.digest), label: row.should_call_tool };
});
official.close();

/** tp, fp, fn, tn of the built-in set. */
function confusion(fidelity: number, seed: number): number[] {
  const counts = [0, 0, 0, 0];
  for (const { prompt, answer, label } of cases) {
    const { calls } = answerTo(prompt, answer, { fidelity, seed, chunks: 30 });
    const at = (calls === undefined ? 2 : 0) + (label ? 0 : 1);
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
}

const f1 = ([tp = 0, fp = 0, fn = 0]: number[]): number => (2 * tp) / (2 * tp + fp + fn);

/** Whether each call names an offered tool and its arguments satisfy the schema. */
function invalidCalls(row: Row, calls: readonly { name: string; arguments: unknown }[]): string[] {
  const tools: Loose[] = JSON.parse(row.tools);
  return calls.flatMap(({ name, arguments: args }) => {
    const schema = tools.find((tool) => tool.function.name === name)?.function.parameters;
    if (schema === undefined) return [`${name} has no schema`];
    const ajv = schema.$schema ? draft7 : draft2020;
    return ajv.validate(schema, JSON.parse(args as string)) ? [] : [`${name}: ${ajv.errorsText()}`];
  });
}

describe('fidelity', () => {
  it('1 repeats every official decision', () => {
    expect(confusion(1, 1)).toEqual([67, 0, 0, 53]);
  });

  it('0 turns every decision round', () => {
    expect(confusion(0, 1)).toEqual([0, 53, 67, 0]);
  });

  // With 67 of 120 rows positive, F1 is expected at 134f / (134f + 120(1 - f)).
  test.each([
    [0.25, 0.27],
    [0.5, 0.53],
    [0.75, 0.77],
    [0.9, 0.91],
  ])('%f shows as an F1 of about %f', (fidelity, expected) => {
    const seeds = Array.from({ length: 20 }, (_, seed) => seed);
    const all = seeds.map((seed) => confusion(fidelity, seed));
    const mean = all.map(f1).reduce((sum, value) => sum + value, 0) / all.length;
    expect(Math.abs(mean - expected)).toBeLessThan(0.03);
  });

  it('0.5 fails the usual gate of 0.73 with every seed', () => {
    for (let seed = 0; seed < 20; seed += 1) {
      expect(f1(confusion(0.5, seed))).toBeLessThan(0.73);
    }
  });

  it('is decided by the seed, so these counts stay as they are', () => {
    expect(confusion(0.5, 1)).toEqual([34, 26, 33, 27]);
    expect(confusion(0.5, 2)).toEqual([31, 23, 36, 30]);
  });

  it('does not depend on the order of requests', async () => {
    const ask = async (order: readonly Row[]) => {
      const options = { fidelity: 0.5, faults: { 'cut-arguments': 0.3 } };
      return withSimulator(options, async (url) => {
        const answers = await Promise.all(
          order.map(async (row) => [row.messages, readPlain((await post(url, bodyOf(row))).text)]),
        );
        return new Map(answers as [string, object][]);
      });
    };
    const some = rows.slice(0, 40);
    expect(await ask(some.toReversed())).toEqual(await ask(some));
  });

  test.each([1, 0, 0.5])('%f: every call is valid', async (fidelity) => {
    const called = await withSimulator({ fidelity }, (url) =>
      Promise.all(
        rows.map(async (row) => {
          const { finish, calls } = readPlain((await post(url, bodyOf(row))).text);
          expect(finish).toBe(calls.length > 0 ? 'tool_calls' : 'stop');
          expect(invalidCalls(row, calls)).toEqual([]);
          for (const call of calls) expect(call.id).toMatch(/^functions\.[\w.-]+:\d+$/);
          return calls.length > 0;
        }),
      ),
    );
    expect(called.filter(Boolean).length).toBeGreaterThan(40);
  });

  it('schema-violation leaves no call of the built-in set valid', async () => {
    const calls = await withSimulator({ faults: { 'schema-violation': 1 } }, (url) =>
      Promise.all(
        rows.map(async (row) => {
          const read = readPlain((await post(url, bodyOf(row))).text);
          return read.calls.map((call) => invalidCalls(row, [call]).length);
        }),
      ),
    );
    expect(calls.filter((row) => row.length > 0)).toHaveLength(67);
    expect(new Set(calls.flat())).toEqual(new Set([1]));
  });
});
