import { CAUSES, type Cause } from '../model/completion.js';
import type { BenchmarkReport, ReasonGroup } from '../model/report.js';
import { untrusted } from '../text/untrusted.js';

/** The engine counts unmeasured samples by cause under this prefix. */
const PREFIX = 'engine.unmeasured.';

/** Samples without a usable answer by cause over all benchmarks, most frequent first. */
export function causesOf(
  benchmarks: readonly BenchmarkReport[],
): { cause: string; text: string; count: number }[] {
  const sums = new Map<string, number>();
  for (const benchmark of benchmarks) {
    for (const [name, count] of Object.entries(benchmark.counts)) {
      if (!name.startsWith(PREFIX) || count <= 0) continue;
      const cause = name.slice(PREFIX.length);
      sums.set(cause, (sums.get(cause) ?? 0) + count);
    }
  }
  return [...sums]
    .map(([cause, count]) => ({ cause, text: causeText(cause), count }))
    .sort((a, b) => b.count - a.count || (a.cause < b.cause ? -1 : 1));
}

/** The benchmark's tables 'what failed and how often', with one of unanswered samples where it brings none itself. */
export function reasonGroups(benchmark: BenchmarkReport): readonly ReasonGroup[] {
  const filled = benchmark.reasons.filter((group) => group.rows.some((row) => row.count > 0));
  if (filled.some((group) => group.name === 'errors')) return filled;
  const causes = causesOf([benchmark]);
  if (causes.length === 0) return filled;
  const errors: ReasonGroup = {
    name: 'errors',
    title: 'samples without a usable answer',
    unit: 'samples',
    of: benchmark.samples.run,
    rows: causes.map(({ cause, text, count }) => ({ key: untrusted(cause), text, count })),
  };
  return [errors, ...filled];
}

function causeText(cause: string): string {
  return Object.hasOwn(CAUSES, cause) ? CAUSES[cause as Cause] : cause;
}
