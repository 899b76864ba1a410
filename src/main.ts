import { runAction } from './action.js';
import { runTerminal } from './cli.js';
import { fail } from './github/workflow.js';

const INTERRUPTED = 130;
const FAULT = 2;

/**
 * The program: with words on the command line a terminal verb, without any on a runner the action.
 * Never returns: it leaves the process with its exit code.
 */
export async function main(): Promise<never> {
  const interrupt = new AbortController();
  const onSignal = (): void => {
    // The first asks for an orderly end with a partial report, a second one means it.
    if (interrupt.signal.aborted) process.exit(INTERRUPTED);
    interrupt.abort(new Error('interrupted'));
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);

  // `... | head` closes the pipe when it has seen enough: no fault, and no reason to end the run.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }

  const words = process.argv.slice(2);
  const onRunner = words.length === 0 && process.env['GITHUB_ACTIONS'] === 'true';
  try {
    if (onRunner) {
      await runAction(process.env, interrupt.signal);
    } else {
      process.exitCode = await runTerminal(words, {
        env: process.env,
        signal: interrupt.signal,
        stdout: process.stdout,
        stderr: process.stderr,
      });
    }
  } catch (error) {
    const interrupted = interrupt.signal.aborted && error === interrupt.signal.reason;
    const message = interrupted
      ? 'Interrupted before anything was measured.'
      : `A fault in Vendor Gate itself, please report it: ${String(error)}`;
    if (onRunner) fail(message);
    else process.stderr.write(`${message}\n`);
    if (process.env['RUNNER_DEBUG'] === '1' || process.env['VENDOR_GATE_DEBUG'] === '1') {
      process.stderr.write(`${(error as Error).stack ?? ''}\n`);
    }
    process.exitCode = interrupted ? INTERRUPTED : FAULT;
  }
  // Sockets kept alive by a vendor's server must not hold the job.
  process.exit();
}
