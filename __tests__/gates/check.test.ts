import { describe, expect, it, test } from '@jest/globals';
import { checkGates } from '../../src/gates/check.js';
import { parseGates } from '../../src/gates/parse.js';
import { specOf } from '../support/gate-benchmarks.js';

const K2 = specOf('k2_verifier', ['trigger_similarity', 'schema_accuracy', 'trigger_rate_ratio']);
const MINIWOB = specOf('miniwob', ['success_rate', 'trigger_kappa', 'count_steps']);
const CHOSEN = [
  { spec: K2, subset: 'k2_thinking' },
  { spec: MINIWOB, subset: 'all' },
];

function problemsOf(text: string) {
  const { gates, problems } = parseGates(text, 'user', 'thresholds');
  expect(problems).toEqual([]);
  return checkGates(gates, CHOSEN);
}

describe('checkGates', () => {
  test.each([
    'trigger_similarity >= 0.73',
    'trigger_similarity >= 0',
    'trigger_similarity >= 0%',
    'trigger_similarity >= 100%',
    'trigger_similarity > 1',
    'success_rate >= 50%',
    'unmeasured_rate <= 5%',
    'miniwob.unmeasured_rate <= 5%',
    'k2_verifier/k2_thinking.schema_accuracy >= 90%',
    'trigger_kappa >= -1',
    'trigger_rate_ratio <= 7',
    'trigger_rate_ratio <= 125%',
    'count_steps <= 100000',
    'schema_accuracy >= 90%\nschema_accuracy < 10%',
  ])('%p can be judged', (text) => {
    expect(problemsOf(text)).toEqual([]);
  });

  test.each([
    [
      'trigger_similarty >= 0.73',
      '"trigger_similarty >= 0.73": there is no metric "trigger_similarty".',
      'Did you mean trigger_similarity?',
    ],
    [
      'latency <= 3',
      '"latency <= 3": there is no metric "latency".',
      'There is: trigger_similarity, schema_accuracy, trigger_rate_ratio, success_rate, trigger_kappa, count_steps, unmeasured_rate.',
    ],
    [
      'k2_verifier.success_rate >= 0.5',
      '"k2_verifier.success_rate >= 0.5": there is no metric "success_rate".',
      'There is: trigger_similarity, schema_accuracy, trigger_rate_ratio, unmeasured_rate.',
    ],
    [
      'k2_verifer.trigger_similarity >= 0.73',
      '"k2_verifer.trigger_similarity >= 0.73": the benchmark "k2_verifer" is not one of those that run.',
      'Did you mean k2_verifier?',
    ],
    [
      'swe.trigger_similarity >= 0.73',
      '"swe.trigger_similarity >= 0.73": the benchmark "swe" is not one of those that run.',
      'There is: k2_verifier, miniwob.',
    ],
    [
      'k2_verifier/k2_thinkin.trigger_similarity >= 0.73',
      '"k2_verifier/k2_thinkin.trigger_similarity >= 0.73": k2_verifier has no subset "k2_thinkin".',
      'Did you mean k2_thinking?',
    ],
    [
      'k2_verifier/k2_0905.trigger_similarity >= 0.73',
      '"k2_verifier/k2_0905.trigger_similarity >= 0.73": the subset "k2_0905" of k2_verifier exists but is not run here.',
      'There is: k2_thinking.',
    ],
    [
      'schema_accuracy >= 90',
      '"schema_accuracy >= 90": schema_accuracy is from 0 to 1, so the bound 90 can never be reached.',
      'Write 90% or 0.9.',
    ],
    [
      'schema_accuracy >= 1.5',
      '"schema_accuracy >= 1.5": schema_accuracy is from 0 to 1, so the bound 1.5 can never be reached.',
      'Give a bound within that range.',
    ],
    [
      'schema_accuracy >= 900%',
      '"schema_accuracy >= 900%": schema_accuracy is from 0 to 1, so the bound 9 can never be reached.',
      'Give a bound within that range.',
    ],
    [
      'unmeasured_rate <= -1%',
      '"unmeasured_rate <= -1%": unmeasured_rate is from 0 to 1, so the bound -0.01 can never be reached.',
      'Give a bound within that range.',
    ],
    [
      'trigger_kappa >= -1.1',
      '"trigger_kappa >= -1.1": trigger_kappa is from -1 to 1, so the bound -1.1 can never be reached.',
      'Give a bound within that range.',
    ],
    [
      'trigger_rate_ratio >= -0.5',
      '"trigger_rate_ratio >= -0.5": trigger_rate_ratio is 0 or more, so the bound -0.5 can never be reached.',
      'Give a bound within that range.',
    ],
    [
      'count_steps <= 50%',
      '"count_steps <= 50%": count_steps is not a share, so its bound cannot be in per cent.',
      'Leave out the % sign.',
    ],
  ])('%p cannot', (text, what, fix) => {
    expect(problemsOf(text)).toEqual([{ where: 'thresholds', what, fix }]);
  });

  it('reports all gates together, one problem each', () => {
    expect(problemsOf('foo >= 1\nschema_accuracy >= 90\nbar < 2')).toHaveLength(3);
  });

  it('names default gates as such', () => {
    const { gates } = parseGates('foo >= 1', 'default', 'defaults');
    expect(checkGates(gates, CHOSEN)[0]?.where).toBe('default gates');
  });

  it('says nothing when no benchmark is chosen', () => {
    expect(checkGates(parseGates('foo >= 1', 'user', 'thresholds').gates, [])).toEqual([]);
  });
});
