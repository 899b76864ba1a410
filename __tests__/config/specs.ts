import { expect } from '@jest/globals';
import { type ParsedConfig, parseConfig, type RawConfig } from '../../src/config/parse.js';
import type { BenchmarkSpec, Metric } from '../../src/model/benchmark.js';
import { ConfigError } from '../../src/model/errors.js';

function rate(name: string): Metric {
  return {
    name,
    title: name,
    kind: 'rate',
    range: [0, 1],
    better: 'higher',
    terms: () => ({ num: 0, den: 0 }),
  };
}

const subset = (name: string) => ({ name, defaultGates: [], sampling: {}, references: {} });

/** Two benchmarks with options of every type that a schema may have. */
export const SPECS: readonly BenchmarkSpec[] = [
  {
    name: 'k2_verifier',
    title: 'K2 verifier',
    version: '1',
    defaultSubset: 'k2_thinking',
    subsets: [subset('k2_thinking'), subset('k2_0905')],
    metrics: [rate('schema_accuracy'), rate('trigger_similarity')],
    defaultOrder: 'random',
    optionsSchema: {
      type: 'object',
      additionalProperties: false,
      properties: {
        source: { type: 'string', minLength: 1, description: 'Path or https URL.' },
        sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
        'on-bad-row': { enum: ['fail', 'skip'] },
        'tool-strict': { type: 'boolean' },
      },
    },
  },
  {
    name: 'miniwob',
    title: 'MiniWoB',
    version: '1',
    defaultSubset: 'all',
    subsets: [subset('all')],
    metrics: [rate('success_rate')],
    defaultOrder: 'file',
    optionsSchema: {
      type: 'object',
      additionalProperties: false,
      required: ['assets'],
      properties: {
        assets: { type: 'string' },
        repeats: { type: 'integer', minimum: 1, maximum: 5 },
        success_threshold: { type: 'number', minimum: 0 },
        tasks: { type: 'array', items: { type: 'string' } },
        proxy: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      },
    },
  },
];

export const REQUIRED = {
  endpoint: 'https://llm.example.com/v1',
  model: 'kimi',
  datasets: 'k2_verifier',
} as const;

type Overrides = Partial<Omit<RawConfig, 'configFile'>> & { readonly file?: string };

/** parseConfig on the action, with the required inputs given unless `values` says otherwise. */
export function parsed(overrides: Overrides = {}): ParsedConfig {
  const { file, values, ...rest } = overrides;
  return parseConfig(
    {
      values: { ...REQUIRED, ...values },
      configFile: file === undefined ? null : { path: 'vg.yml', text: file },
      sets: [],
      surface: 'action',
      ...rest,
    },
    SPECS,
  );
}

/** The whole messages of a configuration that cannot be used, one a problem. */
export function complaints(overrides: Overrides): string[] {
  try {
    parsed(overrides);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return error instanceof ConfigError ? error.message.split('\n') : [];
  }
  return [];
}
