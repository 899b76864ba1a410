import { describe, expect, test } from '@jest/globals';
import { Budget, costOf } from '../../src/engine/budget.js';
import type { BudgetSettings } from '../../src/model/config.js';

const NONE: BudgetSettings = { tokens: null, cost: null, priceIn: null, priceOut: null };
const PRICES = { priceIn: 0.6, priceOut: 2.5 };
const usage = (prompt: number, completion: number) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});

describe('when a budget is used up', () => {
  test.each<[string, Partial<BudgetSettings>, number | null, [number, number], string | null]>([
    ['none is set', {}, null, [1e9, 1e9], null],
    ['one token below', { tokens: 1000 }, null, [600, 399], null],
    [
      'reached',
      { tokens: 1000 },
      null,
      [600, 400],
      'Stopped: token-budget is used up: 1,000 of 1,000 tokens.',
    ],
    // 1,000,000 * 0.60 / 1e6 + 400,000 * 2.50 / 1e6 = 0.60 + 1.00
    [
      'money reached',
      { ...PRICES, cost: 1.6 },
      null,
      [1_000_000, 400_000],
      'Stopped: cost-budget is used up: 1.60 of 1.60.',
    ],
    ['money not reached', { ...PRICES, cost: 1.61 }, null, [1_000_000, 400_000], null],
    ['three times the plan', {}, 100, [5000, 300], null],
    [
      'more than that',
      {},
      100,
      [5000, 301],
      'Stopped: the endpoint bills more than 3 times the completion tokens that the requests allow (301).',
    ],
  ])('%s', (_, settings, planned, [prompt, completion], message) => {
    const budget = new Budget({ ...NONE, ...settings }, planned);
    budget.spend(usage(prompt - 1, completion));
    budget.spend(usage(1, 0));
    expect(budget.exhausted?.message ?? null).toBe(message);
  });
});

test.each<[number, number, number | null]>([
  [0, 0, 0],
  [2_000_000, 0, 1.2],
  [0, 2_000_000, 5],
])('%i prompt and %i completion tokens cost %f', (prompt, completion, cost) => {
  expect(costOf(usage(prompt, completion), PRICES)).toBe(cost);
  expect(costOf(usage(prompt, completion), { ...PRICES, priceOut: null })).toBeNull();
});
