import type { BenchmarkSpec } from '../model/benchmark.js';
import type { Json, JsonObject } from '../model/json.js';
import { isMapping, showName } from './values.js';

/** One entry on its way from text to a choice. */
export interface Entry {
  readonly spec: BenchmarkSpec;
  /** From NAME/SUBSET; null when the name stands alone. */
  readonly subset: string | null;
  /** As given, `--set` merged over. */
  readonly options: Readonly<Record<string, Json>>;
  /** Of the entry in messages: `datasets.k2_verifier`. */
  readonly where: string;
  /** Options that came from --set. */
  readonly fromSet: ReadonlySet<string>;
}

/** Where an option was written, for messages. */
export function whereOfOption(entry: Entry, option: string): string {
  return entry.fromSet.has(option)
    ? `--set ${entry.spec.name}.${showName(option)}`
    : `${entry.where}.${showName(option)}`;
}

/** The options without `subset`, which is no option of the benchmark but part of the choice. */
export function ownOptions(entry: Entry): JsonObject {
  const { subset: _, ...own } = entry.options;
  return own;
}

/** The schemas of the benchmark's options, by name. */
export function optionSchemas({ spec }: Entry): JsonObject {
  const { optionsSchema } = spec;
  const properties = isMapping(optionsSchema) ? optionsSchema['properties'] : undefined;
  return isMapping(properties) ? properties : {};
}
