// Loaded with --import into a process under measurement: writes what it used to the file BENCH_USAGE when it ends.
import { writeFileSync } from 'node:fs';

const path = process.env.BENCH_USAGE;
if (path !== undefined) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const used = { cpuMs: (userCPUTime + systemCPUTime) / 1000, peakBytes: maxRSS * 1024 };
    writeFileSync(path, JSON.stringify(used));
  });
}
