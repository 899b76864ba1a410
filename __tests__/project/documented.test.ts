import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { k2Verifier } from '../../src/benchmarks/k2-verifier/index.js';
import { SUBSETS } from '../../src/benchmarks/k2-verifier/subsets.js';
import type { InvalidReason } from '../../src/benchmarks/k2-verifier/tool-calls.js';
import { invalidText, WARNINGS } from '../../src/benchmarks/k2-verifier/words.js';
import { miniwob } from '../../src/benchmarks/miniwob/index.js';
import { OWN_TASKS } from '../../src/benchmarks/miniwob/own-pages.js';
import { nameOn } from '../../src/config/given.js';
import { INPUTS } from '../../src/config/inputs.js';
import { WIRE_WARNINGS } from '../../src/endpoint/warnings.js';
import { ENGINE_DEFAULT_GATES, ENGINE_METRICS } from '../../src/gates/engine-metrics.js';
import type { BenchmarkSpec } from '../../src/model/benchmark.js';
import { CAUSES } from '../../src/model/completion.js';
import type { Stopped } from '../../src/model/report.js';
import { VERBS } from '../../src/terminal/verbs.js';

/**
 * What a report can name has a line in the docs. Tables between `<!-- NAME:start -->` and `<!-- NAME:end -->` follow
 * from the source; when one differs, run `UPDATE_DOCS=1 npm test -- __tests__/project/documented` and look at what
 * changed.
 */
const K2 = 'docs/k2-verifier.md';
const MINIWOB = 'docs/miniwob.md';

/** The types make sure that none is missing. */
const REASONS: Readonly<Record<InvalidReason | 'no_tool_calls', true>> = {
  no_tool_calls: true,
  unknown_tool: true,
  no_schema: true,
  invalid_schema: true,
  unresolvable_ref: true,
  empty_arguments: true,
  invalid_json: true,
  non_finite_number: true,
  schema_violation: true,
};
const STOPS: Readonly<Record<Stopped['kind'], true>> = {
  configuration: true,
  outage: true,
  deadline: true,
  budget: true,
  shards: true,
  interrupted: true,
  disk: true,
};

interface Property {
  readonly description: string;
  readonly enum?: readonly string[];
  readonly type?: string;
  readonly default?: unknown;
}

function table(head: readonly [string, string], rows: readonly (readonly [string, string])[]) {
  const lines = rows.map(([name, text]) => `| \`${name}\` | ${text.replaceAll('|', '\\|')} |`);
  return [`| ${head.join(' | ')} |`, '|---|---|', ...lines].join('\n');
}

function options({ optionsSchema }: BenchmarkSpec): [string, string][] {
  const { properties } = optionsSchema as unknown as {
    properties: Readonly<Record<string, Property>>;
  };
  return Object.entries(properties).map(([name, property]) => {
    const values = property.enum?.map((value) => `\`${value}\``).join(' or ');
    const kind = values ?? (property.type === 'boolean' ? '`true` or `false`' : null);
    const usual = property.default === undefined ? '' : ` Default: \`${property.default}\`.`;
    return [name, `${property.description}${kind === null ? '' : ` ${kind}.`}${usual}`];
  });
}

const TABLES: [string, string, () => string][] = [
  [K2, 'options', () => table(['option', 'what it does'], options(k2Verifier.spec))],
  [MINIWOB, 'options', () => table(['option', 'what it does'], options(miniwob.spec))],
  [
    K2,
    'reasons',
    () =>
      table(
        ['reason', 'what it means'],
        Object.keys(REASONS).map((name) => [name, invalidText(name)]),
      ),
  ],
  [K2, 'wire-warnings', () => table(['name', 'what it means'], Object.entries(WIRE_WARNINGS))],
  [K2, 'own-warnings', () => table(['name', 'what it means'], Object.entries(WARNINGS))],
];

describe('tables that follow from the source', () => {
  test.each(TABLES)('%s: %s', (page, name, make) => {
    const text = readFileSync(page, 'utf8');
    const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
    const from = text.indexOf(start);
    const to = text.indexOf(end);
    expect(from >= 0 && to > from).toBe(true);
    const wanted = `${text.slice(0, from + start.length)}\n${make()}\n${text.slice(to)}`;
    if (process.env['UPDATE_DOCS']) writeFileSync(page, wanted);
    expect(readFileSync(page, 'utf8')).toBe(wanted);
  });
});

const NAMED: [string, string, readonly string[]][] = [
  [
    'metrics',
    K2,
    [...k2Verifier.spec.metrics, ...ENGINE_METRICS].map(({ name }) => `| \`${name}\` |`),
  ],
  ['subsets', K2, SUBSETS.map(({ name }) => `\`${name}\``)],
  [
    'metrics of miniwob',
    MINIWOB,
    [...miniwob.spec.metrics, ...ENGINE_METRICS].map(({ name }) => `\`${name}\``),
  ],
  ['pages of its own', MINIWOB, OWN_TASKS.map(({ page }) => `| \`${page}\` |`)],
  ['subsets of miniwob', MINIWOB, miniwob.spec.subsets.map(({ name }) => `\`${name}\``)],
  [
    'default gates of miniwob',
    MINIWOB,
    miniwob.spec.subsets.flatMap(({ defaultGates }) => defaultGates).map((gate) => `\`${gate}\``),
  ],
  [
    'default gates',
    'docs/gates.md',
    [...ENGINE_DEFAULT_GATES, ...SUBSETS.flatMap(({ defaultGates }) => defaultGates)].map(
      (gate) => `\`${gate}\``,
    ),
  ],
  [
    'causes, each with its words',
    'docs/troubleshooting.md',
    Object.entries(CAUSES).map(([name, text]) => `### \`${name}\`: ${text}\n`),
  ],
  [
    'reasons for an early end',
    'docs/troubleshooting.md',
    Object.keys(STOPS).map((kind) => `\`stopped.kind\` is \`${kind}\``),
  ],
  [
    'options of the typed API',
    'docs/api.md',
    INPUTS.filter(({ where, name }) => where === 'everywhere' && name !== 'fail-on').map(
      ({ name }) => `\`${nameOn('api', name)}\``,
    ),
  ],
  ['verbs', 'README.md', VERBS.map(({ name }) => `node dist/index.js ${name}`)],
];

test.each(NAMED)('all %s are in %s', (_what, page, names) => {
  const text = readFileSync(page, 'utf8');
  expect(names.filter((name) => !text.includes(name))).toEqual([]);
});
