import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

/** The averages and prices that docs/k2-verifier.md names above its table. */
const PROMPT_TOKENS = 6_000;
const COMPLETION_TOKENS = 1_500;
const SECONDS = 40;
const IN_FLIGHT = 16;
const PRICE_IN = 0.6;
const PRICE_OUT = 2.5;

test('the cost table follows from the averages named above it', () => {
  const text = readFileSync('docs/k2-verifier.md', 'utf8');
  for (const said of [
    '6,000 prompt',
    '1,500 completion',
    '40 seconds',
    '16 requests',
    '$0.60',
    '$2.50',
  ]) {
    expect(text).toContain(said);
  }
  const table = /<!-- cost:start -->\n(?<table>[\s\S]*?)\n<!-- cost:end -->/.exec(text)?.groups?.[
    'table'
  ];
  const [, , ...rows] = (table ?? '').split('\n');
  expect(rows.length).toBeGreaterThan(3);
  for (const row of rows) {
    const samples = Number(/\d[\d,]*/.exec(row)?.[0].replace(',', ''));
    const prompt = (samples * PROMPT_TOKENS) / 1e6;
    const completion = (samples * COMPLETION_TOKENS) / 1e6;
    const minutes = (samples * SECONDS) / IN_FLIGHT / 60;
    const money = prompt * PRICE_IN + completion * PRICE_OUT;
    expect(row).toBe(
      `| ${samples.toLocaleString('en-US')} | ${prompt.toFixed(2)} M | ${completion.toFixed(2)} M | ${minutes.toFixed(0)} | $${money.toFixed(2)} |`,
    );
  }
});
