import type { Config } from '../model/config.js';
import type { BenchmarkReport, Example, ReasonGroup, RunReport } from '../model/report.js';
import { redactor } from '../text/redact.js';
import { reveal, type Untrusted, untrusted } from '../text/untrusted.js';

/** The key and the values of extra headers. */
export function secretsIn(config: Config): readonly string[] {
  return [config.apiKey ?? '', ...Object.values(config.headers)];
}

/**
 * The report with every secret that an endpoint echoed back blotted out. Only texts from outside are touched: a header
 * such as `x-kind: metrics` must not change our own words, names or figures.
 */
export function withoutSecrets(report: RunReport, secrets: readonly string[]): RunReport {
  const redact = redactor(secrets);
  const clean = (text: Untrusted): Untrusted => untrusted(redact(reveal(text)));
  const example = (each: Example): Example => ({
    ...each,
    prompt: clean(each.prompt),
    official: clean(each.official),
    vendor: clean(each.vendor),
    detail: clean(each.detail),
  });
  const reasons = (group: ReasonGroup): ReasonGroup => ({
    ...group,
    rows: group.rows.map((row) => ({ ...row, key: clean(row.key) })),
  });
  const benchmark = (each: BenchmarkReport): BenchmarkReport => ({
    ...each,
    reasons: each.reasons.map(reasons),
    examples: each.examples.map(example),
  });
  const { stopped, endpoint } = report;
  return {
    ...report,
    endpoint: { ...endpoint, served: endpoint.served.map(clean) },
    stopped: stopped && { ...stopped, detail: clean(stopped.detail) },
    benchmarks: report.benchmarks.map(benchmark),
  };
}
