import { WIRE_WARNINGS } from '../../endpoint/warnings.js';
import type { Counts } from '../../model/observation.js';
import type { BenchmarkDetail, ReasonGroup, Warning } from '../../model/report.js';
import { untrusted } from '../../text/untrusted.js';
import type { FailureCause } from './score.js';
import { CAUSE_TEXTS } from './words.js';

const TEXTS: Readonly<Record<string, string>> = WIRE_WARNINGS;

/** The parts of the report that come from this benchmark's own counters. */
export function detailOf(counts: Counts): BenchmarkDetail {
  const rows: ReasonGroup['rows'] = named(counts, 'failed.').map(([cause, count]) => ({
    key: untrusted(cause),
    text: CAUSE_TEXTS[cause as FailureCause] ?? cause,
    count,
  }));
  const failed: ReasonGroup = {
    name: 'failures',
    title: 'episodes that were not solved',
    unit: 'episodes',
    of: (counts['episodes'] ?? 0) - (counts['unmeasured'] ?? 0),
    rows,
  };
  return { confusion: null, reasons: rows.length === 0 ? [] : [failed], warnings: wire(counts) };
}

function wire(counts: Counts): Warning[] {
  return named(counts, 'wire.').map(([name, count]) => ({
    name,
    count,
    text: TEXTS[name] ?? name,
  }));
}

/** Counters under a prefix, most frequent first, then by name. */
function named(counts: Counts, prefix: string): [string, number][] {
  return Object.entries(counts)
    .filter(([name, count]) => name.startsWith(prefix) && count > 0)
    .map(([name, count]): [string, number] => [name.slice(prefix.length), count])
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}
