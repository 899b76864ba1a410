import { type PythonValue, pythonRepr, pythonStrip } from '../../text/python-repr.js';
import { type AxNode, type AxProperty, nameOf, roleOf } from './ax-tree.js';
import { unmarked } from './marks.js';

/** Properties that say nothing to a model, or are in the line already. */
const SILENT: ReadonlySet<string> = new Set([
  'editable',
  'readonly',
  'level',
  'settable',
  'multiline',
  'invalid',
  'focusable',
]);
/** Printed as the bare word when true, and not at all otherwise. */
const FLAGS: ReadonlySet<string> = new Set(['required', 'focused', 'atomic']);

interface Visit {
  readonly node: AxNode;
  readonly depth: number;
  readonly parentName: string;
}

/**
 * The text of a page's accessibility tree, as BrowserGym shows it to a model: one line a node, one tab a level, the
 * element's bid in brackets, Python's repr of names and values.
 *
 * Nodes without a name, line breaks, generic nodes with nothing to say and text that the parent's name already holds
 * are left out; their children move up. A node is printed once, however many parents name it.
 *
 * @param nodes marked nodes as `Accessibility.getFullAXTree` gives them, the root first; frames merged (`mergeFrames`)
 *   and, from a newer Chromium, normalised (`normaliseAxTree`)
 * @returns lines joined by newlines, none at the end; empty without nodes
 */
export function flattenAxTree(nodes: readonly AxNode[]): string {
  const [root] = nodes;
  if (root === undefined) return '';
  // Of two nodes with the same id the last one counts.
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const lines: string[] = [];
  const seen = new Set<AxNode>();
  // A stack of our own: pages may nest deeper than JavaScript calls may.
  const open: Visit[] = [{ node: root, depth: 0, parentName: '' }];
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    const { node, depth, parentName } = visit;
    if (seen.has(node)) continue;
    seen.add(node);
    const line = lineOf(node, parentName);
    if (line !== null) lines.push('\t'.repeat(depth) + line);
    const below = {
      depth: line === null ? depth : depth + 1,
      parentName: roleOf(node) === 'LineBreak' ? '' : (nameOf(node) ?? ''),
    };
    for (const id of (node.childIds ?? []).toReversed()) {
      const child = byId.get(id);
      if (child !== undefined) open.push({ node: child, ...below });
    }
  }
  return lines.join('\n');
}

/** null: not printed. */
function lineOf(node: AxNode, parentName: string): string | null {
  const role = roleOf(node);
  const name = nameOf(node);
  if (role === 'LineBreak' || name === null) return null;
  if (role === 'StaticText' && parentName.includes(name)) return null;
  const { bid, properties } = unmarked(node);
  const attributes = properties.flatMap(attributeOf);
  if (role === 'generic' && attributes.length === 0) return null;
  let line = bid === null ? role : `[${bid}] ${role}`;
  if (role !== 'generic' || name !== '') line += ` ${pythonRepr(pythonStrip(name))}`;
  const value = node.value?.value;
  if (value !== undefined && value !== null) line += ` value=${pythonRepr(value as PythonValue)}`;
  return [line, ...attributes].join(', ');
}

function attributeOf({ name, value }: AxProperty): string[] {
  const what = value.value;
  if (what === undefined || SILENT.has(name)) return [];
  if (FLAGS.has(name)) return what ? [name] : [];
  return [`${name}=${pythonRepr(what as PythonValue)}`];
}
