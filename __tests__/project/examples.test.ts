import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { BENCHMARKS } from '../../src/benchmarks/index.js';
import { parseConfig } from '../../src/config/parse.js';

interface Step {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
}
interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

const SPECS = BENCHMARKS.map(({ spec }) => spec);

/** What an expression of the runner might give; the values only have to be legal. */
const STAND_INS: Readonly<Record<string, string>> = {
  endpoint: 'https://llm.example.com/v1',
  'report-id': 'nightly-vendor',
  shard: '8/8',
};

function inputsIn(file: string): Record<string, string>[] {
  const { jobs } = parse(readFileSync(file, 'utf8')) as Workflow;
  return Object.values(jobs)
    .flatMap(({ steps }) => steps)
    .filter(({ uses }) => uses === './' || uses?.startsWith('vendor-gate/vendor-gate@'))
    .map((step) =>
      Object.fromEntries(
        Object.entries(step.with ?? {}).map(([name, value]) => [
          name,
          String(value).includes('${{') ? (STAND_INS[name] ?? 'value') : String(value),
        ]),
      ),
    );
}

const EXAMPLES = readdirSync('examples')
  .filter((name) => name.endsWith('.yml'))
  .map((name) => `examples/${name}`);

describe('what the workflows hand to the action is a legal configuration', () => {
  test.each([...EXAMPLES, '.github/workflows/ci.yml'])('%s', (file) => {
    const uses = inputsIn(file);
    expect(uses.length).toBeGreaterThan(0);
    for (const values of uses) {
      const raw = { values, configFile: null, sets: [], surface: 'action' } as const;
      const { config, action, notices } = parseConfig(raw, SPECS);
      expect(config.benchmarks).toHaveLength(action.mode === 'merge' ? 0 : 1);
      expect(notices).toEqual([]);
    }
  });
});
