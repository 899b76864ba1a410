// Peak memory of a run as the data set grows; the simulator answers at once.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeData } from './data.mjs';
import { measure, startSimulator, surroundings } from './processes.mjs';
import { table } from './table.mjs';
import { OURS } from './tools.mjs';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', multiple: true, default: ['2000', '50000'] },
    concurrency: { type: 'string', default: '64' },
    latency: { type: 'string', default: '0' },
  },
});
const concurrency = Number(values.concurrency);

const lines = [];
console.log(await surroundings());
for (const rows of values.rows.map(Number)) {
  const dir = mkdtempSync(join(tmpdir(), 'vendor-gate-bench-'));
  try {
    const data = await writeData(dir, rows);
    const simulator = await startSimulator(
      dir,
      ...['--dataset', data.hosted, '--latency-ms', values.latency],
    );
    const how = { url: simulator.url, data, output: join(dir, 'out'), concurrency };
    const used = await measure(OURS.run(how), dir, OURS.accepted).finally(simulator.stop);
    lines.push({ rows, bytes: data.bytes, ...used });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
const [first] = lines;
console.log(
  table(
    [
      'rows',
      'data set, MB',
      'peak memory, MB',
      'of the first',
      'CPU, ms a sample',
      'samples a second',
    ],
    lines.map(({ rows, bytes, peakBytes, cpuMs, wallMs }) => [
      String(rows),
      (bytes / 1e6).toFixed(0),
      (peakBytes / 1e6).toFixed(0),
      (peakBytes / first.peakBytes).toFixed(2),
      (cpuMs / rows).toFixed(2),
      ((1000 * rows) / wallMs).toFixed(0),
    ]),
  ),
);
console.log('Goal: under 250 MB, and no more with more rows.');
