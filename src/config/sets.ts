import type { Problem } from '../model/errors.js';
import type { Json } from '../model/json.js';
import { nearest } from '../text/nearest.js';
import { type Entry, optionSchemas } from './entry.js';
import { isMapping, readBoolean, readInteger, readNumber, show, showName } from './values.js';
import { readYaml } from './yaml-text.js';

const FORM = 'Write --set BENCHMARK.OPTION=VALUE, such as --set k2_verifier.source=rows.jsonl.';
const ANY = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER } as const;

/**
 * The entries with `--set` merged over, in order, the last winning. A set without a subset is for every entry of its
 * benchmark. Values are read as the option's schema wants them, so that a file named `12` stays a name.
 */
export function applySets(
  entries: readonly Entry[],
  sets: readonly string[],
  problems: Problem[],
): readonly Entry[] {
  let merged = entries;
  for (const set of sets) {
    const match = /^([^.=\s]+)\.([^=\s]+)=(.*)$/s.exec(set);
    const [, target, option, value] = match ?? [];
    if (target === undefined || option === undefined || value === undefined) {
      problems.push({ where: '--set', what: `${show(set)} is not a setting.`, fix: FORM });
      continue;
    }
    const hits = (entry: Entry) =>
      target === entry.spec.name || target === `${entry.spec.name}/${subsetNamed(entry)}`;
    if (!merged.some(hits)) {
      const chosen = merged.map((entry) => entry.spec.name);
      // Nothing to compare with when the data sets themselves are wrong; that is reported already.
      if (chosen.length > 0) problems.push(notChosen(target, option, chosen));
      continue;
    }
    merged = merged.map((entry) =>
      hits(entry)
        ? {
            ...entry,
            options: { ...entry.options, [option]: typed(value, optionSchemas(entry)[option]) },
            fromSet: new Set([...entry.fromSet, option]),
          }
        : entry,
    );
  }
  return merged;
}

function notChosen(target: string, option: string, chosen: readonly string[]): Problem {
  const near = nearest(target, chosen);
  return {
    where: `--set ${showName(target)}.${showName(option)}`,
    what: `${showName(target)} is not among the chosen benchmarks.`,
    fix: near === null ? `Chosen are ${[...new Set(chosen)].join(', ')}.` : `Did you mean ${near}?`,
  };
}

function subsetNamed(entry: Entry): Json {
  return entry.subset ?? entry.options['subset'] ?? entry.spec.defaultSubset;
}

/** A command line has only text; what does not read as the wanted type stays text, and the schema refuses it. */
function typed(value: string, schema: Json | undefined): Json {
  const type = isMapping(schema) ? schema['type'] : undefined;
  switch (type) {
    case 'boolean':
      return valueOr(readBoolean(value), value);
    case 'integer':
      return valueOr(readInteger(value, { type: 'integer', ...ANY }), value);
    case 'number':
      return valueOr(readNumber(value, { type: 'number', ...ANY }), value);
    case 'array':
    case 'object':
      return valueOr(readYaml(value), value);
    default:
      return value;
  }
}

function valueOr<T>(
  reading: { readonly value: T } | { readonly wrong: string },
  otherwise: string,
) {
  return 'value' in reading ? reading.value : otherwise;
}
