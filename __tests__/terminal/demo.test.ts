import { expect, test } from '@jest/globals';
import { parseFlags } from '../../src/config/flags.js';
import { demo } from '../../src/terminal/demo.js';
import type { Io } from '../../src/terminal/io.js';
import { DEMO } from '../../src/terminal/verbs.js';

const SILENT = { write: () => true };

test('there is a demo of what is built in, and of nothing else', async () => {
  const io = { stdout: SILENT, stderr: SILENT, env: {}, signal: new AbortController().signal };
  const flags = parseFlags(['--datasets', 'miniwob,gsm8k'], DEMO);
  await expect(demo(flags, io as unknown as Io)).rejects.toThrow(
    '--datasets: There is no demo of "gsm8k". Give one or several of k2_verifier, miniwob.',
  );
});
