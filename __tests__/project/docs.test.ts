import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { BENCHMARKS } from '../../src/benchmarks/index.js';
import { actionYml, configSchema, withTables } from '../support/generate-docs.js';

/**
 * action.yml, the schema of the config file and the README's tables follow from the table of inputs. When one differs,
 * run `UPDATE_DOCS=1 npm test -- __tests__/project/docs` and look at what changed.
 */
const FILES: [string, () => string][] = [
  ['action.yml', actionYml],
  ['docs/config.schema.json', () => configSchema(BENCHMARKS.map(({ spec }) => spec))],
  ['README.md', () => withTables(readFileSync('README.md', 'utf8'), actionYml())],
];

test.each(FILES)('%s is as generated', (path, generate) => {
  const text = generate();
  if (process.env['UPDATE_DOCS']) writeFileSync(path, text);
  expect(readFileSync(path, 'utf8')).toBe(text);
});
