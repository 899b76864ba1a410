// How soon each verb of the bundle does something: the floor is Node itself with nothing to do.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeData } from './data.mjs';
import { bundle, measure, median, node, surroundings, timeToFirstRequest } from './processes.mjs';
import { table } from './table.mjs';
import { OURS } from './tools.mjs';

const ROUNDS = 9;
const dir = mkdtempSync(join(tmpdir(), 'vendor-gate-bench-'));
const server = createServer((_, response) => response.writeHead(503).end());
await new Promise((go) => server.listen(0, '127.0.0.1', go));
try {
  console.log(await surroundings());
  const data = await writeData(dir, 2000);
  const url = `http://127.0.0.1:${server.address().port}/v1`;
  const wall = async (what) => (await measure(what, dir)).wallMs;
  const firstRequest = (source, n) => {
    const output = join(dir, `out-${source === data.hosted ? 'rows' : source}-${n}`);
    const run = OURS.run({ url, data, output, concurrency: 16, sets: { source } });
    return timeToFirstRequest(server, run);
  };
  const plan = ['plan', '--datasets', 'k2_verifier', '--set', `k2_verifier.source=${data.hosted}`];
  const cases = [
    ['Node alone', () => wall(node('--eval', '0'))],
    ['--version', () => wall(bundle('--version'))],
    ['run --help', () => wall(bundle('run', '--help'))],
    ['plan, 2,000 rows', () => wall(bundle(...plan))],
    ['run to first request, built-in set', (n) => firstRequest('synthetic', n)],
    ['run to first request, 2,000 rows', (n) => firstRequest(data.hosted, n)],
  ];
  const times = cases.map(() => []);
  for (let n = 0; n < ROUNDS; n += 1) {
    // In turn, so that a busy moment of the machine falls on all of them.
    for (const [at, [, measure]] of cases.entries()) times[at].push(await measure(n));
  }
  const floor = median(times[0]);
  console.log(
    table(
      ['', 'median, ms', 'fastest, ms', 'of Node alone', 'goal'],
      cases.map(([name], at) => [
        name,
        median(times[at]).toFixed(0),
        Math.min(...times[at]).toFixed(0),
        (median(times[at]) / floor).toFixed(1),
        name.startsWith('run to') ? '< 400 ms' : '',
      ]),
    ),
  );
} finally {
  server.closeAllConnections();
  server.close();
  rmSync(dir, { recursive: true, force: true });
}
