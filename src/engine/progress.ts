import type { Arriving } from '../model/downloads.js';

/** Where a run stands. */
export interface ProgressState {
  /** Samples of this run that have ended. */
  readonly done: number;
  /** Samples that this run has to do. */
  readonly total: number;
  /** Samples taken over from an earlier, interrupted run. */
  readonly before: number;
  /** Samples without an answer. */
  readonly errors: number;
  readonly elapsedMs: number;
}

export interface Progress {
  update(label: string, state: ProgressState): void;
  /** A file is being downloaded; needs no end(). */
  arrive(label: string, state: Arriving): void;
  /** Ends the line; call once a benchmark. */
  end(): void;
}

const LINE_EVERY_MS = 15_000;
const DRAW_EVERY_MS = 100;
const BAR_WIDTH = 24;
/** A download that takes less is not worth a word. */
const LONG_DOWNLOAD_MS = 1_000;

/** A bar that redraws itself, for a terminal. */
export function barProgress(write: (text: string) => void, width: () => number): Progress {
  let drawnAt = Number.NEGATIVE_INFINITY;
  let drawn = false;
  const draw = (elapsedMs: number, share: number, text: string): void => {
    drawnAt = elapsedMs;
    drawn = true;
    const filled = Math.floor(BAR_WIDTH * share);
    const bar = `${'━'.repeat(filled)}${'╌'.repeat(BAR_WIDTH - filled)}`;
    write(`\r\u001b[2K${`${bar} ${text}`.slice(0, Math.max(20, width() - 1))}`);
  };
  const end = (): void => {
    if (drawn) write('\n');
    drawn = false;
    drawnAt = Number.NEGATIVE_INFINITY;
  };
  return {
    update(label, state) {
      const last = state.done === state.total;
      if (!last && state.elapsedMs - drawnAt < DRAW_EVERY_MS) return;
      draw(state.elapsedMs, state.done / Math.max(1, state.total), describe(label, state));
    },
    arrive(label, state) {
      const { received, total, elapsedMs, ended } = state;
      if (elapsedMs < LONG_DOWNLOAD_MS) return;
      if (!ended && elapsedMs - drawnAt < DRAW_EVERY_MS) return;
      const share = total === null ? 0 : Math.min(1, received / Math.max(1, total));
      draw(elapsedMs, share, describeArriving(label, state));
      if (ended) end();
    },
    end,
  };
}

/** A plain line now and then, for logs. */
export function lineProgress(write: (text: string) => void): Progress {
  let saidAt = 0;
  return {
    update(label, state) {
      const last = state.done === state.total;
      if (!last && state.elapsedMs - saidAt < LINE_EVERY_MS) return;
      saidAt = state.elapsedMs;
      write(`${describe(label, state)}\n`);
    },
    arrive(label, state) {
      const { elapsedMs, ended } = state;
      const due = ended ? elapsedMs >= LONG_DOWNLOAD_MS : elapsedMs - saidAt >= LINE_EVERY_MS;
      if (due) write(`${describeArriving(label, state)}\n`);
      if (ended) saidAt = 0;
      else if (due) saidAt = elapsedMs;
    },
    end() {
      saidAt = 0;
    },
  };
}

/** `k2_verifier 140/2000 · 12.3/s · 1 error · 2 m 31 s left` */
export function describe(
  label: string,
  { done, total, before, errors, elapsedMs }: ProgressState,
): string {
  const perSecond = elapsedMs > 0 ? (done * 1000) / elapsedMs : 0;
  const parts = [`${label} ${before + done}/${before + total}`];
  if (done > 0 && perSecond > 0) parts.push(`${perSecond.toPrecision(3).replace(/e.*/, '')}/s`);
  parts.push(errors === 1 ? '1 error' : `${errors} errors`);
  if (done < total && perSecond > 0) parts.push(`${duration((total - done) / perSecond)} left`);
  return parts.join(' · ');
}

/** `https://example.com/rows.jsonl 12.5/100.0 MB · 2.50 MB/s · 35 s left` */
export function describeArriving(
  label: string,
  { received, total, before, elapsedMs, ended }: Arriving,
): string {
  const perSecond = elapsedMs > 0 ? ((received - before) * 1000) / elapsedMs : 0;
  const whole = total === null ? '' : `/${megabytes(total)}`;
  const parts = [`${label} ${megabytes(received)}${whole} MB`];
  if (perSecond > 0) parts.push(`${(perSecond / 1e6).toFixed(2)} MB/s`);
  if (!ended && total !== null && received < total && perSecond > 0) {
    parts.push(`${duration((total - received) / perSecond)} left`);
  }
  return parts.join(' · ');
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

function duration(seconds: number): string {
  const s = Math.ceil(seconds);
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} m ${s % 60} s`;
  return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} m`;
}
