import { describe, expect, test } from '@jest/globals';
import { effectiveGates } from '../../src/gates/effective.js';
import { ENGINE_DEFAULT_GATES } from '../../src/gates/engine-metrics.js';
import { parseGates } from '../../src/gates/parse.js';
import { K2_DEFAULTS, specOf } from '../support/gate-benchmarks.js';

const K2 = specOf('k2_verifier', ['trigger_similarity', 'schema_accuracy', 'trigger_rate_ratio']);
const DEFAULTS = parseGates(
  [...ENGINE_DEFAULT_GATES, ...K2_DEFAULTS].join('\n'),
  'default',
  'defaults',
).gates;

describe('effectiveGates', () => {
  test.each([
    [
      'nothing',
      '',
      [
        'trigger_similarity >= 0.73',
        'schema_accuracy >= 90%',
        'schema_accuracy >= 95% warn',
        'trigger_rate_ratio >= 0.80',
        'trigger_rate_ratio <= 1.25',
        'unmeasured_rate <= 1%',
      ],
    ],
    [
      'another bound',
      'trigger_similarity >= 0.8',
      [
        'trigger_similarity >= 0.8',
        'schema_accuracy >= 90%',
        'schema_accuracy >= 95% warn',
        'trigger_rate_ratio >= 0.80',
        'trigger_rate_ratio <= 1.25',
        'unmeasured_rate <= 1%',
      ],
    ],
    [
      'a warning',
      'schema_accuracy >= 99% warn',
      [
        'trigger_similarity >= 0.73',
        'schema_accuracy >= 99% warn',
        'trigger_rate_ratio >= 0.80',
        'trigger_rate_ratio <= 1.25',
        'unmeasured_rate <= 1%',
      ],
    ],
    [
      'one side of two',
      'trigger_rate_ratio >= 0.9',
      [
        'trigger_similarity >= 0.73',
        'schema_accuracy >= 90%',
        'schema_accuracy >= 95% warn',
        'trigger_rate_ratio >= 0.9',
        'unmeasured_rate <= 1%',
      ],
    ],
    [
      "the engine's",
      'k2_verifier.unmeasured_rate <= 0%',
      [
        'trigger_similarity >= 0.73',
        'schema_accuracy >= 90%',
        'schema_accuracy >= 95% warn',
        'trigger_rate_ratio >= 0.80',
        'trigger_rate_ratio <= 1.25',
        'k2_verifier.unmeasured_rate <= 0%',
      ],
    ],
    [
      "a warning on the engine's, which keeps its guard",
      'unmeasured_rate <= 0% warn',
      [
        'trigger_similarity >= 0.73',
        'schema_accuracy >= 90%',
        'schema_accuracy >= 95% warn',
        'trigger_rate_ratio >= 0.80',
        'trigger_rate_ratio <= 1.25',
        'unmeasured_rate <= 1%',
        'unmeasured_rate <= 0% warn',
      ],
    ],
    [
      "a gate and a warning on the engine's",
      'unmeasured_rate <= 5%\nunmeasured_rate <= 2% warn',
      [
        'trigger_similarity >= 0.73',
        'schema_accuracy >= 90%',
        'schema_accuracy >= 95% warn',
        'trigger_rate_ratio >= 0.80',
        'trigger_rate_ratio <= 1.25',
        'unmeasured_rate <= 5%',
        'unmeasured_rate <= 2% warn',
      ],
    ],
    [
      'this subset',
      'k2_verifier/k2_thinking.trigger_similarity > 0.7',
      [
        'k2_verifier/k2_thinking.trigger_similarity > 0.7',
        'schema_accuracy >= 90%',
        'schema_accuracy >= 95% warn',
        'trigger_rate_ratio >= 0.80',
        'trigger_rate_ratio <= 1.25',
        'unmeasured_rate <= 1%',
      ],
    ],
    [
      'another benchmark and subset',
      'miniwob.trigger_similarity >= 1\nk2_verifier/k2_0905.schema_accuracy >= 1\nsuccess_rate >= 1',
      [
        'trigger_similarity >= 0.73',
        'schema_accuracy >= 90%',
        'schema_accuracy >= 95% warn',
        'trigger_rate_ratio >= 0.80',
        'trigger_rate_ratio <= 1.25',
        'unmeasured_rate <= 1%',
      ],
    ],
    [
      'contradictions and the same twice',
      'trigger_similarity >= 73%\nk2_verifier.trigger_similarity >= 0.73\ntrigger_similarity < 0.5\ntrigger_similarity >= 0.73 @ 95%\ntrigger_similarity >= 0.73 @ 0.95',
      [
        'trigger_similarity >= 73%',
        'trigger_similarity < 0.5',
        'trigger_similarity >= 0.73 @ 95%',
        'schema_accuracy >= 90%',
        'schema_accuracy >= 95% warn',
        'trigger_rate_ratio >= 0.80',
        'trigger_rate_ratio <= 1.25',
        'unmeasured_rate <= 1%',
      ],
    ],
  ])('the user asks for %s', (_, text, expected) => {
    const { gates, problems } = parseGates(text, 'user', 'thresholds');
    expect(problems).toEqual([]);
    const effective = effectiveGates(gates, DEFAULTS, K2, 'k2_thinking');
    expect(effective.map((gate) => gate.text)).toEqual(expected);
  });

  test("without defaults only the user's gates hold", () => {
    const { gates } = parseGates('schema_accuracy >= 90%', 'user', 'thresholds');
    expect(effectiveGates(gates, [], K2, 'k2_thinking')).toEqual(gates);
    expect(effectiveGates([], [], K2, 'k2_thinking')).toEqual([]);
  });
});
