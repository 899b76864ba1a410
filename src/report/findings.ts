import type { BenchmarkReport, GateReport } from '../model/report.js';
import { capital } from '../text/figures.js';
import { findingInOwnWords as k2Finding } from './k2-words.js';
import { findingInOwnWords as miniwobFinding } from './miniwob-words.js';
import { outside, type Sentence } from './prose.js';
import { asked, gateTitle, measured, outcomeOf, worstFirst } from './rows.js';
import { remembered } from './shape.js';

/** What one failed gate means. */
export interface Finding {
  /** For a headline: 'the model calls tools too rarely'. */
  readonly short: Sentence;
  /** A whole sentence with the figures. */
  readonly sentence: Sentence;
  /** A finding that explains others is named before them. */
  readonly rank: number;
  /** Kinds of example that show it, the most telling first. */
  readonly kinds: readonly string[];
}

/** The failed gates of a benchmark in words, the most telling first; warning gates are left out. */
export const findingsOf = remembered((benchmark): readonly Finding[] =>
  worstFirst(benchmark.gates, benchmark)
    .filter((gate) => outcomeOf(gate, benchmark) === 'fail')
    .map((gate) => findingOf(gate, benchmark))
    .sort((a, b) => a.rank - b.rank),
);

/** The failed gate of a metric that has words of its own in those, of any other in general ones. */
export function findingOf(gate: GateReport, benchmark: BenchmarkReport): Finding {
  return k2Finding(gate, benchmark) ?? miniwobFinding(gate, benchmark) ?? general(gate, benchmark);
}

/** Any other metric: its title, its figures, its gate. */
function general(gate: GateReport, benchmark: BenchmarkReport): Finding {
  const title = gateTitle(gate, benchmark);
  return {
    rank: 4,
    short: [outside(title, 80), ' misses its gate'],
    sentence: [
      outside(capital(title), 80),
      `: ${measured(gate, benchmark)}, gate ${asked(gate, benchmark)}.`,
    ],
    kinds: [],
  };
}
