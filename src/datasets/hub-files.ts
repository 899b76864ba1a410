import { shown, shownList } from './problem.js';

/** A file in the listing of a hub. */
export interface HubFile {
  readonly path: string;
  /** Lower-case hex; null where the listing has none. */
  readonly sha256: string | null;
}

/** The files of a table, in order; or why it cannot be told which they are. */
export type Choice = { readonly parts: readonly HubFile[] } | { readonly why: string };

/** Best first, when the same table is there in several forms. */
const FORMS = ['jsonl', 'ndjson', 'json', 'parquet', 'csv', 'tsv'];
const DATA_FILE = /\.(jsonl|ndjson|json|parquet|csv|tsv)(\.gz)?$/i;
/** What hubs and libraries write beside the data; `.json`, but no rows. */
const ABOUT_THE_DATA =
  /(^|\/)(dataset_?infos?|configuration|config|meta(data)?|state|croissant)\.json$/i;
const PART = /^(.*?)-(\d{5})-of-(\d{5})(\.[^/]+)$/;
const OTHER_SPLIT = /_(train|training|dev|val|valid|validation)_/;

/**
 * Picks the files of one subset and split by the words in their paths: those with both, or else with the subset and
 * no other split, or else with the split, or else all data files there are. Parts such as `test-00000-of-00002.parquet`
 * belong together.
 */
export function chooseFiles(listing: readonly HubFile[], subset: string, split: string): Choice {
  const files = listing.filter(({ path }) => isData(path));
  const of = (name: string) => (file: HubFile) => words(file.path).includes(words(name));
  const named = files.filter(of(subset));
  const otherSplit = ({ path }: HubFile) => OTHER_SPLIT.test(words(path));
  const choices = [
    named.filter(of(split)),
    named.filter((file) => !otherSplit(file)),
    named.length > 0 ? [] : files.filter(of(split)),
    named.length > 0 ? [] : files.filter((file) => !otherSplit(file)),
  ];
  return oneTable(choices.find((choice) => choice.length > 0) ?? []);
}

/** The files that are named by patterns in which `*` stands for anything but `/` and `**` for anything. */
export function matchingFiles(listing: readonly HubFile[], patterns: readonly string[]): Choice {
  const tests = patterns.filter(({ length }) => length <= LONGEST).map(tokensOf);
  return oneTable(listing.filter(({ path }) => tests.some((test) => fits(test, path))));
}

function oneTable(files: readonly HubFile[]): Choice {
  const tables = new Map<string, HubFile[]>();
  for (const file of files) {
    const name = file.path.replace(PART, '$1-of-$3$4');
    tables.set(name, [...(tables.get(name) ?? []), file]);
  }
  const [best, second] = [...tables.values()].sort((a, b) => rank(a) - rank(b));
  if (best === undefined) return { why: 'no data file fits' };
  const stems = new Set([...tables.keys()].map((name) => name.replace(DATA_FILE, '')));
  if (second !== undefined && (stems.size > 1 || rank(best) === rank(second))) {
    return { why: `several files fit: ${shownList(files.map(({ path }) => path))}` };
  }
  const parts = best.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const [first] = parts;
  const count = Number(PART.exec(first?.path ?? '')?.[3] ?? 1);
  if (count === parts.length && parts.every(({ path }, at) => partOf(path) === at)) {
    return { parts };
  }
  const found = `${shown(first?.path ?? '')} and so on`;
  return { why: `of ${count} parts there are ${parts.length}: ${found}` };
}

function partOf(path: string): number {
  return Number(PART.exec(path)?.[2] ?? 0);
}

function rank(files: readonly HubFile[]): number {
  const form = DATA_FILE.exec(files[0]?.path ?? '')?.[1]?.toLowerCase();
  return form === undefined ? FORMS.length : FORMS.indexOf(form);
}

function isData(path: string): boolean {
  const hidden = path.split('/').some((part) => part.startsWith('.'));
  return !hidden && DATA_FILE.test(path) && !ABOUT_THE_DATA.test(path);
}

/** `data/K2-Thinking/test.jsonl` as `_data_k2_thinking_test_jsonl_`. */
function words(text: string): string {
  return `_${text.toLowerCase().replace(/[^a-z0-9]+/g, '_')}_`.replaceAll('__', '_');
}

/** Patterns come from outside, and so do paths: neither may be long. */
const LONGEST = 500;

/**
 * Whether a path fits a pattern. Each star first takes nothing and then as much more as it must; only the last star of a
 * kind is ever tried again, so that the work is at most the product of the two lengths.
 */
function fits(pattern: readonly string[], path: string): boolean {
  if (path.length > LONGEST) return false;
  let [at, place] = [0, 0];
  const back: { at: number; place: number; deep: boolean }[] = [];
  for (;;) {
    const token = pattern[at];
    if (token === '*' || token === '**') {
      // What a `**` can take, an earlier star need not be asked for again.
      if (token === '**') back.length = 0;
      else while (back.at(-1)?.deep === false) back.pop();
      back.push({ at, place, deep: token === '**' });
      at += 1;
      continue;
    }
    if (token === undefined ? place === path.length : token === path[place]) {
      if (token === undefined) return true;
      at += 1;
      place += 1;
      continue;
    }
    const last = retry(back, path);
    if (last === null) return false;
    at = last.at + 1;
    place = last.place;
  }
}

/** The last star takes one character more; one that cannot makes way for the star before it. */
function retry(
  back: { at: number; place: number; deep: boolean }[],
  path: string,
): { at: number; place: number } | null {
  for (let last = back.at(-1); last !== undefined; last = back.at(-1)) {
    const taken = path[last.place];
    if (taken !== undefined && (last.deep || taken !== '/')) {
      last.place += 1;
      return last;
    }
    back.pop();
  }
  return null;
}

/** Characters and stars; `**` with the slash after it is one. */
function tokensOf(pattern: string): string[] {
  return (
    pattern
      .replace(/^\.\//, '')
      .match(/\*\*\/?|[\s\S]/g)
      ?.map((token) => (token.startsWith('**') ? '**' : token)) ?? []
  );
}
