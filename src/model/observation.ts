import type { Untrusted } from '../text/untrusted.js';
import type { Cause, Exchange } from './completion.js';

/** What a benchmark made of one sample. A refusal by the endpoint can be a measurement. */
export type Outcome<P> =
  | { readonly kind: 'measured'; readonly payload: P }
  | { readonly kind: 'unmeasured'; readonly cause: Cause; readonly detail: Untrusted };

/** An outcome with what the engine adds; the unit of the journal. */
export type Observation<P> = Outcome<P> & {
  /** The sample's key. */
  readonly id: string;
  /** 1 for the first observation of this sample in this output directory. */
  readonly attempt: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly exchanges: readonly Exchange[];
};

/** Counters by name. A score is the counters of one sample; counts are their sum, so order never matters. */
export type Counts = Readonly<Record<string, number>>;
