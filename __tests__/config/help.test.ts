import { expect, test } from '@jest/globals';
import { helpFor } from '../../src/config/help.js';
import { INPUTS } from '../../src/config/inputs.js';
import type { VerbSpec } from '../../src/config/verb.js';

const SCORE: VerbSpec = {
  name: 'score',
  summary: 'Scores a file of results without an endpoint.',
  inputs: ['datasets', 'decision', 'default-gates'],
  flags: [
    {
      name: 'results',
      kind: { type: 'text' },
      description: 'A results file in the format of the K2 Vendor Verifier.',
      required: true,
      placeholder: 'FILE',
    },
  ],
  positionals: { name: 'NOTE', description: 'A note.', min: 0, max: 1 },
};

test('the help text of a small verb', () => {
  expect(helpFor(SCORE, 'node dist/index.js')).toBe(`Scores a file of results without an endpoint.

Usage: node dist/index.js score [options] NOTE

  NOTE
      A note.

Options of this verb:
  --results FILE
      A results file in the format of the K2 Vendor Verifier. Required.

What to run:
  --datasets NAME...
      Benchmarks to run: a list of names, or a YAML mapping of each name to its
      options. NAME/SUBSET chooses a subset. Required.

Gates:
  --default-gates[=true|false], --no-default-gates
      Whether the default gates of each benchmark hold; false leaves only your
      own. Default: true.
  --decision auto|point|interval
      How gates decide: auto takes the point estimate on a whole data set and
      the interval on a part of it; point and interval force one. Default: auto.

How to run:
  --output-dir DIR
      Directory for the report and the journal. A run into the same directory
      goes on where an unfinished one ended, and measures a finished one anew.
      Default: vendor-gate-output.

Everywhere:
  --output DIR
      The same as --output-dir.
  --set BENCHMARK.OPTION=VALUE
      Sets one option of a benchmark; may be repeated.
  --help
      Prints this.
`);
});

test('a verb with an output of its own says what it is', () => {
  const text = helpFor({ ...SCORE, outputDir: 'Directory for x. Default: none.' }, 'vendor-gate');
  expect(text).toContain('  --output-dir DIR\n      Directory for x. Default: none.\n\n');
  expect(text).not.toContain('journal');
});

test('the help text of a verb with all inputs names them all, the key only in words', () => {
  const text = helpFor({ name: 'run', summary: 'Runs.', inputs: 'all', flags: [] }, 'vendor-gate');
  for (const { name } of INPUTS) {
    expect({ name, shown: text.includes(`\n  --${name}`) }).toEqual({
      name,
      shown: name !== 'api-key' && name !== 'github-token',
    });
  }
  expect(text).toContain('VENDOR_GATE_API_KEY or OPENAI_API_KEY');
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
});
