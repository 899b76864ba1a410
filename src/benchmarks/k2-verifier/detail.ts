import { WIRE_WARNINGS } from '../../endpoint/warnings.js';
import { CAUSES, type Cause } from '../../model/completion.js';
import type { Counts } from '../../model/observation.js';
import type { BenchmarkDetail, ReasonGroup, Warning } from '../../model/report.js';
import { untrusted } from '../../text/untrusted.js';
import { finishText, invalidText, WARNINGS } from './words.js';

/** The parts of the report that come from this benchmark's own counters. Groups without rows are left out. */
export function detailOf(counts: Counts): BenchmarkDetail {
  const get = (name: string): number => counts[name] ?? 0;
  const confusion = {
    tp: get('tp'),
    fp: get('fp'),
    fn: get('fn'),
    tn: get('tn'),
    fn_unmeasured: get('fn_unmeasured'),
    tn_unmeasured: get('tn_unmeasured'),
  };
  const run = confusion.tp + confusion.fp + confusion.fn + confusion.tn;
  const answered = run - confusion.fn_unmeasured - confusion.tn_unmeasured;
  const groups: ReasonGroup[] = [
    group('invalid_calls', 'tool calls that failed validation', 'calls', {
      // A response that says tool_calls and has none stands for one call.
      of: get('calls') + get('invalid.no_tool_calls'),
      rows: rowsOf(counts, 'invalid.', invalidText),
    }),
    group('finish_reasons', 'how answers ended', 'samples', {
      of: answered - get('refused'),
      rows: rowsOf(counts, 'finish.', finishText),
    }),
    group('refusals', 'prompts the endpoint refused', 'samples', {
      of: answered,
      rows: rowsOf(counts, 'refused.', (status) => `refused with HTTP ${status}`),
    }),
    group('errors', 'samples without a usable answer', 'samples', {
      of: run,
      rows: rowsOf(counts, 'engine.unmeasured.', causeText),
    }),
  ];
  return {
    confusion,
    reasons: groups.filter(({ rows }) => rows.length > 0),
    warnings: warningsOf(counts),
  };
}

function group(
  name: string,
  title: string,
  unit: string,
  { of, rows }: Pick<ReasonGroup, 'of' | 'rows'>,
): ReasonGroup {
  return { name, title, unit, of, rows };
}

/** Counters under a prefix, most frequent first, then by name. */
function rowsOf(
  counts: Counts,
  prefix: string,
  text: (key: string) => string,
): ReasonGroup['rows'] {
  return named(counts, prefix).map(([key, count]) => ({
    key: untrusted(key),
    text: text(key),
    count,
  }));
}

function named(counts: Counts, prefix: string): [string, number][] {
  return Object.entries(counts)
    .filter(([name, count]) => name.startsWith(prefix) && count > 0)
    .map(([name, count]): [string, number] => [name.slice(prefix.length), count])
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

function causeText(cause: string): string {
  return Object.hasOwn(CAUSES, cause) ? CAUSES[cause as Cause] : cause;
}

function warningsOf(counts: Counts): Warning[] {
  const wire = new Map(named(counts, 'wire.'));
  const own = new Map(named(counts, 'warning.'));
  for (const name of ['calls_without_finish', 'reasoning_only']) {
    if ((counts[name] ?? 0) > 0) own.set(name, counts[name] ?? 0);
  }
  for (const [name, onTheWire] of SEEN_TWICE) {
    if ((own.get(name) ?? 0) > (wire.get(onTheWire) ?? 0)) wire.delete(onTheWire);
    else own.delete(name);
  }
  const worded = (from: Map<string, number>, texts: Readonly<Record<string, string>>): Warning[] =>
    [...from].map(([name, count]) => ({ name, count, text: textOf(texts, name) }));
  return [...worded(wire, WIRE_WARNINGS), ...worded(own, WARNINGS)].sort(
    (a, b) => b.count - a.count || (a.name < b.name ? -1 : 1),
  );
}

/** Counters of ours that the reader of the wire may have counted too, perhaps only in part; each is said once. */
const SEEN_TWICE = [
  ['calls_without_finish', 'stop_with_tool_calls'],
  ['reasoning_only', 'reasoning_only'],
  ['arguments_object', 'arguments_object'],
  ['arguments_truncated', 'truncated_arguments'],
  ['arguments_repeated', 'arguments_twice'],
] as const;

function textOf(texts: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(texts, name) ? (texts[name] ?? name) : name;
}
