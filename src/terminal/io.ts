import { barProgress, lineProgress, type Progress } from '../engine/progress.js';

type Env = Readonly<Record<string, string | undefined>>;

/** A stream to write to; `isTTY` and `columns` as Node's terminal streams have them. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** What a verb may touch. */
export interface Io {
  readonly env: Env;
  /** Aborted on SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
  readonly stdout: Output;
  readonly stderr: Output;
}

/** A bar on a terminal, a line now and then in CI and in files; both on stderr, so that stdout stays the result. */
export function progressFor({ env, stderr }: Io): Progress {
  const write = (text: string): void => {
    stderr.write(text);
  };
  return stderr.isTTY === true && !env['CI']
    ? barProgress(write, () => stderr.columns ?? 80)
    : lineProgress(write);
}

/** no-color.org: any value but the empty one turns colour off. */
export function colorFor({ env, stdout }: Io): boolean {
  return stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}
