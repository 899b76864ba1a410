// Wall over the latency bound, CPU and memory, ours and K2VV's own script in turn against one simulator.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeData } from './data.mjs';
import {
  median,
  oursAsCommand,
  reference,
  referenceAsCommand,
  runOurs,
  runReference,
  startSimulator,
  surroundings,
  timeToFirstRequest,
} from './processes.mjs';
import { table } from './table.mjs';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '2000' },
    latency: { type: 'string', default: '200' },
    concurrency: { type: 'string', default: '64' },
    rounds: { type: 'string', default: '3' },
    starts: { type: 'string', default: '7' },
  },
});
const rows = Number(values.rows);
const latencyMs = Number(values.latency);
const concurrency = Number(values.concurrency);
const rounds = Number(values.rounds);
const boundMs = (rows * latencyMs) / concurrency;
const theirs = reference();

const dir = mkdtempSync(join(tmpdir(), 'vendor-gate-bench-'));
try {
  console.log(await surroundings());
  const data = await writeData(dir, rows);
  const size = Math.round(data.bytes / rows / 1000);
  console.log(
    `${rows} rows of ${size} kB on average, ${latencyMs} ms a response in 30 chunks, concurrency ${concurrency}, ${rounds} rounds`,
  );
  if (theirs.missing !== undefined) console.log(`Without K2VV's script: ${theirs.missing}.`);
  const used = await measureRounds(data);
  const startMs = await measureStarts(data);
  console.log(
    table(
      ['', 'ours', 'K2VV', 'ours / K2VV', 'goal'],
      [
        ['wall, s', ...pair(used, ({ wallMs }) => wallMs / 1000, 2), ''],
        ['wall / latency bound', ...pair(used, ({ wallMs }) => wallMs / boundMs, 3), '<= 1.10'],
        ['CPU, ms a sample', ...pair(used, ({ cpuMs }) => cpuMs / rows, 2), '<= 0.20 of K2VV'],
        ['peak memory, MB', ...pair(used, ({ peakBytes }) => peakBytes / 1e6, 0), '< 250'],
        ['start to first request, s', ...pair(startMs, (ms) => ms / 1000, 3), '< 0.400'],
      ],
    ),
  );
  console.log('Medians; the wall is that of the whole process. By round:');
  for (const name of Object.keys(used)) {
    const each = used[name].map(
      ({ wallMs, cpuMs }) => `${(wallMs / boundMs).toFixed(3)} / ${(cpuMs / rows).toFixed(2)} ms`,
    );
    if (each.length > 0) console.log(`  ${name}: ${each.join(', ')}`);
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}

async function measureRounds(data) {
  const simulator = await startSimulator(dir, [
    ...['--dataset', data.hosted, '--latency-ms', String(latencyMs)],
  ]);
  const ours = (name, more = []) =>
    runOurs(dir, {
      url: simulator.url,
      output: join(dir, name),
      sets: { source: data.hosted },
      concurrency,
      more,
    });
  const used = { ours: [], K2VV: [] };
  try {
    // The simulator's own code gets warm.
    await ours('warm-up', ['--limit', String(Math.min(rows, 500))]);
    for (let round = 1; round <= rounds; round += 1) {
      used.ours.push(await ours(`ours-${round}`));
      if (theirs.missing !== undefined) continue;
      const place = { results: join(dir, 'k2vv.jsonl'), summary: join(dir, 'k2vv.json') };
      const how = { url: simulator.url, requests: data.requests, concurrency, ...place };
      used.K2VV.push(await runReference(dir, theirs, how));
    }
  } finally {
    const { cpuMs } = await simulator.stop();
    const answered = rows * (used.ours.length + used.K2VV.length) + Math.min(rows, 500);
    console.log(`The simulator itself took ${(cpuMs / answered).toFixed(2)} ms of CPU a sample.`);
  }
  return used;
}

async function measureStarts(data) {
  const server = createServer((_, response) => response.writeHead(503).end());
  await new Promise((go) => server.listen(0, '127.0.0.1', go));
  const times = { ours: [], K2VV: [] };
  try {
    for (let n = 0; n < Number(values.starts); n += 1) {
      const sets = { source: data.hosted };
      const output = join(dir, `start-${n}`);
      times.ours.push(
        await timeToFirstRequest(server, (url) => oursAsCommand({ url, output, sets })),
      );
      if (theirs.missing !== undefined) continue;
      const place = { results: join(dir, 'start.jsonl'), summary: join(dir, 'start.json') };
      const command = (url) =>
        referenceAsCommand(theirs, { url, requests: data.requests, ...place });
      times.K2VV.push(await timeToFirstRequest(server, command));
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return times;
}

/** Ours, theirs and the ratio, as they stand in the table; a dash for what was not measured. */
function pair({ ours, K2VV }, of, digits) {
  const one = median(ours.map(of));
  if (K2VV.length === 0) return [one.toFixed(digits), '–', '–'];
  const other = median(K2VV.map(of));
  return [one.toFixed(digits), other.toFixed(digits), (one / other).toFixed(3)];
}
