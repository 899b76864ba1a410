import type { BenchmarkSpec } from '../model/benchmark.js';
import type { BenchmarkChoice } from '../model/config.js';
import type { Problem } from '../model/errors.js';
import type { Json } from '../model/json.js';
import { nearest } from '../text/nearest.js';
import { type Entry, whereOfOption } from './entry.js';
import type { Given } from './given.js';
import { checkOptions } from './options.js';
import { applySets } from './sets.js';
import { isMapping, show, showName } from './values.js';
import { looksLikeYaml, readYaml } from './yaml-text.js';

/**
 * `datasets` and `--set` as checked choices: names and subsets exist, options fit the benchmark's schema, nothing is
 * asked for twice. Problems are pushed; the result is whole only when none were.
 */
export function readDatasets(
  given: Given,
  sets: readonly string[],
  specs: readonly BenchmarkSpec[],
  problems: Problem[],
): readonly { readonly spec: BenchmarkSpec; readonly choice: BenchmarkChoice }[] {
  const before = problems.length;
  const named = namedOptions(given, problems);
  if (problems.length === before && named.length === 0) {
    problems.push({
      where: given.where,
      what: 'The list is empty.',
      fix: `Name at least one of ${names(specs)}.`,
    });
  }
  const entries: Entry[] = [];
  for (const [word, options] of named) {
    const entry = entryOf(word, options, given.where, specs, problems);
    if (entry !== null) entries.push(entry);
  }
  const chosen = applySets(entries, sets, problems).flatMap((entry) => {
    const subset = subsetOf(entry, problems);
    const options = checkOptions(entry, problems);
    return subset === null || options === null
      ? []
      : [
          {
            spec: entry.spec,
            choice: { name: entry.spec.name, subset, options },
            where: entry.where,
          },
        ];
  });
  const seen = new Set<string>();
  for (const { choice, where } of chosen) {
    const name = `${choice.name}/${choice.subset}`;
    if (seen.has(name)) {
      const fix = 'Name it once; two subsets of a benchmark are written NAME/SUBSET.';
      problems.push({ where, what: `${name} is chosen twice.`, fix });
    }
    seen.add(name);
  }
  return chosen.map(({ spec, choice }) => ({ spec, choice }));
}

/** The names as written, each with its options. */
function namedOptions(given: Given, problems: Problem[]): [string, Json][] {
  let value: unknown = given.raw;
  if (typeof value === 'string') {
    if (!looksLikeYaml(value)) {
      return value
        .split(/[\s,]+/)
        .filter(Boolean)
        .map((name) => [name, {}]);
    }
    const parsed = readYaml(value);
    if ('wrong' in parsed) {
      problems.push({
        where: given.where,
        what: `It is ${parsed.wrong}.`,
        fix: 'Give names separated by commas, or a YAML mapping of names to options.',
      });
      return [];
    }
    value = parsed.value;
  }
  if (isMapping(value)) return Object.entries(value);
  if (!Array.isArray(value)) {
    problems.push({
      where: given.where,
      what: `${show(value)} is neither a list nor a mapping.`,
      fix: 'Give names separated by commas, or a YAML mapping of names to options.',
    });
    return [];
  }
  return value.flatMap((item: unknown): [string, Json][] => {
    if (typeof item === 'string' && item !== '') return [[item, {}]];
    problems.push({
      where: given.where,
      what: `${show(item)} in the list is not a name.`,
      fix: 'A list holds names only; to give options, write a mapping: the name, a colon, the options indented below.',
    });
    return [];
  });
}

function entryOf(
  word: string,
  options: Json,
  where: string,
  specs: readonly BenchmarkSpec[],
  problems: Problem[],
): Entry | null {
  const slash = word.indexOf('/');
  const name = slash < 0 ? word : word.slice(0, slash);
  const spec = specs.find((candidate) => candidate.name === name);
  if (spec === undefined) {
    const near = nearest(
      name,
      specs.map((candidate) => candidate.name),
    );
    const fix = near === null ? `Known are ${names(specs)}.` : `Did you mean ${near}?`;
    problems.push({ where, what: `There is no benchmark ${show(name)}.`, fix });
    return null;
  }
  if (options !== null && !isMapping(options)) {
    problems.push({
      where: `${where}.${showName(word)}`,
      what: `${show(options)} is not a mapping of options.`,
      fix: 'Write the options indented below the name, one a line.',
    });
    return null;
  }
  return {
    spec,
    subset: slash < 0 ? null : word.slice(slash + 1),
    options: options ?? {},
    where: `${where}.${showName(word)}`,
    fromSet: new Set(),
  };
}

function subsetOf(entry: Entry, problems: Problem[]): string | null {
  const { spec, options } = entry;
  const where = whereOfOption(entry, 'subset');
  const option = options['subset'] ?? null;
  if (option !== null && entry.subset !== null && option !== entry.subset) {
    const what = `The name says ${show(entry.subset)} and the option subset ${show(option)}.`;
    problems.push({ where, what, fix: 'Give the subset once.' });
    return null;
  }
  const subset = option ?? entry.subset ?? spec.defaultSubset;
  const known = spec.subsets.map((candidate) => candidate.name);
  if (typeof subset === 'string' && known.includes(subset)) return subset;
  const near = typeof subset === 'string' ? nearest(subset, known) : null;
  const fix = near === null ? `Give one of ${known.join(', ')}.` : `Did you mean ${near}?`;
  problems.push({ where, what: `${spec.name} has no subset ${show(subset)}.`, fix });
  return null;
}

function names(specs: readonly BenchmarkSpec[]): string {
  return specs.map((spec) => spec.name).join(', ');
}
