import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Action, ActionName, ActionValue } from '../../src/benchmarks/miniwob/action.js';
import { findBrowser } from '../../src/benchmarks/miniwob/browser/find-browser.js';
import type { EpisodeRequest } from '../../src/benchmarks/miniwob/environment.js';

/** The browser that the tests drive. */
export function testBrowser(): string {
  return findBrowser(null, process.env, 'CHROME_PATH');
}

/** What a page needs to be a task: see datasets/miniwob-pages. */
const PROTOCOL = fileURLToPath(new URL('../../datasets/miniwob-pages/page.js', import.meta.url));

/** A folder with pages in it, each the body of a task with what it does; `remove` deletes it. */
export function pagesFolder(bodies: Readonly<Record<string, string>>): {
  readonly dir: string;
  remove(): void;
} {
  const dir = mkdtempSync(join(tmpdir(), 'vendor-gate-test-pages-'));
  copyFileSync(PROTOCOL, join(dir, 'page.js'));
  for (const [name, body] of Object.entries(bodies)) {
    writeFileSync(join(dir, `${name}.html`), taskPage(name, body));
  }
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** Elements get numbers in this order: html 0, head 1, meta 2, title 3, script 4, style 5, body 6, wrap 7, query 8. */
function taskPage(name: string, body: string): string {
  return `<!doctype html><meta charset="utf-8"><title>${name}</title><script src="page.js"></script>
<body><div id="wrap"><div id="query"></div><div id="area">${body}</div></div>
<script>window.genProblem ??= () => setGoal('Do it.');</script>`;
}

export function requestFor(page: string, change: Partial<EpisodeRequest> = {}): EpisodeRequest {
  return {
    task: `miniwob.${page}`,
    mathSeed: 1,
    maxSteps: 10,
    successThreshold: 0,
    urlCheck: 'strict',
    ...change,
  };
}

/** `call('click', '13')`; a whole number becomes an int. */
export function call(
  name: ActionName,
  ...positional: readonly (string | number | boolean | readonly string[])[]
): Action {
  return { kind: 'call', name, positional: positional.map(actionValue), keywords: [] };
}

function actionValue(value: string | number | boolean | readonly string[]): ActionValue {
  if (typeof value === 'string') return { type: 'string', value };
  if (typeof value === 'boolean') return { type: 'bool', value };
  if (typeof value === 'number') {
    return { type: Number.isInteger(value) ? 'int' : 'float', value };
  }
  return { type: 'list', items: value.map(actionValue) };
}

/** The bid that the text of a page shows before a name: `bidOf(tree, "button 'Go'")`. */
export function bidOf(tree: string, label: string): string {
  const line = tree.split('\n').find((each) => each.includes(label));
  const bid = /\[(\w+)\]/.exec(line ?? '')?.[1];
  if (bid === undefined) throw new Error(`no ${label} in\n${tree}`);
  return bid;
}

/** Width and height of a PNG. */
export function pngSize(png: Buffer): { width: number; height: number } {
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}
