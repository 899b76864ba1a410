import { CAUSES, type Cause } from '../model/completion.js';
import type { BenchmarkReport, ReasonGroup } from '../model/report.js';
import { untrusted } from '../text/untrusted.js';
import { count, NBSP } from './numbers.js';
import { code, type Sentence } from './prose.js';

/** The engine counts unmeasured samples by cause under this prefix. */
const PREFIX = 'engine.unmeasured.';
/** The group that says how answers ended, which is no failure. */
const ENDINGS = 'finish_reasons';

/** Samples without a usable answer by cause over all benchmarks, most frequent first. */
export function causesOf(
  benchmarks: readonly BenchmarkReport[],
): { cause: string; text: string; count: number }[] {
  const sums = new Map<string, number>();
  for (const benchmark of benchmarks) {
    for (const [name, n] of Object.entries(benchmark.counts)) {
      if (!name.startsWith(PREFIX) || n <= 0) continue;
      const cause = name.slice(PREFIX.length);
      sums.set(cause, (sums.get(cause) ?? 0) + n);
    }
  }
  return [...sums]
    .map(([cause, n]) => ({ cause, text: causeText(cause), count: n }))
    .sort((a, b) => b.count - a.count || (a.cause < b.cause ? -1 : 1));
}

/** The benchmark's tables 'what failed and how often', with one of unanswered samples where it brings none itself. */
export function failureGroups(benchmark: BenchmarkReport): readonly ReasonGroup[] {
  const filled = benchmark.reasons.filter(
    (group) => group.name !== ENDINGS && group.rows.some((row) => row.count > 0),
  );
  if (filled.some((group) => group.name === 'errors')) return filled;
  const causes = causesOf([benchmark]);
  if (causes.length === 0) return filled;
  const errors: ReasonGroup = {
    name: 'errors',
    title: 'samples without a usable answer',
    unit: 'samples',
    of: benchmark.samples.run,
    rows: causes.map((each) => ({
      key: untrusted(each.cause),
      text: each.text,
      count: each.count,
    })),
  };
  return [errors, ...filled];
}

/** 'Answers ended with 1,002 `stop`, 998 `tool_calls`.'; empty where the benchmark does not say. */
export function endingsOf(benchmark: BenchmarkReport): Sentence {
  const group = benchmark.reasons.find((each) => each.name === ENDINGS);
  const rows = group?.rows.filter((row) => row.count > 0) ?? [];
  if (rows.length === 0) return [];
  return ['Answers ended with ', ...namedRows(rows, 6)];
}

/** '118 `unknown_tool`, 6 `schema_violation`, 3 others.': the first `most` rows of a table as the end of a sentence. */
export function namedRows(rows: ReasonGroup['rows'], most: number): Sentence {
  const named = rows
    .slice(0, most)
    .flatMap(
      (row, index): Sentence => [
        `${index === 0 ? '' : ', '}${count(row.count)}${NBSP}`,
        code(row.key, 60),
      ],
    );
  const rest = rows.slice(most).reduce((sum, row) => sum + row.count, 0);
  return [...named, rest > 0 ? `, ${count(rest)} others.` : '.'];
}

function causeText(cause: string): string {
  return Object.hasOwn(CAUSES, cause) ? CAUSES[cause as Cause] : cause;
}
