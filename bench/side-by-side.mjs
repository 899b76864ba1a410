// Wall over the latency bound, CPU, memory and start: ours and the other tools in turn, against one simulator.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeData } from './data.mjs';
import { measure, median, startSimulator, surroundings, timeToFirstRequest } from './processes.mjs';
import { table } from './table.mjs';
import { OURS, tools } from './tools.mjs';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '2000' },
    latency: { type: 'string', default: '200' },
    concurrency: { type: 'string', default: '64' },
    rounds: { type: 'string', default: '3' },
    starts: { type: 'string', default: '5' },
  },
});
const rows = Number(values.rows);
const latencyMs = Number(values.latency);
const concurrency = Number(values.concurrency);
const rounds = Number(values.rounds);
const boundMs = (rows * latencyMs) / concurrency;
const WARM_UP = Math.min(rows, 500);

const dir = mkdtempSync(join(tmpdir(), 'vendor-gate-bench-'));
try {
  console.log(await surroundings());
  const contenders = tools();
  const data = await writeData(dir, rows);
  console.log(
    `${rows} rows of ${Math.round(data.bytes / rows / 1000)} kB on average, ${latencyMs} ms a response in 30 chunks, concurrency ${concurrency}, ${rounds} rounds in turn`,
  );
  const used = await measureRounds(contenders, data);
  const starts = await measureStarts(contenders, data);
  const goals = concurrency === 64 && latencyMs === 200 && rows === 2000;
  const line = (name, of, digits, goal) => [
    name,
    ...contenders.map((_, at) => median(used[at].map(of)).toFixed(digits)),
    ...contenders
      .slice(1)
      .map((_, at) => ratio(median(used[0].map(of)), median(used[at + 1].map(of)))),
    goals ? goal : '',
  ];
  const names = contenders.map(({ name }) => name);
  console.log(
    table(
      ['', ...names, ...names.slice(1).map((name) => `ours / ${name}`), goals ? 'goal' : ''],
      [
        line('wall, s', ({ wallMs }) => wallMs / 1000, 2, ''),
        line('wall / latency bound', ({ wallMs }) => wallMs / boundMs, 3, '<= 1.10'),
        line('CPU, ms a sample', ({ cpuMs }) => cpuMs / rows, 2, '<= 0.20 of K2VV'),
        line('peak memory, MB', ({ peakBytes }) => peakBytes / 1e6, 0, '< 250'),
        [
          'start to first request, s',
          ...starts.map((times) => (median(times) / 1000).toFixed(3)),
          ...starts.slice(1).map((times) => ratio(median(starts[0]), median(times))),
          goals ? '< 0.400' : '',
        ],
      ],
    ),
  );
  console.log(
    'Medians. The wall is that of the whole process, data set check and result files included.',
  );
  for (const [at, { name }] of contenders.entries()) {
    const each = used[at].map(
      ({ wallMs, cpuMs }) => `${(wallMs / boundMs).toFixed(3)} / ${(cpuMs / rows).toFixed(2)} ms`,
    );
    console.log(`  ${name}, wall over bound and CPU by round: ${each.join(', ')}`);
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}

async function measureRounds(contenders, data) {
  const simulator = await startSimulator(
    dir,
    ...['--dataset', data.hosted, '--latency-ms', String(latencyMs)],
  );
  const run = (tool, name, more = []) => {
    const how = { url: simulator.url, data, output: join(dir, name), concurrency, more };
    return measure(tool.run(how), dir, tool.accepted);
  };
  const used = contenders.map(() => []);
  try {
    // Until its code is compiled the simulator answers late.
    await run(OURS, 'warm-up', ['--limit', String(WARM_UP)]);
    for (let round = 1; round <= rounds; round += 1) {
      for (const [at, tool] of contenders.entries()) {
        used[at].push(await run(tool, `${tool.name}-${round}`));
      }
    }
  } finally {
    const { cpuMs } = await simulator.stop();
    const answered = WARM_UP + rows * used.flat().length;
    console.log(`The simulator itself took ${(cpuMs / answered).toFixed(2)} ms of CPU a sample.`);
  }
  return used;
}

async function measureStarts(contenders, data) {
  const server = createServer((_, response) => response.writeHead(503).end());
  await new Promise((go) => server.listen(0, '127.0.0.1', go));
  const url = `http://127.0.0.1:${server.address().port}/v1`;
  const times = contenders.map(() => []);
  try {
    for (let n = 0; n < Number(values.starts); n += 1) {
      for (const [at, tool] of contenders.entries()) {
        const output = join(dir, `start-${tool.name}-${n}`);
        times[at].push(
          await timeToFirstRequest(server, tool.run({ url, data, output, concurrency })),
        );
      }
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return times;
}

function ratio(one, other) {
  return (one / other).toFixed(3);
}
