import { expect, test } from '@jest/globals';
import { actionValues, terminalKey } from '../../src/config/environment.js';

test('inputs of the action are what the runner put into INPUT_ variables', () => {
  const env = {
    'INPUT_API-KEY': 'sk-1',
    INPUT_MODEL: '',
    INPUT_CONCURENCY: '5',
    INPUT_: 'x',
    PATH: '/bin',
    MY_INPUT_X: '1',
    'INPUT_MAX-TOKENS': undefined,
  };
  expect(actionValues(env)).toEqual({ 'api-key': 'sk-1', model: '', concurency: '5' });
});

test.each([
  [{ VENDOR_GATE_API_KEY: 'a', OPENAI_API_KEY: 'b' }, 'a'],
  [{ VENDOR_GATE_API_KEY: '', OPENAI_API_KEY: 'b' }, 'b'],
  [{ OPENAI_API_KEY: 'b' }, 'b'],
  [{}, ''],
])('the key of the terminal in %j is %j', (env, key) => {
  expect(terminalKey(env)).toBe(key);
});
