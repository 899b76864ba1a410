import { describe, expect, test } from '@jest/globals';
import { nearest } from '../../src/text/nearest.js';

const METRICS = ['trigger_similarity', 'trigger_precision', 'schema_accuracy', 'unmeasured_rate'];
const INPUTS = ['endpoint', 'model', 'limit', 'seed', 'concurrency', 'max-retries', 'max-tokens'];

describe('nearest', () => {
  test.each([
    ['trigger_similarity', METRICS, 'trigger_similarity'],
    ['trigger_similarty', METRICS, 'trigger_similarity'],
    ['Trigger-Similarity', METRICS, 'trigger_similarity'],
    ['schema accuracy', METRICS, 'schema_accuracy'],
    ['similarity', METRICS, 'trigger_similarity'],
    ['accuracy', METRICS, 'schema_accuracy'],
    ['trigger_precison', METRICS, 'trigger_precision'],
    ['modle', INPUTS, 'model'],
    ['concurency', INPUTS, 'concurrency'],
    ['max_retries', INPUTS, 'max-retries'],
    ['max-retrys', INPUTS, 'max-retries'],
    ['sed', INPUTS, 'seed'],
    // Of equally near ones the first.
    ['ab1', ['ab2', 'ab3'], 'ab2'],
  ])('%p of %p is %p', (word, candidates, expected) => {
    expect(nearest(word, candidates)).toBe(expected);
  });

  test.each([
    ['f1', METRICS],
    ['latency', METRICS],
    ['x', ['y']],
    ['', METRICS],
    ['   ', METRICS],
    ['seed', []],
    ['a'.repeat(100_000), METRICS],
  ])('nothing is near %p', (word, candidates) => {
    expect(nearest(word, candidates)).toBeNull();
  });
});
