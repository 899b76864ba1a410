// Measures an endpoint from a program of your own: node examples/verify.mjs ENDPOINT MODEL
// In a checkout the import finds this very package; docs/api.md says how to install it elsewhere.
import { ConfigError, verify } from 'vendor-gate';

const [endpoint, model] = process.argv.slice(2);

// The library installs no signal handlers. With this one, Ctrl-C ends the run with a report of what was measured.
const interrupt = new AbortController();
process.once('SIGINT', () => interrupt.abort(new Error('interrupted')));

try {
  const report = await verify({
    endpoint,
    model,
    // No key is taken from the environment unless you take it.
    apiKey: process.env['LLM_API_KEY'],
    // Made by hand: good for trying things out, meaningless as a statement about a vendor.
    datasets: { k2_verifier: { source: 'synthetic' } },
    outputDir: 'vendor-gate-output/api',
    signal: interrupt.signal,
    onProgress({ benchmark, done, total }) {
      if (done % 40 === 0) console.error(`${benchmark} ${done}/${total}`);
    },
  });
  console.log(`verdict: ${report.verdict}`);
  for (const { gates } of report.benchmarks) {
    for (const { verdict, gate, reason } of gates) console.log(`${verdict}: ${gate}: ${reason}`);
  }
  // Whether anything but a failure ends the job is yours to say.
  process.exitCode = report.verdict === 'fail' ? 1 : 0;
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  for (const { where, what, fix } of error.problems) console.error(`${where}: ${what} ${fix}`);
  process.exitCode = 2;
}
