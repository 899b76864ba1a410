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
  /** Ends the line; call once a benchmark. */
  end(): void;
}

const LINE_EVERY_MS = 15_000;
const DRAW_EVERY_MS = 100;
const BAR_WIDTH = 24;

/** A bar that redraws itself, for a terminal. */
export function barProgress(write: (text: string) => void, width: () => number): Progress {
  let drawnAt = Number.NEGATIVE_INFINITY;
  let drawn = false;
  return {
    update(label, state) {
      const last = state.done === state.total;
      if (!last && state.elapsedMs - drawnAt < DRAW_EVERY_MS) return;
      drawnAt = state.elapsedMs;
      drawn = true;
      const filled = Math.floor((BAR_WIDTH * state.done) / Math.max(1, state.total));
      const bar = `${'━'.repeat(filled)}${'╌'.repeat(BAR_WIDTH - filled)}`;
      write(`\r\u001b[2K${`${bar} ${describe(label, state)}`.slice(0, Math.max(20, width() - 1))}`);
    },
    end() {
      if (drawn) write('\n');
      drawn = false;
      drawnAt = Number.NEGATIVE_INFINITY;
    },
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

function duration(seconds: number): string {
  const s = Math.ceil(seconds);
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} m ${s % 60} s`;
  return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} m`;
}
