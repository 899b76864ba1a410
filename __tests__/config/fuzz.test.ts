import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseFlags } from '../../src/config/flags.js';
import { INPUTS } from '../../src/config/inputs.js';
import { parseConfig } from '../../src/config/parse.js';
import { ConfigError } from '../../src/model/errors.js';
import { REQUIRED, SPECS } from './specs.js';

const SEED = 20_261_201;
const NAMES = INPUTS.map(({ name }) => name);
const PIECES = [
  '{',
  '}',
  '[',
  ']',
  ':',
  '- ',
  '&a ',
  '*a',
  '!!',
  '"',
  "'",
  '#',
  '\n',
  '\t',
  '0',
  '1e9',
  '%',
  '>= ',
  '@',
  '--',
  '=',
  '__proto__',
  'k2_verifier',
  '/',
  '.',
  'constructor',
  '\0',
  '\u202e',
];
const text = fc.oneof(
  fc.string(),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join('')),
);

test('whatever is given, the answer is a configuration or a ConfigError', () => {
  const values = fc.dictionary(fc.oneof(fc.constantFrom(...NAMES), text), text, { maxKeys: 4 });
  const file = fc.option(
    fc.oneof(
      text,
      values.map((map) => JSON.stringify(map)),
    ),
  );
  fc.assert(
    fc.property(values, file, fc.array(text, { maxLength: 2 }), (given, written, sets) => {
      const configFile = written === null ? null : { path: 'vg.yml', text: written };
      try {
        const all = { ...REQUIRED, ...given };
        parseConfig({ values: all, configFile, sets, surface: 'action' }, SPECS);
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigError);
        for (const problem of error instanceof ConfigError ? error.problems : []) {
          // Every problem says where, what and the next step, and stays on one line of the log.
          expect(problem).toEqual({
            where: expect.stringMatching(/^[^\n]*\S[^\n]*$/),
            what: expect.stringMatching(/^[^\n]*\S[^\n]*$/),
            fix: expect.stringMatching(/^[^\n]*\S[^\n]*$/),
          });
        }
      }
    }),
    { seed: SEED, numRuns: 400 },
  );
});

test('no message repeats a key or the value of a header', () => {
  const secret = fc.stringMatching(/^s3cret[ -~\n\u00e9\u4e2d]{0,12}$/);
  fc.assert(
    fc.property(secret, secret, (key, header) => {
      const values = {
        ...REQUIRED,
        'api-key': `${key} ${key}`,
        'github-token': key,
        headers: fc.sample(
          fc.constantFrom(
            `X-A: ${header}`,
            JSON.stringify({ 'X-A': header, 'x-a': header }),
            header,
          ),
          1,
        )[0],
        concurrency: '0',
      };
      expect(() =>
        parseConfig({ values, configFile: null, sets: [], surface: 'action' }, SPECS),
      ).toThrow(expect.objectContaining({ message: expect.not.stringContaining('s3cret') }));
    }),
    { seed: SEED, numRuns: 200 },
  );
});

test('whatever a command line holds, it is read without an exception', () => {
  const verb = { name: 'run', summary: '', inputs: 'all', flags: [] } as const;
  const word = fc.oneof(
    fc.constantFrom(...NAMES).map((name) => `--${name}`),
    text,
    text.map((rest) => `--${rest}`),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), (argv) => {
      expect(parseFlags(argv, verb)).toHaveProperty('problems');
    }),
    { seed: SEED, numRuns: 400 },
  );
});
