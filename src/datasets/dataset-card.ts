import { parse } from 'yaml';
import type { Json } from '../model/json.js';

/**
 * The files that a data set's README names for a subset and split: its YAML head, `configs`, as the `datasets` library
 * reads it. Paths, or patterns with `*`. Null when it does not say.
 */
export function filesInCard(card: string, subset: string, split: string): readonly string[] | null {
  const head = /^\ufeff?---\r?\n([\s\S]*?)\r?\n---/.exec(card)?.[1];
  if (head === undefined) return null;
  let values: Json;
  try {
    values = parse(head, { maxAliasCount: 0 }) as Json;
  } catch {
    return null;
  }
  const config = listIn(values, 'configs').find((each) => memberOf(each, 'config_name') === subset);
  const files = memberOf(config, 'data_files');
  if (typeof files === 'string') return [files];
  const entries = Array.isArray(files) ? (files as readonly Json[]) : [];
  if (entries.length > 0 && entries.every((entry) => typeof entry === 'string')) return entries;
  const entry = entries.find((each) => memberOf(each, 'split') === split);
  const path = memberOf(entry, 'path');
  if (typeof path === 'string') return [path];
  const paths = listIn(entry, 'path').filter((each) => typeof each === 'string');
  return paths.length > 0 ? paths : null;
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return (value as { readonly [key: string]: Json })[name];
}

function listIn(value: Json | undefined, name: string): readonly Json[] {
  const list = memberOf(value, name);
  return Array.isArray(list) ? (list as readonly Json[]) : [];
}
