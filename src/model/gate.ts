/** `error` could not measure; `inconclusive` measured but cannot say. Worst first: error, fail, inconclusive, pass. */
export const VERDICTS = ['error', 'fail', 'inconclusive', 'pass'] as const;
export type Verdict = (typeof VERDICTS)[number];

export type Operator = '>=' | '>' | '<=' | '<';
export const DECISIONS = ['auto', 'point', 'interval'] as const;
export type Decision = (typeof DECISIONS)[number];

/** One parsed gate line. */
export interface Gate {
  /** As written, white space normalised: `k2_verifier.schema_accuracy >= 95% warn`. */
  readonly text: string;
  /** null: every benchmark that has the metric. */
  readonly benchmark: string | null;
  readonly subset: string | null;
  readonly metric: string;
  readonly operator: Operator;
  /** As a plain number: 95% is 0.95. */
  readonly bound: number;
  /** Whether the bound was written in per cent; surfaces then show per cent. */
  readonly percent: boolean;
  /** Confidence level in (0,1) that `@` forces; null without. */
  readonly level: number | null;
  /** A warning gate is shown and annotated but never decides the verdict. */
  readonly warn: boolean;
  readonly origin: 'default' | 'user';
}

export interface Interval {
  /** Confidence level in (0,1). */
  readonly level: number;
  readonly low: number;
  readonly high: number;
  readonly method: 'wilson' | 'wilson-f1' | 'bootstrap' | 'delta-log';
}

/** A metric's value as the report holds it. */
export interface MetricValue {
  /** null: undefined, its denominator is zero. */
  readonly value: number | null;
  /** Denominator for a rate, mean or ratio, TP + FP + FN for an F1, samples run otherwise. */
  readonly n: number;
  readonly interval?: Interval;
}
