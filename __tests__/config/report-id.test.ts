import { describe, expect, test } from '@jest/globals';
import { parseConfig } from '../../src/config/parse.js';
import { SPECS } from './specs.js';

const BASE = {
  endpoint: 'https://llm.example.com/v1',
  model: 'acme/kimi-k2',
  datasets: 'k2_verifier',
};

function idOf(more: Readonly<Record<string, string>>): string {
  const values = { ...BASE, ...more };
  const raw = { values, configFile: null, sets: [], surface: 'terminal' as const };
  return parseConfig(raw, SPECS).config.reportId;
}

describe('the report-id of a run that was given none', () => {
  test('the name of the model, and a digest', () => {
    expect(idOf({})).toMatch(/^acme-kimi-k2-[0-9a-f]{8}$/);
  });

  test.each<[string, Record<string, string>]>([
    ['another endpoint', { endpoint: 'https://other.example.com/v1' }],
    ['another temperature', { temperature: '0.3' }],
    ['a quick run beside a full one', { limit: '200' }],
    ['another limit', { limit: '400' }],
    ['the first rows instead of random ones', { limit: '200', order: 'file' }],
  ])('%s has its own', (_, more) => {
    const others = [{}, { limit: '200' }].filter(
      (each) => JSON.stringify(each) !== JSON.stringify(more),
    );
    for (const other of others) expect(idOf(more)).not.toBe(idOf(other));
  });

  test.each<[string, Record<string, string>]>([
    ['a fresh draw every night', { seed: '7' }],
    ['a rotated secret', { headers: '{"X-Team": "b"}' }],
    ['a tighter gate', { thresholds: 'unmeasured_rate <= 0.5%' }],
    ['more at a time', { concurrency: '64' }],
    ['one part of a run', { shard: '2/8' }],
  ])('%s keeps it', (_, more) => {
    expect(idOf(more)).toBe(idOf({}));
  });

  test('one that is given stands', () => {
    expect(idOf({ 'report-id': 'nightly', limit: '5' })).toBe('nightly');
  });
});
