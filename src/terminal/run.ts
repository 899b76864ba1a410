import type { Flags } from '../config/flags.js';
import { NO_LINKS } from '../report/links.js';
import { forTerminal } from '../text/escape.js';
import { untrusted } from '../text/untrusted.js';
import { verify, type World } from '../verify.js';
import { realWorld } from '../world.js';
import { type Io, progressFor } from './io.js';
import { printMeasured } from './result.js';
import { configOf } from './settings.js';
import { RUN } from './verbs.js';

/** `run`: measures the endpoint and judges it. */
export async function run(flags: Flags, io: Io): Promise<number> {
  const { config } = configOf(RUN, flags, io);
  return printMeasured(await verify(config, worldOf(io)), config.failOn, io);
}

export function worldOf(io: Io): World {
  return realWorld({
    env: io.env,
    signal: io.signal,
    progress: progressFor(io),
    remoteCache: null,
    links: NO_LINKS,
    runKey: null,
    log: (text) => {
      io.stderr.write(`${forTerminal(untrusted(text))}\n`);
    },
  });
}
