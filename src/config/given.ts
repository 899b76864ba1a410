import type { Problem } from '../model/errors.js';
import type { Json } from '../model/json.js';
import { nearest } from '../text/nearest.js';
import { INPUTS, type InputName } from './inputs.js';
import { isMapping, showName } from './values.js';
import { readYaml } from './yaml-text.js';

/** The config file as its reader found it. `unreadable`: why it could not be read, a sentence. */
export type ConfigFile =
  | { readonly path: string; readonly text: string }
  | { readonly path: string; readonly unreadable: string };

/** Where the inline values were written; messages name an input as it is written there. */
export type Surface = 'action' | 'terminal' | 'api';

/** What the user gave for one input. */
export interface Given {
  /** A string when given inline, in a program any JSON value; any YAML value when it stands in the file. */
  readonly raw: unknown;
  /** For messages: `max-tokens`, `--max-tokens`, `maxTokens` or `vendor-gate.yml: max-tokens`. */
  readonly where: string;
}

const NAMES: readonly string[] = INPUTS.map((input) => input.name);

/** Keys that may not stand in a config file, and why. */
const NOT_IN_FILE: Partial<Record<InputName, { readonly what: string; readonly fix: string }>> = {
  'api-key': {
    what: 'A key does not belong into a file.',
    fix: 'Remove it and revoke the key if it was ever committed; give it as the input api-key from a secret, or as VENDOR_GATE_API_KEY on a terminal.',
  },
  'github-token': {
    what: 'A token does not belong into a file.',
    fix: 'Remove it and revoke the token if it was ever committed; the action has one of its own.',
  },
  config: { what: 'A config file cannot name another one.', fix: 'Remove it.' },
};

/**
 * Merges the two sources: inline beats the file, and an empty value counts as not given. Unknown names and a file
 * that is no mapping are pushed to `problems`.
 * `fileUsable`: false when a file was named and nothing could be taken from it.
 */
export function gather(
  values: Readonly<Record<string, Json | undefined>>,
  file: ConfigFile | null,
  surface: Surface,
  problems: Problem[],
): { readonly given: ReadonlyMap<string, Given>; readonly fileUsable: boolean } {
  const given = new Map<string, Given>();
  const entries = file === null ? [] : fileEntries(file, problems);
  if (file !== null) {
    for (const [key, raw] of entries ?? []) {
      if (raw === null || raw === '') continue;
      given.set(key, { raw, where: `${file.path}: ${key}` });
    }
  }
  for (const [name, value] of Object.entries(values)) {
    const raw = typeof value === 'string' ? value.trim() : (value ?? '');
    if (!NAMES.includes(name)) {
      problems.push({
        where: nameOn(surface, showName(name)),
        what: surface === 'action' ? 'There is no such input.' : 'There is no such option.',
        fix: suggestion(name, 'Remove it; README.md lists all inputs.'),
      });
    } else if (raw !== '') {
      given.set(name, { raw, where: nameOn(surface, name) });
    }
  }
  return { given, fileUsable: entries !== null };
}

/** An input's name as it is written on the surface. */
export function nameOn(surface: Surface, name: string): string {
  if (surface === 'api') return name.replace(/-[a-z]/g, (part) => part.slice(1).toUpperCase());
  // The key is no flag: it comes from the environment.
  return surface === 'action' || name === 'api-key' ? name : `--${name}`;
}

/** null when the file as a whole cannot be used. */
function fileEntries(file: ConfigFile, problems: Problem[]): [string, unknown][] | null {
  if ('unreadable' in file) {
    problems.push({
      where: file.path,
      what: `The config file cannot be read: ${file.unreadable}`,
      fix: 'Check the path; in a workflow the repository must be checked out first (actions/checkout).',
    });
    return null;
  }
  const parsed = readYaml(file.text);
  if ('wrong' in parsed) {
    problems.push({ where: file.path, what: `It is ${parsed.wrong}.`, fix: 'Mend the file.' });
    return null;
  }
  if (parsed.value === null) return [];
  if (!isMapping(parsed.value)) {
    problems.push({
      where: file.path,
      what: 'It is not a mapping.',
      fix: 'Write one input a line, such as `concurrency: 16`.',
    });
    return null;
  }
  return Object.entries(parsed.value).filter(([key]) => {
    const problem = keyProblem(key);
    if (problem !== null) problems.push({ where: `${file.path}: ${showName(key)}`, ...problem });
    return problem === null;
  });
}

function keyProblem(key: string): { readonly what: string; readonly fix: string } | null {
  const known = INPUTS.find((input) => input.name === key);
  if (known !== undefined) return NOT_IN_FILE[known.name] ?? null;
  const hyphened = key.replaceAll('_', '-');
  if (NAMES.includes(hyphened)) {
    return { what: 'There is no such key.', fix: `Keys are written with hyphens: ${hyphened}.` };
  }
  return {
    what: 'There is no such key.',
    fix: suggestion(key, 'Remove it; docs/config.schema.json lists all keys.'),
  };
}

function suggestion(name: string, otherwise: string): string {
  const near = nearest(name, NAMES);
  return near === null ? otherwise : `Did you mean ${near}?`;
}
