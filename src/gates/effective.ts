import type { BenchmarkSpec } from '../model/benchmark.js';
import type { Gate } from '../model/gate.js';
import { ENGINE_METRICS } from './engine-metrics.js';

/**
 * The gates that hold for one benchmark and subset: those of the defaults and of the user that are meant for it and whose
 * metric it has. A user's gate replaces every default gate of the same metric here, warnings too; the other defaults stay.
 * A warning on whether the run could measure replaces nothing: it would remove the guard against an outage.
 * Of gates that ask the same only the first is kept. They come in the order of the benchmark's metrics, the engine's last.
 * @param user gates in the order written
 * @param defaults the benchmark's and the engine's; empty when the user turned them off
 */
export function effectiveGates(
  user: readonly Gate[],
  defaults: readonly Gate[],
  spec: BenchmarkSpec,
  subset: string,
): Gate[] {
  const all = [...spec.metrics, ...ENGINE_METRICS];
  const metrics = all.map(({ name }) => name);
  const guards = all.filter(({ measuresTheRun }) => measuresTheRun).map(({ name }) => name);
  const meantHere = (gate: Gate): boolean =>
    metrics.includes(gate.metric) &&
    (gate.benchmark === null || gate.benchmark === spec.name) &&
    (gate.subset === null || gate.subset === subset);
  const own = user.filter(meantHere);
  const replaced = new Set(
    own
      .filter(({ warn, metric }) => !(warn && guards.includes(metric)))
      .map(({ metric }) => metric),
  );
  const kept = defaults.filter((gate) => meantHere(gate) && !replaced.has(gate.metric));
  const distinct = new Map<string, Gate>();
  for (const gate of [...kept, ...own]) {
    const key = [gate.metric, gate.operator, gate.bound, gate.level, gate.warn].join(' ');
    if (!distinct.has(key)) distinct.set(key, gate);
  }
  return [...distinct.values()].sort(
    (a, b) => metrics.indexOf(a.metric) - metrics.indexOf(b.metric),
  );
}
