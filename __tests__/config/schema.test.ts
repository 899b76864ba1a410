import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { configSchema } from '../support/generate-docs.js';
import { complaints, SPECS } from './specs.js';

const validate = new Ajv2020({ strict: false }).compile(JSON.parse(configSchema(SPECS)));

/** Files on which the published schema and the program must agree. Some rules (such as gates) only the program knows. */
describe('docs/config.schema.json and the program', () => {
  it.each([
    'concurrency: 1',
    'wait-for-ready: 0',
    'wait-for-ready: 0s',
    'request-timeout: 600s',
    'confidence: 0.95',
    'confidence: 95%',
    'fail-on: [fail, error]',
    'fail-on: never',
    'datasets: k2_verifier',
    'datasets: [k2_verifier]',
    'datasets: {k2_verifier: }',
    'datasets: {k2_verifier: {subset: k2_0905, source: a}}',
    'datasets: {k2_verifier/k2_0905: {source: a}}',
    'thresholds: schema_accuracy >= 95%',
    'thresholds: [schema_accuracy >= 95%]',
    'headers: {X-A: b}',
    'extra-body: {a: {b: 1}}',
    'report-id: a/b',
    'comment: never',
    'thinking: on',
  ])('both take %s', (file) => {
    expect({ valid: validate(parse(file)), complaints: told(file) }).toEqual({
      valid: true,
      complaints: 0,
    });
  });

  it.each([
    'concurrency: 0',
    'concurrency: 1.5',
    'wait-for-ready: 5',
    'request-timeout: 0s',
    'request-timeout: 600',
    'confidence: 1',
    'confidence: 0.3',
    'fail-on: [pass]',
    'datasets: []',
    'datasets: {}',
    'datasets: {k2: {}}',
    'datasets: {k2_verifier: {sorce: a}}',
    'datasets: {k2_verifier: {subset: x}}',
    'datasets: {k2_verifier: {on-bad-row: x}}',
    'headers: {X-A: 5}',
    'extra-body: []',
    'report-id: a b',
    'stream: yes',
    'api-key: a',
    'github-token: a',
    'config: a',
    'max_tokens: 5',
  ])('neither takes %s', (file) => {
    expect({ valid: validate(parse(file)), complaints: told(file) }).toEqual({
      valid: false,
      complaints: 1,
    });
  });
});

function told(file: string): number {
  const values = /^datasets/.test(file) ? { datasets: '' } : {};
  return complaints({ file, values }).length;
}
