import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { VERSION } from '../../src/version.js';

test('the version in the source is that of package.json', () => {
  const url = new URL('../../package.json', import.meta.url);
  expect(JSON.parse(readFileSync(url, 'utf8')).version).toBe(VERSION);
});
